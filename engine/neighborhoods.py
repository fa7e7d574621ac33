"""The neighbors of every rating query of a fold (paper, sections 3.2 and 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.embeddings import Embeddings, learn_from
from engine.errors import Cancelled
from engine.folds import Fold
from engine.side_by_side import results_of
from engine.similarity import DEFAULT_SIMILARITY, SIMILARITIES, training_arrays
from engine.strategies import STRATEGIES
from engine.target_blocks import (
    Queries,
    Selected,
    choose_for_targets,
    co_rating_type,
    merge,
    target_blocks,
)

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


def choose_neighbors(
    fold: Fold,
    wanted: Iterable[tuple[str, int]],
    *,
    jobs: int = -1,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    blocks: Sequence[np.ndarray] | None = None,
    similarity: str = DEFAULT_SIMILARITY,
    embeddings: Embeddings | None = None,
    backend: str = "threading",
) -> dict[tuple[str, int], Neighborhoods]:
    """Choose the neighbors of all queries, for each wanted (strategy, k), in one similarity pass.

    N^k(u, i) are the k users of U_i with the largest rank: by similarity for UserKNN, and by
    rank(similarity) + rank(reusability) for Expect and Gain. With +Reuse the previous neighbors of
    u that rated i come first, the most similar of them if they are more than k. Ties are broken at
    random for each query. Blocks of target users are shared among `jobs` workers of a joblib
    backend; neither these nor the order of `blocks` changes the result. `similarity` is for the
    strategies that name none of their own. `embeddings` are those of the fold for NeuKNN; without
    them they are learned from the training ratings alone.

    `progress` is called with the share that is done, `cancelled` asked between blocks.
    Raises `InputError` for an unknown strategy, `Cancelled` when asked to stop.

    >>> from engine.datasets import Ratings
    >>> from engine.splits import split
    >>> ratings = Ratings.from_columns(
    ...     list("aabbcca"), list("xyxyxyz"), [1, 2, 2, 4, 5, 1, 3], name="tiny")
    >>> fold = split(ratings, 5, folds=7)
    >>> int(fold.query_user[0]), int(fold.query_item[0])
    (1, 1)
    >>> sorted(choose_neighbors(fold, [("userknn", 10)])["userknn", 10].users(fold, 0).tolist())
    [0, 2]
    """
    from joblib import delayed  # a fifteenth of a second most starts can do without

    names = list(wanted)
    arrays = training_arrays(fold)
    strategies = [STRATEGIES.named(name) for name, _ in names]
    similarities = [SIMILARITIES.named(s.similarity or similarity) for s in strategies]
    reusabilities = dict.fromkeys(s.reusability for s in strategies)
    if embeddings is None and (
        any(s.needs_embeddings for s in strategies) or any(s.needs_embeddings for s in similarities)
    ):
        embeddings = learn_from(fold)
    # Each is prepared once, for however many strategies.
    prepared = {
        measure: measure.prepare(arrays, embeddings)
        for measure in (*dict.fromkeys(similarities), *reusabilities)
        if measure is not None
    }
    bound = {k: bounds(fold, k) for _, k in names}
    selections = [
        Selected(
            strategy,
            similarity_of_users,
            np.diff(bound[k]),
            prepared[similarity_of_users],
            None if strategy.reusability is None else prepared[strategy.reusability],
        )
        for (_, k), strategy, similarity_of_users in zip(
            names, strategies, similarities, strict=True
        )
    ]
    queries = Queries(
        fold.seed, fold.number, arrays, fold.query_item, fold.queries_by_user, fold.first_query
    )
    if blocks is None:
        blocks = target_blocks(fold)
    n_targets = sum(block.size for block in blocks)
    counts = co_rating_type(arrays)
    whole = [
        (np.empty(n, dtype=np.int32), np.empty(n), np.empty(n, dtype=counts))
        for n in (int(bound[k][-1]) for _, k in names)
    ]
    tasks = (delayed(choose_for_targets)(queries, block, selections) for block in blocks)
    done = 0
    with results_of(
        tasks, n_jobs=jobs, backend=backend, return_as="generator_unordered"
    ) as results:
        for targets, choices in results:
            for (_, k), choice, arrays_of_all in zip(names, choices, whole, strict=True):
                for part, array in zip(choice, arrays_of_all, strict=True):
                    merge(targets, fold.first_query, fold.queries_by_user, bound[k], part, array)
            done += targets.size
            if progress is not None:
                progress(done / n_targets)
            if cancelled is not None and cancelled():
                raise Cancelled
    return {
        (name, k): Neighborhoods(bound[k][:-1], bound[k][1:], *arrays_of_all)
        for (name, k), arrays_of_all in zip(names, whole, strict=True)
    }


def passes(fold: Fold, wanted: Sequence[tuple[str, int]]) -> list[list[tuple[str, int]]]:
    """Divide the wanted (strategy, k) so that what one pass returns fits the memory."""
    divided: list[list[tuple[str, int]]] = []
    held_bytes = 0
    for strategy, k in wanted:
        size = int(bounds(fold, k)[-1]) * _BYTES_PER_USE
        if not divided or held_bytes + size > _PASS_BYTES:
            divided.append([])
            held_bytes = 0
        divided[-1].append((strategy, k))
        held_bytes += size
    return divided
