"""Plans and runs an experiment: which station of which fold is needed, computed or read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from engine.errors import Cancelled
from engine.metrics import popularity_metrics
from engine.outcome import METRICS, FoldOutcome, Outcome, check_metrics, none_if_nan
from engine.privacy import unprotected_uses, usage_metrics, whole_uses
from engine.settings import Setting
from engine.stations import Stations
from engine.strategies import STRATEGIES

#: Called with the share that is done, what is being done, and the folds that are finished.
Progress = Callable[[float, str, tuple[int, ...]], None]

_FROM_GROWTH = frozenset(name for name, metric in METRICS.items() if metric.source == "growth")
_FROM_LISTS = frozenset(name for name, metric in METRICS.items() if metric.source == "lists")
#: Metrics for which every rating is predicted anew; the MAE alone is known for every tau.
_FROM_PREDICTIONS = frozenset(
    name for name, metric in METRICS.items() if metric.source == "predictions" and name != "mae"
)


class Experiment(Stations):
    """One set of ratings under fixed folds, seed, similarity, prediction rule and mechanism.

    It says what any setting comes to. What takes long is computed once and kept in the store.

    All methods raise `InputError` for an unknown fold or strategy, for a k below 1 and a tau below
    0. The experiment itself raises it if the ratings cannot be split, or the mechanism does not fit
    the scale.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> outcome = experiment.outcome(Setting("expect", k=5, tau=3), folds=[0])
    >>> bool(outcome.value("vulnerable_share") == (experiment.usage(0, "expect", 5) > 3).mean())
    True
    """

    def like_this(self, **changes: Any) -> Experiment:
        """Return the same experiment with some arguments changed; both share the store.

        If this one was made without a store, the other needs it to live.

        >>> from engine.datasets import generate
        >>> experiment = Experiment(generate(users=40, items=60, ratings=900), seed=7)
        >>> kept = experiment.like_this(memoised=True)
        >>> kept.seed, kept.mechanism.memoised, kept.store is experiment.store
        (7, True, True)
        """
        arguments = {
            "folds": self.folds,
            "seed": self.seed,
            "similarity": self.similarity,
            "prediction": self.prediction.name,
            "embedding_model": self.embedding_settings.model,
            "queries": self.queries,
            "mechanism": self.mechanism.name,
            "memoised": self.mechanism.memoised,
            "store": self.store,
            "jobs": self.jobs,
        }
        return Experiment(self.ratings, **{**arguments, **changes})

    def run(
        self,
        strategies: Sequence[str],
        ks: Sequence[int],
        folds: Iterable[int] | None = None,
        *,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Compute and keep everything that does not depend on tau, fold by fold.

        `progress(share, activity, finished_folds)` is called as work goes on; `cancelled` is asked
        between blocks of target users and between stations. Raises `Cancelled`; what was finished
        is kept, and the next run goes on from there.
        """
        numbers = self.numbers_of(folds)
        cells = [(strategy, k) for strategy in strategies for k in ks]
        baselines = {(STRATEGIES.named(strategy).baseline, k) for strategy, k in cells}
        unlearned = self.unlearned(strategies, numbers)
        learning = 0.5 if unlearned else 0.0  # the share of the work
        finished: list[int] = []

        def report(share_of_fold: float, activity: str) -> None:
            if cancelled is not None and cancelled():
                raise Cancelled
            if progress is not None:
                share = (len(finished) + share_of_fold) / len(numbers)
                progress(learning + (1 - learning) * share, activity, tuple(finished))

        self.learn(
            unlearned,
            progress=lambda share: progress and progress(learning * share, "Learning vectors", ()),
            cancelled=cancelled,
        )
        for number in numbers:
            self.choose(
                number,
                {*cells, *baselines},
                progress=lambda share: report(0.7 * share, "Choosing neighbors"),
                cancelled=cancelled,
            )
            for done, (strategy, k) in enumerate(cells):
                report(0.7 + 0.3 * done / len(cells), "Predicting ratings")
                self.sweep(number, strategy, k)
                for protection in ("none", "full"):
                    self.fold_outcome(number, Setting(strategy, k, 0.0, protection))
            finished.append(number)
            report(0.0, "Finished")
        self.release()

    def absolute_errors(self, number: int, setting: Setting) -> np.ndarray:
        """Return |r - R(u, i)| of every query of a fold: (n_queries,) float64."""
        predictor = self.predictor(number, setting.strategy, setting.k)
        predictions = predictor.predict(self._unprotected_uses(number, setting))
        return np.abs(predictor.fold.query_rating - predictions)

    def outcome(
        self,
        setting: Setting,
        folds: Iterable[int] | None = None,
        *,
        metrics: Iterable[str] | None = None,
        keep: bool = True,
    ) -> Outcome:
        """Return what a setting comes to over some folds, by default over all; see `fold_outcome`.

        >>> from engine.datasets import generate
        >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
        >>> outcome = experiment.outcome(Setting("gain", 5, tau=20), metrics=["mae", "coverage"])
        >>> outcome.lowest("mae") < outcome.value("mae") < outcome.highest("mae")
        True
        """
        names = check_metrics(metrics)
        numbers = self.numbers_of(folds)
        strategy = setting.strategy
        return Outcome(
            setting,
            [self.fold_outcome(number, setting, metrics=names, keep=keep) for number in numbers],
            self.popularity,
            (self.ratings.fingerprint, self.folds, self.seed, self.asks_half(strategy)),
        )

    def fold_outcome(
        self,
        number: int,
        setting: Setting,
        *,
        metrics: Iterable[str] | None = None,
        keep: bool = True,
    ) -> FoldOutcome:
        """Return what a setting comes to in one fold.

        `metrics` are the names of those that are needed, by default all. The MAE and what follows
        from the data usage are known at once for every tau; the ranking metrics and the top lists
        take a prediction of every rating. `keep=False` leaves a passing tau out of the store.
        """
        names = check_metrics(metrics)
        strategy, k, protection = setting.strategy, setting.k, setting.protection
        tau = self.tau(setting.tau, number, k, strategy)
        real_uses = self._unprotected_uses(number, setting)
        values = usage_metrics(self.usage(number, strategy, k), protection, tau)
        frequency = None
        if names & _FROM_PREDICTIONS:
            accuracy, frequency = self._accuracy(number, strategy, k, real_uses, keep=keep)
            values |= accuracy
        elif "mae" in names:
            values["mae"] = float(self.sweep(number, strategy, k).mae[real_uses])
        if names & _FROM_LISTS:
            if frequency is None:
                frequency = self.item_frequency(number, setting)
            values |= popularity_metrics(frequency, self.popularity)
        for q in (20, 100) if names & _FROM_GROWTH else ():
            curves = self._counted(number, strategy, k)
            values[f"neighbors_at_{q}"] = none_if_nan(curves["neighbors_at_q"][q - 1])
            values[f"coratings_at_{q}"] = none_if_nan(curves["co_ratings_at_q"][q - 1])
        return FoldOutcome(
            number, tau, {name: values[name] for name in METRICS if name in names}, frequency
        )

    def top_items(self, number: int, setting: Setting) -> np.ndarray:
        """Return each user's 10 top items in a fold: (n_users, 10) int32, -1 for none."""
        real_uses = self._unprotected_uses(number, setting)
        return self._top_items(number, setting.strategy, setting.k, real_uses)

    def item_frequency(self, number: int, setting: Setting) -> np.ndarray:
        """Return ItemFreq+, how often each item is a top item in a fold: (n_items,) int64."""
        top = self.top_items(number, setting)
        return np.bincount(top[top >= 0], minlength=self.ratings.n_items)

    def _unprotected_uses(self, number: int, setting: Setting) -> int:
        """Return how many uses of each user are real, at most the largest usage.

        Ordinals are whole numbers up to the largest usage, so nothing else changes a prediction.
        """
        tau = self.tau(setting.tau, number, setting.k, setting.strategy)
        largest = int(self.usage(number, setting.strategy, setting.k).max(initial=0))
        return whole_uses(min(unprotected_uses(setting.protection, tau), largest))
