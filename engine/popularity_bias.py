"""Popularity bias: which items top lists favor, for which users, and whether that is chance.

PP-Corr and coverage themselves are metrics of an `Outcome` (paper, section 4.2.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.experiment import Experiment
from engine.metrics import correlation
from engine.outcome import Outcome
from engine.settings import Setting
from engine.significance import Comparison, compare_correlations

#: Groups of items by popularity: tenths.
GROUPS = 10
#: Items are listed by the difference of the shares: by the ratio, rare ones would come first.
_MOST_ITEMS = 10


def compare_pp_corr(first: Outcome, second: Outcome) -> Comparison | None:
    """Return the paper's z-test of two PP-Corr, n the number of all items (section 4.4).

    None where one of the two is undefined.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> first, second = (
    ...     experiment.outcome(Setting(strategy, 5, 20), metrics=["pp_corr"])
    ...     for strategy in ("userknn", "gain"))
    >>> compare_pp_corr(first, second).significant
    False
    """
    values = first.value("pp_corr"), second.value("pp_corr")
    if first.item_frequency is None or not np.isfinite(values).all():
        return None
    return compare_correlations(*values, first.item_frequency.size)


def popularity_groups(popularity: np.ndarray, groups: int = GROUPS) -> np.ndarray:
    """Return the group of each item, 0 the least popular, all groups of nearly the same size.

    >>> popularity_groups(np.array([5, 1, 9, 3]), 2).tolist()
    [1, 0, 1, 0]
    """
    order = np.argsort(popularity, kind="stable")
    group = np.empty(popularity.size, dtype=np.int64)
    group[order] = np.arange(popularity.size) * groups // max(1, popularity.size)
    return group


def group_shares(counts: np.ndarray, popularity: np.ndarray) -> np.ndarray:
    """Return which share of the counts falls on each tenth of the items: (10,) float64.

    `counts` and `popularity` are (n_items,); the least popular tenth comes first.

    >>> float(group_shares(np.arange(10), np.arange(10))[-1])
    0.2
    """
    sums = np.bincount(popularity_groups(popularity), weights=counts, minlength=GROUPS)
    total = sums.sum()
    return sums / total if total else sums


@dataclass(frozen=True, eq=False)
class ItemShares:
    """The share of each item among the ratings, and among the places on top lists.

    >>> shares = ItemShares.of(np.array([5, 3, 2]), np.array([2, 3, 5]))
    >>> shares.over_recommended().tolist(), shares.under_recommended().tolist()
    ([2], [0])
    """

    ratings: np.ndarray  # (n_items,) float64, sums to 1
    lists: np.ndarray  # (n_items,) float64, sums to 1

    @classmethod
    def of(cls, popularity: np.ndarray, item_frequency: np.ndarray) -> ItemShares:
        """Return the shares from the ratings and the places on top lists, (n_items,) counts."""
        return cls(
            popularity / max(1, popularity.sum()), item_frequency / max(1, item_frequency.sum())
        )

    @property
    def surplus(self) -> np.ndarray:
        """(n_items,) float64: share of the lists less share of the ratings."""
        surplus: np.ndarray = self.lists - self.ratings
        return surplus

    @property
    def ratio(self) -> np.ndarray:
        """(n_items,) float64: share of the lists by share of the ratings; NaN without a rating."""
        none = np.full(self.ratings.shape, np.nan)
        return np.divide(self.lists, self.ratings, out=none, where=self.ratings > 0)

    def over_recommended(self, most: int = _MOST_ITEMS) -> np.ndarray:
        """Return the items with the largest surplus, largest first, as codes."""
        return self._largest(self.surplus, most)

    def under_recommended(self, most: int = _MOST_ITEMS) -> np.ndarray:
        """Return the items whose surplus is furthest below 0, lowest first, as codes."""
        return self._largest(-self.surplus, most)

    @staticmethod
    def _largest(values: np.ndarray, most: int) -> np.ndarray:
        order = np.argsort(-values, kind="stable")[:most]
        return order[values[order] > 1e-12]


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
        """How popular the lists are, as a multiple of the users' own ratings; 1 is their taste."""
        if self.lists is None or not self.profile:
            return None
        return self.lists / self.profile


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
    >>> bias = group_bias(tops, popularity, np.array([10.0, 30.0]), first)
    >>> bias.lists, bias.lift
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


def group_biases(
    experiment: Experiment, setting: Setting, folds: Iterable[int] | None = None
) -> tuple[GroupBias, GroupBias]:
    """Return what top lists favor: of the users who like popular items, and of the others.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> fans, others = group_biases(experiment, Setting("gain", 5, 20))
    >>> fans.users + others.users, fans.profile > others.profile
    (40, True)
    """
    popularity, profile = experiment.popularity, experiment.profile_popularity
    numbers = experiment.numbers_of(folds)
    tops = [experiment.top_items(number, setting) for number in numbers]
    fans = likes_popular(profile)
    return (
        group_bias(tops, popularity, profile, fans),
        group_bias(tops, popularity, profile, ~fans),
    )
