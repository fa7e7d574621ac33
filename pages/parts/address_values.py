"""What a text in an address can mean, part by part.

Each function takes the text and the names of the datasets that are there. It raises `Misfit` for a
text that cannot be shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.errors import InputError
from engine.input_checks import check_seed
from engine.limits import Limits
from engine.predictions import PREDICTIONS
from engine.privacy import MECHANISMS
from engine.settings import PAPER_KS
from engine.similarity import SIMILARITIES
from pages.parts.limits_text import parse_limits
from pages.parts.looks import shown_strategies
from pages.parts.upload_name import UploadName
from pages.parts.wording import listed, verbatim

#: The strategy of a view whose address names none. Not the engine's default, which has no reuse.
OPENING_STRATEGY: Final = "expect"
DEFAULT_MECHANISM: Final = MECHANISMS[0]
TOUR_STEPS: Final = 6
#: A threshold above this is no data usage that a machine could count to.
LARGEST_TAU: Final = 10**12


class Misfit(ValueError):
    """A value that cannot be shown: why not, and what is shown instead if that is not the default.

    The text continues a sentence about the value: "is not one of 5, 10".
    """

    def __init__(self, reason: str, instead: Any = None) -> None:
        super().__init__(reason)
        self.instead = instead


def _named(text: str, names: Iterable[str]) -> str | None:
    # A plus sign that was not encoded arrives as a space.
    return next((name for name in names if text in (name, name.replace("+", " "))), None)


def read_dataset(text: str, datasets: Sequence[str]) -> str:
    """Return the name of a dataset that is there, or of an upload."""
    name = text if text in datasets else _named(text, datasets)
    if name is not None:
        return name
    if upload := UploadName.parse(text):
        # It may be here under another name of the file. If not, the page asks for it.
        return next((name for name in datasets if _is_same(name, upload)), str(upload))
    raise Misfit("is not here")


def _is_same(name: str, upload: UploadName) -> bool:
    there = UploadName.parse(name)
    return there is not None and there.fingerprint.startswith(upload.fingerprint)


def read_k(text: str, _: Sequence[str]) -> int:
    """Return one of the numbers of neighbors that a run has."""
    if text.strip() not in map(str, PAPER_KS):
        raise Misfit(f"is not one of {', '.join(map(str, PAPER_KS))}")
    return int(text)


def parse_tau(text: str) -> int:
    """Return tau, a whole number from 0 to `LARGEST_TAU`: a use is a whole thing.

    Raises `Misfit`, with the nearest whole number where there is one.

    >>> parse_tau("93"), parse_tau("12,500")
    (93, 12500)
    >>> parse_tau("12,5")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    Misfit: is not a whole number of uses
    """
    text = text.strip()
    if re.fullmatch(r"\d+|\d{1,3}(,\d{3})+", text):
        digits = text.replace(",", "")
        if float(digits) > LARGEST_TAU:
            raise Misfit(f"is above {LARGEST_TAU:,}, the largest τ")
        return int(digits)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    nearest = round(number) if 0 <= number <= LARGEST_TAU else None
    raise Misfit("is not a whole number of uses", nearest)


def read_strategy(text: str, _: Sequence[str]) -> str:
    """Return the name of a strategy that has a look."""
    return _one_of(text, shown_strategies(embeddings=True))


def read_tau(text: str, _: Sequence[str]) -> int:
    """Return tau, as `parse_tau` does."""
    return parse_tau(text)


def read_limits(text: str, _: Sequence[str]) -> Limits:
    """Return limits on a choice of tau."""
    try:
        return parse_limits(text)
    except InputError as error:
        # The sentence quotes what the address says, and goes into Markdown.
        raise Misfit(f"cannot be used ({verbatim(error.clause, longest=200)})") from None


def read_mechanism(text: str, _: Sequence[str]) -> str:
    """Return the name of a kind of noise, empty for the default."""
    name = text.strip().lower()
    if name not in MECHANISMS:
        raise Misfit(f"is not one of {listed(MECHANISMS)}")
    return "" if name == DEFAULT_MECHANISM else name


def known_similarities() -> tuple[str, ...]:
    """Return the similarities that all strategies can be computed with.

    Learned vectors come with the strategies that need them, on half of the queries.
    """
    return tuple(name for name, known in SIMILARITIES.items() if not known.needs_embeddings)


def read_similarity(text: str, _: Sequence[str]) -> str:
    """Return the name of one of `known_similarities`."""
    return _one_of(text, known_similarities())


def read_prediction(text: str, _: Sequence[str]) -> str:
    """Return the name of a prediction rule."""
    return _one_of(text, tuple(PREDICTIONS))


def _one_of(text: str, names: Sequence[str]) -> str:
    name = _named(text.strip().lower(), names)
    if name is None:
        raise Misfit(f"is not one of {listed(names)}")
    return name


def read_yes(text: str, _: Sequence[str]) -> bool:
    """Return whether a text says yes."""
    if text.strip().lower() not in ("yes", "no"):
        raise Misfit("is neither yes nor no")
    return text.strip().lower() == "yes"


def read_step(text: str, _: Sequence[str]) -> int:
    """Return the number of a step of the tour."""
    if text.strip() not in map(str, range(1, TOUR_STEPS + 1)):
        raise Misfit(f"is not a step of the tour from 1 to {TOUR_STEPS}")
    return int(text)


def read_seed(text: str, _: Sequence[str]) -> int:
    """Return a seed."""
    try:
        return check_seed(int(text))
    except ValueError:  # of which InputError is one
        raise Misfit("is not a whole number from 0 to 4294967295") from None
