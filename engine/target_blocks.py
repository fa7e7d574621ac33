"""The neighbors of a block of target users: from arrays to arrays, wherever it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from engine.best_candidates import insert, tie_key
from engine.draws import TIES, stream
from engine.folds import Fold
from engine.reuse_over_time import choose_over_time
from engine.similarity import Similarity, TrainingArrays
from engine.strategies import Strategy, rank_similarity

#: Bytes that the scores of one block of target users may take; small enough for the cache.
_BLOCK_BYTES = 4_000_000
#: No block has more target users, so that a run can be cancelled and shows its progress.
_BLOCK_USERS = 64


def target_blocks(fold: Fold) -> list[np.ndarray]:
    """Return the users with answered queries, in blocks of a size that suits the memory."""
    targets = np.unique(fold.query_user[fold.answered]).astype(np.int64)
    size = max(1, min(_BLOCK_USERS, _BLOCK_BYTES // (24 * fold.n_users)))
    return [targets[start : start + size] for start in range(0, targets.size, size)]


@njit(nogil=True, cache=True)
def _choose(
    seed, fold_number, targets, first_query, queries, query_item, size_of, item_start, item_users,
    ranks, reused_ranks, reuse, similarity, shared, out_place, out_similarity, out_shared,
):  # fmt: skip
    n_users = ranks.shape[1]
    previous = np.zeros(n_users, dtype=np.bool_)
    out = 0
    for b in range(targets.size):
        u = targets[b]
        previous[:] = False
        for index in range(first_query[u], first_query[u + 1]):
            q = queries[index]
            size = size_of[q]
            if size == 0:
                continue
            i = query_item[q]
            state = stream(seed, fold_number, TIES, u, i)
            keys = np.empty(size, dtype=np.int64)
            places = np.empty(size, dtype=np.int32)
            reused_keys = np.empty(size, dtype=np.int64)
            reused_places = np.empty(size, dtype=np.int32)
            filled = 0
            n_reused = 0
            threshold = np.int64(-1)
            for place in range(item_start[i], item_start[i + 1]):
                c = item_users[place]
                if reuse and previous[c]:
                    key = tie_key(reused_ranks[b, c], state, c)
                    n_reused = insert(reused_keys, reused_places, n_reused, key, place)
                elif ranks[b, c] >= threshold:
                    filled = insert(keys, places, filled, tie_key(ranks[b, c], state, c), place)
                    if filled == size:
                        threshold = keys[size - 1] >> np.int64(31)
            for position in range(size):
                if position < n_reused:
                    place = reused_places[position]
                else:
                    place = places[position - n_reused]
                c = item_users[place]
                out_place[out] = place
                out_similarity[out] = similarity[b, c]
                out_shared[out] = shared[b, c]
                out += 1
                previous[c] = True


@njit(nogil=True, cache=True)
def merge(targets, first_query, queries, bound, block, whole):
    """Copy what a block of targets has, query after query, to its places among all queries."""
    copied = 0
    for u in targets:
        for index in range(first_query[u], first_query[u + 1]):
            q = queries[index]
            for use in range(bound[q], bound[q + 1]):
                whole[use] = block[copied]
                copied += 1


def co_rating_type(arrays: TrainingArrays) -> type[np.uint16] | type[np.uint32]:
    """Return the smallest type that holds any number of co-rated items."""
    most = np.diff(arrays[0]).max(initial=0)
    return np.uint16 if most < 2**16 else np.uint32


@dataclass(frozen=True, eq=False)
class Selected:
    """A strategy and k to choose neighbors for, and what the strategy needs of the fold."""

    strategy: Strategy
    similarity: Similarity
    sizes: np.ndarray  # (n_queries,) int64: the number of neighbors of each query
    prepared_similarity: Any
    prepared_reusability: Any  # None without a reusability


@dataclass(frozen=True, eq=False)
class Queries:
    """What a block of target users needs to know of a fold: all of it is arrays and numbers."""

    seed: int
    fold: int
    training: TrainingArrays
    query_item: np.ndarray  # (n_queries,)
    queries_by_user: np.ndarray  # (n_queries,)
    first_query: np.ndarray  # (n_users + 1,)


#: The chosen places, similarities and co-ratings of a block, in the order of targets and queries.
BlockChoice = tuple[np.ndarray, np.ndarray, np.ndarray]


def choose_for_targets(
    queries: Queries, targets: np.ndarray, selections: Sequence[Selected]
) -> tuple[np.ndarray, list[BlockChoice]]:
    """Choose the neighbors of all queries of some target users; return the targets and the choices.

    It depends on its arguments alone, so that threads, processes or other machines may run it.
    """
    _, _, _, item_start, item_users, _ = queries.training
    asked = np.concatenate(
        [queries.queries_by_user[slice(*queries.first_query[[u, u + 1]])] for u in targets]
    )
    counts = co_rating_type(queries.training)
    rows: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
    scores: dict[tuple[str, str, int], np.ndarray] = {}
    chosen = []
    for selected in selections:
        strategy, similarity = selected.strategy, selected.similarity
        if similarity.name not in rows:
            values, shared = similarity.rows(selected.prepared_similarity, targets)
            rows[similarity.name] = values, shared, rank_similarity(values, targets)
        values, shared, ranks = rows[similarity.name]
        score, reusability = ranks, strategy.reusability
        grows_over_time = reusability is not None and reusability.rank is None
        if reusability is not None and reusability.rank is not None:
            key = similarity.name, reusability.name, strategy.reuse_strength
            if key not in scores:
                reuse_ranks = reusability.rank(selected.prepared_reusability, targets, shared)
                scores[key] = strategy.score(ranks, reuse_ranks)
            score = scores[key]
        n_uses = int(selected.sizes[asked].sum())
        choice = np.empty(n_uses, dtype=np.int32), np.empty(n_uses), np.empty(n_uses, counts)
        asked_of_targets = (
            queries.seed, queries.fold, targets, queries.first_query, queries.queries_by_user,
            queries.query_item, selected.sizes, item_start, item_users,
        )  # fmt: skip
        if grows_over_time:
            choose_over_time(
                *asked_of_targets, ranks, strategy.reuse_strength, values, shared,
                selected.prepared_reusability, *choice,
            )  # fmt: skip
        else:
            _choose(*asked_of_targets, score, ranks, strategy.reuse, values, shared, *choice)
        chosen.append(choice)
    return targets, chosen
