"""How neighborhoods grow under each strategy: the curves of the engine, side by side."""

from __future__ import annotations

from collections.abc import Mapping

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
