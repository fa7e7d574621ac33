"""Settings that no other setting beats: less error and less risk at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.runs.results import Results

#: Thresholds of a curve that is drawn, evenly apart on a logarithmic scale; the k looked at has
#: more of them.
_FINE, _COARSE = 200, 60


@dataclass(frozen=True, eq=False)
class Curve:
    """What a strategy comes to at one k for growing tau, from full DP to none."""

    strategy: str
    k: int
    taus: np.ndarray  # (n,) int64, ascending
    risks: np.ndarray  # (n,) float64
    errors: np.ndarray  # (n,) float64

    def at(self, places: np.ndarray) -> Curve:
        """Return the curve with these of its thresholds only."""
        kept = self.taus[places], self.risks[places], self.errors[places]
        return Curve(self.strategy, self.k, *kept)


@dataclass(frozen=True)
class Point:
    """One setting with what it comes to."""

    strategy: str
    k: int
    tau: float
    risk: float
    error: float


def pareto_front(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return which points no other point beats: (n,) bool; lower is better in both.

    A point is beaten by one that is nowhere worse and somewhere better, so that equal points stay
    together. Sorted by the first, a point stays if its second is the lowest among its equals in
    the first, and below all before.

    >>> pareto_front(np.array([1, 2, 3, 2]), np.array([5, 3, 4, 3])).tolist()
    [True, True, False, True]
    """
    order = np.lexsort((second, first))
    x, y = first[order], second[order]
    new = np.concatenate(([True], x[1:] != x[:-1]))[: x.size]
    start = np.maximum.accumulate(np.where(new, np.arange(x.size), 0))
    best_before = np.concatenate(([np.inf], np.minimum.accumulate(y)))[start]
    front = np.zeros(x.size, dtype=bool)
    front[order] = (y == y[start]) & (y < best_before)
    return front


def thinned_taus(largest: int, most: int) -> np.ndarray:
    """Return whole thresholds from 0 to the largest, at most so many, closer where they are small.

    >>> thinned_taus(1000, 6).tolist()
    [0, 1, 6, 32, 178, 1000]
    """
    if largest < most:
        return np.arange(largest + 1)
    steps = np.geomspace(1, largest, most - 1).round().astype(np.int64)
    return np.unique(np.concatenate(([0], steps)))


def _whole_curves(results: Results, strategies: Sequence[str], k: int) -> Iterator[Curve]:
    """Give the curves over every whole tau at every k that is finished, those at k last."""
    for other in sorted(results.ks(k), key=lambda other: other == k):
        for strategy in strategies:
            if strategy in results.strategies(other):
                errors, risks = results.sweep_means(strategy, other)
                yield Curve(strategy, other, np.arange(errors.size), risks, errors)


def find_curves(results: Results, strategies: Sequence[str], k: int) -> list[Curve]:
    """Return the curves of the strategies at every k that is finished, those at k last.

    To be drawn: of the thresholds a few.
    """
    return [
        curve.at(thinned_taus(int(curve.taus[-1]), _FINE if curve.k == k else _COARSE))
        for curve in _whole_curves(results, strategies, k)
    ]


def find_front(results: Results, strategies: tuple[str, ...], k: int) -> list[Point]:
    """Return the front over the strategies, every k that is finished, and every whole tau."""
    ks = results.ks(k)
    return results.remembered(
        ("front", results.folds(k), strategies, ks),
        # In the order of k, so that the front does not depend on which of them is looked at.
        lambda: front_points(list(_whole_curves(results, strategies, max(ks)))),
    )


def front_points(curves: Sequence[Curve]) -> list[Point]:
    """Return the points of all curves that none of the others beats, by growing risk."""
    points = [
        Point(curve.strategy, curve.k, float(tau), float(risk), float(error))
        for whole in curves
        # What is beaten on its own curve is beaten.
        for curve in (whole.at(pareto_front(whole.risks, whole.errors)),)
        for tau, risk, error in zip(curve.taus, curve.risks, curve.errors, strict=True)
    ]
    front = pareto_front(
        np.array([point.risk for point in points]), np.array([point.error for point in points])
    )
    chosen = [point for point, stays in zip(points, front, strict=True) if stays]
    # Settings that come to exactly the same are one point: the smaller k is the cheaper one.
    unique = {
        (p.risk, p.error): p for p in sorted(chosen, key=lambda p: (p.k, p.tau), reverse=True)
    }
    return sorted(unique.values(), key=lambda point: point.risk)
