"""What a strategy ranks all users by, for the one who puts a query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.embeddings import Embeddings
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods
from engine.reuse_over_time import add_reuse
from engine.similarity import Similarity, training_arrays
from engine.strategies import Strategy, rank_similarity


@dataclass(frozen=True, eq=False)
class Standing:
    """What all users are ranked by, for the one who asks: arrays of shape (n_users,)."""

    co_ratings: np.ndarray
    similarity: np.ndarray
    similarity_rank: np.ndarray
    reusability: np.ndarray | None
    reusability_rank: np.ndarray | None
    score: np.ndarray


def standing_of(
    fold: Fold,
    query: int,
    strategy: Strategy,
    similarity: Similarity,
    embeddings: Embeddings | None,
    neighborhoods: Neighborhoods,
) -> Standing:
    """Return what all users are ranked by, for the one who puts a query of a fold.

    `embeddings` are needed where the similarity or the strategy's reusability comes from them, the
    `neighborhoods` of earlier queries where reusability grows with them.
    """
    training, target = training_arrays(fold), fold.query_user[[query]].astype(np.int64)
    values, shared = similarity.rows(similarity.prepare(training, embeddings), target)
    ranks = rank_similarity(values, target)
    reusability = reusability_ranks = None
    measure = strategy.reusability
    if measure is not None:
        prepared = measure.prepare(training, embeddings)
        if measure.rank is None:
            reusability = _reusability_so_far(fold, query, neighborhoods, prepared)
            reusability_ranks = rank_similarity(reusability[None, :], target)
        else:
            reusability_ranks = measure.rank(prepared, target, shared)
        if measure.value is not None:
            reusability = measure.value(prepared, target, shared)[0]
    return Standing(
        co_ratings=shared[0],
        similarity=values[0],
        similarity_rank=ranks[0],
        reusability=reusability,
        reusability_rank=None if reusability_ranks is None else reusability_ranks[0],
        score=strategy.score(ranks, reusability_ranks)[0],
    )


def _reusability_so_far(
    fold: Fold, query: int, neighborhoods: Neighborhoods, item_directions: np.ndarray
) -> np.ndarray:
    """Return what the earlier queries of the same user have added up to: (n_users,) float64."""
    queries = fold.queries_by_user
    first = int(fold.first_query[fold.query_user[query]])
    last = int(np.flatnonzero(queries == query)[0])
    reusability = np.zeros(fold.n_users)
    add_reuse(
        query, first, last, queries, fold.query_item, neighborhoods.stop - neighborhoods.start,
        neighborhoods.start[queries], neighborhoods.place, fold.by_item.indices, item_directions,
        reusability,
    )  # fmt: skip
    return reusability
