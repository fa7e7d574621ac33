"""What one user is exposed to: how often, by whom and for what, and what it reveals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from engine.composition import answers_by_rating
from engine.datasets import Ratings
from engine.errors import InputError
from engine.experiment import Experiment
from engine.metrics import mean_where_defined
from engine.privacy import (
    is_protected,
    is_vulnerable,
    paper_epsilon_of_each,
    privacy_risk,
    protected_uses,
    strict_epsilon,
)
from engine.settings import Setting


@dataclass(frozen=True, eq=False)
class Exposure:
    """How often one user is used under one strategy and k, fold by fold.

    Means are over the folds. Vulnerable users are protected beyond their first tau uses.

    >>> exposure = Exposure(np.array([4, 20]))
    >>> exposure.uses, exposure.real(10.9), exposure.protected(10.9), exposure.risk(10.9)
    (12.0, 7.0, 5.0, 7.45)
    """

    usage: np.ndarray  # (n_folds,) int64

    @property
    def uses(self) -> float:
        """Uses per fold: the mean of DataUsage@k(u)."""
        return float(self.usage.mean())

    def real(self, tau: float) -> float:
        """Return the uses per fold that are answered with the real rating: the first tau."""
        return self.uses - self.protected(tau)

    def protected(self, tau: float) -> float:
        """Return the uses per fold whose ordinal is above tau."""
        return float(protected_uses(self.usage, "vulnerable", tau).mean())

    def protected_share(self, tau: float) -> float:
        """Return the share of the uses that are protected; 0 for a user who is never used."""
        return self.protected(tau) / self.uses if self.uses else 0.0

    def risk(self, tau: float) -> float:
        """Return the privacy risk min(tau, DataUsage@k(u)) (paper, section 4.2.3)."""
        return float(privacy_risk(self.usage, "vulnerable", tau).mean())

    def vulnerable_folds(self, tau: float) -> int:
        """Return in how many folds the user is vulnerable."""
        return int(is_vulnerable(self.usage, tau).sum())

    def epsilon(self, tau: float) -> float:
        """Return the paper's epsilon, mean over the folds with a vulnerable user; NaN if none."""
        return float(mean_where_defined(paper_epsilon_of_each(self.usage, tau)))


