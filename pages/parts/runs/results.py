"""What a run has finished, as means over folds: all that the pages draw comes from here.

Nothing in here chooses neighbors: only cells that a run has finished are read, so that a page
never waits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pages.parts.address import KS

if TYPE_CHECKING:
    from engine.experiment import Experiment
    from engine.popularity_groups import GroupBias
    from engine.results import Sweep

PAPER: tuple[str, ...] = ("userknn", "userknn+reuse", "expect", "gain")
EXTRAS: tuple[str, ...] = ("expect+reuse", "gain+reuse")

Cell = tuple[int, str, int]  # fold, strategy, k
Kept = TypeVar("Kept")
#: What is remembered under keys of the pages' own.
_MOST_KEPT = 16


@dataclass(frozen=True, eq=False)
class Results:
    """An experiment and the cells of it that are finished."""

    experiment: Experiment
    done: frozenset[Cell]
    _memo: _Memo

    @classmethod
    def of(cls, experiment: Experiment) -> Results:
        """Return the results of an experiment of which nothing is finished yet."""
        return cls(experiment, frozenset(), _Memo(experiment))

    def with_done(self, cells: set[Cell]) -> Results:
        """Return these results with more cells finished."""
        return replace(self, done=self.done | cells)

    @property
    def planned_folds(self) -> int:
        """The number of folds of a complete run."""
        return len(self.experiment.fold_numbers)

    def folds(self, k: int) -> tuple[int, ...]:
        """Return the folds in which the paper's strategies are finished at k."""
        return tuple(
            fold
            for fold in self.experiment.fold_numbers
            if all((fold, strategy, k) in self.done for strategy in PAPER)
        )

    def ks(self, wanted: int) -> tuple[int, ...]:
        """Return those k that are finished in the same folds as the wanted one."""
        return tuple(k for k in KS if self.folds(k) == self.folds(wanted))

    def strategies(self, k: int) -> tuple[str, ...]:
        """Return the strategies that are finished in all these folds, the paper's first."""
        return tuple(
            strategy
            for strategy in PAPER + EXTRAS
            if self.folds(k) and all((fold, strategy, k) in self.done for fold in self.folds(k))
        )

    def usages(self, strategy: str, k: int) -> list[np.ndarray]:
        """Return the data usage of all users, an array (n_users,) a fold."""
        return [self.experiment.usage(fold, strategy, k) for fold in self.folds(k)]

    def largest_usage(self, k: int) -> int:
        """Return the largest data usage of any strategy at k."""
        return max(
            int(usage.max(initial=0))
            for strategy in self.strategies(k)
            for usage in self.usages(strategy, k)
        )

    def at(self, strategy: str, k: int, tau: float, protection: str = "vulnerable") -> At:
        """Return what a tau comes to, mean over folds. `none` is an infinite tau, `full` tau 0."""
        return mean_at(self.at_each(strategy, k, tau, protection))

    def at_each(self, strategy: str, k: int, tau: float, protection: str) -> list[At]:
        """Return what a tau comes to in each fold, in the order of the folds."""
        at = {"none": np.inf, "vulnerable": tau, "full": 0.0}[protection]
        found = []
        for fold in self.folds(k):
            sweep = self.experiment.sweep(fold, strategy, k)
            cost = _sweep_at(sweep, at)
            # Who is vulnerable depends on tau alone, not on whether they are protected.
            share = cost if at == tau else _sweep_at(sweep, tau)
            found.append(
                At(
                    mae=_number(cost["mae"]),
                    privacy_risk=_number(cost["privacy_risk"]),
                    protected_uses=_number(cost["protected_uses"]),
                    vulnerable_share=_number(share["vulnerable_share"]),
                    secure_risk=_number(share["secure_risk"]),
                )
            )
        return found

    def sweep_means(self, strategy: str, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return MAE and mean privacy risk for tau = 0, 1, ..., largest usage, mean over folds."""
        return self._memo.sweep_means(self.folds(k), strategy, k)

    def neighbors_at_q(self, strategy: str, k: int) -> np.ndarray:
        """Return Neighbors@q for q = 1 to 100: (folds, 100), NaN where no user has so many."""
        read = self.experiment.neighbors_at_q
        return np.array([read(fold, strategy, k) for fold in self.folds(k)])

    def co_ratings_at_q(self, strategy: str, k: int) -> np.ndarray:
        """Return CoRatings@q for q = 1 to 100: (folds, 100), NaN where no user has so many."""
        read = self.experiment.co_ratings_at_q
        return np.array([read(fold, strategy, k) for fold in self.folds(k)])

    def growth_tests(self, strategy: str, k: int) -> list[dict[str, np.ndarray]] | None:
        """Return the tests of both curves against UserKNN's, one a fold; None until all are done.

        See `Experiment.growth_tests`.
        """
        found = [self._memo.growth_tests.get((fold, strategy, k)) for fold in self.folds(k)]
        known = [tests for tests in found if tests is not None]
        return known if known and len(known) == len(found) else None

    def top_lists(self, strategy: str, protection: str, k: int, tau: float) -> TopLists:
        """Return whose items the top-10 lists of all folds have."""
        unprotected = {"none": math.inf, "vulnerable": math.floor(tau), "full": 0}[protection]
        return self._memo.top_lists(self.folds(k), strategy, protection, k, unprotected)

    def item_frequencies(self, strategy: str, k: int, tau: float) -> list[np.ndarray]:
        """Return how often each item is on a top-10 list with DP, an array (n_items,) a fold."""
        return [
            self._memo.frequency(fold, strategy, "vulnerable", k, math.floor(tau))
            for fold in self.folds(k)
        ]

    def group_biases(self, strategy: str, k: int, tau: float) -> tuple[GroupBias, GroupBias]:
        """Return what top lists with DP favor: of users who like popular items, and the others."""
        from engine.popularity_groups import group_bias, likes_popular

        tops = [self._memo.tops(fold, strategy, k, math.floor(tau)) for fold in self.folds(k)]
        profile, popularity = self._memo.profile, self.experiment.popularity
        group = likes_popular(profile)
        return (
            group_bias(tops, popularity, profile, group),
            group_bias(tops, popularity, profile, ~group),
        )

    def knows_tau(self, rule: str, k: int) -> bool:
        """Return whether tau under a rule is there at once; the tail takes a density a fold."""
        return rule != "tail" or all((fold, k) in self._memo.tails for fold in self.folds(k))

    def remembered(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """Return what was made under a key; it is made once, and the latest few are kept."""
        kept = self._memo.kept
        if key not in kept:
            kept[key] = make()
            if len(kept) > _MOST_KEPT:
                del kept[next(iter(kept))]
        found: Kept = kept[key]
        return found

    def untested(self) -> list[Cell]:
        """Return the finished cells whose curves are not yet tested against UserKNN's."""
        return [
            cell
            for cell in sorted(self.done)
            if cell[1] != "userknn" and cell not in self._memo.growth_tests
        ]

    def test_growth(self, cell: Cell) -> None:
        """Test the curves of a cell against UserKNN's, and remember it."""
        self._memo.growth_tests[cell] = self.experiment.growth_tests(*cell)

    def work_out_tails(self) -> None:
        """Find the tails of all that is finished, so that no page has to wait for them."""
        for fold, strategy, k in sorted(self.done):
            if strategy == "userknn":
                self._memo.tau("tail", fold, k)

    def suggested_tau(self, rule: str, k: int) -> float:
        """Return tau under a rule, mean over folds. Rounded, so that what is shown is used."""
        return round(float(np.mean(self.tau_in_folds(rule, k))), 2)

    def tau_in_folds(self, rule: str, k: int) -> list[float]:
        """Return tau under a rule, one a fold."""
        return [self._memo.tau(rule, fold, k) for fold in self.folds(k)]


@dataclass(frozen=True)
class At:
    """What a strategy comes to under one protection and tau; NaN where undefined."""

    mae: float
    privacy_risk: float
    protected_uses: float
    vulnerable_share: float
    secure_risk: float


@dataclass(frozen=True, eq=False)
class TopLists:
    """Which items the top-10 lists of all users have, all folds together."""

    item_frequency: np.ndarray  # (n_items,) int64: in how many lists each item is
    pp_corr: float | None  # None where it is undefined
    coverage: float  # share of all items that are in some list


def _sweep_at(sweep: Sweep, tau: float) -> dict[str, float | None]:
    return sweep.at(min(tau, float(sweep.largest)))


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def mean_at(each: Sequence[At]) -> At:
    """Return the mean over folds, of each measure over those in which it is defined.

    >>> two = At(0.8, 30.0, 0.5, 0.2, float("nan")), At(0.9, 40.0, 0.7, 0.4, 12.0)
    >>> mean_at(two).privacy_risk, mean_at(two).secure_risk
    (35.0, 12.0)
    """

    def mean(measure: str) -> float:
        values = np.array([getattr(at, measure) for at in each])
        defined = values[np.isfinite(values)]
        return float(defined.mean()) if defined.size else float("nan")

    return At(**{field.name: mean(field.name) for field in fields(At)})


class _Memo:
    """What is worth remembering between two looks at the same page."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.top_lists = lru_cache(maxsize=64)(self._top_lists)
        self.frequency = lru_cache(maxsize=100)(self._frequency)
        self.tops = lru_cache(maxsize=100)(self._tops)
        self.sweep_means = lru_cache(maxsize=128)(self._sweep_means)
        self.tails: dict[tuple[int, int], float] = {}
        self.kept: dict[Hashable, Any] = {}
        self.growth_tests: dict[Cell, dict[str, np.ndarray]] = {}

    def _top_lists(
        self, folds: tuple[int, ...], strategy: str, protection: str, k: int, tau: float
    ) -> TopLists:
        from engine.results import popularity_bias

        found = [self.frequency(fold, strategy, protection, k, tau) for fold in folds]
        frequency = np.sum(found, axis=0)
        bias = popularity_bias(frequency, self.experiment.popularity)
        return TopLists(frequency, bias["pp_corr"], bias["coverage"] or 0.0)

    def _sweep_means(
        self, folds: tuple[int, ...], strategy: str, k: int
    ) -> tuple[np.ndarray, np.ndarray]:
        sweeps = [self.experiment.sweep(fold, strategy, k) for fold in folds]
        largest = max(sweep.largest for sweep in sweeps)
        # Above its largest usage nothing changes in a fold.
        at = [np.minimum(np.arange(largest + 1), sweep.largest) for sweep in sweeps]
        errors = [sweep.mae[a] for sweep, a in zip(sweeps, at, strict=True)]
        risks = [sweep.privacy_risk[a] for sweep, a in zip(sweeps, at, strict=True)]
        return np.mean(errors, axis=0), np.mean(risks, axis=0)

    def _frequency(
        self, fold: int, strategy: str, protection: str, k: int, tau: float
    ) -> np.ndarray:
        if protection == "vulnerable":
            top = self.tops(fold, strategy, k, tau)
            return np.bincount(top[top >= 0], minlength=self.experiment.ratings.n_items)
        # The run has kept these.
        return self.experiment.evaluate(fold, strategy, protection, k, tau).item_frequency

    def _tops(self, fold: int, strategy: str, k: int, tau: float) -> np.ndarray:
        # A tau that the slider passes is not worth a place in the store.
        return self.experiment.top_items(fold, strategy, "vulnerable", k, tau)

    @cached_property
    def profile(self) -> np.ndarray:
        from engine.popularity_groups import profile_popularity

        ratings = self.experiment.ratings
        return profile_popularity(
            ratings.user, ratings.item, self.experiment.popularity, ratings.n_users
        )

    def tau(self, rule: str, fold: int, k: int) -> float:
        if rule != "tail":
            return self.experiment.tau(rule, fold, k)
        if (fold, k) not in self.tails:
            self.tails[fold, k] = self.experiment.tau(rule, fold, k)
        return self.tails[fold, k]
