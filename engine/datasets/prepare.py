"""Smaller ratings from larger ones, with a record of what was dropped."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.datasets.ratings import Ratings
from engine.datasets.wording import counted
from engine.errors import InputError
from engine.input_checks import DEFAULT_SEED, check_seed, check_whole


@dataclass(frozen=True)
class Preparation:
    """What to keep; 0 and None keep everything. The steps are taken in this order.

    min_ratings: users with at least this many ratings.
    sample_users: this many of them, drawn at random (the paper: 20,000 of Goodreads).
    k_core: the largest part of the rest in which each user and each item has at least k ratings.
    seed: the seed of the draw.
    """

    min_ratings: int = 0
    sample_users: int | None = None
    k_core: int = 0
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        check_whole("min_ratings", self.min_ratings, least=0)
        check_whole("k_core", self.k_core, least=0)
        check_seed(self.seed)
        if self.sample_users is not None:
            check_whole("sample_users", self.sample_users, least=1)

    def options(self) -> dict[str, str]:
        """Return the options of the command line that say the same, see `LoadReport`.

        >>> Preparation(k_core=5, sample_users=10).options()
        {'sample-users': '10', 'k-core': '5', 'sample-seed': '42'}
        """
        options = {
            "min-ratings": self.min_ratings if self.min_ratings > 1 else None,
            "sample-users": self.sample_users,
            "k-core": self.k_core if self.k_core > 1 else None,
            "sample-seed": self.seed if self.sample_users is not None else None,
        }
        return {name: str(value) for name, value in options.items() if value is not None}


@dataclass(frozen=True)
class Dropped:
    """How many users, items and ratings one step dropped."""

    step: str
    users: int
    items: int
    ratings: int

    def __str__(self) -> str:
        return (
            f"{self.step} dropped {counted(self.users, 'user')}, {counted(self.items, 'item')} "
            f"and {counted(self.ratings, 'rating')}."
        )


def prepare(ratings: Ratings, preparation: Preparation) -> tuple[Ratings, list[Dropped]]:
    """Return the ratings that are left, with a fingerprint of their own, and what was dropped.

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
        drawn = draw_users(users, preparation.sample_users, preparation.seed)
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
    left = ratings.derive(rows=keep, note=" ".join(map(str, dropped)))
    return replace(left, report=left.report.reading_with(preparation.options())), dropped


def draw_users(users: np.ndarray, count: int, seed: int = Preparation.seed) -> np.ndarray:
    """Return a number of the users, drawn at random; all of them if they are fewer.

    >>> sorted(draw_users(np.arange(3), 5).tolist())
    [0, 1, 2]
    """
    return np.random.RandomState(seed).permutation(users)[:count]


def _k_core(ratings: Ratings, keep: np.ndarray, k: int) -> np.ndarray:
    # Dropping a user may bring an item below k, and the other way round, until nothing changes.
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
