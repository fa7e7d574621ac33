"""What B, on the screen, differs in from A, which is pinned: in numbers, a table, and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pandas as pd

from engine.judgement import Difference, Judgement, compare
from pages.parts.address import View
from pages.parts.looks import name_of
from pages.parts.measures import Measure
from pages.parts.runs.conditions import Conditions
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, KeyNumber, Section
from pages.parts.wording import exactly

NOISE: Final = (
    "Noise: in each fold A and B answer the same queries, which gives a pair. A difference counts "
    "only if it has the same sign in every fold and its mean is at least two standard errors from "
    "0. That is a rule of thumb, not a test."
)
#: The answers of a table to the question: is this a clear difference?
JUDGEMENT: Final = {
    Judgement.CLEAR: "yes",
    Judgement.WITHIN_NOISE: "no: within the noise of the folds",
    Judgement.NO_DIFFERENCE: "no difference",
    Judgement.ONE_FOLD: "cannot be told from one fold",
    Judgement.DIFFERENT_DATA: "cannot be told: different data",
    Judgement.UNDEFINED: "undefined",
}
#: What a strong number says of its difference, beside the difference itself.
_NOTE: Final = {
    Judgement.WITHIN_NOISE: "within the noise of the folds",
    Judgement.ONE_FOLD: "one fold only",
}


def compare_screens(a: Screen, b: Screen, measure: Measure) -> Difference:
    """Return the difference of B to A in a measure."""
    return compare(measure.outcome(a), measure.outcome(b), measure.metric)


def same_ratings(a: Screen, b: Screen) -> bool:
    """Return whether both sides are of the same ratings, so that their folds are the same."""
    return a.ratings.fingerprint == b.ratings.fingerprint


def describe_side(view: View, tau: float, title: str) -> str:
    """Return the settings of a side in words (Markdown)."""
    return f"{title}, k = {view.k}, τ = {exactly(tau)}, {name_of(view.strategy)}"


def sides_sentence(screen: Screen) -> str:
    """Return (Markdown) what A and B are, and what can be compared."""
    a = screen.pinned
    if a is None:
        return ""
    # The screen may show another strategy than the one chosen, which has no results yet.
    b = replace(screen.view, strategy=screen.strategy)
    sentence = (
        f"**A**: {describe_side(a.view, a.tau, a.title)}. "
        f"**B**: {describe_side(b, screen.tau, screen.title)}."
    )
    if differences := Conditions.of(screen.view).differences:
        sentence += f" Both have {differences}."
    if not same_ratings(a, screen):
        return (
            f"{sentence} They are of different data: no query is the same, and a difference says "
            "as much about the data as about the settings."
        )
    if a.view.as_pin(a.tau) == b.as_pin(screen.tau):
        return f"{sentence} They are the same settings: change something to see a difference."
    return sentence


def comparison_section(screen: Screen, measures: Sequence[Measure]) -> Section:
    """Return what B differs in from A; nothing if nothing is pinned."""
    a = screen.pinned
    if a is None or not measures:
        return Section()
    pairs = [(measure, compare_screens(a, screen, measure)) for measure in measures]
    table = pd.DataFrame(
        [
            {
                "measure": measure.label,
                "A": measure.text(difference.first),
                "B": measure.text(difference.second),
                "B − A": measure.difference_text(difference.value),
                "a clear difference?": JUDGEMENT[difference.judgement],
            }
            for measure, difference in pairs
        ]
    )
    return Section(
        finding=[sides_sentence(screen)],
        exhibits=[Exhibit("compared", "Side A, side B and their differences", table)],
        details={"When is a difference noise?": NOISE},
    )


def make_key_number(screen: Screen, measure: Measure) -> KeyNumber:
    """Return a measure as a strong number: against A if it is pinned, else against a strategy."""
    other = screen.compared[1]
    difference = compare_screens(screen.pinned or screen.with_strategy(other), screen, measure)
    return KeyNumber.of(
        measure.label,
        difference.second,
        difference.first,
        measure.text,
        measure.difference_text,
        other_name="A" if screen.pinned else name_of(other),
        help=measure.help,
        note=_NOTE.get(difference.judgement, ""),
    )
