"""Smaller ratings from larger ones: what is dropped, and how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.datasets.ratings import Ratings
from engine.errors import InputError


@dataclass(frozen=True)
class Preparation:
    """What to keep; 0 and None keep everything. The steps are taken in this order.

    min_ratings: users with at least so many ratings.
    sample_users: so many of them, drawn at random (the paper: 20,000 of Goodreads).
    k_core: of what is left, the largest part where each user and each item has at least k ratings.
    seed: of the draw.
    """

    min_ratings: int = 0
    sample_users: int | None = None
    k_core: int = 0
    seed: int = 42

    def __post_init__(self) -> None:
        for name in ("min_ratings", "k_core", "seed"):
            value = getattr(self, name)
            if not 0 <= value < 2**32:
                raise InputError(f"{name} must be 0 or more, not {value}.")
        if self.sample_users is not None and self.sample_users < 1:
            raise InputError(f"At least 1 user must be sampled, not {self.sample_users}.")


@dataclass(frozen=True)
class Dropped:
    """How many users, items and ratings one step dropped."""

    step: str
    users: int
    items: int
    ratings: int

    def __str__(self) -> str:
        return (
            f"{self.step} dropped {_counted(self.users, 'user')}, {_counted(self.items, 'item')} "
            f"and {_counted(self.ratings, 'rating')}."
        )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def prepare(ratings: Ratings, preparation: Preparation) -> tuple[Ratings, list[Dropped]]:
    """The ratings that are left, with a fingerprint of their own, and what was dropped.

    The scale stays: fewer ratings do not change which ratings were possible.

    Raises:
        InputError: nothing is left.

    >>> ratings = Ratings.from_columns("aabbc", "xyxyz", [1, 2, 3, 4, 5], name="five")
    >>> left, dropped = prepare(ratings, Preparation(k_core=2))
    >>> left.users.tolist(), str(dropped[0])
    (['a', 'b'], '2-core dropped 1 user, 1 item and 1 rating.')
    """
    keep = np.ones(ratings.n_ratings, dtype=bool)
    dropped = []
    if preparation.min_ratings > 1:
        least = preparation.min_ratings
        after = keep & (np.bincount(ratings.user)[ratings.user] >= least)
        dropped.append(_count(f"A minimum of {least} ratings per user", ratings, keep, after))
        keep = after
    if preparation.sample_users is not None:
        users = np.unique(ratings.user[keep])
        random = np.random.RandomState(preparation.seed)
        drawn = random.permutation(users)[: preparation.sample_users]
        after = keep & np.isin(ratings.user, drawn)
        dropped.append(_count(f"A sample of {len(drawn):,} users", ratings, keep, after))
        keep = after
    if preparation.k_core > 1:
        after = _k_core(ratings, keep, preparation.k_core)
        dropped.append(_count(f"{preparation.k_core}-core", ratings, keep, after))
        keep = after
    if not keep.any():
        raise InputError("No ratings are left after preparing: ask for less.")
    if not dropped:
        return ratings, []
    return ratings.derive(rows=keep, note=" ".join(map(str, dropped))), dropped


def _k_core(ratings: Ratings, keep: np.ndarray, k: int) -> np.ndarray:
    # Dropping a user may bring an item below k and the other way round: until nothing changes.
    keep = keep.copy()
    while True:
        rows = np.flatnonzero(keep)
        users, items = ratings.user[rows], ratings.item[rows]
        few = (np.bincount(users)[users] < k) | (np.bincount(items)[items] < k)
        if not few.any():
            return keep
        keep[rows[few]] = False


def _count(step: str, ratings: Ratings, before: np.ndarray, after: np.ndarray) -> Dropped:
    return Dropped(
        step,
        len(np.unique(ratings.user[before])) - len(np.unique(ratings.user[after])),
        len(np.unique(ratings.item[before])) - len(np.unique(ratings.item[after])),
        int(before.sum() - after.sum()),
    )
