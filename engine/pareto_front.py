"""The Pareto front: settings that no other setting beats in both error and privacy risk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.experiment import Experiment
from engine.input_checks import check_several
from engine.sweep import SweepOverFolds


@dataclass(frozen=True)
class FrontPoint:
    """A strategy, k and whole tau, with what protecting the vulnerable users comes to there."""

    strategy: str
    k: int
    tau: int
    privacy_risk: float
    mae: float


def pareto_front(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return which points no other point beats: (n,) bool; lower is better in both.

    A point is beaten by one that is nowhere worse and somewhere better, so that equal points stay
    together. The points are sorted by the first value. Then a point stays if its second value is
    the lowest among those with the same first value, and below those of all points before.

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


def find_front(
    experiment: Experiment,
    strategies: Iterable[str],
    ks: Iterable[int],
    folds: Iterable[int] | None = None,
) -> list[FrontPoint]:
    """Return the front over strategies, k and every whole tau, by growing privacy risk.

    Error and risk are the means over the folds. tau = 0 is full protection; from the largest usage
    on nobody is protected. Settings that come to exactly the same are one point: the smallest k, at
    this k the smallest tau, and then the strategy that is named first.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> front = find_front(experiment, ["userknn", "gain"], [5])
    >>> risks, errors = ([getattr(p, name) for p in front] for name in ("privacy_risk", "mae"))
    >>> risks == sorted(risks) and errors == sorted(errors, reverse=True)
    True
    """
    numbers = experiment.numbers_of(folds)
    names = check_several("strategies", strategies)
    pairs = [(name, k) for k in sorted(set(check_several("ks", ks))) for name in names]
    return front_of([experiment.sweep_over_folds(name, k, numbers) for name, k in pairs])


def front_of(sweeps: Iterable[SweepOverFolds]) -> list[FrontPoint]:
    """Return the front of some sweeps, by growing privacy risk."""
    points = [point for sweep in sweeps for point in _own_front(sweep)]
    risks = np.array([point.privacy_risk for point in points])
    errors = np.array([point.mae for point in points])
    unbeaten = pareto_front(risks, errors)
    on_front = [point for point, stays in zip(points, unbeaten, strict=True) if stays]
    by_value: dict[tuple[float, float], FrontPoint] = {}
    for point in sorted(on_front, key=lambda point: (point.k, point.tau)):
        by_value.setdefault((point.privacy_risk, point.mae), point)
    return sorted(by_value.values(), key=lambda point: point.privacy_risk)


def least_error_within(front: Iterable[FrontPoint], privacy_risk: float) -> FrontPoint | None:
    """Return the point with the least error at no more risk than this; None if there is none.

    >>> front = [FrontPoint("gain", 5, 9, 3.0, 0.9), FrontPoint("gain", 30, 40, 12.0, 0.8)]
    >>> least_error_within(front, 20.0).tau, least_error_within(front, 2.0)
    (40, None)
    """
    within = [point for point in front if point.privacy_risk <= privacy_risk]
    return min(within, key=lambda point: point.mae, default=None)


def _own_front(sweep: SweepOverFolds) -> list[FrontPoint]:
    """Return the points of one sweep that no other of its points beats."""
    risks, errors = sweep.mean("privacy_risk"), sweep.mean("mae")
    taus = np.flatnonzero(pareto_front(risks, errors))
    return [
        FrontPoint(sweep.strategy, sweep.k, int(tau), float(risks[tau]), float(errors[tau]))
        for tau in taus
    ]
