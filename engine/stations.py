"""The stations after the selection of neighbors: computed when they are needed, and kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from cache import Key, Store
from engine.datasets import Ratings
from engine.embeddings import DEFAULT_EMBEDDING_MODEL
from engine.growth import Growth, grow
from engine.input_checks import DEFAULT_SEED
from engine.metrics import Metrics, prediction_metrics, profile_popularity, top_queries
from engine.outcome import none_if_nan
from engine.popularity_sweep import PopularitySweep, follow_top_lists, sweep_popularity
from engine.predictions import DEFAULT_PREDICTION, PREDICTIONS, Predictor
from engine.privacy import Mechanism
from engine.selection import Selection
from engine.significance import compare_curves
from engine.similarity import DEFAULT_SIMILARITY
from engine.splits import QUERIES
from engine.strategies import DEFAULT_STRATEGY, STRATEGIES
from engine.sweep import Sweep, SweepOverFolds
from engine.tau import check_tau, resolve_tau
from engine.usage import UsesOfUser, count_usage, uses_of

#: Predictors kept in memory by default, so that a new tau costs milliseconds: five folds of six
#: strategies. One takes 10 MB for 200,000 queries with 10 neighbors.
_PREDICTORS = 30
_CURVES = 1024
#: Top lists kept in memory: five folds of six strategies, at a few thresholds.
_TOP_LISTS = 100


class Stations(Selection):
    """Usage, growth, predictions and sweeps of a selection of neighbors, fold by fold.

    Whatever is asked for is computed, kept in the store, and read from there afterwards.
    `predictors` is the number of predictors kept in memory, which make a new tau cheap.

    All methods raise `InputError` for an unknown fold or strategy and for a k below 1. The stations
    themselves raise it if the ratings cannot be split, or the mechanism does not fit the scale.

    >>> from engine.datasets import generate
    >>> stations = Stations(generate(users=40, items=60, ratings=900))
    >>> usage = stations.usage(0, "expect", 5)
    >>> 0 < int(usage.sum()) <= 180 * 5  # each of the 180 queries has at most 5 neighbors
    True
    """

    def __init__(
        self,
        ratings: Ratings,
        *,
        folds: int = 5,
        seed: int = DEFAULT_SEED,
        similarity: str = DEFAULT_SIMILARITY,
        prediction: str = DEFAULT_PREDICTION,
        embedding_model: str = DEFAULT_EMBEDDING_MODEL,
        queries: str = QUERIES[0],
        mechanism: str | None = None,
        memoised: bool = False,
        store: Store | None = None,
        jobs: int = -1,
        predictors: int = _PREDICTORS,
    ) -> None:
        super().__init__(
            ratings,
            folds=folds,
            seed=seed,
            similarity=similarity,
            embedding_model=embedding_model,
            queries=queries,
            store=store,
            jobs=jobs,
        )
        self.mechanism = Mechanism.for_scale(ratings.scale, mechanism, memoised)
        self.prediction = PREDICTIONS.named(prediction)
        self.popularity = np.bincount(ratings.item, minlength=ratings.n_items)
        # Typed, so that a k of 5.0 is refused also where the answer for 5 is remembered.
        self._predictor = lru_cache(maxsize=predictors, typed=True)(self._make_predictor)
        self._swept = lru_cache(maxsize=_CURVES, typed=True)(self._sweep)
        self._counted = lru_cache(maxsize=_CURVES, typed=True)(self._count)
        self._top_items = lru_cache(maxsize=_TOP_LISTS, typed=True)(self._list_top_items)
        self._tau = lru_cache(maxsize=_CURVES, typed=True)(self._resolve_tau)
        self._swept_over_folds = lru_cache(maxsize=_CURVES, typed=True)(self._sweep_over_folds)
        self._popularity_swept = lru_cache(maxsize=_CURVES, typed=True)(self._sweep_popularity)
        # Most strategies of a fold are tested against the same curves, one after the other.
        self._baseline_growth = lru_cache(maxsize=1)(self.growth)

    @cached_property
    def profile_popularity(self) -> np.ndarray:
        """(n_users,) float64: how popular the items are that each user rated."""
        ratings = self.ratings
        return profile_popularity(ratings.user, ratings.item, self.popularity, ratings.n_users)

    def release(self) -> None:
        """Let go of what is large and quick to get again; the store has what took long."""
        super().release()
        self._baseline_growth.cache_clear()

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
        return grow(self.fold(number, strategy), self.neighborhoods(number, strategy, k))

    def growth_tests(self, number: int, strategy: str, k: int) -> dict[str, np.ndarray]:
        """Test a strategy's curves against its baseline's, one-tailed as in the paper (5.1.1).

        Fewer neighbors: `neighbors_p`, `neighbors_effect`; more co-ratings: `co_ratings_p`,
        `co_ratings_effect`; (100,) each, for q = 1 to 100, NaN where there is no test.
        """

        def arrays() -> dict[str, np.ndarray]:
            ours = self.growth(number, strategy, k)
            baseline = self._baseline_growth(number, STRATEGIES.named(strategy).baseline, k)
            fewer = compare_curves(ours.neighbors, baseline.neighbors, "less")
            more = compare_curves(ours.co_ratings, baseline.co_ratings, "greater")
            return {
                "neighbors_p": fewer[0],
                "neighbors_effect": fewer[1],
                "co_ratings_p": more[0],
                "co_ratings_effect": more[1],
            }

        return self.store.get_or_compute(
            self.key(number, "growth tests", strategy=strategy, k=k), arrays
        )

    def uses_of(self, number: int, strategy: str, k: int, user: int) -> UsesOfUser:
        """Return every use of one user as a neighbor in a fold."""
        self.check_user(user)
        uses = int(self.usage(number, strategy, k)[user])
        fold = self.fold(number, strategy)
        return uses_of(fold, self.neighborhoods(number, strategy, k), user, uses)

    def predictor(self, number: int, strategy: str, k: int) -> Predictor:
        """Return what predicts the ratings of a fold for every tau."""
        return self._predictor(number, strategy, k)

    def sweep(self, number: int, strategy: str, k: int) -> Sweep:
        """Return what every whole tau comes to in a fold."""
        return self._swept(number, strategy, k)

    def sweep_over_folds(
        self, strategy: str, k: int, folds: Iterable[int] | None = None
    ) -> SweepOverFolds:
        """Return what every whole tau comes to over some folds, by default over all."""
        numbers = self.numbers_of(folds)
        return self._swept_over_folds(strategy, k, numbers)

    def popularity_sweep(
        self, strategy: str, k: int, folds: Iterable[int] | None = None
    ) -> PopularitySweep:
        """Return coverage and PP-Corr at every whole tau over some folds, by default over all.

        The top lists are followed over every tau: a few seconds for a million ratings.
        """
        numbers = self.numbers_of(folds)
        return self._popularity_swept(strategy, k, numbers)

    def mae_with_coins(self, number: int, strategy: str, k: int, draw: int) -> np.ndarray:
        """Return the MAE at every whole tau of a fold under other coins: (largest + 1,) float64.

        Neighbors and queries stay; only the coins are those of the seed plus `draw`. Draw 0 is the
        sweep itself.
        """
        if draw == 0:
            return self.sweep(number, strategy, k).mae

        def arrays() -> dict[str, np.ndarray]:
            fold = replace(self.fold(number, strategy), seed=(self.seed + draw) % 2**32)
            neighborhoods = self.neighborhoods(number, strategy, k)
            usage = count_usage(fold, neighborhoods)
            predictor = self.prediction.make_predictor(fold, neighborhoods, usage, self.mechanism)
            return {"mae": predictor.mae_by_tau(int(usage.data_usage.max()))}

        key = self.predicted_key(number, "sweep with coins", strategy=strategy, k=k, draw=draw)
        return self.store.get_or_compute(key, arrays)["mae"]

    def tau(
        self, rule: str | float, number: int, k: int, strategy: str = DEFAULT_STRATEGY
    ) -> float:
        """Return tau under a rule, from the data usage of the strategy's baseline at fold and k.

        The baseline is UserKNN for all strategies of the paper's main comparison, and NeuKNN where
        the similarity of users comes from embeddings, as in the published code.
        """
        return self._tau(rule, number, k, STRATEGIES.named(strategy).baseline)

    def _count(self, number: int, strategy: str, k: int) -> dict[str, np.ndarray]:
        def arrays() -> dict[str, np.ndarray]:
            neighborhoods = self.neighborhoods(number, strategy, k)
            fold = self.fold(number, strategy)
            growth = grow(fold, neighborhoods)
            return {
                "data_usage": count_usage(fold, neighborhoods).data_usage,
                "neighbors_at_q": growth.neighbors_at_q,
                "co_ratings_at_q": growth.co_ratings_at_q,
            }

        STRATEGIES.named(strategy)
        self.check(number, k)
        return self.store.get_or_compute(self.key(number, "usage", strategy=strategy, k=k), arrays)

    def _make_predictor(self, number: int, strategy: str, k: int) -> Predictor:
        fold = self.fold(number, strategy)

        def arrays() -> dict[str, np.ndarray]:
            neighborhoods = self.neighborhoods(number, strategy, k)
            usage = count_usage(fold, neighborhoods)
            make_predictor = self.prediction.make_predictor
            return make_predictor(fold, neighborhoods, usage, self.mechanism).to_arrays()

        key = self.predicted_key(number, "predictor", strategy=strategy, k=k)
        return Predictor(fold, **self.store.get_or_compute(key, arrays))

    def _sweep(self, number: int, strategy: str, k: int) -> Sweep:
        usage = self.usage(number, strategy, k)
        stored = self.store.get_or_compute(
            self.predicted_key(number, "sweep", strategy=strategy, k=k),
            lambda: {"mae": self.predictor(number, strategy, k).mae_by_tau(int(usage.max()))},
        )
        return Sweep(stored["mae"], usage)

    def _accuracy(
        self, number: int, strategy: str, k: int, real_uses: int, *, keep: bool
    ) -> tuple[Metrics, np.ndarray]:
        def arrays() -> dict[str, np.ndarray]:
            predictor = self.predictor(number, strategy, k)
            metrics, frequency = prediction_metrics(
                predictor.fold, predictor.predict(real_uses), predictor.predicted
            )
            values = {name: np.array(value, dtype=float) for name, value in metrics.items()}
            return {"item_frequency": frequency, **values}

        key = self.predicted_key(number, "accuracy", strategy=strategy, k=k, real_uses=real_uses)
        stored = dict(self.store.get_or_compute(key, arrays) if keep else arrays())
        frequency = stored.pop("item_frequency")
        return {name: none_if_nan(value) for name, value in stored.items()}, frequency

    def _list_top_items(self, number: int, strategy: str, k: int, real_uses: int) -> np.ndarray:
        predictor = self.predictor(number, strategy, k)
        top = top_queries(predictor.fold, predictor.predict(real_uses))
        return np.where(top >= 0, predictor.fold.query_item[top], -1).astype(np.int32)

    def predicted_key(
        self,
        number: int,
        station: str,
        strategy: str,
        **settings: str | float | bool | tuple[int, ...] | None,
    ) -> Key:
        """Return the key of what depends on the mechanism and the prediction rule, too."""
        return self.key(
            number,
            station,
            strategy,
            mechanism=self.mechanism.name,
            memoised=self.mechanism.memoised,
            prediction=self.prediction.stored_as,
            **settings,
        )

    def _resolve_tau(self, rule: str | float, number: int, k: int, baseline: str) -> float:
        self.check(number, k)
        checked = check_tau(rule)
        if isinstance(checked, float):
            return checked
        return resolve_tau(checked, self.usage(number, baseline, k))

    def _sweep_over_folds(self, strategy: str, k: int, folds: tuple[int, ...]) -> SweepOverFolds:
        return SweepOverFolds(strategy, k, [self.sweep(number, strategy, k) for number in folds])

    def _sweep_popularity(self, strategy: str, k: int, folds: tuple[int, ...]) -> PopularitySweep:
        def arrays() -> dict[str, np.ndarray]:
            changes = [follow_top_lists(self.predictor(number, strategy, k)) for number in folds]
            largest = self.sweep_over_folds(strategy, k, folds).largest
            swept = sweep_popularity(changes, self.popularity, largest)
            return {"coverage": swept.coverage, "pp_corr": swept.pp_corr}

        key = self.predicted_key(
            folds[0], "popularity sweep", strategy=strategy, k=k, of_folds=folds
        )
        return PopularitySweep(**self.store.get_or_compute(key, arrays))
