"""What a setting comes to: metrics in each fold, their mean, and the lowest and highest fold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from engine.errors import InputError
from engine.metrics import Metrics, mean_where_defined, popularity_metrics
from engine.settings import Setting


@dataclass(frozen=True)
class Metric:
    """A number that an outcome has, and what it says.

    `source` is what the number follows from: the data usage, the growth of the neighborhoods, the
    predictions, or the top lists that the predictions give.
    """

    name: str
    words: str
    source: Literal["usage", "growth", "predictions", "lists"]


#: Every metric by its name, which is also its column in `evaluate`.
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "mae",
            "mean absolute error of all predictions, in points of the rating scale",
            "predictions",
        ),
        Metric("mae_users", "the same, averaged over users first", "predictions"),
        Metric("predicted_share", "share of the queries predicted from neighbors", "predictions"),
        Metric("data_usage", "how often a user's data is used, mean over users", "usage"),
        Metric(
            "vulnerable_share",
            "share of the users whose data is used more than τ times",
            "usage",
        ),
        Metric("privacy_risk", "uses of the real rating, mean over users", "usage"),
        Metric("secure_risk", "data usage of users who are not vulnerable, mean", "usage"),
        Metric("protected_uses", "share of all uses that are protected", "usage"),
        Metric(
            "epsilon_paper",
            "the paper's ε, mean over the users with more than τ uses; undefined without DP",
            "usage",
        ),
        Metric("ndcg", "ranking quality of the 10 highest predictions (nDCG@10)", "predictions"),
        Metric(
            "users_without_relevant",
            "users without a relevant item, whom nDCG@10 leaves out",
            "predictions",
        ),
        Metric("ndcg_published", "nDCG@10 as the published code computes it", "predictions"),
        Metric(
            "pp_corr",
            "correlation of being on top lists with popularity, all folds together",
            "lists",
        ),
        Metric("pp_corr_all", "the same over all items", "lists"),
        Metric(
            "coverage", "share of the items that are on some top list, all folds together", "lists"
        ),
        Metric(
            "neighbors_at_20", "different neighbors after 20 queries, mean over users", "growth"
        ),
        Metric("neighbors_at_100", "the same after 100 queries", "growth"),
        Metric("coratings_at_20", "items in common with a neighbor, after 20 queries", "growth"),
        Metric("coratings_at_100", "the same after 100 queries", "growth"),
    )
}


def check_metrics(names: Iterable[str] | None) -> frozenset[str]:
    """Return the names of metrics as a set; None means all of them.

    Raises `InputError` for an unknown name.

    >>> sorted(check_metrics(["mae", "coverage"]))
    ['coverage', 'mae']
    """
    wanted = frozenset(METRICS if names is None else names)
    for name in sorted(wanted - METRICS.keys()):
        raise InputError(f"There is no metric {name!r}; choose from {', '.join(METRICS)}.")
    return wanted


@dataclass(frozen=True, eq=False)
class FoldOutcome:
    """What a setting comes to in one fold; a metric that is undefined is None."""

    fold: int
    tau: float  # what the rule of the setting gives in this fold
    metrics: Metrics
    item_frequency: np.ndarray | None = None  # (n_items,) int64: how often an item is a top item


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a setting comes to over several folds.

    The value of a metric over all folds is its mean over those in which it is defined. PP-Corr and
    coverage follow from the top lists of all folds together (paper, section 4.2.4). What is
    undefined is NaN.

    >>> folds = [FoldOutcome(0, 93.0, {"mae": 0.75, "secure_risk": None}),
    ...          FoldOutcome(1, 95.0, {"mae": 0.8125, "secure_risk": 12.0})]
    >>> outcome = Outcome(Setting("gain"), folds)
    >>> outcome.value("mae"), outcome.lowest("mae"), outcome.highest("mae"), outcome.tau
    (0.78125, 0.75, 0.8125, 94.0)
    >>> outcome.value("secure_risk"), outcome.undefined
    (12.0, {'secure_risk': (0,)})
    """

    setting: Setting
    folds: Sequence[FoldOutcome]
    popularity: np.ndarray | None = None  # (n_items,) int64: ratings of each item
    #: What the folds were made from. Folds of equal origin with equal numbers ask the same queries.
    origin: tuple[str | int, ...] | None = None

    @property
    def tau(self) -> float:
        """The threshold, mean over the folds."""
        return float(np.mean([fold.tau for fold in self.folds]))

    @property
    def fold_numbers(self) -> tuple[int, ...]:
        """The numbers of the folds, in order."""
        return tuple(fold.fold for fold in self.folds)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics that were asked for."""
        return tuple(self.folds[0].metrics) if self.folds else ()

    def in_folds(self, metric: str) -> np.ndarray:
        """Return the value of a metric in each fold: (n_folds,) float64.

        Raises `InputError` for a metric that was not asked for.
        """
        if metric not in self.metrics:
            raise InputError(f"This outcome has no {metric!r}; it has {', '.join(self.metrics)}.")
        return np.array([fold.metrics[metric] for fold in self.folds], dtype=np.float64)

    def value(self, metric: str) -> float:
        """Return the value of a metric over all folds."""
        pooled = self._pooled.get(metric)
        if pooled is not None or metric in self._pooled:
            return np.nan if pooled is None else float(pooled)
        return float(mean_where_defined(self.in_folds(metric)))

    def lowest(self, metric: str) -> float:
        """Return the value of a metric in the fold where it is lowest."""
        return float(np.fmin.reduce(self.in_folds(metric), initial=np.nan))

    def highest(self, metric: str) -> float:
        """Return the value of a metric in the fold where it is highest."""
        return float(np.fmax.reduce(self.in_folds(metric), initial=np.nan))

    @property
    def undefined(self) -> dict[str, tuple[int, ...]]:
        """The metrics that are undefined in some fold, with the numbers of these folds."""
        missing = {
            name: tuple(fold.fold for fold in self.folds if fold.metrics[name] is None)
            for name in self.metrics
        }
        return {name: folds for name, folds in missing.items() if folds}

    @cached_property
    def item_frequency(self) -> np.ndarray | None:
        """(n_items,) int64: how often each item is a top item, all folds together.

        ItemFreq+ (paper, section 4.2.4). None where no top lists were asked for.
        """
        counts = [fold.item_frequency for fold in self.folds if fold.item_frequency is not None]
        return np.sum(counts, axis=0) if counts else None

    @cached_property
    def _pooled(self) -> Metrics:
        if self.item_frequency is None or self.popularity is None:
            return {}
        return popularity_metrics(self.item_frequency, self.popularity)


def none_if_nan(value: float | np.ndarray) -> float | None:
    """Return a number, or None for NaN.

    >>> none_if_nan(np.float64("nan")) is None
    True
    """
    number = float(value)
    return None if np.isnan(number) else number
