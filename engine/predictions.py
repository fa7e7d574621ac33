"""Predicted ratings under any protection and any tau (paper, equations 1 and 6)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.coins import draw_answers
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods
from engine.privacy import Mechanism, is_protected
from engine.registry import Registry, versioned
from engine.usage import Usage
from engine.whole_numbers import whole_factor


@dataclass(frozen=True, eq=False)
class Predictor:
    """All that is needed to predict a fold's ratings for every tau.

    R^k(u, i) = sum_n sim(u, n) * answer(n, i) / sum_n sim(u, n) over the neighbors with positive
    similarity, not clipped, where the answer is m_DP(r) if the use is protected
    (`engine.privacy.is_protected`), else r. Only uses whose protected answer differs from r can
    change a prediction, a quarter at most, so only those are kept. The factor makes ratings whole
    numbers.
    """

    fold: Fold
    weight: np.ndarray  # (n_queries,) float64: the sum of the similarities, times a factor
    real: np.ndarray  # (n_queries,) float64: the weighted sum of the real ratings, times the factor
    changed_query: np.ndarray  # (n_changes,) int32
    changed_ordinal: np.ndarray  # (n_changes,) int32
    change: np.ndarray  # (n_changes,) float64: sim * (m_DP(r) - r), times the factor

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return all but the fold as arrays, which a store can keep."""
        names = ("weight", "real", "changed_query", "changed_ordinal", "change")
        return {name: getattr(self, name) for name in names}

    @property
    def predicted(self) -> np.ndarray:
        """(n_queries,) bool: predicted from neighbors, not by the mean of the training ratings."""
        return self.weight > 0

    def predict(self, unprotected: float) -> np.ndarray:
        """Return the predicted ratings where the first `unprotected` uses of each user are real.

        Infinity means no protection, 0 full protection, tau protects vulnerable users. Queries
        without a neighbor of positive similarity get the mean of the training ratings. Returns
        (n_queries,) float64 in the order of the queries.
        """
        # Adding 0 for the others is faster than picking the protected ones out.
        change = np.where(is_protected(self.changed_ordinal, unprotected), self.change, 0.0)
        total = self.real + np.bincount(self.changed_query, change, self.real.size)
        predictions = np.full(self.real.size, self.fold.train_mean)
        np.divide(total, self.weight, out=predictions, where=self.predicted)
        return predictions

    def mae_by_tau(self, largest_usage: int) -> np.ndarray:
        """Return the MAE for every whole tau from 0 to the largest usage: (largest + 1,) float64.

        From tau - 1 to tau the uses with ordinal tau become real; only their queries change.
        """
        order = np.argsort(self.changed_ordinal, kind="stable")
        mae = np.empty(largest_usage + 1)
        _switch_off(
            self.real + np.bincount(self.changed_query, self.change, self.real.size),
            self.weight,
            self.fold.query_rating,
            self.fold.train_mean,
            self.changed_query[order],
            self.changed_ordinal[order],
            self.change[order],
            mae,
        )
        return mae


@njit(nogil=True, cache=True)
def _switch_off(total, weight, rating, fallback, changed_query, changed_ordinal, change, mae):
    errors = np.empty(total.size)
    for q in range(total.size):
        prediction = total[q] / weight[q] if weight[q] > 0.0 else fallback
        errors[q] = abs(rating[q] - prediction)
    summed = errors.sum()
    next_change = 0
    for tau in range(mae.size):
        while next_change < change.size and not is_protected(changed_ordinal[next_change], tau):
            q = changed_query[next_change]
            total[q] -= change[next_change]
            error = abs(rating[q] - total[q] / weight[q])
            summed += error - errors[q]
            errors[q] = error
            next_change += 1
        mae[tau] = summed / total.size


