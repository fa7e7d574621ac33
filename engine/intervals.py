"""Confidence intervals of shares, exact for independent trials and wider for trials in groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def clopper_pearson(
    successes: np.ndarray, trials: np.ndarray | float, error: float = 0.05
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and the upper end of the Clopper-Pearson interval of each probability.

    Each end is wrong with probability `error` / 2 at most, whatever the probability is: the lower
    end is the `error` / 2 quantile of Beta(s, n - s + 1), the upper end the 1 - `error` / 2
    quantile of Beta(s + 1, n - s). Numbers that are not whole are allowed. The shapes of
    `successes` and `trials` are broadcast.

    >>> low, high = clopper_pearson(np.array([0, 8]), 10)
    >>> low, high
    (array([0.   , 0.444]), array([0.308, 0.975]))
    """
    from scipy.special import betaincinv  # a tenth of a second that most starts can do without

    successes = np.asarray(successes, dtype=np.float64)
    failures = trials - successes
    # The functions need positive parameters. Without a success the lower end is 0, and without a
    # failure the upper end is 1.
    low = betaincinv(np.maximum(successes, 1e-9), failures + 1, error / 2)
    high = betaincinv(successes + 1, np.maximum(failures, 1e-9), 1 - error / 2)
    return np.where(successes > 0, low, 0.0), np.where(failures > 0, high, 1.0)


@dataclass(frozen=True)
class Share:
    """A share with its confidence interval; NaN where there was no trial."""

    value: float
    low: float
    high: float

    @classmethod
    def of_groups(cls, successes: np.ndarray, trials: np.ndarray, error: float = 0.05) -> Share:
        """Return the share of successes where trials of one group are alike.

        `successes` and `trials` have an entry for each group. The share is p = sum(s) / sum(n). Its
        interval is that of Clopper and Pearson for n* independent trials, where n* =
        p(1 - p) / var(p) and at most sum(n). So many trials scatter as much as the groups do:
        var(p) is estimated from the groups (Korn and Graubard, "Confidence intervals for
        proportions with small expected number of positive counts estimated from survey data",
        1998). Where all trials succeed, or none, nothing scatters, and n* is the number of groups.

        >>> alike = Share.of_groups(np.array([10, 0, 10, 0]), np.full(4, 10))
        >>> round(alike.value, 2), round(alike.low, 2), round(alike.high, 2)
        (0.5, 0.04, 0.96)
        >>> mixed = Share.of_groups(np.array([5, 5, 5, 5]), np.full(4, 10))
        >>> round(mixed.value, 2), round(mixed.low, 2), round(mixed.high, 2)
        (0.5, 0.34, 0.66)
        """
        tried = trials > 0
        successes, trials = successes[tried], trials[tried]
        n_groups, n_trials = trials.size, float(trials.sum())
        if n_groups == 0:
            return cls(np.nan, np.nan, np.nan)
        share = float(successes.sum() / n_trials)
        if n_groups == 1 or share in (0.0, 1.0):
            effective = float(n_groups)
        else:
            scatter = float(((successes - share * trials) ** 2).sum())
            variance = scatter * n_groups / (n_groups - 1) / n_trials**2
            binomial = share * (1 - share)
            effective = n_trials if variance == 0 else min(n_trials, binomial / variance)
        low, high = clopper_pearson(np.array(share * effective), effective, error)
        return cls(share, float(low), float(high))

    def clearly_above(self, other: Share) -> bool:
        """Return whether this whole interval is above the other one; never without a trial.

        >>> Share(0.9, 0.8, 0.95).clearly_above(Share(0.5, 0.4, 0.6))
        True
        >>> Share(0.55, 0.45, 0.65).clearly_above(Share(0.5, 0.4, 0.6))
        False
        """
        return self.low > other.high
