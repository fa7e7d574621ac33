"""A view and its address, `?dataset=&k=&tau=&strategy=`: what there is to set, read and written.

>>> view, notes = read_address({"k": "7", "tau": "12"}, ["sample"])
>>> print(view)
View(dataset='sample', k=10, tau=12, strategy='expect', pin=None, user='', limits=Limits(...), ...)
>>> print(notes["k"])
The address asks for k = 7, which is not one of 5, 10, 15, 20, 25, 30. Showing k = 10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final
from urllib.parse import urlencode

from engine.input_checks import DEFAULT_SEED
from engine.limits import Limits
from engine.predictions import DEFAULT_PREDICTION
from engine.settings import DEFAULT_K
from engine.similarity import DEFAULT_SIMILARITY
from pages.parts.address_values import (
    DEFAULT_MECHANISM,
    OPENING_STRATEGY,
    Misfit,
    read_dataset,
    read_k,
    read_limits,
    read_mechanism,
    read_prediction,
    read_seed,
    read_similarity,
    read_step,
    read_strategy,
    read_tau,
    read_yes,
)
from pages.parts.limits_text import write_limits
from pages.parts.looks import name_of
from pages.parts.wording import verbatim


def _text(value: Any) -> str:
    return "" if value is None else str(value)


@dataclass(frozen=True)
class AddressPart:
    """How a part of the address is read and written.

    `read` makes the value from a text and the names of the datasets that are there, or raises
    `Misfit`. `say` tells what is shown after a `Misfit`. `write` makes a text of the value; an
    empty text is left out of the address.
    """

    read: Callable[[str, Sequence[str]], Any]
    say: Callable[[Any], str] = _text
    write: Callable[[Any], str] = _text


def _write_pin(view: View | None) -> str:
    """Return settings as one word, so that a link holds them beside those of the view."""
    return f"{view.dataset}_{view.k}_{view.tau}_{view.strategy}" if view else ""


def read_pin(text: str, datasets: Sequence[str]) -> View:
    """Return the settings in a word. Raises `Misfit` if one of them cannot be shown.

    The name of a dataset may hold the separator: the other three are read from the end.

    >>> read_pin("my_data_10_93_gain", ["sample", "my_data"])
    View(dataset='my_data', k=10, tau=93, strategy='gain', pin=None, user='', ...)
    """
    values = text.strip().rsplit("_", 3)
    if len(values) < 4 or not all(values):
        raise Misfit("is not four settings")
    names = ("dataset", "k", "tau", "strategy")
    view, notes = read_address(dict(zip(names, values, strict=True)), datasets)
    if notes:
        raise Misfit(f"has a {next(iter(notes))} that cannot be shown")
    return view


def _say_tau(tau: int | None) -> str:
    return "Showing the suggested τ." if tau is None else f"Showing τ = {tau:,}."


def _part(*functions: Callable[..., Any]) -> dict[str, AddressPart]:
    return {"part": AddressPart(*functions)}


@dataclass(frozen=True, kw_only=True)
class View:
    """What is on the screen, in the order of the address. Each thing to set is an entry here."""

    dataset: str = field(
        default="sample", metadata=_part(read_dataset, lambda name: f"Showing {verbatim(name)}.")
    )
    k: int = field(default=DEFAULT_K, metadata=_part(read_k, lambda k: f"Showing k = {k}."))
    #: None follows the suggestion for the dataset and k.
    tau: int | None = field(default=None, metadata=_part(read_tau, _say_tau))
    strategy: str = field(
        default=OPENING_STRATEGY,
        metadata=_part(read_strategy, lambda name: f"Showing {name_of(name)}."),
    )
    #: Side A of a comparison; the rest is B.
    pin: View | None = field(
        default=None, metadata=_part(read_pin, lambda _: "Nothing is pinned.", _write_pin)
    )
    #: Whom the page People shows; empty follows who is used most.
    user: str = field(default="", metadata=_part(lambda text, _: text.strip()))
    #: What a choice of tau must keep to, on the page Choose tau.
    limits: Limits = field(
        default_factory=Limits,
        metadata=_part(read_limits, lambda _: "No limit is set.", write_limits),
    )

    #: The noise; empty is discrete where the scale has steps. See `runs.conditions`.
    mechanism: str = field(
        default="",
        metadata=_part(read_mechanism, lambda _: f"The noise is {DEFAULT_MECHANISM}."),
    )
    #: One answer about each rating, kept, and not a fresh one for each use.
    memoised: bool = field(
        default=False,
        metadata=_part(
            read_yes, lambda _: "Answers are fresh.", lambda memoised: "yes" if memoised else ""
        ),
    )
    similarity: str = field(
        default=DEFAULT_SIMILARITY,
        metadata=_part(
            read_similarity,
            lambda name: f"The similarity is {name}.",
            lambda name: "" if name == DEFAULT_SIMILARITY else name,
        ),
    )
    prediction: str = field(
        default=DEFAULT_PREDICTION,
        metadata=_part(
            read_prediction,
            lambda name: f"The prediction rule is {name}.",
            lambda name: "" if name == DEFAULT_PREDICTION else name,
        ),
    )
    seed: int = field(
        default=DEFAULT_SEED,
        metadata=_part(
            read_seed,
            lambda seed: f"The seed is {seed}.",
            lambda seed: "" if seed == DEFAULT_SEED else str(seed),
        ),
    )

    #: The step of the tour that somebody takes; 0 is none.
    tour: int = field(
        default=0,
        metadata=_part(read_step, lambda _: "The tour is off.", lambda step: str(step or "")),
    )
    #: Whether the example of the overview is folded away.
    folded: bool = field(
        default=False,
        metadata=_part(
            read_yes, lambda _: "The example is shown.", lambda folded: "yes" if folded else ""
        ),
    )

    def as_pin(self, tau: int) -> View:
        """Return the settings alone, with tau as it was decided. A and B share the noise."""
        return View(dataset=self.dataset, k=self.k, tau=tau, strategy=self.strategy)


_PARTS: Final[dict[str, AddressPart]] = {part.name: part.metadata["part"] for part in fields(View)}


def read_address(asked: Mapping[str, str], datasets: Sequence[str]) -> tuple[View, dict[str, str]]:
    """Return the view an address asks for, and by part a note (Markdown) if its value misfits.

    `datasets` are the names of what is there. What is absent or empty takes its default without a
    note.
    """
    values: dict[str, Any] = {}
    notes = {}
    for name, part in _PARTS.items():
        if text := asked.get(name, ""):
            try:
                values[name] = part.read(text, datasets)
            except Misfit as misfit:
                if misfit.instead is not None:
                    values[name] = misfit.instead
                notes[name] = (
                    f"The address asks for {name} = {verbatim(text, longest=40)}, which {misfit}. "
                    + part.say(values.get(name, getattr(View(), name)))
                )
    return View(**values), notes


def address_parts(view: View) -> dict[str, str]:
    """Return the parts of the address of a view, those that are not empty.

    >>> address_parts(View(tau=93))
    {'dataset': 'sample', 'k': '10', 'tau': '93', 'strategy': 'expect'}
    """
    texts = {name: part.write(getattr(view, name)) for name, part in _PARTS.items()}
    return {name: text for name, text in texts.items() if text}


def write_address(view: View) -> str:
    """Return the query of an address that reproduces a view.

    >>> write_address(View(tau=93, strategy="userknn+reuse"))
    'dataset=sample&k=10&tau=93&strategy=userknn%2Breuse'
    """
    return urlencode(address_parts(view))
