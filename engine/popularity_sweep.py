"""Coverage and PP-Corr at every whole tau, exactly: the top lists followed as tau grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.metrics import item_frequency, top_of_user, top_queries
from engine.predictions import Predictor
from engine.privacy import is_protected


@dataclass(frozen=True, eq=False)
class FrequencyChanges:
    """ItemFreq+ of one fold under full protection, and each change as tau grows from 0.

    Change j adds `change[j]` to the frequency of item `item[j]` as soon as tau is `tau[j]`.
    """

    at_zero: np.ndarray  # (n_items,) int64
    tau: np.ndarray  # (n_changes,) int32, ascending
    item: np.ndarray  # (n_changes,) int32
    change: np.ndarray  # (n_changes,) int8: 1 or -1

    def frequency(self, tau: int) -> np.ndarray:
        """Return ItemFreq+ at a whole tau: (n_items,) int64."""
        until = np.searchsorted(self.tau, tau, side="right")
        changes = np.bincount(self.item[:until], self.change[:until], self.at_zero.size)
        return self.at_zero + changes.astype(np.int64)


@dataclass(frozen=True, eq=False)
class PopularitySweep:
    """Coverage and PP-Corr at every whole tau, from the top lists of all folds together.

    Position t is tau = t, up to the largest usage in any fold. PP-Corr is NaN where it is undefined
    (see `engine.metrics.correlation`).
    """

    coverage: np.ndarray  # (largest + 1,) float64
    pp_corr: np.ndarray  # (largest + 1,) float64


@njit(nogil=True, cache=True)
def _follow(
    real, weight, first_change, change, ordinal, order, changed_query,
    first_query, queries, query_user, query_item, predictions, top,
):  # fmt: skip
    """Let uses become real, ordinal by ordinal; note which items enter and leave the lists.

    A query's sum is added up anew, term by term in the order of `Predictor.predict`, so that the
    predictions and their ties are the same to the last digit.
    """
    n_top = top.shape[1]
    in_top = np.zeros(predictions.size, dtype=np.bool_)
    for u in range(top.shape[0]):
        for place in range(n_top):
            if top[u, place] >= 0:
                in_top[top[u, place]] = True
    row = np.empty(n_top, dtype=np.int64)
    best = np.empty(n_top)
    stale = np.zeros(top.shape[0], dtype=np.bool_)
    stale_users = np.empty(top.shape[0], dtype=np.int64)
    event_tau = np.empty(1024, dtype=np.int32)
    event_item = np.empty(1024, dtype=np.int32)
    event_change = np.empty(1024, dtype=np.int8)
    n_events = 0
    next_change = 0
    while next_change < order.size:
        tau = ordinal[order[next_change]]
        n_stale = 0
        while next_change < order.size and ordinal[order[next_change]] == tau:
            q = changed_query[order[next_change]]
            next_change += 1
            u = query_user[q]
            if first_query[u + 1] - first_query[u] <= n_top:
                continue  # all the user's queries are top items anyway
            total = 0.0
            for use in range(first_change[q], first_change[q + 1]):
                if is_protected(ordinal[use], tau):
                    total += change[use]
            predictions[q] = (real[q] + total) / weight[q]
            if not stale[u] and (in_top[q] or predictions[q] >= predictions[top[u, n_top - 1]]):
                stale[u] = True
                stale_users[n_stale] = u
                n_stale += 1
        for index in range(n_stale):
            u = stale_users[index]
            stale[u] = False
            top_of_user(first_query[u], first_query[u + 1], queries, predictions, row, best)
            if n_events + 2 * n_top > event_tau.size:
                event_tau = _doubled(event_tau)
                event_item = _doubled(event_item)
                event_change = _doubled(event_change)
            for place in range(n_top):
                in_top[top[u, place]] = False
            for place in range(n_top):
                in_top[row[place]] = True
            for place in range(n_top):
                if not in_top[top[u, place]]:
                    event_tau[n_events] = tau
                    event_item[n_events] = query_item[top[u, place]]
                    event_change[n_events] = -1
                    n_events += 1
            for place in range(n_top):
                in_top[top[u, place]] = False
            for place in range(n_top):
                if in_top[row[place]]:  # was not there before
                    event_tau[n_events] = tau
                    event_item[n_events] = query_item[row[place]]
                    event_change[n_events] = 1
                    n_events += 1
                in_top[row[place]] = True
                top[u, place] = row[place]
    return event_tau[:n_events], event_item[:n_events], event_change[:n_events]


@njit(nogil=True, cache=True)
def _doubled(array):
    larger = np.empty(2 * array.size, dtype=array.dtype)
    larger[: array.size] = array
    return larger


def follow_top_lists(predictor: Predictor) -> FrequencyChanges:
    """Return how often each item is a top item at tau = 0, and all that changes with tau.

    From tau - 1 to tau the uses with ordinal tau become real. Only their queries change, and only
    the users who asked these can get other top items, so that following all lists over every tau
    costs little more than making them a few times.

    >>> from engine.datasets import generate
    >>> from engine.experiment import Experiment
    >>> from engine.settings import Setting
    >>> experiment = Experiment(generate(users=40, items=90, ratings=1600))
    >>> changes = follow_top_lists(experiment.predictor(0, "gain", 5))
    >>> anew = experiment.item_frequency(0, Setting("gain", 5, tau=7))
    >>> np.array_equal(changes.frequency(7), anew)
    True
    """
    fold = predictor.fold
    predictions = predictor.predict(0)
    top = top_queries(fold, predictions)
    at_zero = item_frequency(fold, top)
    first_change = np.searchsorted(predictor.changed_query, np.arange(fold.n_queries + 1))
    tau, item, change = _follow(
        predictor.real, predictor.weight, first_change, predictor.change,
        predictor.changed_ordinal, np.argsort(predictor.changed_ordinal, kind="stable"),
        predictor.changed_query, fold.first_query, fold.queries_by_user, fold.query_user,
        fold.query_item, predictions, top,
    )  # fmt: skip
    return FrequencyChanges(at_zero, tau, item, change)


@njit(nogil=True, cache=True)
def _add_up(frequency, popularity, tau, item, change, sums):
    """Write n, sum f, sum f^2, sum f p, sum p, sum p^2 over the items with f > 0, for every tau."""
    n, f1, f2, fp, p1, p2 = 0, 0, 0, 0, 0, 0
    for i in range(frequency.size):
        f, p = frequency[i], popularity[i]
        if f > 0:
            n, f1, f2, fp, p1, p2 = n + 1, f1 + f, f2 + f * f, fp + f * p, p1 + p, p2 + p * p
    next_change = 0
    for t in range(sums.shape[0]):
        while next_change < tau.size and tau[next_change] <= t:
            i, d = item[next_change], change[next_change]
            f, p = frequency[i], popularity[i]
            frequency[i] = f + d
            f1 += d
            f2 += (f + d) * (f + d) - f * f
            fp += d * p
            if f == 0 or f + d == 0:  # enters or leaves
                n += d
                p1 += d * p
                p2 += d * p * p
            next_change += 1
        sums[t, 0], sums[t, 1], sums[t, 2] = n, f1, f2
        sums[t, 3], sums[t, 4], sums[t, 5] = fp, p1, p2


def sweep_popularity(
    folds: Sequence[FrequencyChanges], popularity: np.ndarray, largest: int
) -> PopularitySweep:
    """Return coverage and PP-Corr for every whole tau from 0 to `largest`.

    Both follow from ItemFreq+ summed over the folds (paper, section 4.2.4), and are what
    `engine.metrics.popularity_metrics` gives at each tau; the sums are whole numbers and exact.

    >>> leaves = np.array([2]), np.array([0]), np.array([-1])  # at tau = 2, item 0, once
    >>> fold = FrequencyChanges(np.array([1, 3]), *leaves)
    >>> swept = sweep_popularity([fold], np.array([5, 9]), largest=2)
    >>> swept.coverage.tolist(), swept.pp_corr.tolist()
    ([1.0, 1.0, 0.5], [1.0, 1.0, nan])
    """
    tau = np.concatenate([fold.tau for fold in folds])
    order = np.argsort(tau, kind="stable")
    item = np.concatenate([fold.item for fold in folds])[order].astype(np.int64)
    change = np.concatenate([fold.change for fold in folds])[order].astype(np.int64)
    frequency = np.sum([fold.at_zero for fold in folds], axis=0)
    sums = np.empty((largest + 1, 6), dtype=np.int64)
    _add_up(frequency, popularity.astype(np.int64), tau[order], item, change, sums)
    # Products of the sums may pass 2^63, and their differences must be exact: Python's integers.
    n, f1, f2, fp, p1, p2 = sums.astype(object).T
    spread = ((n * f2 - f1 * f1) * (n * p2 - p1 * p1)).astype(np.float64)
    together = (n * fp - f1 * p1).astype(np.float64)
    pp_corr = np.full(largest + 1, np.nan)
    np.divide(together, np.sqrt(spread), out=pp_corr, where=spread > 0)
    return PopularitySweep(sums[:, 0] / popularity.size, np.clip(pp_corr, -1.0, 1.0))
