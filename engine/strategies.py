"""The strategies by which candidates are ranked as neighbors (paper, sections 3.2 and 4.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from engine.embeddings import Embeddings
from engine.registry import Registry
from engine.similarity import SIMILARITIES, TrainingArrays
from engine.vectors import directions


def expectation(arrays: TrainingArrays) -> np.ndarray:
    """Return Expect's reusability of each user, times the number of users: (n_users,) int64.

    reusability(c) = sum over the items i that c rated of |U_i| / |U| (paper, section 3.2). The
    constant |U| is left out, so that ties of the whole numbers |U_i| are exact. `arrays` are those
    of `similarity.training_arrays`.

    >>> from engine.datasets import Ratings
    >>> from engine.splits import split
    >>> from engine.similarity import training_arrays
    >>> ratings = Ratings.from_columns(list("aabbc"), list("xyxyx"), [1, 2, 3, 4, 5], name="tiny")
    >>> fold = split(ratings, 0)  # row (a, y) is asked; x has 3 raters left, y has 1
    >>> expectation(training_arrays(fold)).tolist()
    [3, 4, 3]
    """
    user_start, items_by_user, _, item_start, _, _ = arrays
    raters = np.diff(item_start).astype(np.int64)
    summed = np.concatenate(([0], np.cumsum(raters[items_by_user])))
    return summed[user_start[1:]] - summed[user_start[:-1]]


def rank_expectation(expected: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return rank(c) among the users other than each target, by Expect: (targets, n_users) int32.

    rank(c) = |{v != u: f(v) <= f(c)}|; ties share the larger rank (paper, section 3.2).

    >>> rank_expectation(np.array([3, 5, 5, 1]), np.array([0]))[0, 1:].tolist()
    [3, 3, 1]
    """
    among_all = np.searchsorted(np.sort(expected), expected, side="right").astype(np.int32)
    return among_all[None, :] - (expected[targets][:, None] <= expected[None, :]).astype(np.int32)


