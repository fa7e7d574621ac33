"""The neighbors of every rating query of a fold (paper, sections 3.2 and 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from joblib import Parallel, delayed
from numba import njit

from engine.draws import TIES, draw, stream
from engine.errors import Cancelled
from engine.folds import Fold
from engine.similarity import cosine_rows, training_arrays
from engine.strategies import (
    expectation,
    get_strategy,
    rank_expectation,
    rank_gain,
    rank_similarity,
)

#: Bytes that the scores of one block of target users may take; small enough for the cache.
_BLOCK_BYTES = 4_000_000
#: No block has more target users, so that a run can be cancelled and shows its progress.
_BLOCK_USERS = 64
#: Bytes of neighborhoods that one pass over the similarities may hold in memory.
_PASS_BYTES = 700_000_000
_BYTES_PER_USE = 14


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """For every query of a fold its neighbors, best first, as ragged arrays.

    The neighbors of query q stand at `start[q]` to `stop[q]` in the three arrays. A neighbor is
    given as the place of its rating in `fold.by_item`, which yields both the user and the rating.
    """

    start: np.ndarray  # (n_queries,) int64
    stop: np.ndarray  # (n_queries,) int64
    place: np.ndarray  # (n_uses,) int32, into fold.by_item.indices and .data
    similarity: np.ndarray  # (n_uses,) float64
    co_ratings: np.ndarray  # (n_uses,) uint16 or uint32: items that the two users co-rated

    def first(self, k: int) -> Neighborhoods:
        """Return the k best neighbors of each query, without copying."""
        longest = int((self.stop - self.start).max(initial=0))
        return replace(self, stop=np.minimum(self.stop, self.start + min(k, longest)))

    def users(self, fold: Fold, query: int) -> np.ndarray:
        """Return the neighbors of one query, best first, as user codes."""
        return fold.by_item.indices[self.place[self.start[query] : self.stop[query]]]


def bounds(fold: Fold, k: int) -> np.ndarray:
    """Return where each query's neighbors begin and end: (n_queries + 1,) int64.

    A query has min(k, |U_i|) neighbors, none if its user or item is unknown in training.
    """
    raters = np.diff(fold.by_item.indptr)[fold.query_item]
    sizes = np.where(fold.answered, np.minimum(raters, min(k, fold.n_users)), 0)
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


@njit(nogil=True, cache=True)
def _insert(keys, places, filled, key, place):
    """Insert into the best-first list `keys[:filled]`; return its new length (at most its size)."""
    if filled == keys.size:
        if filled == 0 or key <= keys[filled - 1]:
            return filled
        at = filled - 1
    else:
        at = filled
        filled += 1
    while at > 0 and keys[at - 1] < key:
        keys[at] = keys[at - 1]
        places[at] = places[at - 1]
        at -= 1
    keys[at] = key
    places[at] = place
    return filled


@njit(nogil=True, cache=True)
def _tie_key(score, state, candidate):
    """Order by score, then by 31 random bits of this query and candidate."""
    return (np.int64(score) << np.int64(31)) | np.int64(draw(state, candidate) >> np.uint64(33))


@njit(nogil=True, cache=True)
def _choose(
    seed, fold_number, targets, first_query, queries, query_item, item_start, item_users,
    ranks, reused_ranks, reuse, similarity, shared, bound, out_place, out_similarity, out_shared,
):  # fmt: skip
    n_users = ranks.shape[1]
    previous = np.zeros(n_users, dtype=np.bool_)
    for b in range(targets.size):
        u = targets[b]
        previous[:] = False
        for at in range(first_query[u], first_query[u + 1]):
            q = queries[at]
            size = bound[q + 1] - bound[q]
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
                    key = _tie_key(reused_ranks[b, c], state, c)
                    n_reused = _insert(reused_keys, reused_places, n_reused, key, place)
                elif ranks[b, c] >= threshold:
                    filled = _insert(keys, places, filled, _tie_key(ranks[b, c], state, c), place)
                    if filled == size:
                        threshold = keys[size - 1] >> np.int64(31)
            for position in range(size):
                if position < n_reused:
                    place = reused_places[position]
                else:
                    place = places[position - n_reused]
                c = item_users[place]
                out = bound[q] + position
                out_place[out] = place
                out_similarity[out] = similarity[b, c]
                out_shared[out] = shared[b, c]
                previous[c] = True


def choose(
    fold: Fold,
    wanted: Iterable[tuple[str, int]],
    *,
    jobs: int = -1,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    blocks: Sequence[np.ndarray] | None = None,
) -> dict[tuple[str, int], Neighborhoods]:
    """Choose the neighbors of all queries, for each wanted (strategy, k), in one similarity pass.

    N^k(u, i) are the k users of U_i with the largest rank: by similarity for UserKNN, and by
    rank(similarity) + rank(reusability) for Expect and Gain. With +Reuse the previous neighbors of
    u that rated i come first, the most similar of them if they are more than k. Ties are broken at
    random for each query. Blocks of target users are shared among `jobs` threads; neither these
    nor the order of `blocks` changes the result.

    `progress` is called with the share that is done, `cancelled` asked between blocks.
    Raises `InputError` for an unknown strategy, `Cancelled` when asked to stop.

    >>> from engine.datasets import Ratings
    >>> from engine.folds import split
    >>> ratings = Ratings.from_columns(
    ...     list("aabbcca"), list("xyxyxyz"), [1, 2, 2, 4, 5, 1, 3], name="tiny")
    >>> fold = split(ratings, 5, folds=7)
    >>> int(fold.query_user[0]), int(fold.query_item[0])
    (1, 1)
    >>> sorted(choose(fold, [("userknn", 10)])["userknn", 10].users(fold, 0).tolist())
    [0, 2]
    """
    wanted = list(wanted)
    chosen = {}
    most_items = np.uint16 if np.diff(fold.by_user.indptr).max() < 2**16 else np.uint32
    for name, k in wanted:
        bound = bounds(fold, k)
        chosen[name, k] = (
            bound,
            np.empty(bound[-1], dtype=np.int32),
            np.empty(bound[-1]),
            np.empty(bound[-1], dtype=most_items),
        )
    arrays = training_arrays(fold)
    expected = expectation(fold)
    orders = {get_strategy(name).ranked_by for name, _ in wanted}

    stopped = False

    def choose_block(targets: np.ndarray) -> int:
        if stopped:  # what is left of the queue is passed over
            return 0
        similarity, shared = cosine_rows(arrays, targets)
        ranks = {"similarity": rank_similarity(similarity, targets)}
        if "expect" in orders:
            ranks["expect"] = ranks["similarity"] + rank_expectation(expected, targets)
        if "gain" in orders:
            ranks["gain"] = ranks["similarity"] + rank_gain(shared, targets)
        for (name, _), outputs in chosen.items():
            strategy = get_strategy(name)
            _choose(
                fold.seed, fold.number, targets, fold.first_query, fold.queries_by_user,
                fold.query_item, fold.by_item.indptr, fold.by_item.indices,
                ranks[strategy.ranked_by], ranks["similarity"], strategy.reuse,
                similarity, shared, *outputs,
            )  # fmt: skip
        return targets.size

    if blocks is None:
        blocks = target_blocks(fold)
    n_targets = sum(block.size for block in blocks)
    done = 0
    with Parallel(n_jobs=jobs, backend="threading", return_as="generator_unordered") as parallel:
        for n_done in parallel(delayed(choose_block)(block) for block in blocks):
            done += n_done
            if progress is not None:
                progress(done / n_targets)
            stopped = stopped or (cancelled is not None and cancelled())
    if stopped:
        raise Cancelled
    return {
        key: Neighborhoods(bound[:-1], bound[1:], place, similarity, shared)
        for key, (bound, place, similarity, shared) in chosen.items()
    }


def target_blocks(fold: Fold) -> list[np.ndarray]:
    """Return the users with answered queries, in blocks of a size that suits the memory."""
    targets = np.unique(fold.query_user[fold.answered]).astype(np.int64)
    size = max(1, min(_BLOCK_USERS, _BLOCK_BYTES // (24 * fold.n_users)))
    return [targets[at : at + size] for at in range(0, targets.size, size)]


def passes(fold: Fold, wanted: Sequence[tuple[str, int]]) -> list[list[tuple[str, int]]]:
    """Divide the wanted (strategy, k) so that what each `choose` returns fits the memory."""
    divided: list[list[tuple[str, int]]] = []
    held = 0
    for strategy, k in wanted:
        size = int(bounds(fold, k)[-1]) * _BYTES_PER_USE
        if not divided or held + size > _PASS_BYTES:
            divided.append([])
            held = 0
        divided[-1].append((strategy, k))
        held += size
    return divided
