"""What a run will take, from the data alone, before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.datasets import Ratings
from engine.machine_speed import relative_speed
from engine.splits import QUERIES, check_queries
from engine.strategies import EXPECT, STRATEGIES

# Nanoseconds of one thread, fitted to runs on MovieLens 100K, 1M and latest, Ciao, the sample, and
# generated sets in the shape of Epinions, of LastFM and of many users with few items. The estimates
# of choosing and of predicting were 0.8 to 1.3 times the measured times.
_CO_RATING = 3.4  # similarity: a rating of another user for an item of a target
_SIMILAR_PAIR = 6.0  # similarity and its rank: a target and any user
_SORTED_PAIR = 5.9  # rank: a comparison while the users with a similarity are sorted
_REUSABILITY_PAIR = 3.7  # reusability and score: a target and any user
_EXPECT_USER = 90.0  # Expect's ranks of all users, again for each block of targets
_CANDIDATE = 2.6  # selection: a rater of the item of a query
_INSERTION = 69.0  # selection: a candidate that is better than those before
_CLEARED_PAIR = 0.85  # selection: a target and any user
_USE = 80.0  # prediction: a chosen neighbor
_QUERY = 350.0  # prediction: a query
_USER = 1_900.0  # prediction: a user
_ITEM = 100.0  # prediction: an item, whether asked for or not
_LEARNED_RATING = 25_000.0  # embeddings: a training rating, in all epochs
_TEST = 140e6  # tests of the curves of a cell
_TESTED_QUERY = 1_600.0  # the same: a query, up to 100 of each user
_TAIL = 22e6  # tau by its tail
_TAIL_USER = 13_000.0  # the same: a user

# Target users of a block, as `engine.target_blocks` makes them.
_BLOCK_BYTES, _BLOCK_USERS = 4_000_000, 64
# Strategies without +Reuse are selected once, at this k or more.
_SELECTED_K = 30
# This many users, from the least to the most active, show how many others a user shares items with.
_LOOKED_AT = 50

# Bytes: of the interpreter with the compiled kernels, of a rating in the matrices of the folds,
# of a chosen neighbor, and of a predictor per use.
_BASE_BYTES = 400e6
_BYTES_PER_RATING = 300.0
_BYTES_PER_USE = 14.0
_PREDICTOR_BYTES_PER_USE = 5.0
_MOST_BYTES_IN_A_PASS = 700e6

#: Strategies and k that are asked for at once.
Step = tuple[Sequence[str], Sequence[int]]


@dataclass(frozen=True)
class Estimate:
    """What a run takes: seconds, those of all processors together, and bytes of memory and disk."""

    seconds: float
    memory: float
    disk: float
    processor_seconds: float = 0.0


def estimate(
    ratings: Ratings,
    strategies: Sequence[str],
    ks: Sequence[int],
    folds: int = 5,
    jobs: int | None = None,
) -> Estimate:
    """Estimate `Experiment.run` over all folds with an empty store.

    For sets of different shape it was right within a factor of 1.5. `seconds` assumes that the
    processors have nothing else to do.

    >>> from engine.datasets import generate
    >>> small, large = (generate(n, 200, 30 * n) for n in (50, 400))
    >>> estimate(small, ["gain"], [10]).seconds < estimate(large, ["gain"], [10]).seconds
    True
    """
    return estimate_steps(ratings, [(strategies, ks)], folds=folds, jobs=jobs)


def estimate_steps(
    ratings: Ratings,
    steps: Sequence[Step],
    *,
    folds: int = 5,
    jobs: int | None = None,
    tests: bool = False,
    queries: str = QUERIES[0],
) -> Estimate:
    """Estimate a run that asks for its strategies and k in several steps in every fold.

    Each step computes the similarities again, so that three steps take longer than one. `tests`
    adds the tests of all curves against UserKNN's and the tails of the usage. `queries` "half" asks
    half of the queries of each fold.
    """
    work = _Work(ratings, folds, 0.5 if check_queries(queries) == "half" else 1.0)
    selected: set[tuple[str, int]] = set()
    cells: set[tuple[str, int]] = set()
    choosing = 0.0
    for strategies, ks in steps:
        asked = {(strategy, k) for strategy in strategies for k in ks}
        cells |= asked
        missing = {_selection(s, k) for s, k in asked | {("userknn", k) for k in ks}} - selected
        choosing += sum(work.choosing(part) for part in work.passes(sorted(missing)))
        selected |= missing
    others = sum(work.predicting(k) for _, k in cells)
    if any(STRATEGIES.named(strategy).needs_embeddings for strategy, _ in cells):
        # In steps one fold learns after the other, and each on one processor.
        if len(steps) > 1:
            others += work.learning()
        else:
            choosing += work.learning()
    if tests:
        others += sum(work.testing() for strategy, _ in cells if strategy != "userknn")
        others += len({k for _, k in cells}) * work.finding_tail()
    nanoseconds = folds / relative_speed()
    cores = jobs if jobs is not None and jobs > 0 else os.cpu_count() or 1
    chosen = sum(work.uses(k) for _, k in selected)
    return Estimate(
        seconds=1e-9 * nanoseconds * (choosing / cores + others),
        processor_seconds=1e-9 * nanoseconds * (choosing + others),
        memory=_BASE_BYTES
        + _BYTES_PER_RATING * ratings.n_ratings
        + min(_BYTES_PER_USE * chosen, _MOST_BYTES_IN_A_PASS),
        disk=folds
        * (
            _BYTES_PER_USE * chosen + _PREDICTOR_BYTES_PER_USE * sum(work.uses(k) for _, k in cells)
        ),
    )


def _selection(strategy: str, k: int) -> tuple[str, int]:
    """Return what is selected for a cell: without +Reuse one selection serves every smaller k."""
    return strategy, k if STRATEGIES.named(strategy).depends_on_k else max(k, _SELECTED_K)


class _Work:
    """How much there is to do in a fold, in nanoseconds; `asked` is the share of its queries."""

    def __init__(self, ratings: Ratings, folds: int, asked: float) -> None:
        self.ratings = ratings
        self.train = 1 - 1 / folds
        counts = np.bincount(ratings.item, minlength=ratings.n_items)
        self.raters = counts * self.train
        self.queries = counts * asked / folds
        self.activity = np.bincount(ratings.user, minlength=ratings.n_users)
        # Whoever has no query in a fold is no target in it.
        self.targets = float((1 - (1 - asked / folds) ** self.activity).sum())
        self.pairs = self.targets * ratings.n_users
        self.queries_of_users = self.activity * asked / folds

    def choosing(self, selections: Iterable[tuple[str, int]]) -> float:
        """Return the time of one pass over the similarities that makes all these selections."""
        names = list(selections)
        similar = self.similar_users
        total = _CO_RATING * float((self.raters**2).sum()) + _SIMILAR_PAIR * self.pairs
        total += _SORTED_PAIR * self.targets * similar * np.log2(max(similar, 2))
        reusabilities = {STRATEGIES.named(name).reusability for name, _ in names} - {None}
        total += _REUSABILITY_PAIR * self.pairs * len(reusabilities)
        if EXPECT in reusabilities:
            size = max(1, min(_BLOCK_USERS, _BLOCK_BYTES // (24 * self.ratings.n_users)))
            total += _EXPECT_USER * self.ratings.n_users * self.targets / size
        candidates = float((self.queries * self.raters).sum())
        for _, k in names:
            total += _CANDIDATE * candidates + _INSERTION * self._insertions(k)
            total += _CLEARED_PAIR * self.pairs
        return float(total)

    def passes(self, selections: Sequence[tuple[str, int]]) -> list[list[tuple[str, int]]]:
        """Divide selections as `engine.neighborhoods.passes` does, so that each fits the memory."""
        divided: list[list[tuple[str, int]]] = []
        held_bytes = 0.0
        for selection in selections:
            size = _BYTES_PER_USE * self.uses(selection[1])
            if not divided or held_bytes + size > _MOST_BYTES_IN_A_PASS:
                divided.append([])
                held_bytes = 0.0
            divided[-1].append(selection)
            held_bytes += size
        return divided

    def learning(self) -> float:
        """Return the time of learning embeddings."""
        return _LEARNED_RATING * self.train * self.ratings.n_ratings

    def uses(self, k: int) -> float:
        """Return the number of chosen neighbors: sum over queries of min(k, |U_i|)."""
        return float((self.queries * np.minimum(self.raters, k)).sum())

    def predicting(self, k: int) -> float:
        """Return the time of all predictions and metrics of a strategy at k."""
        n_queries = float(self.queries.sum())
        ratings = self.ratings
        total = _USE * self.uses(k) + _QUERY * n_queries
        return total + _USER * ratings.n_users + _ITEM * ratings.n_items

    def testing(self) -> float:
        """Return the time of the tests of a cell's curves."""
        return _TEST + _TESTED_QUERY * float(np.minimum(self.queries_of_users, 100).sum())

    def finding_tail(self) -> float:
        """Return the time of finding tau by its tail at one k."""
        return _TAIL + _TAIL_USER * self.ratings.n_users

    def _insertions(self, k: int) -> float:
        """Return how often a candidate is better than the k best before, in random order."""
        more = np.maximum(self.raters / k, 1.0)
        return float((self.queries * np.minimum(self.raters, k) * (1 + np.log(more))).sum())

    @cached_property
    def similar_users(self) -> float:
        """Return with how many others a user shares a rated item: the mean over some users."""
        user, item = self.ratings.user, self.ratings.item
        by_activity = np.argsort(self.activity, kind="stable")
        places = np.linspace(0, by_activity.size - 1, min(_LOOKED_AT, by_activity.size))
        sample = by_activity[places.astype(np.int64)]
        by_item = user[_order(item, self.ratings.n_items)]
        ends = np.cumsum(np.bincount(item, minlength=self.ratings.n_items))
        starts = ends - np.bincount(item, minlength=self.ratings.n_items)
        by_user = _order(user, self.ratings.n_users)
        user_ends = np.cumsum(self.activity)
        counts = []
        for one in sample:
            items = item[by_user[user_ends[one] - self.activity[one] : user_ends[one]]]
            raters = np.concatenate([by_item[starts[i] : ends[i]] for i in items])
            shared = np.bincount(raters, minlength=self.ratings.n_users)
            # Both ratings of an item are in training with probability train^2.
            counts.append(float((1 - (1 - self.train**2) ** shared[shared > 0]).sum()))
        return float(np.mean(counts))


def _order(codes: np.ndarray, size: int) -> np.ndarray:
    """Return the places of codes below a size, from the lowest code to the highest."""
    # Codes of two bytes are sorted in a tenth of the time.
    return np.argsort(codes.astype(np.min_scalar_type(size)), kind="stable")