@njit(nogil=True, cache=True)
def rank_similarity(similarity: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return rank(c) among the users other than each target, by similarity: int32, same shape.

    rank(c) = |{v != u: f(v) <= f(c)}|; ties share the larger rank (paper, section 3.2). The entry
    of a target for itself is 0.

    >>> rank_similarity(np.array([[0.0, 0.9, 0.0, 1.0, 1.0]]), np.array([0]))[0, 1:].tolist()
    [2, 1, 4, 4]
    """
    n_users = similarity.shape[1]
    ranks = np.zeros(similarity.shape, dtype=np.int32)
    values = np.empty(n_users)
    users = np.empty(n_users, dtype=np.int64)
    for b in range(targets.size):
        # In sparse data most similarities are 0: those share one rank and need no sorting.
        n_values = 0
        n_negative = 0
        for v in range(n_users):
            value = similarity[b, v]
            if v != targets[b] and value != 0.0:
                values[n_values] = value
                users[n_values] = v
                n_values += 1
                n_negative += value < 0.0
        n_zero = n_users - 1 - n_values
        for v in range(n_users):
            ranks[b, v] = n_negative + n_zero
        ranks[b, targets[b]] = 0
        order = np.argsort(values[:n_values])
        start = 0
        while start < n_values:
            value = values[order[start]]
            stop = start + 1
            while stop < n_values and values[order[stop]] == value:
                stop += 1
            rank = stop + n_zero if value > 0.0 else stop
            for position in range(start, stop):
                ranks[b, users[order[position]]] = rank
            start = stop
    return ranks


@njit(nogil=True, cache=True)
def rank_gain(co_ratings: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return rank(c) among the users other than each target, by Gain: int32, same shape.

    reusability(c | u) = |I_u & I_c| / |I_u| (paper, section 3.2); |I_u| does not change the ranks,
    so the numbers of co-rated items are counted into bins and summed up.

    >>> rank_gain(np.array([[9, 2, 0, 2]], dtype=np.int32), np.array([0]))[0, 1:].tolist()
    [3, 1, 3]
    """
    n_users = co_ratings.shape[1]
    ranks = np.zeros(co_ratings.shape, dtype=np.int32)
    for b in range(targets.size):
        bins = np.zeros(co_ratings[b].max() + 1, dtype=np.int32)
        for v in range(n_users):
            if v != targets[b]:
                bins[co_ratings[b, v]] += 1
        for count in range(1, bins.size):
            bins[count] += bins[count - 1]
        for v in range(n_users):
            if v != targets[b]:
                ranks[b, v] = bins[co_ratings[b, v]]
    return ranks


@dataclass(frozen=True)
class Reusability:
    """How much a candidate can be used again.

    `prepare(arrays, embeddings)` is called once in each fold, as for a `Similarity`.
    `rank(prepared, targets, co_ratings)` returns rank(c) of all users c for each target:
    (n_targets, n_users) int32, where ties share the larger rank; `co_ratings` has the same shape.
    `value(prepared, targets, co_ratings)` returns the reusability itself, float64 of the same
    shape, for those who want to see it; to choose, ranks are enough. All are functions of a module,
    so that another process can call them.

    `rank` is None where the reusability grows with every query of the target (paper, appendix C).
    Then `prepare` returns the directions of the items' vectors; `reuse_over_time` does the rest.
    """

    name: str
    title: str
    prepare: Callable[[TrainingArrays, Embeddings | None], Any]
    rank: Callable[[Any, np.ndarray, np.ndarray], np.ndarray] | None
    value: Callable[[Any, np.ndarray, np.ndarray], np.ndarray] | None = None
    needs_embeddings: bool = False


def _expectation(arrays: TrainingArrays, embeddings: Embeddings | None) -> np.ndarray:
    return expectation(arrays)


def _items_of_each_user(arrays: TrainingArrays, embeddings: Embeddings | None) -> np.ndarray:
    return np.diff(arrays[0])


def _item_directions(arrays: TrainingArrays, embeddings: Embeddings | None) -> np.ndarray:
    assert embeddings is not None
    return directions(embeddings.item)


def _rank_expect(expected: np.ndarray, targets: np.ndarray, co_ratings: np.ndarray) -> np.ndarray:
    return rank_expectation(expected, targets)


def _value_of_expect(
    expected: np.ndarray, targets: np.ndarray, co_ratings: np.ndarray
) -> np.ndarray:
    return np.broadcast_to(expected / expected.size, co_ratings.shape)


def _rank_gain(n_items: np.ndarray, targets: np.ndarray, co_ratings: np.ndarray) -> np.ndarray:
    ranks: np.ndarray = rank_gain(co_ratings, targets)
    return ranks


def _value_of_gain(n_items: np.ndarray, targets: np.ndarray, co_ratings: np.ndarray) -> np.ndarray:
    return co_ratings / np.maximum(n_items[targets], 1)[:, None]


EXPECT = Reusability(
    "expect",
    "how many queries are expected for a user's items",
    _expectation,
    _rank_expect,
    _value_of_expect,
)
GAIN = Reusability(
    "gain",
    "the share of the target's items that a user rated",
    _items_of_each_user,
    _rank_gain,
    _value_of_gain,
)
OVER_TIME = Reusability(
    "over time",
    "how similar the items are for which a user was a neighbor",
    _item_directions,
    rank=None,
    needs_embeddings=True,
)


@dataclass(frozen=True)
class Strategy:
    """A way to choose neighbors: what candidates are ranked by, and whether neighbors are reused.

    Candidates are ranked by rank(similarity) + reuse_strength * rank(reusability), without a
    reusability by rank(similarity) alone. With `reuse`, a user's previous neighbors that rated the
    item come first, so that the choice depends on k. `similarity` None means the one that the
    experiment is set to. `in_paper` marks the paper's main comparison.

    `baseline` names the strategy without reuse that this one is compared with: a rule takes tau
    from its usage, and the curves of growth are tested against its curves.

    `version` is part of the keys of the store. Whoever changes the functions of a strategy's
    reusability raises it, so that what they made before is not read any more.
    """

    name: str
    title: str
    reusability: Reusability | None = None
    reuse: bool = False
    reuse_strength: int = 1
    similarity: str | None = None
    in_paper: bool = False
    baseline: str = "userknn"
    version: int = 1

    @property
    def stored_as(self) -> str:
        """What the store calls it: its name, and its definition where it is not the engine's own.

        So a strategy that is defined anew under its name is computed anew.

        >>> STRATEGIES["gain"].stored_as
        'gain'
        >>> Strategy("gain", "Gain", GAIN, reuse_strength=2).stored_as
        "gain, (None, 'gain', False, 2, 'userknn', 1)"
        """
        definition = self._definition
        own = _DEFINITIONS.get(self.name) == definition
        return self.name if own else f"{self.name}, {definition}"

    @property
    def _definition(self) -> tuple[str | int | None, ...]:
        similarity = None if self.similarity is None else SIMILARITIES.named(self.similarity)
        return (
            None if similarity is None else similarity.stored_as,
            None if self.reusability is None else self.reusability.name,
            self.reuse,
            self.reuse_strength,
            self.baseline,
            self.version,
        )

    @property
    def needs_embeddings(self) -> bool:
        """Whether the strategy's own similarity or its reusability comes from embeddings."""
        similarity = None if self.similarity is None else SIMILARITIES.named(self.similarity)
        return any(
            measure is not None and measure.needs_embeddings
            for measure in (similarity, self.reusability)
        )

    @property
    def reuses_over_time(self) -> bool:
        """Whether reusability changes from query to query."""
        return self.reusability is not None and self.reusability.rank is None

    @property
    def depends_on_k(self) -> bool:
        """Whether each k has a selection of its own: earlier neighbors decide on later ones."""
        return self.reuse or self.reuses_over_time

    def score(self, similarity_rank: np.ndarray, reusability_rank: np.ndarray | None) -> np.ndarray:
        """Return what candidates are ordered by, the larger the better: whole numbers, same shape.

        >>> STRATEGIES["gain"].score(np.array([3, 1]), np.array([1, 2])).tolist()
        [4, 3]
        """
        if reusability_rank is None:
            return similarity_rank
        return similarity_rank + self.reuse_strength * reusability_rank


#: Every strategy by its name, in the order in which they are shown.
STRATEGIES: Registry[Strategy] = Registry("strategy")
DEFAULT_STRATEGY = STRATEGIES.register(Strategy("userknn", "UserKNN", in_paper=True)).name
STRATEGIES.register(Strategy("userknn+reuse", "UserKNN+Reuse", reuse=True, in_paper=True))
STRATEGIES.register(Strategy("expect", "Expect", EXPECT, in_paper=True))
STRATEGIES.register(Strategy("gain", "Gain", GAIN, in_paper=True))
STRATEGIES.register(Strategy("expect+reuse", "Expect+Reuse", EXPECT, reuse=True))
STRATEGIES.register(Strategy("gain+reuse", "Gain+Reuse", GAIN, reuse=True))
STRATEGIES.register(Strategy("neuknn", "NeuKNN", similarity="embedding", baseline="neuknn"))
STRATEGIES.register(
    Strategy("neuknn+reuse", "NeuKNN+Reuse", OVER_TIME, similarity="embedding", baseline="neuknn")
)

#: How the engine itself defines its strategies.
_DEFINITIONS = {name: strategy._definition for name, strategy in STRATEGIES.items()}
#: The four strategies of the paper's main comparison.
PAPER_STRATEGIES = tuple(name for name, strategy in STRATEGIES.items() if strategy.in_paper)
