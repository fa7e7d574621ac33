"""How neighborhoods grow under each strategy: the curves of the engine, side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.growth_curves import GrowthCurve, GrowthMeasure, growth_curve
from engine.strategies import STRATEGIES
from pages.parts.runs.results import Results

Curves = Mapping[str, GrowthCurve]  # by strategy


def growth_curves(
    results: Results, strategies: tuple[str, ...], k: int, measure: GrowthMeasure
) -> dict[str, GrowthCurve]:
    """Return a measure's curve under each strategy, with its tests if they are worked out."""
    curves = {}
    for strategy in strategies:
        is_baseline = strategy == STRATEGIES[strategy].baseline
        tests = None if is_baseline else results.growth_tests(strategy, k)
        curves[strategy] = growth_curve(
            results.experiment, measure, strategy, k, results.folds(k), tests
        )
    return curves


def last_query(curves: Curves) -> int:
    """Return the largest q that all strategies have a value for; 0 if there is none.

    >>> last_query({"expect": GrowthCurve(np.array([[3.0, 4.0, np.nan]]))})
    2
    """
    known = np.all([np.isfinite(curve.mean) for curve in curves.values()], axis=0)
    return int(np.flatnonzero(known)[-1]) + 1 if known.any() else 0


def widest_band(curves: Curves) -> float:
    """Return by how much the folds differ where they differ most; 0 if there are no values.

    >>> widest_band({"expect": GrowthCurve(np.array([[3.0, 4.0, np.nan], [3.0, 6.0, np.nan]]))})
    2.0
    """
    widths = np.concatenate([curve.highest - curve.lowest for curve in curves.values()])
    return float(widths[np.isfinite(widths)].max(initial=0.0))
