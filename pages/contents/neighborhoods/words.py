"""What the page on neighborhoods says: formulas, findings, and where differences are no chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.growth_curves import GrowthMeasure, last_query, widest_band
from engine.strategies import STRATEGIES
from engine.stretches import stretches_of
from pages.contents.neighborhoods.curves import Curves
from pages.parts.formulas import FORMULAS, Formula
from pages.parts.looks import name_of
from pages.parts.wording import after_queries_words, listed, number

#: How the tests are made, for who wants to know.
TEST: Final = (
    "At each q from 2 to 100 the users' values under a strategy are compared with those under "
    "UserKNN, and those under NeuKNN+Reuse with NeuKNN, by a one-tailed Mann-Whitney U test, "
    "α = 0.01. A difference counts as significant only if it is so in every fold. The effect size "
    "r = z / √n says how far apart the two groups are: 0 not at all, 0.1 a little, 0.3 moderately, "
    "from 0.5 on clearly; it is negative where the strategy's values are the smaller ones. With "
    "many users even a small difference is significant: look at r, too."
)


@dataclass(frozen=True)
class CurveWords:
    """One of the two curves: what it is called and says, on the page and in the report."""

    name: GrowthMeasure  # in the engine's tests
    unit: str
    y_title: str
    reuse: str  # what reuse is expected to bring, compared with UserKNN
    subject: str  # what the figure shows
    finding: str  # with places for a value and a strategy
    other_finding: str  # the same for what it is compared with
    formula: Formula

    @property
    def strip_heading(self) -> str:
        """The heading of the strip that shows where a difference is significant."""
        return f"■ significantly {self.reuse} than with UserKNN"

    def make_title(self, curves: Curves, chosen: str, other: str) -> str:
        """Return the finding at the largest q that all strategies have."""
        q = last_query(curves)
        if q == 0:
            return "No query has been answered"
        mine, others = (
            (number(float(curves[strategy].mean[q - 1])), name_of(strategy))
            for strategy in (chosen, other)
        )
        start = after_queries_words(q).capitalize()
        return f"{start} {self.finding.format(*mine)}, {self.other_finding.format(*others)}"


NEIGHBORS: Final = CurveWords(
    "neighbors",
    unit="neighbors",
    y_title="neighbors so far, mean over users",
    reuse="fewer neighbors",
    subject="Neighbors of a user",
    finding="a user has met {} neighbors with {}",
    other_finding="{} with {}",
    formula=FORMULAS["neighbors"],
)
CO_RATINGS: Final = CurveWords(
    "co_ratings",
    unit="items in common",
    y_title="items rated by both, mean over neighbors",
    reuse="more items in common",
    subject="Items that a user and a neighbor both rated",
    finding="a user shares {} rated items with a neighbor of {}",
    other_finding="{} with one of {}",
    formula=FORMULAS["co_ratings"],
)
CURVE_WORDS: Final = (NEIGHBORS, CO_RATINGS)


def tested_name(strategy: str) -> str:
    """Return the name of a strategy, with what it is tested against if that is not UserKNN.

    >>> tested_name("gain"), tested_name("neuknn+reuse")
    ('Gain', 'NeuKNN+Reuse (than NeuKNN)')
    """
    baseline = STRATEGIES[strategy].baseline
    name = name_of(strategy)
    return name if baseline == "userknn" else f"{name} (than {name_of(baseline)})"


def bands_sentence(curves: Mapping[CurveWords, Curves], folds: int) -> str:
    """Return what the bands are, and how wide: where folds agree one can hardly see them.

    Nothing if there are no curves.
    """
    if not any(last_query(by_strategy) for by_strategy in curves.values()):
        return ""
    if folds < 2:
        return "One fold so far, so that there are no bands."
    widths = [
        f"{number(widest_band(by_strategy))} in {m.unit}" for m, by_strategy in curves.items()
    ]
    return f"Bands: from the lowest to the highest fold. These differ by at most {listed(widths)}."


def significance_sentence(curves: Curves, reuse: str, folds: int) -> str:
    """Return (Markdown) where each strategy has significantly fewer or more than UserKNN.

    `reuse` is "fewer neighbors" or "more items in common".
    """
    tested = [s for s in curves if s != STRATEGIES[s].baseline]
    if any(curves[strategy].p_values is None for strategy in tested):
        return (
            "Whether the differences to UserKNN are more than chance is not tested yet: "
            "that comes last in a run."
        )
    by_place: dict[str, list[str]] = {}
    for strategy, curve in curves.items():
        if curve.tested.any():
            place = _where(curve.tested, curve.significant)
            by_place.setdefault(place, []).append(tested_name(strategy))
    if not by_place:
        return _why_untested(curves) if len(curves) > 1 else ""
    parts = [f"{listed(names)} {place}" for place, names in by_place.items()]
    in_folds = f"in all {folds} folds" if folds > 1 else "in the fold finished so far"
    return f"**Significantly {reuse} than UserKNN**, {in_folds}: {'; '.join(parts)}."


def _why_untested(curves: Curves) -> str:
    if last_query(curves) < 2:
        return "No user has two answered queries: there are no curves to compare."
    return (
        "There is nothing to test: in each fold all users have the same value at each q, with "
        "every strategy."
    )


def _where(tested: np.ndarray, significant: np.ndarray) -> str:
    """Return at which q a test is significant.

    >>> tested = np.array([False, True, True, True])
    >>> _where(tested, tested), _where(tested, np.array([False, True, False, True]))
    ('at every q from 2 to 4', 'at 2 of 3 q: 2, 4')
    """
    places = significant & tested
    significant_qs, tested_qs = int(places.sum()), int(tested.sum())
    first, last = (int(q) + 1 for q in np.flatnonzero(tested)[[0, -1]])
    if not significant_qs:
        return f"at no q from {first} to {last}" if last > first else f"not at q = {first}"
    if significant_qs == tested_qs:
        return f"at every q from {first} to {last}" if last > first else f"at q = {first}"
    ranges = [f"{a + 1} to {b + 1}" if b > a else f"{a + 1}" for a, b in stretches_of(places)]
    first_ranges = ", ".join(ranges[:3]) + (", …" if len(ranges) > 3 else "")
    return f"at {significant_qs} of {tested_qs} q: {first_ranges}"
