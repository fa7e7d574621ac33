"""What one fold of an evaluation comes to, and the mean over several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import metrics
from engine.predictions import Predictor
from engine.privacy import is_vulnerable, paper_epsilon, privacy_risk, secure_risk

Metrics = dict[str, float | None]


@dataclass(frozen=True, eq=False)
class Accuracy:
    """What depends on the predictions: metrics by name, and how often each item is a top item."""

    metrics: Metrics
    item_frequency: np.ndarray  # (n_items,) int64

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return this as arrays, which a store can keep; what is undefined is NaN."""
        values = {name: np.array(value, dtype=float) for name, value in self.metrics.items()}
        return {"item_frequency": self.item_frequency, **values}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Accuracy:
        """Return what `to_arrays` took apart.

        >>> accuracy = Accuracy({"mae": 0.8, "ndcg": None}, np.array([1, 0]))
        >>> Accuracy.from_arrays(accuracy.to_arrays()).metrics
        {'mae': 0.8, 'ndcg': None}
        """
        values = dict(arrays)
        frequency = values.pop("item_frequency")
        return cls({name: none_if_nan(value) for name, value in values.items()}, frequency)


def none_if_nan(value: float | np.ndarray) -> float | None:
    """Return a number, or None for NaN.

    >>> none_if_nan(np.float64("nan")) is None
    True
    """
    number = float(value)
    return None if np.isnan(number) else number


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All metrics of one (strategy, protection, k, tau), of one fold or pooled over several."""

    metrics: Metrics
    item_frequency: np.ndarray  # (n_items,) int64


@dataclass(frozen=True, eq=False)
class Sweep:
    """What every tau costs and protects: position t of each curve is tau = t.

    A use is protected iff its ordinal is above tau, so only whole numbers change the predictions;
    `at` is exact for every tau. Position 0 is full protection, the last one none.
    """

    mae: np.ndarray  # (largest + 1,) float64
    data_usage: np.ndarray  # (n_users,) int64

    @property
    def largest(self) -> int:
        """The largest data usage."""
        return self.mae.size - 1

    @property
    def _users_above(self) -> np.ndarray:
        """(largest + 1,) how many users are used more than t times."""
        counts = np.bincount(self.data_usage, minlength=self.mae.size)
        return self.data_usage.size - np.cumsum(counts)

    @property
    def vulnerable_share(self) -> np.ndarray:
        """(largest + 1,) share of users with DataUsage > t."""
        return self._users_above / self.data_usage.size

    @property
    def privacy_risk(self) -> np.ndarray:
        """(largest + 1,) mean of min(t, DataUsage)."""
        # min(t, usage) = sum over s < t of 1[usage > s]
        return np.concatenate(([0], np.cumsum(self._users_above)[:-1])) / self.data_usage.size

    @property
    def secure_risk(self) -> np.ndarray:
        """(largest + 1,) mean usage of users with DataUsage <= t; NaN where there are none."""
        counts = np.bincount(self.data_usage, minlength=self.mae.size)
        users = np.cumsum(counts)
        uses = np.cumsum(counts * np.arange(self.mae.size))
        return np.divide(uses, users, out=np.full(self.mae.size, np.nan), where=users > 0)

    @property
    def protected_uses(self) -> np.ndarray:
        """(largest + 1,) share of all uses that are protected; 0 where nobody is used."""
        mean_usage = self.data_usage.mean()
        if mean_usage == 0:
            return np.zeros(self.mae.size)
        return 1 - self.privacy_risk / mean_usage

    def at(self, tau: float) -> Metrics:
        """Return mae, privacy_risk, vulnerable_share, secure_risk, protected_uses for any tau >= 0.

        >>> sweep = Sweep(np.array([0.9, 0.8, 0.7]), np.array([0, 2, 1, 1]))
        >>> sweep.at(1.5)["mae"], sweep.at(1.5)["privacy_risk"], sweep.at(1.5)["protected_uses"]
        (0.8, 0.875, 0.25)
        """
        uses = self.data_usage.sum()
        protected = np.maximum(self.data_usage - np.floor(tau), 0).sum()
        return {
            "mae": float(self.mae[int(min(tau, self.largest))]),
            **privacy_metrics(self.data_usage, "vulnerable", tau, epsilon=False),
            "protected_uses": float(protected / uses) if uses else 0.0,
        }


def privacy_metrics(
    data_usage: np.ndarray, protection: str, tau: float, *, epsilon: bool = True
) -> Metrics:
    """Return the means over all users that depend on nothing but the data usage.

    >>> privacy_metrics(np.array([0, 2, 4]), "vulnerable", 2)["privacy_risk"]
    1.3333333333333333
    """
    values: Metrics = {
        "privacy_risk": float(privacy_risk(data_usage, protection, tau).mean()),
        "vulnerable_share": float(is_vulnerable(data_usage, tau).mean()),
        "secure_risk": secure_risk(data_usage, tau),
    }
    if epsilon:
        values["data_usage"] = float(data_usage.mean())
        values["epsilon_paper"] = paper_epsilon(data_usage, protection, tau)
    return values


def measure(predictor: Predictor, unprotected: float) -> Accuracy:
    """Predict with the first `unprotected` uses of each user real, and measure the predictions."""
    fold = predictor.fold
    predictions = predictor.predict(unprotected)
    top = metrics.top_queries(fold, predictions)
    ndcg, left_out = metrics.ndcg(fold, top)
    return Accuracy(
        {
            "mae": metrics.mean_absolute_error(fold.query_rating, predictions),
            "mae_users": metrics.mean_user_error(fold, predictions),
            "predicted_share": float(predictor.predicted.mean()),
            "ndcg": ndcg,
            "users_without_relevant": float(left_out),
            "ndcg_published": metrics.ndcg_published(fold, top),
        },
        metrics.item_frequency(fold, top),
    )


def popularity_bias(item_frequency: np.ndarray, popularity: np.ndarray) -> Metrics:
    """Return PP-Corr (items that are a top item, and all items) and coverage."""
    return {
        "pp_corr": metrics.correlation(item_frequency, popularity, all_items=False),
        "pp_corr_all": metrics.correlation(item_frequency, popularity, all_items=True),
        "coverage": metrics.coverage(item_frequency),
    }


def pool(evaluations: Sequence[Evaluation], popularity: np.ndarray) -> Evaluation:
    """Return the mean over folds; PP-Corr and coverage come from the summed top lists.

    A metric that is undefined in some folds is the mean over the others; in all, None.
    """
    frequency = np.sum([evaluation.item_frequency for evaluation in evaluations], axis=0)
    means: Metrics = {}
    for name in evaluations[0].metrics:
        values = [evaluation.metrics[name] for evaluation in evaluations]
        defined = [value for value in values if value is not None]
        means[name] = float(np.mean(defined)) if defined else None
    return Evaluation({**means, **popularity_bias(frequency, popularity)}, frequency)
