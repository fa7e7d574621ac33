"""How neighborhoods grow: Neighbors@q and CoRatings@q by strategy, and their tests, over folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pages.parts.runs.results import Results


@dataclass(frozen=True, eq=False)
class Curve:
    """One measure under one strategy for q = 1 to 100, a row a fold; NaN where nobody has q.

    `p` and `effect` are of the tests against UserKNN's curve, rows as in `each`; None for UserKNN
    itself, and while they are not worked out.

    >>> curve = Curve(np.array([[4.0, 6.0, np.nan], [4.0, 7.0, 9.0]]))
    >>> curve.mean, curve.low, curve.high
    (array([4. , 6.5, 9. ]), array([4., 6., 9.]), array([4., 7., 9.]))
    """

    each: np.ndarray  # (folds, 100)
    p: np.ndarray | None = None  # (folds, 100), NaN where there is no test
    effect: np.ndarray | None = None  # (folds, 100)

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean over the folds that have a value: (100,)."""
        return _over_folds(self.each)

    @cached_property
    def low(self) -> np.ndarray:
        """The value in the lowest fold: (100,)."""
        return np.asarray(np.fmin.reduce(self.each, axis=0))

    @cached_property
    def high(self) -> np.ndarray:
        """The value in the highest fold: (100,)."""
        return np.asarray(np.fmax.reduce(self.each, axis=0))

    @property
    def tested(self) -> np.ndarray:
        """Whether there is a test in some fold: (100,) bool."""
        if self.p is None:
            return np.zeros(self.each.shape[1], dtype=bool)
        return np.asarray(np.isfinite(self.p).any(axis=0))

    @property
    def significant(self) -> np.ndarray:
        """Whether the test is significant in all folds, as the paper demands: (100,) bool."""
        from engine.significance import ALPHA

        if self.p is None:
            return np.zeros(self.each.shape[1], dtype=bool)
        return np.asarray((self.p < ALPHA).all(axis=0))

    @property
    def effect_size(self) -> np.ndarray:
        """The effect size r, mean over folds: (100,), NaN where there is no test."""
        if self.effect is None:
            return np.full(self.each.shape[1], np.nan)
        return _over_folds(self.effect)


Curves = Mapping[str, Curve]  # by strategy


def _over_folds(values: np.ndarray) -> np.ndarray:
    known = np.isfinite(values)
    total = np.where(known, values, 0).sum(axis=0)
    out = np.full(total.size, np.nan)
    return np.divide(total, known.sum(axis=0), out=out, where=known.any(axis=0))


def growth_curves(
    results: Results, strategies: tuple[str, ...], k: int, measure: str
) -> dict[str, Curve]:
    """Return a measure's curve under each strategy, with its tests if they are worked out.

    The measure is "neighbors" or "co_ratings".
    """
    read = {"neighbors": results.neighbors_at_q, "co_ratings": results.co_ratings_at_q}[measure]
    found = {}
    for strategy in strategies:
        tests = None if strategy == "userknn" else results.growth_tests(strategy, k)
        found[strategy] = Curve(
            read(strategy, k),
            np.array([test[f"{measure}_p"] for test in tests]) if tests else None,
            np.array([test[f"{measure}_effect"] for test in tests]) if tests else None,
        )
    return found


def last_query(curves: Curves) -> int:
    """Return the largest q that all strategies have a value for; 0 if there is none.

    >>> last_query({"expect": Curve(np.array([[3.0, 4.0, np.nan]]))})
    2
    """
    known = np.all([np.isfinite(curve.mean) for curve in curves.values()], axis=0)
    return int(np.flatnonzero(known)[-1]) + 1 if known.any() else 0


def widest_band(curves: Curves) -> float:
    """Return by how much the folds differ where they differ most; 0 if there are no values.

    >>> widest_band({"expect": Curve(np.array([[3.0, 4.0, np.nan], [3.0, 6.0, np.nan]]))})
    2.0
    """
    widths = np.concatenate([curve.high - curve.low for curve in curves.values()])
    return float(widths[np.isfinite(widths)].max(initial=0.0))