@njit(nogil=True, cache=True)
def _collect(
    start, stop, place, similarity, item_values, ordinal, answers, grid, factor,
    weight, real, changed_query, changed_ordinal, change,
):  # fmt: skip
    use = 0
    n_changes = 0
    for q in range(start.size):
        for index in range(start[q], stop[q]):
            sim = similarity[index]
            if sim > 0.0:
                if grid > 0.0:
                    sim = max(np.rint(sim / grid), 1.0) * grid
                rating = item_values[place[index]]
                weight[q] += sim * factor
                real[q] += sim * rating
                if answers[use] != rating:
                    changed_query[n_changes] = q
                    changed_ordinal[n_changes] = ordinal[use]
                    change[n_changes] = sim * (answers[use] - rating)
                    n_changes += 1
            use += 1
    return n_changes


def _factor_and_grid(ratings: np.ndarray, neighborhoods: Neighborhoods) -> tuple[float, float]:
    """Return what makes the ratings whole numbers, and a grid for the similarities.

    With similarities on the grid (for five stars and 10 neighbors multiples of 2^-46) sums of
    similarity times rating are exact in doubles. Equal predictions are then exactly equal whatever
    the order of the terms, and uses can be switched between real and protected without drift.
    Ratings that cannot be made whole are taken as they are, without a grid (0).
    """
    factor = whole_factor(ratings)
    if factor is None:
        return 1.0, 0.0
    largest_sum = max(np.abs(ratings).max(), 1.0) * factor
    largest_sum *= (neighborhoods.stop - neighborhoods.start).max(initial=1)
    return factor, 2.0 ** (math.ceil(math.log2(largest_sum)) - 52)


def make_predictor(
    fold: Fold, neighborhoods: Neighborhoods, usage: Usage, mechanism: Mechanism
) -> Predictor:
    """Gather the weighted ratings of the neighbors, real and protected, of every query.

    >>> from engine.datasets import Ratings
    >>> from engine.splits import split
    >>> from engine.neighborhoods import choose_neighbors
    >>> from engine.usage import count_usage
    >>> ratings = Ratings.from_columns(
    ...     list("aabbcca"), list("xyxyxyz"), [1, 2, 2, 4, 5, 1, 3], name="tiny")
    >>> fold = split(ratings, 5, folds=7)  # asks for y of b; a and c rated y with 2 and 1
    >>> neighborhoods = choose_neighbors(fold, [("userknn", 2)])["userknn", 2]
    >>> usage = count_usage(fold, neighborhoods)
    >>> predictor = make_predictor(fold, neighborhoods, usage, Mechanism.for_scale(ratings.scale))
    >>> predictor.predict(float("inf")).tolist()
    [1.5]
    """
    ratings = fold.by_item.data
    answers = draw_answers(fold, neighborhoods, mechanism)
    factor, grid = _factor_and_grid(np.concatenate((ratings, mechanism.levels)), neighborhoods)
    if factor != 1.0:
        answers *= factor
        if mechanism.levels.size:
            np.rint(answers, out=answers)
    weight, real = np.zeros(fold.n_queries), np.zeros(fold.n_queries)
    query = np.empty(answers.size, dtype=np.int32)
    ordinal = np.empty(answers.size, dtype=np.int32)
    change = np.empty(answers.size)
    n = _collect(
        neighborhoods.start, neighborhoods.stop, neighborhoods.place, neighborhoods.similarity,
        ratings if factor == 1.0 else np.rint(ratings * factor), usage.ordinal, answers,
        grid, factor, weight, real, query, ordinal, change,
    )  # fmt: skip
    return Predictor(fold, weight, real, query[:n].copy(), ordinal[:n].copy(), change[:n].copy())


@dataclass(frozen=True)
class Prediction:
    """A rule that predicts a rating from the neighbors' answers.

    `make_predictor(fold, neighborhoods, usage, mechanism)` gathers what the rule needs. `version`
    is part of the keys of the store, as that of a `Similarity` is.
    """

    name: str
    title: str
    make_predictor: Callable[[Fold, Neighborhoods, Usage, Mechanism], Predictor]
    version: int = 1

    @property
    def stored_as(self) -> str:
        """What the store calls it."""
        return versioned(self.name, self.version)


#: Every prediction rule by its name. The first is the paper's.
PREDICTIONS: Registry[Prediction] = Registry("prediction rule")
DEFAULT_PREDICTION = PREDICTIONS.register(
    Prediction("weighted", "mean of the answers, weighted by similarity", make_predictor)
).name
