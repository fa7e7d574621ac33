"""Plans and runs an experiment: which station of which fold is needed, computed or read back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from cache import Key, Store
from engine.datasets import Ratings
from engine.errors import Cancelled
from engine.folds import Fold, check_folds, split
from engine.growth import Growth, grow
from engine.metrics import item_frequency, top_queries
from engine.neighborhoods import Neighborhoods, bounds, choose, passes
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
from engine.significance import compare_curves
from engine.strategies import get_strategy
from engine.tau import check_tau, resolve_tau
from engine.usage import count_usage

#: Part of every key of the store: results of another version are never read.
ENGINE_VERSION = 1

#: Strategies without +Reuse are selected at this k at least: one selection serves every smaller k.
_SELECTED_K = 30
#: Predictors kept in memory by default, so that a new tau costs milliseconds: five folds of six
#: strategies. One takes 10 MB for 200,000 queries with 10 neighbors.
_PREDICTORS = 30
_CURVES = 1024
#: The q whose Neighbors@q and CoRatings@q stand among the metrics.
_Q = (20, 100)

Progress = Callable[[float, str, tuple[int, ...]], None]


class Experiment:
    """One set of ratings under fixed folds, seed and mechanism; results on demand.

    Expensive is the choice of neighbors; it depends neither on tau nor on the mechanism. Whatever
    is asked for is computed, kept in the store, and read from there afterwards. Without a store the
    results are kept in a temporary folder for as long as the experiment lives. `predictors` is the
    number of predictors kept in memory, which make a new tau cheap.

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
        check_folds(ratings, folds, seed)
        self.ratings = ratings
        self.folds = folds
        self.seed = seed
        self.jobs = jobs
        self.mechanism = Mechanism.for_scale(ratings.scale, mechanism, memoised)
        if store is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="reuseknn-")
            store = Store(Path(self._temporary.name))
        self.store = store
        self.popularity = np.bincount(ratings.item, minlength=ratings.n_items)
        #: Neighborhoods just chosen, until those of another fold are.
        self._held: dict[tuple[int, str, int], Neighborhoods] = {}
        self.fold = lru_cache(maxsize=folds)(self._split)
        self.predictor = lru_cache(maxsize=predictors)(self._make_predictor)
        self._counted = lru_cache(maxsize=_CURVES)(self._count)
        self.sweep = lru_cache(maxsize=_CURVES)(self._sweep)

    @property
    def fold_numbers(self) -> tuple[int, ...]:
        """The numbers of the folds, from 0."""
        return tuple(range(self.folds))

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
            report(0.0, f"Finished {name}")
        self._held.clear()

    def choose(
        self,
        number: int,
        cells: Iterable[tuple[str, int]],
        *,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Choose and keep the neighborhoods of a fold for each (strategy, k) that lacks them."""
        self._held = {key: held for key, held in self._held.items() if key[0] == number}
        missing = []
        for strategy, k in sorted({(strategy, _selected_k(strategy, k)) for strategy, k in cells}):
            key = self._key(number, "neighborhoods", strategy=strategy, k=k)
            if (number, strategy, k) not in self._held and not self.store.contains(key):
                missing.append((strategy, k))
        if not missing:
            return
        planned = passes(self.fold(number), missing)
        for done, wanted in enumerate(planned):

            def report(share: float, done: int = done) -> None:
                if progress is not None:
                    progress((done + share) / len(planned))

            chosen = choose(
                self.fold(number), wanted, jobs=self.jobs, progress=report, cancelled=cancelled
            )
            for (strategy, k), neighborhoods in chosen.items():
                self._keep(number, strategy, k, neighborhoods)
                if len(planned) == 1:
                    self._held[number, strategy, k] = neighborhoods

    def neighborhoods(self, number: int, strategy: str, k: int) -> Neighborhoods:
        """Return the k best neighbors of every query of a fold."""
        selected = _selected_k(strategy, k)
        held = self._held.get((number, strategy, selected))
        if held is None:
            held = self._keep(number, strategy, selected, None)
        return held.first(k)

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
            ours, baseline = (self.growth(number, name, k) for name in (strategy, "userknn"))
            fewer = compare_curves(ours.neighbors, baseline.neighbors, "less")
            more = compare_curves(ours.co_ratings, baseline.co_ratings, "greater")
            return {
                "neighbors_p": fewer[0],
                "neighbors_effect": fewer[1],
                "co_ratings_p": more[0],
                "co_ratings_effect": more[1],
            }

        return self.store.get_or_compute(
            self._key(number, "growth tests", strategy=strategy, k=k), arrays
        )

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

    def item_frequency(
        self, number: int, strategy: str, protection: str, k: int, tau: float
    ) -> np.ndarray:
        """Return how often each item is a top item, without the other metrics: (n_items,) int64."""
        predictor = self.predictor(number, strategy, k)
        predictions = predictor.predict(unprotected_uses(protection, tau))
        return item_frequency(predictor.fold, top_queries(predictor.fold, predictions))

    def pooled(self, evaluations: Sequence[Evaluation]) -> Evaluation:
        """Return the mean over folds, PP-Corr and coverage from their summed top lists."""
        return pool(evaluations, self.popularity)

    def _split(self, number: int) -> Fold:
        return split(self.ratings, number, self.folds, self.seed)

    def _key(self, number: int, station: str, **settings: str | float | bool) -> Key:
        return {
            "engine": ENGINE_VERSION,
            "ratings": self.ratings.fingerprint,
            "folds": self.folds,
            "seed": self.seed,
            "fold": number,
            "station": station,
            **settings,
        }

    def _mechanism_key(self) -> dict[str, str | bool]:
        return {"mechanism": self.mechanism.name, "memoised": self.mechanism.memoised}

    def _keep(
        self, number: int, strategy: str, k: int, chosen: Neighborhoods | None
    ) -> Neighborhoods:
        """Return the neighborhoods that the store has under this key; put these there if none."""
        fold = self.fold(number)

        def arrays() -> dict[str, np.ndarray]:
            found = chosen or choose(fold, [(strategy, k)], jobs=self.jobs)[strategy, k]
            return {
                "place": found.place,
                "similarity": found.similarity,
                "co_ratings": found.co_ratings,
            }

        kept = self.store.get_or_compute(
            self._key(number, "neighborhoods", strategy=strategy, k=k), arrays
        )
        bound = bounds(fold, k)
        return Neighborhoods(bound[:-1], bound[1:], **kept)

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


def _selected_k(strategy: str, k: int) -> int:
    return k if get_strategy(strategy).reuse else max(k, _SELECTED_K)
