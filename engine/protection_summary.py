"""How much of everybody's use is protected, and the paper's epsilon; no user by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.experiment import Experiment
from engine.privacy import is_vulnerable, paper_epsilon_of_each, protected_uses

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
        epsilons = [paper_epsilon_of_each(usage, tau) for usage in usages]
        epsilons = [epsilon[np.isfinite(epsilon)] for epsilon in epsilons]
        means = [float(epsilon.mean()) for epsilon in epsilons if epsilon.size]
        of_vulnerable = np.concatenate(epsilons)
        return cls(
            _class_shares(np.concatenate(usages), tau),
            float(np.mean(means)) if means else np.nan,
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


def _class_shares(usage: np.ndarray, tau: float) -> np.ndarray:
    protected = protected_uses(usage, "vulnerable", tau) / np.maximum(usage, 1)
    place = 2 + np.searchsorted([0.5, 0.9], protected, side="right")
    place[~is_vulnerable(usage, tau)] = 1
    place[usage == 0] = 0
    return np.bincount(place, minlength=len(PROTECTION_CLASSES)) / max(1, usage.size)
