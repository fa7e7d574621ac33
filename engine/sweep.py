"""What every whole tau comes to: in one fold, and over several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.errors import InputError
from engine.input_checks import check_threshold, check_whole_taus
from engine.metrics import mean_where_defined
from engine.privacy import usage_metrics

#: The metrics that a sweep has for every tau.
SWEPT = ("mae", "privacy_risk", "vulnerable_share", "secure_risk", "protected_uses")


@dataclass(frozen=True, eq=False)
class Sweep:
    """What every tau costs and protects in one fold: position t of each curve is tau = t.

    A use is protected iff its ordinal is above tau, so only whole numbers change the predictions.
    Position 0 is full protection, the last one none.

    >>> sweep = Sweep(np.array([0.9, 0.8, 0.7]), np.array([0, 2, 1, 1]))
    >>> sweep.vulnerable_share.tolist(), sweep.protected_uses.tolist()
    ([0.75, 0.25, 0.0], [1.0, 0.25, 0.0])
    """

    mae: np.ndarray  # (largest + 1,) float64
    data_usage: np.ndarray  # (n_users,) int64

    @property
    def largest(self) -> int:
        """The largest data usage."""
        return self.mae.size - 1

    # What follows is quick to get again, and large for a million ratings: it is not kept.

    @property
    def _users_above(self) -> np.ndarray:
        """(largest + 1,) int64: the number of users who are used more than t times."""
        counts = np.bincount(self.data_usage, minlength=self.mae.size)
        return self.data_usage.size - np.cumsum(counts)

    @property
    def vulnerable_share(self) -> np.ndarray:
        """(largest + 1,) float64: the share of users with DataUsage > t."""
        return self._users_above / self.data_usage.size

    @property
    def privacy_risk(self) -> np.ndarray:
        """(largest + 1,) float64: the mean of min(t, DataUsage)."""
        # min(t, usage) = sum over s < t of 1[usage > s]
        return np.concatenate(([0], np.cumsum(self._users_above)[:-1])) / self.data_usage.size

    @property
    def secure_risk(self) -> np.ndarray:
        """(largest + 1,) float64: the mean usage of users with DataUsage <= t; NaN without any."""
        counts = np.bincount(self.data_usage, minlength=self.mae.size)
        users = np.cumsum(counts)
        uses = np.cumsum(counts * np.arange(self.mae.size))
        return np.divide(uses, users, out=np.full(self.mae.size, np.nan), where=users > 0)

    @property
    def protected_uses(self) -> np.ndarray:
        """(largest + 1,) float64: the share of all uses that are protected; 0 without any use."""
        mean_usage = self.data_usage.mean()
        if mean_usage == 0:
            return np.zeros(self.mae.size)
        return 1 - self.privacy_risk / mean_usage

    def metrics_at(self, tau: float) -> dict[str, float]:
        """Return the metrics `SWEPT` at any tau; NaN where one is undefined.

        Raises `InputError` for a tau below 0.

        >>> sweep = Sweep(np.array([0.9, 0.8, 0.7]), np.array([0, 2, 1, 1]))
        >>> sweep.metrics_at(1)["vulnerable_share"]
        0.25
        """
        check_threshold(tau)
        metrics = usage_metrics(self.data_usage, "vulnerable", tau)
        metrics["mae"] = float(self.mae[int(min(tau, self.largest))])
        values = ((name, metrics[name]) for name in SWEPT)
        return {name: np.nan if value is None else value for name, value in values}

    def curve(self, metric: str, taus: np.ndarray) -> np.ndarray:
        """Return one of the metrics `SWEPT` at some whole taus. Above `largest` nothing changes.

        Raises `InputError` for another metric, and for a tau that is not whole or below 0.
        """
        if metric not in SWEPT:
            raise InputError(f"A sweep has no {metric!r}; it has {', '.join(SWEPT)}.")
        values: np.ndarray = getattr(self, metric)
        return values[np.minimum(check_whole_taus(taus), self.largest)]


@dataclass(frozen=True, eq=False)
class SweepOverFolds:
    """What every whole tau comes to for one strategy and k, over several folds.

    Position t of each curve is tau = t, up to the largest usage in any fold. A fold with a smaller
    largest usage enters with its last values.

    >>> sweep = SweepOverFolds("gain", 10, [
    ...     Sweep(np.array([0.9, 0.8]), np.array([0, 1])),
    ...     Sweep(np.array([0.7, 0.6, 0.5]), np.array([2, 0]))])
    >>> sweep.mean("mae").round(2).tolist(), sweep.lowest("mae").tolist()
    ([0.8, 0.7, 0.65], [0.7, 0.6, 0.5])
    """

    strategy: str
    k: int
    sweeps: Sequence[Sweep]

    @cached_property
    def taus(self) -> np.ndarray:
        """(largest + 1,) int64: 0, 1, ... up to the largest usage in any fold."""
        return np.arange(self.largest + 1)

    @property
    def largest(self) -> int:
        """The largest data usage in any fold."""
        return max(sweep.largest for sweep in self.sweeps)

    def in_folds(self, metric: str) -> np.ndarray:
        """Return one of the metrics `SWEPT`: (n_folds, largest + 1) float64."""
        return np.array([sweep.curve(metric, self.taus) for sweep in self.sweeps])

    def mean(self, metric: str) -> np.ndarray:
        """Return the mean over the folds in which a metric is defined: (largest + 1,) float64."""
        if metric not in self._means:
            self._means[metric] = mean_where_defined(self.in_folds(metric))
        return self._means[metric]

    def lowest(self, metric: str) -> np.ndarray:
        """Return the value in the lowest fold: (largest + 1,) float64."""
        return np.asarray(np.fmin.reduce(self.in_folds(metric), axis=0))

    def highest(self, metric: str) -> np.ndarray:
        """Return the value in the highest fold: (largest + 1,) float64."""
        return np.asarray(np.fmax.reduce(self.in_folds(metric), axis=0))

    @cached_property
    def _means(self) -> dict[str, np.ndarray]:
        return {}
