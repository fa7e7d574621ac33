"""The address of a view, `?dataset=&k=&tau=&strategy=`: read, with notes on misfits, and written.

>>> view, notes = read_address({"k": "7", "tau": "-5"}, ["sample"])
>>> print(view)
View(dataset='sample', k=10, strategy='expect', tau=None)
>>> print(notes["k"])
The address asks for k = 7, which is not one of 5, 10, 15, 20, 25, 30. Showing k = 10.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from pages.parts.wording import STRATEGY, listed, plain

KS: Final = (5, 10, 15, 20, 25, 30)
#: The parts of the address, in the order in which they are written.
NAMES: Final = ("dataset", "k", "tau", "strategy")
#: What a file of the visitor's own is called: it is here only in the visit that uploaded it.
UPLOAD: Final = "upload"
DEFAULT_K: Final = 10
DEFAULT_STRATEGY: Final = "expect"
#: A threshold above this is no data usage that a machine could count to.
LARGEST_TAU: Final = 1e12


@dataclass(frozen=True)
class View:
    """What is on the screen. tau None follows the suggestion for the dataset and k."""

    dataset: str
    k: int
    strategy: str
    tau: float | None


def parse_tau(text: str) -> tuple[float | None, str]:
    """Return tau, a number from 0 to `LARGEST_TAU`; or None and what is wrong with the text.

    >>> parse_tau("92.89")
    (92.89, '')
    >>> parse_tau("-5")
    (None, 'is not a number of at least 0')
    >>> parse_tau("1e20")
    (None, 'is above 1,000,000,000,000, the largest τ')
    """
    try:
        tau = float(text)
    except ValueError:
        tau = math.nan
    if not tau >= 0:
        return None, "is not a number of at least 0"
    if tau > LARGEST_TAU:
        return None, f"is above {LARGEST_TAU:,.0f}, the largest τ"
    return tau + 0.0, ""  # no negative zero


def read_address(asked: Mapping[str, str], datasets: Sequence[str]) -> tuple[View, dict[str, str]]:
    """Return the view an address asks for, and by part a note (Markdown) if its value misfits.

    `datasets` are the names of what is there, the default first. What is absent or empty takes its
    default without a note.
    """
    notes = {}

    def note(name: str, reason: str, shown: str) -> None:
        value = plain(asked[name], longest=40)
        notes[name] = f"The address asks for {name} = {value}, which {reason}. Showing {shown}."

    dataset, k, strategy, tau = datasets[0], DEFAULT_K, DEFAULT_STRATEGY, None
    if text := asked.get("dataset", ""):
        if text in datasets:
            dataset = text
        else:
            mine = "is a file that was uploaded in another visit and is not here: upload it on the "
            mine += "Data page"
            note("dataset", mine if text == UPLOAD else "is not here", plain(dataset))
    if text := asked.get("k", ""):
        if text.strip() in map(str, KS):
            k = int(text)
        else:
            note("k", f"is not one of {', '.join(map(str, KS))}", f"k = {k}")
    if text := asked.get("strategy", ""):
        # A plus sign that was not encoded arrives as a space.
        name = text.strip().lower().replace(" ", "+")
        if name in STRATEGY:
            strategy = name
        else:
            note("strategy", f"is not one of {listed(list(STRATEGY))}", STRATEGY[strategy])
    if text := asked.get("tau", ""):
        tau, misfit = parse_tau(text)
        if misfit:
            note("tau", misfit, "the suggested τ")
    return View(dataset, k, strategy, tau), notes


def write_tau(tau: float | None) -> str:
    """Return tau as it stands in the address; an empty text follows the suggestion.

    >>> write_tau(96.0), write_tau(92.89), write_tau(None)
    ('96', '92.89', '')
    """
    return "" if tau is None else f"{tau:.12g}"


def write_address(view: View, tau: float | None, pin: str = "") -> str:
    """Return the query of an address that reproduces a view in full, also with the suggested tau.

    >>> write_address(View("sample", 10, "userknn+reuse", None), 92.89)
    'dataset=sample&k=10&tau=92.89&strategy=userknn%2Breuse'
    """
    values = (view.dataset, str(view.k), write_tau(tau), view.strategy, pin)
    names = (*NAMES, "pin")
    return urlencode({name: value for name, value in zip(names, values, strict=True) if value})
