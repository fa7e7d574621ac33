"""Similarity of users: cosine over the items that both rated (paper, section 2; co-rated items)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from engine.embeddings import Embeddings
from engine.folds import Fold
from engine.registry import Registry, versioned
from engine.vectors import direction_rows, directions
from engine.whole_numbers import whole_values

#: Bounds, items and values of the training ratings by user, and the same by item.
TrainingArrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@njit(nogil=True, cache=True)
def _cosine_rows(
    user_start, user_items, user_values, item_start, item_users, item_values, targets, rows, shared
):
    n_users = rows.shape[1]
    # One row for each user, so that the four sums of a pair lie in one cache line.
    sums = np.zeros((n_users, 4))
    for b in range(targets.size):
        u = targets[b]
        sums[:] = 0.0
        for p in range(user_start[u], user_start[u + 1]):
            i = user_items[p]
            own = user_values[p]
            own_squared = own * own
            for r in range(item_start[i], item_start[i + 1]):
                other = item_values[r]
                pair = sums[item_users[r]]
                pair[0] += own * other
                pair[1] += own_squared
                pair[2] += other * other
                pair[3] += 1.0
        for v in range(n_users):
            dot = sums[v, 0]
            norms = sums[v, 1] * sums[v, 2]
            shared[b, v] = np.int32(sums[v, 3])
            if norms > 0.0 and dot != 0.0:
                # dot^2 and the norms are exact whole numbers and the quotient is rounded once, so
                # equal fractions give equal doubles; dot / sqrt(norms) would round twice.
                cosine = min(np.sqrt(dot * dot / norms), 1.0)
                rows[b, v] = cosine if dot > 0.0 else -cosine
            else:
                rows[b, v] = 0.0


def similarity_rows(fold: Fold, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the similarity of each target user to all users, and the numbers of co-rated items.

    sim(u, v) = sum_i r_ui r_vi / sqrt(sum_i r_ui^2 * sum_i r_vi^2) over the items i that both rated
    in training; 0 where nothing is co-rated or a norm is 0; never NaN. Both arrays have shape
    (len(targets), n_users), float64 and int32. The entry of a target for itself has no meaning.

    >>> from engine.datasets import Ratings
    >>> from engine.splits import split
    >>> ratings = Ratings.from_columns(
    ...     list("aaabbbc"), list("xyzxyzx"), [1, 2, 3, 2, 4, 5, 4], name="tiny")
    >>> fold = split(ratings, 4, folds=7)
    >>> similarity, co_ratings = similarity_rows(fold, np.array([0]))
    >>> co_ratings[0, 1:].tolist()
    [2, 1]
    >>> similarity[0, 2].item()
    1.0
    """
    return cosine_rows(training_arrays(fold), targets)


def training_arrays(fold: Fold) -> TrainingArrays:
    """Return what the kernel reads: bounds, items, whole values by user, and the same by item."""
    by_user, by_item = fold.by_user, fold.by_item
    return (
        by_user.indptr,
        by_user.indices,
        whole_values(by_user.data),
        by_item.indptr,
        by_item.indices,
        whole_values(by_item.data),
    )


def cosine_rows(arrays: TrainingArrays, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`similarity_rows` for arrays that were prepared once for many blocks of targets."""
    n_users = arrays[0].size - 1
    rows = np.empty((targets.size, n_users))
    shared = np.empty((targets.size, n_users), dtype=np.int32)
    _cosine_rows(*arrays, targets, rows, shared)
    return rows, shared


def _training_alone(arrays: TrainingArrays, embeddings: Embeddings | None) -> TrainingArrays:
    return arrays


@dataclass(frozen=True)
class Similarity:
    """A similarity of users.

    `prepare(arrays, embeddings)` is called once in each fold with `training_arrays(fold)`, and with
    the embeddings of the fold if the similarity `needs_embeddings`. `rows(prepared, targets)` takes
    what it returned and the codes of target users. It returns the similarity of each target to all
    users, (n_targets, n_users) float64, never NaN, and the numbers of co-rated items, int32 of the
    same shape. Both are functions of a module, so that another process can call them.

    `version` is part of the keys of the store. Whoever changes the functions of a similarity raises
    it, so that what they made before is not read any more.
    """

    name: str
    title: str
    rows: Callable[[Any, np.ndarray], tuple[np.ndarray, np.ndarray]]
    prepare: Callable[[TrainingArrays, Embeddings | None], Any] = _training_alone
    needs_embeddings: bool = False
    version: int = 1

    @property
    def stored_as(self) -> str:
        """What the store calls it."""
        return versioned(self.name, self.version)


def _with_directions(
    arrays: TrainingArrays, embeddings: Embeddings | None
) -> tuple[TrainingArrays, np.ndarray]:
    assert embeddings is not None
    return arrays, directions(embeddings.user)


def _embedding_rows(
    prepared: tuple[TrainingArrays, np.ndarray], targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    arrays, user_directions = prepared
    _, co_ratings = cosine_rows(arrays, targets)
    return direction_rows(user_directions, targets), co_ratings


#: Every similarity by its name. The first is the paper's.
SIMILARITIES: Registry[Similarity] = Registry("similarity")
DEFAULT_SIMILARITY = SIMILARITIES.register(
    Similarity("cosine", "cosine over co-rated items", cosine_rows)
).name
SIMILARITIES.register(
    Similarity(
        "embedding",
        "cosine of learned vectors",
        _embedding_rows,
        _with_directions,
        needs_embeddings=True,
    )
)
