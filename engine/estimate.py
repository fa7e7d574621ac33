"""What a run will take, from the data alone, before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.datasets import Ratings
from engine.strategies import get_strategy

# Seconds on one core, measured on MovieLens 1M and 100K, Ciao and the sample (2026, one server
# core); they agree within a third of each other. Other machines differ more.
_PER_CO_RATING = 1.6e-9
_PER_SORTED_PAIR = 58e-9
_PER_PAIR = 3e-9
_PER_CANDIDATE = 6e-9
_PER_USE = 75e-9
# Bytes: of the interpreter with the compiled kernels, of a rating in the matrices of the folds,
# of a chosen neighbor, and of a predictor per use.
_BASE_BYTES = 250e6
_BYTES_PER_RATING = 150.0
_BYTES_PER_USE = 14.0
_PREDICTOR_BYTES_PER_USE = 5.0
_MOST_BYTES_IN_A_PASS = 700e6


@dataclass(frozen=True)
class Estimate:
    """What a run takes: `seconds`, `memory` and `disk` in bytes."""

    seconds: float
    memory: float
    disk: float


def estimate(
    ratings: Ratings,
    strategies: Sequence[str],
    ks: Sequence[int],
    folds: int = 5,
    jobs: int | None = None,
) -> Estimate:
    """Estimate `Experiment.run` over all folds, nothing of it in the store.

    Similarities cost the sum over items of |U_i|^2, ranks the pairs of users that share an item,
    selection the candidates of all queries, and the rest the chosen neighbors. Accurate to about a
    factor of two.

    >>> from engine.datasets import generate
    >>> small, large = (generate(n, 200, 30 * n) for n in (50, 400))
    >>> estimate(small, ["gain"], [10]).seconds < estimate(large, ["gain"], [10]).seconds
    True
    """
    train = 1 - 1 / folds
    raters = np.bincount(ratings.item, minlength=ratings.n_items) * train
    co_ratings = float((raters**2).sum())
    pairs = float(ratings.n_users) ** 2
    queries = raters / train / folds
    candidates = float((queries * raters).sum())

    def uses(k: int) -> float:
        return float((queries * np.minimum(raters, k)).sum())

    selections = [
        (strategy, k)
        for strategy in strategies
        for k in (ks if get_strategy(strategy).reuse else [max(30, *ks)])
    ]
    chosen = sum(uses(k) for _, k in selections)
    predicted = len(strategies) * sum(uses(k) for k in ks)
    choosing = (
        _PER_CO_RATING * co_ratings
        + _PER_SORTED_PAIR * min(pairs, co_ratings)
        + _PER_PAIR * pairs
        + _PER_CANDIDATE * candidates * len(selections)
    )
    cores = jobs or os.cpu_count() or 1
    return Estimate(
        seconds=folds * (choosing / cores + _PER_USE * predicted),
        memory=_BASE_BYTES
        + _BYTES_PER_RATING * ratings.n_ratings
        + min(_BYTES_PER_USE * chosen, _MOST_BYTES_IN_A_PASS),
        disk=folds * (_BYTES_PER_USE * chosen + _PREDICTOR_BYTES_PER_USE * predicted),
    )
