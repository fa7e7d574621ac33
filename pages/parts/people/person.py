"""One user among all: how often used, by whom, for what, and what of it is protected.

A data usage belongs to one fold, and so does tau: what is shown as a number is the mean over folds.
Who asked, and for what, is counted over all folds together, where every rating is asked for once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
import streamlit as st

from engine.privacy import is_vulnerable, paper_epsilon_of_each, privacy_risk
from pages.parts.runs.results import Results

if TYPE_CHECKING:
    from engine.datasets import Ratings
    from engine.experiment import Experiment

#: Rows of a table that go to the browser; a download has them all.
MOST_ROWS: Final = 1000


@dataclass(frozen=True, eq=False)
class Person:
    """How often one user is used under one strategy: (n_folds,) int64.

    >>> person = Person(np.array([4, 20]))
    >>> person.uses, person.real(10.9), person.protected(10.9), person.risk(10.9)
    (12.0, 7.0, 5.0, 7.45)
    """

    usage: np.ndarray

    @classmethod
    def of(cls, usages: Sequence[np.ndarray], user: int) -> Person:
        """Return one user of the arrays (n_users,) a fold."""
        return cls(np.array([usage[user] for usage in usages], dtype=np.int64))

    @property
    def uses(self) -> float:
        """Uses per fold."""
        return float(self.usage.mean())

    def real(self, tau: float) -> float:
        """Return the uses per fold that are answered with the real rating: the first tau."""
        return float(np.minimum(self.usage, np.floor(tau)).mean())

    def protected(self, tau: float) -> float:
        """Return the uses per fold whose ordinal is above tau."""
        return float(np.maximum(self.usage - np.floor(tau), 0).mean())

    def protected_share(self, tau: float) -> float:
        """Return the share of the uses that are protected; 0 for a user who is never used."""
        return self.protected(tau) / self.uses if self.uses else 0.0

    def risk(self, tau: float) -> float:
        """Return the privacy risk min(tau, DataUsage) with vulnerable users protected."""
        return float(privacy_risk(self.usage, "vulnerable", tau).mean())

    def vulnerable_folds(self, tau: float) -> int:
        """Return in how many folds the user is vulnerable."""
        return int(is_vulnerable(self.usage, tau).sum())

    def epsilon(self, tau: float) -> float:
        """Return the paper's epsilon, mean over the folds with a vulnerable user; NaN if none."""
        vulnerable = self.usage[is_vulnerable(self.usage, tau)]
        return float(paper_epsilon_of_each(vulnerable, tau).mean()) if vulnerable.size else np.nan


@dataclass(frozen=True, eq=False)
class Uses:
    """Every use of one user, fold after fold; `ordinal` begins at 1 in each fold."""

    asked_by: np.ndarray  # (n_uses,) int32
    item: np.ndarray  # (n_uses,) int32
    ordinal: np.ndarray  # (n_uses,) int64

    def counts(self, by: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the codes that occur in `by`, most uses first, their uses, and the protected."""
        uses = np.bincount(by)
        protected = np.bincount(by, weights=self.ordinal > tau, minlength=uses.size)
        codes = np.flatnonzero(uses)
        codes = codes[np.argsort(-uses[codes], kind="stable")]
        return codes, uses[codes], protected[codes].astype(np.int64)


def uses_of(results: Results, strategy: str, k: int, user: int) -> Uses:
    """Return every use of a user in the folds that are finished; neither needs nor knows tau."""
    experiment = results.experiment
    return _uses_of(experiment.ratings.fingerprint, strategy, k, results.folds(k), user, experiment)


@st.cache_resource(max_entries=32, show_spinner=False)
def _uses_of(
    fingerprint: str,
    strategy: str,
    k: int,
    folds: tuple[int, ...],
    user: int,
    _experiment: Experiment,
) -> Uses:
    asked_by, item, ordinal = [], [], []
    for number in folds:
        fold = _experiment.fold(number)
        query = _experiment.uses_of(number, strategy, k, user).query
        asked_by.append(fold.query_user[query])
        item.append(fold.query_item[query])
        ordinal.append(np.arange(1, query.size + 1))
    return Uses(*map(np.concatenate, (asked_by, item, ordinal)))


def targets_table(uses: Uses, ratings: Ratings, tau: float) -> pd.DataFrame:
    """Return the users for whom ratings were predicted from this user's, most uses first."""
    codes, counts, protected = uses.counts(uses.asked_by, tau)
    return pd.DataFrame({"user": ratings.users[codes], "uses": counts, "protected": protected})


def items_table(uses: Uses, ratings: Ratings, user: int, tau: float) -> pd.DataFrame:
    """Return the items for which this user was used, with the rating that this exposes."""
    codes, counts, protected = uses.counts(uses.item, tau)
    rows = np.flatnonzero(ratings.user == user)
    rating = np.full(ratings.n_items, np.nan)
    rating[ratings.item[rows]] = ratings.value[rows]
    labels = ratings.items if ratings.item_titles is None else ratings.item_titles
    columns = {"item": labels[codes], "rating": rating[codes]}
    if ratings.item_titles is not None:
        columns["id"] = ratings.items[codes]
    return pd.DataFrame({**columns, "uses": counts, "protected": protected})


def users_table(ratings: Ratings, usages: Sequence[np.ndarray], tau: float) -> pd.DataFrame:
    """Return all users, most used first: means over folds, as for one `Person`."""
    usage = np.array(usages)
    vulnerable = is_vulnerable(usage, tau)
    epsilon = np.array([paper_epsilon_of_each(fold, tau) for fold in usage])
    some = vulnerable.any(axis=0)
    table = pd.DataFrame(
        {
            "user": ratings.users,
            "ratings": np.bincount(ratings.user, minlength=ratings.n_users),
            "uses per fold": usage.mean(axis=0),
            "folds vulnerable": vulnerable.sum(axis=0),
            "protected uses": np.maximum(usage - np.floor(tau), 0).mean(axis=0),
            "privacy risk": np.minimum(usage, tau).mean(axis=0),
            "paper's ε": np.divide(
                np.nansum(epsilon, axis=0),
                vulnerable.sum(axis=0),
                out=np.full(some.size, np.nan),
                where=some,
            ),
        }
    )
    return table.sort_values("uses per fold", ascending=False, kind="stable", ignore_index=True)
