"""A similarity and strategies that nobody needs: what it takes to add one, in a few lines.

They are functions of a module, so that another process can call them, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np

from engine.embeddings import Embeddings
from engine.similarity import SIMILARITIES, Similarity, TrainingArrays, cosine_rows
from engine.strategies import STRATEGIES, Reusability, Strategy, rank_expectation
from tests import oracle


def jaccard_rows(arrays: TrainingArrays, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The items that both rated, as a share of those that either rated."""
    _, shared = cosine_rows(arrays, targets)
    sizes = np.diff(arrays[0])
    either = sizes[targets][:, None] + sizes[None, :] - shared
    return np.divide(shared, either, out=np.zeros(shared.shape), where=either > 0), shared


def count_ratings(arrays: TrainingArrays, embeddings: Embeddings | None) -> np.ndarray:
    return np.diff(arrays[0])


def rank_ratings(counts: np.ndarray, targets: np.ndarray, co_ratings: np.ndarray) -> np.ndarray:
    return rank_expectation(counts, targets)


JACCARD = Similarity("jaccard", "share of the items that both rated", jaccard_rows)
RATINGS = Reusability("ratings", "how many items a user rated", count_ratings, rank_ratings)
TOYS = (
    Strategy("busy", "Busy", RATINGS),
    Strategy("busy+reuse", "Busy+Reuse", RATINGS, reuse=True),
    Strategy("busy@3", "Busy, three times", RATINGS, reuse_strength=3),
    Strategy("jaccardknn", "JaccardKNN", similarity="jaccard"),
)


@contextmanager
def registered_toys() -> Iterator[None]:
    """Register the toys, and forget them at the end."""
    SIMILARITIES.register(JACCARD)
    for strategy in TOYS:
        STRATEGIES.register(strategy)
    try:
        yield
    finally:
        for strategy in TOYS:
            del STRATEGIES[strategy.name]
        del SIMILARITIES[JACCARD.name]


# --- the same for the oracle ---------------------------------------------------------------------


def jaccard_to(train: oracle.Train, user: int) -> dict[int, Fraction]:
    rated = train.by_user.get(user, {}).keys()
    return {
        other: Fraction(len(rated & theirs), len(rated | theirs) or 1)
        for other in train.users
        if other != user
        for theirs in (train.by_user.get(other, {}).keys(),)
    }


def toy_ranks(
    train: oracle.Train, user: int, strategy: str, similar: dict[int, Fraction]
) -> dict[int, int]:
    by_similarity = oracle.ranks(similar)
    by_ratings = oracle.ranks({other: len(train.by_user.get(other, {})) for other in similar})
    strength = {"busy": 1, "busy+reuse": 1, "busy@3": 3, "jaccardknn": 0}[strategy]
    return {other: by_similarity[other] + strength * by_ratings[other] for other in similar}
