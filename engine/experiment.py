"""Plans and runs an experiment: which station of which fold is needed, computed or read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np

from cache import Store
from engine.datasets import Ratings
from engine.errors import Cancelled
from engine.growth import Growth, grow
from engine.metrics import top_queries
from engine.predictions import Predictor, make_predictor
from engine.privacy import Mechanism, unprotected_uses
from engine.results import (
    Accuracy,
    Evaluation,
    Sweep,
    measure,
    none_if_nan,
    pool,
    popularity_bias,
    privacy_metrics,
)
from engine.selection import Selection
from engine.significance import compare_curves
from engine.strategies import get_strategy
from engine.tau import check_tau, resolve_tau
from engine.usage import UsesOfOne, count_usage, uses_of

#: Predictors kept in memory by default, so that a new tau costs milliseconds: five folds of six
#: strategies. One takes 10 MB for 200,000 queries with 10 neighbors.
_PREDICTORS = 30
_CURVES = 1024
#: The q whose Neighbors@q and CoRatings@q stand among the metrics.
_Q = (20, 100)

Progress = Callable[[float, str, tuple[int, ...]], None]


class Experiment(Selection):
    """One set of ratings under fixed folds, seed and mechanism; results on demand.

    To the selection of neighbors it adds what follows from it and is cheap. Whatever is asked for
    is computed, kept in the store, and read from there afterwards. `predictors` is the number of
    predictors kept in memory, which make a new tau cheap.

    Raises `InputError` if the ratings cannot be split, or the mechanism does not fit the scale.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> usage = experiment.usage(0, "expect", 5)
    >>> 0 < int(usage.sum()) <= 180 * 5  # each of the 180 queries has at most 5 neighbors
    True
    >>> experiment.sweep(0, "expect", 5).at(3)["vulnerable_share"] == (usage > 3).mean()
    np.True_
    """

    def __init__(
        self,
        ratings: Ratings,
        *,
        folds: int = 5,
        seed: int = 42,
        mechanism: str | None = None,
        memoised: bool = False,
        store: Store | None = None,
        jobs: int = -1,
        predictors: int = _PREDICTORS,
    ) -> None:
        super().__init__(ratings, folds=folds, seed=seed, store=store, jobs=jobs)
        self.mechanism = Mechanism.for_scale(ratings.scale, mechanism, memoised)
        self.popularity = np.bincount(ratings.item, minlength=ratings.n_items)
        self.predictor = lru_cache(maxsize=predictors)(self._make_predictor)
        self._counted = lru_cache(maxsize=_CURVES)(self._count)
        self.sweep = lru_cache(maxsize=_CURVES)(self._sweep)
        # All strategies of a fold are tested against the same curves, one after the other.
        self._userknn_growth = lru_cache(maxsize=1)(lambda fold, k: self.growth(fold, "userknn", k))

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

        `progress(share, text, finished_folds)` is called as work goes on; `cancelled` is asked
        between blocks of target users and between stations. Raises `Cancelled`; what was finished
        is kept, and the next run goes on from there.
        """
        numbers = self.fold_numbers if folds is None else tuple(folds)
        cells = [(strategy, k) for strategy in strategies for k in ks]
        finished: list[int] = []

        def report(share_of_fold: float, text: str) -> None:
            if cancelled is not None and cancelled():
                raise Cancelled
            if progress is not None:
                share = (len(finished) + share_of_fold) / len(numbers)
                progress(share, text, tuple(finished))

        for number in numbers:
            name = f"fold {len(finished) + 1} of {len(numbers)}"

            def choosing(share: float, name: str = name) -> None:
                report(0.7 * share, f"Choosing neighbors, {name}")

            wanted = {*cells, *(("userknn", k) for k in ks)}
            self.choose(number, wanted, progress=choosing, cancelled=cancelled)
            for done, (strategy, k) in enumerate(cells):
                report(0.7 + 0.3 * done / len(cells), f"Predicting ratings, {name}")
                self.sweep(number, strategy, k)
                for protection in ("none", "full"):
                    self.evaluate(number, strategy, protection, k, 0.0)
            finished.append(number)
            report(0.0, f"Finished, {name}")
        self.release()

    def release(self) -> None:
        """Let go of what is large and quick to get again; the store has what took long."""
        super().release()
        self._userknn_growth.cache_clear()

    def usage(self, number: int, strategy: str, k: int) -> np.ndarray:
        """Return DataUsage@k of every user in a fold: (n_users,) int64."""
        return self._counted(number, strategy, k)["data_usage"]

    def neighbors_at_q(self, number: int, strategy: str, k: int) -> np.ndarray:
        """Return the mean Neighbors@q over users, for q = 1 to 100: (100,), NaN where undefined."""
        return self._counted(number, strategy, k)["neighbors_at_q"]

    def co_ratings_at_q(self, number: int, strategy: str, k: int) -> np.ndarray:
        """Return the mean CoRatings@q over users, for q = 1 to 100: (100,), NaN where undefined."""
        return self._counted(number, strategy, k)["co_ratings_at_q"]

    def growth(self, number: int, strategy: str, k: int) -> Growth:
        """Return Neighbors@q and CoRatings@q of every user, not only their means."""
        return grow(self.fold(number), self.neighborhoods(number, strategy, k))

    def growth_tests(self, number: int, strategy: str, k: int) -> dict[str, np.ndarray]:
        """Test a strategy's curves against UserKNN's, one-tailed as in the paper (section 5.1.1).

        Fewer neighbors: `neighbors_p`, `neighbors_effect`; more co-ratings: `co_ratings_p`,
        `co_ratings_effect`; (100,) each, for q = 1 to 100, NaN where there is no test.
        """

        def arrays() -> dict[str, np.ndarray]:
            ours, baseline = self.growth(number, strategy, k), self._userknn_growth(number, k)
            fewer = compare_curves(ours.neighbors, baseline.neighbors, "less")
            more = compare_curves(ours.co_ratings, baseline.co_ratings, "greater")
            return {
                "neighbors_p": fewer[0],
                "neighbors_effect": fewer[1],
                "co_ratings_p": more[0],
                "co_ratings_effect": more[1],
            }

        return self.store.get_or_compute(
            # Under "growth tests" older versions kept p-values of float32 precision.
            self._key(number, "growth tests, float64", strategy=strategy, k=k),
            arrays,
        )

    def uses_of(self, number: int, strategy: str, k: int, user: int) -> UsesOfOne:
        """Return every use of one user as a neighbor in a fold."""
        times = int(self.usage(number, strategy, k)[user])
        return uses_of(self.fold(number), self.neighborhoods(number, strategy, k), user, times)

    def absolute_errors(
        self, number: int, strategy: str, protection: str, k: int, tau: float
    ) -> np.ndarray:
        """Return |r - R(u, i)| of every query of a fold: (n_queries,) float64."""
        predictions = self.predictor(number, strategy, k).predict(unprotected_uses(protection, tau))
        return np.abs(self.fold(number).query_rating - predictions)

    def tau(self, rule: str | float, number: int, k: int) -> float:
        """Return tau under a rule, always from UserKNN's data usage at this fold and k."""
        plain = check_tau(rule)
        return (
            plain
            if isinstance(plain, float)
            else resolve_tau(plain, self.usage(number, "userknn", k))
        )

    def evaluate(
        self, number: int, strategy: str, protection: str, k: int, tau: float, *, keep: bool = True
    ) -> Evaluation:
        """Return all metrics of one fold. `keep=False` leaves a passing tau out of the store."""
        usage = self.usage(number, strategy, k)
        accuracy = self._accuracy(number, strategy, k, unprotected_uses(protection, tau), keep=keep)
        counted = self._counted(number, strategy, k)
        return Evaluation(
            {
                **accuracy.metrics,
                **privacy_metrics(usage, protection, tau),
                **popularity_bias(accuracy.item_frequency, self.popularity),
                **{f"neighbors_at_{q}": none_if_nan(counted["neighbors_at_q"][q - 1]) for q in _Q},
                **{f"coratings_at_{q}": none_if_nan(counted["co_ratings_at_q"][q - 1]) for q in _Q},
            },
            accuracy.item_frequency,
        )

    def top_items(
        self, number: int, strategy: str, protection: str, k: int, tau: float
    ) -> np.ndarray:
        """Return each user's 10 top items, without metrics: (n_users, 10) int32, -1 for none."""
        predictor = self.predictor(number, strategy, k)
        top = top_queries(predictor.fold, predictor.predict(unprotected_uses(protection, tau)))
        return np.where(top >= 0, predictor.fold.query_item[top], -1).astype(np.int32)

    def item_frequency(
        self, number: int, strategy: str, protection: str, k: int, tau: float
    ) -> np.ndarray:
        """Return how often each item is a top item, without the other metrics: (n_items,) int64."""
        top = self.top_items(number, strategy, protection, k, tau)
        return np.bincount(top[top >= 0], minlength=self.ratings.n_items)

    def pooled(self, evaluations: Sequence[Evaluation]) -> Evaluation:
        """Return the mean over folds, PP-Corr and coverage from their summed top lists."""
        return pool(evaluations, self.popularity)

    def _mechanism_key(self) -> dict[str, str | bool]:
        return {"mechanism": self.mechanism.name, "memoised": self.mechanism.memoised}

    def _count(self, number: int, strategy: str, k: int) -> dict[str, np.ndarray]:
        def arrays() -> dict[str, np.ndarray]:
            neighborhoods = self.neighborhoods(number, strategy, k)
            growth = grow(self.fold(number), neighborhoods)
            return {
                "data_usage": count_usage(self.fold(number), neighborhoods).data_usage,
                "neighbors_at_q": growth.neighbors_at_q,
                "co_ratings_at_q": growth.co_ratings_at_q,
            }

        get_strategy(strategy)
        return self.store.get_or_compute(self._key(number, "usage", strategy=strategy, k=k), arrays)

    def _make_predictor(self, number: int, strategy: str, k: int) -> Predictor:
        fold = self.fold(number)

        def arrays() -> dict[str, np.ndarray]:
            neighborhoods = self.neighborhoods(number, strategy, k)
            usage = count_usage(fold, neighborhoods)
            return make_predictor(fold, neighborhoods, usage, self.mechanism).to_arrays()

        key = self._key(number, "predictor", strategy=strategy, k=k, **self._mechanism_key())
        return Predictor(fold, **self.store.get_or_compute(key, arrays))

    def _sweep(self, number: int, strategy: str, k: int) -> Sweep:
        usage = self.usage(number, strategy, k)
        kept = self.store.get_or_compute(
            self._key(number, "sweep", strategy=strategy, k=k, **self._mechanism_key()),
            lambda: {"mae": self.predictor(number, strategy, k).mae_by_tau(int(usage.max()))},
        )
        return Sweep(kept["mae"], usage)

    def _accuracy(
        self, number: int, strategy: str, k: int, unprotected: float, *, keep: bool
    ) -> Accuracy:
        # Ordinals are whole numbers up to the largest usage: other values change nothing.
        largest = int(self.usage(number, strategy, k).max())
        real_uses = int(min(unprotected, largest))

        def arrays() -> dict[str, np.ndarray]:
            return measure(self.predictor(number, strategy, k), real_uses).to_arrays()

        if not keep:
            return Accuracy.from_arrays(arrays())
        key = self._key(
            number, "accuracy", strategy=strategy, k=k, real_uses=real_uses, **self._mechanism_key()
        )
        return Accuracy.from_arrays(self.store.get_or_compute(key, arrays))
