"""How data usage is distributed over the users, and who carries the load; means over folds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InputError
from engine.input_checks import check_data_usage, check_several
from engine.metrics import mean_where_defined
from engine.privacy import is_vulnerable


@dataclass(frozen=True)
class Landmarks:
    """Users who stand for something, as codes; the first in a tie."""

    most_used: int
    just_above_tau: int | None  # the vulnerable user with the least usage; None if there is none
    in_the_middle: int
    least_used: int


@dataclass(frozen=True, eq=False)
class UsageDistribution:
    """The data usage under one strategy and k: an array (n_users,) for each fold.

    Raises `InputError` if there is no fold, or if the folds do not have the same users.

    >>> distribution = UsageDistribution([np.array([0, 4, 9]), np.array([4, 4, 9])])
    >>> distribution.largest, distribution.unused_share
    (9, 0.16666666666666666)
    """

    usages: Sequence[np.ndarray]

    def __post_init__(self) -> None:
        usages = [check_data_usage(u) for u in check_several("usages", self.usages)]
        if not usages:
            raise InputError("The data usage of at least one fold is needed.")
        if len({usage.size for usage in usages}) > 1:
            raise InputError("The data usage of all folds must be of the same users.")
        object.__setattr__(self, "usages", usages)

    @cached_property
    def _ascending(self) -> list[np.ndarray]:
        return [np.sort(usage) for usage in self.usages]

    @cached_property
    def of_each(self) -> np.ndarray:
        """(n_users,) float64: the data usage of each user, mean over the folds."""
        return np.asarray(np.mean(self.usages, axis=0))

    def landmarks(self, tau: float) -> Landmarks:
        """Return the users who stand for something, by their mean usage over the folds.

        >>> UsageDistribution([np.array([3, 50, 0, 12, 9])]).landmarks(10)
        Landmarks(most_used=1, just_above_tau=3, in_the_middle=4, least_used=2)
        """
        uses = self.of_each
        above = np.where(is_vulnerable(uses, tau), uses, np.inf)
        return Landmarks(
            most_used=int(uses.argmax()),
            just_above_tau=int(above.argmin()) if np.isfinite(above).any() else None,
            in_the_middle=int(np.argsort(uses, kind="stable")[uses.size // 2]),
            least_used=int(uses.argmin()),
        )

    def share_below(self, uses: float) -> float:
        """Return the share of users with a smaller mean usage over the folds.

        >>> UsageDistribution([np.array([0, 4, 9]), np.array([4, 4, 9])]).share_below(4.0)
        0.3333333333333333
        """
        return float((self.of_each < uses).mean())

    @property
    def largest(self) -> int:
        """The largest data usage in any fold."""
        return max((int(usage[-1]) for usage in self._ascending if usage.size), default=0)

    @property
    def unused_share(self) -> float:
        """The share of users who are never used."""
        return float(self.share_at_most(np.array([0]))[0])

    def at_most(self, bounds: np.ndarray) -> np.ndarray:
        """Return how many users have DataUsage <= each bound: (n_bounds,) float64.

        >>> distribution = UsageDistribution([np.array([0, 4, 9]), np.array([4, 4, 9])])
        >>> distribution.at_most(np.array([3, 4, 100]))
        array([0.5, 2. , 3. ])
        """
        counts = [np.searchsorted(usage, bounds, side="right") for usage in self._ascending]
        return np.asarray(np.mean(counts, axis=0))

    def share_at_most(self, bounds: np.ndarray) -> np.ndarray:
        """Return the share of users with DataUsage <= each bound: (n_bounds,) float64."""
        return self.at_most(bounds) / self.usages[0].size

    def in_bins(self, edges: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray]:
        """Return secure and vulnerable users by bin, mean over folds: (n_bins,) float64 each.

        Bin i holds the usage from edges[i] to edges[i + 1] - 1.

        >>> distribution = UsageDistribution([np.array([0, 4, 9]), np.array([4, 4, 9])])
        >>> distribution.in_bins(np.array([0, 5, 10]), tau=4)
        (array([2., 0.]), array([0., 1.]))
        """
        below, top = edges[:-1] - 1, edges[1:] - 1
        everybody = self.at_most(top) - self.at_most(below)
        secure = self.at_most(np.minimum(top, tau)) - self.at_most(np.minimum(below, tau))
        return secure, everybody - secure

    def vulnerable_share(self, tau: float) -> float:
        """Return the share of users with DataUsage > tau."""
        # The mean of shares: one minus the share of the others would be off in the last digit.
        return float(np.mean([is_vulnerable(usage, tau).mean() for usage in self.usages]))

    def quantile(self, share: float) -> int:
        """Return the usage that this share of the users has at most, all folds together."""
        return int(np.quantile(np.concatenate(self._ascending), share, method="lower"))

    def share_of_uses(self, part: float) -> float:
        """Return the share of all uses that falls on this part of the users, those used most.

        The mean over the folds in which anybody is used; NaN if there is none.

        >>> UsageDistribution([np.array([90, 5, 5, 0, 0, 0, 0, 0, 0, 0])]).share_of_uses(0.1)
        0.9
        """
        users = max(1, round(part * self.usages[0].size))
        shares = [
            usage[-users:].sum() / usage.sum() if usage[-1] else math.nan
            for usage in self._ascending
        ]
        return float(mean_where_defined(shares))

    def mean_vulnerable_usage(self, tau: float) -> float:
        """Return the mean usage of the vulnerable users; NaN if nobody is vulnerable.

        >>> UsageDistribution([np.array([1, 6, 8]), np.array([0, 0, 9])]).mean_vulnerable_usage(5)
        8.0
        """
        vulnerable = [usage[is_vulnerable(usage, tau)] for usage in self.usages]
        return float(mean_where_defined([u.mean() if u.size else math.nan for u in vulnerable]))


def more_used_share(usages: Sequence[np.ndarray], baselines: Sequence[np.ndarray]) -> float:
    """Return the share of users who are used more often than under a baseline; mean over folds.

    >>> more_used_share([np.array([3, 0, 5, 1])], [np.array([2, 0, 9, 1])])
    0.25
    """
    pairs = zip(usages, baselines, strict=True)
    return float(mean_where_defined(np.array([(usage > base).mean() for usage, base in pairs])))
