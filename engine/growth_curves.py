"""Neighbors@q and CoRatings@q of a strategy over the folds, with their tests against UserKNN."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from engine.experiment import Experiment
from engine.metrics import mean_where_defined
from engine.significance import ALPHA

GrowthMeasure = Literal["neighbors", "co_ratings"]
GROWTH_MEASURES: tuple[GrowthMeasure, ...] = ("neighbors", "co_ratings")
#: The tests of one fold, as `Experiment.growth_tests` returns them.
GrowthTests = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class GrowthCurve:
    """One measure under one strategy for q = 1 to 100, a row for each fold; NaN where nobody has q.

    `p_values` and `effects` are those of the tests against UserKNN's curve, with a row for each
    fold. They are None for UserKNN itself, and where nothing was tested.

    >>> curve = GrowthCurve(np.array([[4.0, 6.0, np.nan], [4.0, 7.0, 9.0]]))
    >>> curve.mean, curve.lowest, curve.highest
    (array([4. , 6.5, 9. ]), array([4., 6., 9.]), array([4., 7., 9.]))
    """

    in_folds: np.ndarray  # (n_folds, 100) float64
    p_values: np.ndarray | None = None  # (n_folds, 100) float64, NaN where there is no test
    effects: np.ndarray | None = None  # (n_folds, 100) float64

    @cached_property
    def mean(self) -> np.ndarray:
        """(100,) float64: the mean over the folds that have a value."""
        return mean_where_defined(self.in_folds)

    @cached_property
    def lowest(self) -> np.ndarray:
        """(100,) float64: the value in the lowest fold."""
        return np.asarray(np.fmin.reduce(self.in_folds, axis=0))

    @cached_property
    def highest(self) -> np.ndarray:
        """(100,) float64: the value in the highest fold."""
        return np.asarray(np.fmax.reduce(self.in_folds, axis=0))

    @property
    def tested(self) -> np.ndarray:
        """(100,) bool: whether there is a test in some fold."""
        if self.p_values is None:
            return np.zeros(self.in_folds.shape[1], dtype=bool)
        return np.asarray(np.isfinite(self.p_values).any(axis=0))

    @property
    def significant(self) -> np.ndarray:
        """(100,) bool: whether the test is significant in all folds, as the paper demands."""
        if self.p_values is None:
            return np.zeros(self.in_folds.shape[1], dtype=bool)
        return np.asarray((self.p_values < ALPHA).all(axis=0))

    @property
    def effect_size(self) -> np.ndarray:
        """(100,) float64: the effect size r, mean over folds; NaN where there is no test."""
        if self.effects is None:
            return np.full(self.in_folds.shape[1], np.nan)
        return mean_where_defined(self.effects)


def growth_curve(
    experiment: Experiment,
    measure: GrowthMeasure,
    strategy: str,
    k: int,
    folds: Iterable[int] | None = None,
    tests: Sequence[GrowthTests] | None = None,
) -> GrowthCurve:
    """Return the curve of a measure under a strategy, over some folds, by default over all.

    `tests` has what `Experiment.growth_tests` gives for each of these folds; they take seconds on a
    million ratings, so they are handed in.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> tests = [experiment.growth_tests(fold, "gain", 5) for fold in (0, 1)]
    >>> curve = growth_curve(experiment, "neighbors", "gain", 5, (0, 1), tests)
    >>> curve.in_folds.shape, bool(curve.tested.any())
    ((2, 100), True)
    """
    numbers = experiment.numbers_of(folds)
    read = {"neighbors": experiment.neighbors_at_q, "co_ratings": experiment.co_ratings_at_q}
    values = np.array([read[measure](number, strategy, k) for number in numbers])
    if tests is None:
        return GrowthCurve(values)
    return GrowthCurve(
        values,
        np.array([test[f"{measure}_p"] for test in tests]),
        np.array([test[f"{measure}_effect"] for test in tests]),
    )


def last_query(curves: Mapping[str, GrowthCurve]) -> int:
    """Return the largest q that all strategies have a value for; 0 if there is none.

    >>> last_query({"expect": GrowthCurve(np.array([[3.0, 4.0, np.nan]]))})
    2
    """
    known = np.all([np.isfinite(curve.mean) for curve in curves.values()], axis=0)
    return int(np.flatnonzero(known)[-1]) + 1 if known.any() else 0


def widest_band(curves: Mapping[str, GrowthCurve]) -> float:
    """Return by how much the folds differ where they differ most; 0 if there are no values.

    >>> widest_band({"expect": GrowthCurve(np.array([[3.0, 4.0, np.nan], [3.0, 6.0, np.nan]]))})
    2.0
    """
    widths = np.concatenate([curve.highest - curve.lowest for curve in curves.values()])
    return float(widths[np.isfinite(widths)].max(initial=0.0))
