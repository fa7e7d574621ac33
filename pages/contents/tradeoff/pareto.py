"""The sweeps and the front that the picture of the trade-off shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.pareto_front import FrontPoint, front_of
from engine.sweep import SweepOverFolds
from pages.parts.runs.results import Results


def thinned_taus(largest: int, most: int) -> np.ndarray:
    """Return at most `most` whole thresholds from 0 to the largest, closer where they are small.

    >>> thinned_taus(1000, 6).tolist()
    [0, 1, 6, 32, 178, 1000]
    """
    if largest < most:
        return np.arange(largest + 1)
    steps = np.geomspace(1, largest, most - 1).round().astype(np.int64)
    return np.unique(np.concatenate(([0], steps)))


def sweeps_of(results: Results, strategies: Sequence[str], k: int) -> list[SweepOverFolds]:
    """Return the sweeps of the strategies at every k that is finished, those at k last."""
    return [
        results.sweep(strategy, other)
        for other in sorted(results.ks(k), key=lambda other: other == k)
        for strategy in strategies
        if strategy in results.strategies(other)
    ]


def front_of_results(results: Results, strategies: tuple[str, ...], k: int) -> list[FrontPoint]:
    """Return the front over the strategies, every k that is finished, and every whole tau."""
    ks = results.ks(k)
    return results.remembered(
        ("front", results.folds(k), strategies, ks),
        # In the order of k, so that the front does not depend on which of them is looked at.
        lambda: front_of(sweeps_of(results, strategies, max(ks))),
    )
