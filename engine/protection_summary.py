"""How much of everybody's use is protected, and the paper's epsilon; no user by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from engine.experiment import Experiment
from engine.metrics import mean_where_defined
from engine.privacy import is_vulnerable, paper_epsilon, paper_epsilon_of_each, protected_uses

#: Classes of users by the share of their uses that is protected. The last three are vulnerable.
PROTECTION_CLASSES = (
    "never used",
    "no use protected",
    "less than half",
    "half to nine tenths",
    "nine tenths or more",
)


@dataclass(frozen=True, eq=False)
class ProtectionSummary:
    """The users under one strategy, k and tau, where vulnerable users are protected.

    A user counts once in each fold, as in the share of vulnerable users: the last three classes
    together are that share.

    >>> summary = ProtectionSummary.of([np.array([0, 10, 12, 30, 200])], 10.5)
    >>> summary.shares.tolist(), round(summary.epsilon, 2)
    ([0.2, 0.2, 0.2, 0.2, 0.2], 2.08)
    """

    shares: np.ndarray  # (5,) float64: the share of the users that is in each class
    epsilon: float  # the paper's, mean over vulnerable users, then over folds; NaN if nobody is
    quantiles: np.ndarray  # (3,): what 10, 50 and 90 % of the vulnerable users have at most

    @classmethod
    def of(cls, usages: Sequence[np.ndarray], tau: float) -> ProtectionSummary:
        """Return the summary of a data usage, an array (n_users,) for each fold."""
        of_each = np.concatenate([paper_epsilon_of_each(usage, tau) for usage in usages])
        of_vulnerable = of_each[np.isfinite(of_each)]
        means = [paper_epsilon(usage, "vulnerable", tau) for usage in usages]
        return cls(
            _class_shares(np.concatenate(usages), tau),
            float(mean_where_defined(means)),
            np.quantile(of_vulnerable, (0.1, 0.5, 0.9))
            if of_vulnerable.size
            else np.full(3, np.nan),
        )


def summarize_protection(
    experiment: Experiment, strategy: str, k: int, tau: float, folds: Iterable[int] | None = None
) -> ProtectionSummary:
    """Return how much of everybody's use is protected in some folds, by default in all.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> summary = summarize_protection(experiment, "gain", 5, tau=20)
    >>> dict(zip(PROTECTION_CLASSES, summary.shares.round(2).tolist()))["never used"]
    0.0
    """
    numbers = experiment.numbers_of(folds)
    return ProtectionSummary.of([experiment.usage(f, strategy, k) for f in numbers], tau)


def tabulate_paper_epsilon(data_usage: np.ndarray, tau: float) -> pd.DataFrame:
    """Return a row for each data usage of the vulnerable users, with their number.

    Columns: data_usage, users, epsilon_paper.

    >>> table = tabulate_paper_epsilon(np.array([4, 20, 20, 30]), 10)
    >>> table.data_usage.tolist(), table.users.tolist(), table.epsilon_paper.round(2).tolist()
    ([20, 30], [2, 1], [1.95, 1.61])
    """
    uses, users = np.unique(data_usage[is_vulnerable(data_usage, tau)], return_counts=True)
    epsilon = paper_epsilon_of_each(uses, tau)
    return pd.DataFrame({"data_usage": uses, "users": users, "epsilon_paper": epsilon})


def _class_shares(usage: np.ndarray, tau: float) -> np.ndarray:
    protected = protected_uses(usage, "vulnerable", tau) / np.maximum(usage, 1)
    place = 2 + np.searchsorted([0.5, 0.9], protected, side="right")
    place[~is_vulnerable(usage, tau)] = 1
    place[usage == 0] = 0
    return np.bincount(place, minlength=len(PROTECTION_CLASSES)) / max(1, usage.size)