@dataclass(frozen=True, eq=False)
class UsesOverFolds:
    """Every use of one user, fold after fold; `ordinal` begins at 1 in each fold."""

    asked_by: np.ndarray  # (n_uses,) int32: the target users, as codes
    item: np.ndarray  # (n_uses,) int32: the items asked for, as codes
    ordinal: np.ndarray  # (n_uses,) int64

    def counts(self, by: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Count the uses by `asked_by` or by `item`, most uses first.

        Returns the codes that occur, their uses, and how many of these are protected.

        >>> uses = UsesOverFolds(np.array([7, 7, 2]), np.array([0, 1, 1]), np.array([1, 2, 3]))
        >>> [counts.tolist() for counts in uses.counts(uses.asked_by, tau=1)]
        [[7, 2], [2, 1], [1, 1]]
        """
        uses = np.bincount(by)
        protected = np.bincount(by, weights=is_protected(self.ordinal, tau), minlength=uses.size)
        codes = np.flatnonzero(uses)
        codes = codes[np.argsort(-uses[codes], kind="stable")]
        return codes, uses[codes], protected[codes].astype(np.int64)

    @property
    def used_ratings(self) -> int:
        """How many of the user's ratings were used."""
        return int(np.unique(self.item).size)

    def really_used_ratings(self, tau: float) -> int:
        """Return how many ratings were used without protection at least once.

        >>> uses = UsesOverFolds(np.array([7, 7, 2]), np.array([0, 1, 1]), np.array([1, 2, 3]))
        >>> uses.used_ratings, uses.really_used_ratings(tau=1)
        (2, 1)
        """
        return int(np.unique(self.item[~is_protected(self.ordinal, tau)]).size)

    def most_protected_answers(self, tau: float) -> int:
        """Return how many protected answers there are about the rating that has most of them.

        >>> uses = UsesOverFolds(np.array([7, 7, 2]), np.array([0, 1, 1]), np.array([1, 2, 3]))
        >>> uses.most_protected_answers(tau=1)
        2
        """
        _, _, protected = self.counts(self.item, tau)
        return int(protected.max(initial=0))


def user_code(experiment: Experiment, user: str) -> int:
    """Return the code of a user's label. Raises `InputError` if there is no such user.

    >>> from engine.datasets import generate
    >>> user_code(Experiment(generate(users=40, items=60, ratings=900)), "nobody")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: There is no user 'nobody' among the 40 users.
    """
    codes = np.flatnonzero(experiment.ratings.users == user)
    if not codes.size:
        raise InputError(
            f"There is no user {user!r} among the {experiment.ratings.n_users:,} users."
        )
    return int(codes[0])


def exposure_of(
    experiment: Experiment, strategy: str, k: int, user: int, folds: Iterable[int] | None = None
) -> Exposure:
    """Return how often a user, given by code, is used in some folds, by default in all.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> exposure = exposure_of(experiment, "gain", 5, user=0)
    >>> exposure.real(tau=10) + exposure.protected(tau=10) == exposure.uses
    True
    """
    numbers = experiment.numbers_of(folds)
    experiment.check_user(user)
    return Exposure(np.array([experiment.usage(f, strategy, k)[user] for f in numbers]))


def uses_over_folds(
    experiment: Experiment, strategy: str, k: int, user: int, folds: Iterable[int] | None = None
) -> UsesOverFolds:
    """Return every use of a user in some folds: who asked, for which item, and its ordinal.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> uses = uses_over_folds(experiment, "gain", 5, user=0, folds=[0])
    >>> uses.ordinal.size == int(experiment.usage(0, "gain", 5)[0])
    True
    """
    asked_by, item, ordinal = [], [], []
    for number in experiment.numbers_of(folds):
        fold = experiment.fold(number, strategy)
        query = experiment.uses_of(number, strategy, k, user).query
        asked_by.append(fold.query_user[query])
        item.append(fold.query_item[query])
        ordinal.append(np.arange(1, query.size + 1))
    return UsesOverFolds(*map(np.concatenate, (asked_by, item, ordinal)))


def tabulate_targets(uses: UsesOverFolds, ratings: Ratings, tau: float) -> pd.DataFrame:
    """Return a row for each user for whom ratings were predicted, most uses first.

    Columns: user, uses, protected (uses).

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> uses = uses_over_folds(experiment, "gain", 5, user=0)
    >>> int(tabulate_targets(uses, experiment.ratings, tau=20).uses.sum()) == uses.item.size
    True
    """
    codes, counts, protected = uses.counts(uses.asked_by, tau)
    return pd.DataFrame({"user": ratings.users[codes], "uses": counts, "protected": protected})


def tabulate_items(uses: UsesOverFolds, ratings: Ratings, user: int, tau: float) -> pd.DataFrame:
    """Return a row for each item for which a user was used, most uses first.

    Columns: item (its title, where there are any), rating (the user's own), id (where there are
    titles), uses, protected (uses).

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> uses = uses_over_folds(experiment, "gain", 5, user=0)
    >>> len(tabulate_items(uses, experiment.ratings, user=0, tau=20)) == uses.used_ratings
    True
    """
    codes, counts, protected = uses.counts(uses.item, tau)
    rows = np.flatnonzero(ratings.user == user)
    rating = np.full(ratings.n_items, np.nan)
    rating[ratings.item[rows]] = ratings.value[rows]
    columns = {"item": ratings.item_names[codes], "rating": rating[codes]}
    if ratings.item_titles is not None:
        columns["id"] = ratings.items[codes]
    return pd.DataFrame({**columns, "uses": counts, "protected": protected})


def tabulate_users(
    experiment: Experiment,
    strategy: str,
    k: int,
    tau: str | float,
    folds: Iterable[int] | None = None,
) -> pd.DataFrame:
    """Return a row for each user, most used first: means over the folds.

    Columns: user, ratings, data_usage, vulnerable_folds, protected (uses), privacy_risk,
    epsilon_paper (mean over the folds in which the user is vulnerable, else missing), and
    epsilon_strict_sum.

    epsilon_strict_sum adds up what the protected answers reveal: ln(1 + 3m) for each of them, or
    for each rating that they are about where answers are memoised (basic composition). The real
    uses stand outside of it: nothing protects them. It is missing for continuous noise, where no
    finite epsilon holds.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> table = tabulate_users(experiment, "gain", 5, 20)
    >>> bool((table.protected > 0).eq(table.vulnerable_folds > 0).all())
    True
    """
    numbers = experiment.numbers_of(folds)
    usage = np.array([experiment.usage(fold, strategy, k) for fold in numbers])
    taus = [experiment.tau(tau, fold, k, strategy) for fold in numbers]
    pairs = list(zip(usage, taus, strict=True))
    protected = np.array([protected_uses(fold, "vulnerable", t) for fold, t in pairs])
    epsilon = strict_epsilon(experiment.mechanism)
    if np.isinf(epsilon):
        epsilon = np.nan
    ratings = experiment.ratings
    answers = protected
    if experiment.mechanism.memoised:
        setting = Setting(strategy, k, tau)
        in_folds = (answers_by_rating(experiment, number, setting) for number in numbers)
        answers = np.array([counts.protected_ratings(ratings.n_users) for counts in in_folds])
    table = pd.DataFrame(
        {
            "user": ratings.users,
            "ratings": np.bincount(ratings.user, minlength=ratings.n_users),
            "data_usage": usage.mean(axis=0),
            "vulnerable_folds": np.sum([is_vulnerable(fold, t) for fold, t in pairs], axis=0),
            "protected": protected.mean(axis=0),
            "privacy_risk": np.mean(
                [privacy_risk(fold, "vulnerable", t) for fold, t in pairs], axis=0
            ),
            "epsilon_paper": mean_where_defined(
                [paper_epsilon_of_each(fold, t) for fold, t in pairs]
            ),
            "epsilon_strict_sum": answers.mean(axis=0) * epsilon,
        }
    )
    return table.sort_values("data_usage", ascending=False, kind="stable", ignore_index=True)
