"""Popularity bias by the users' own taste: those who like popular items, and those who do not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.metrics import correlation


@dataclass(frozen=True)
class GroupBias:
    """What the top lists of a group of users favor.

    `profile` and `lists` are means over users, in ratings per item; None where nobody has any.
    """

    users: int
    profile: float | None
    lists: float | None
    pp_corr: float | None

    @property
    def lift(self) -> float | None:
        """How popular the top lists are, times the users' own ratings; 1 is their own taste."""
        if self.lists is None or not self.profile:
            return None
        return self.lists / self.profile


def profile_popularity(
    user: np.ndarray, item: np.ndarray, popularity: np.ndarray, n_users: int
) -> np.ndarray:
    """Return how popular the items are that each user rated: (n_users,) float64, NaN without any.

    ProfilePop(u) = 1/|I_u| * sum over i in I_u of ItemPop(i), in ratings per item. `user` and
    `item` are the codes of all ratings, (n,) each.

    >>> user, item = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> profile_popularity(user, item, np.array([1, 2]), 3).tolist()
    [1.5, 2.0, nan]
    """
    sums = np.bincount(user, weights=popularity[item], minlength=n_users)
    counts = np.bincount(user, minlength=n_users)
    return np.divide(sums, counts, out=np.full(n_users, np.nan), where=counts > 0)


def likes_popular(profile: np.ndarray) -> np.ndarray:
    """Return who likes popular items: (n_users,) bool, ProfilePop(u) above its median.

    Users at the median, or without ratings, are in the other group.

    >>> likes_popular(np.array([1.0, 5.0, 3.0, np.nan])).tolist()
    [False, True, False, False]
    """
    known = profile[np.isfinite(profile)]
    if known.size == 0:
        return np.zeros(profile.size, dtype=bool)
    above: np.ndarray = profile > np.median(known)
    return above


def group_bias(
    tops: list[np.ndarray], popularity: np.ndarray, profile: np.ndarray, group: np.ndarray
) -> GroupBias:
    """Return what the top lists of a group favor, all folds together.

    `tops` has an array (n_users, 10) of items a fold, -1 for none; `profile` is (n_users,);
    `group` (n_users,) bool. ListPop(u) is the mean ItemPop over the places of u's lists in all
    folds; PP-Corr as in the paper (section 4.2.4), of the lists of the group alone.

    >>> tops = [np.array([[0, 1], [1, -1]])]
    >>> popularity, first = np.array([10, 30]), np.array([True, False])
    >>> found = group_bias(tops, popularity, np.array([10.0, 30.0]), first)
    >>> found.lists, found.lift
    (20.0, 2.0)
    """
    lists = np.concatenate([top[group] for top in tops], axis=1)
    filled = lists >= 0
    sums, places = np.where(filled, popularity[lists], 0).sum(axis=1), filled.sum(axis=1)
    frequency = np.bincount(lists[filled], minlength=popularity.size)
    listed = places > 0
    known = profile[group & np.isfinite(profile)]
    return GroupBias(
        users=int(group.sum()),
        profile=float(known.mean()) if known.size else None,
        lists=float((sums[listed] / places[listed]).mean()) if listed.any() else None,
        pp_corr=correlation(frequency, popularity, all_items=False),
    )
