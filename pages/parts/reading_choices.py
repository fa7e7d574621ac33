"""How a file is to be read and prepared, where that differs from what was found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.datasets import Preparation, ScaleChoice
from engine.errors import InputError

#: Stands for a scale without steps where None stands for the step that was found.
CONTINUOUS: Final = 0.0
_COLUMNS: Final = re.compile(r"user=(\d{1,5}),item=(\d{1,5}),rating=(\d{1,5})")
_HEADER: Final = {"yes": True, "no": False}
#: Options of the command line whose value is a whole number, and what `Preparation` calls them.
_NUMBERS: Final = {
    "min-ratings": "min_ratings",
    "sample-users": "sample_users",
    "k-core": "k_core",
    "sample-seed": "seed",
}


@dataclass(frozen=True)
class Choices:
    """What to read differently from what was found; None leaves it as found."""

    columns: tuple[int, int, int] | None = None  # of user, item and rating, counted from 1
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    counts: bool = False
    has_header: bool | None = None

    def scale(self) -> ScaleChoice | None:
        """Return what was chosen of the scale; None if nothing was, or counts are read."""
        chosen = ScaleChoice(self.minimum, self.maximum, self.step)
        return chosen if chosen and not self.counts else None


def read_options(text: str) -> tuple[Choices, Preparation]:
    """Return what options of the command line choose, as the report of a file gives them.

    Columns are numbers here. Raises `InputError`.

    >>> choices, preparation = read_options("--columns user=2,item=1,rating=3 --k-core 5")
    >>> choices.columns, preparation.k_core
    ((2, 1, 3), 5)
    """
    options = dict(part.partition(" ")[::2] for part in f" {text}".split(" --")[1:])
    columns = scale = None
    try:
        if " ".join(f"--{name} {value}".strip() for name, value in options.items()) != text:
            raise ValueError  # an option given twice, or an unknown one
        if "columns" in options:
            parts = _COLUMNS.fullmatch(options.pop("columns"))
            if parts is None:
                raise ValueError
            columns = int(parts[1]), int(parts[2]), int(parts[3])
        has_header = _HEADER[options.pop("header")] if "header" in options else None
        if "scale" in options:
            scale = ScaleChoice.parse(options.pop("scale"))
        counts = "counts" in options
        if options.pop("counts", ""):
            raise ValueError
        numbers = {_NUMBERS[name]: int(value) for name, value in options.items()}
    except (KeyError, ValueError):  # of which InputError is one
        raise InputError("These are no options that read or prepare a file.") from None
    minimum, maximum, step = (scale.minimum, scale.maximum, scale.step) if scale else (None,) * 3
    return Choices(columns, minimum, maximum, step, counts, has_header), Preparation(**numbers)
