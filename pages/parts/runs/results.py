"""What a run has finished: all that the pages draw comes from here.

Nothing in here chooses neighbors: only cells that a run has finished are read, so that a page
never waits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from engine.experiment import Experiment
from engine.growth_curves import GrowthTests
from engine.outcome import Outcome
from engine.settings import PAPER_KS, Setting
from engine.strategies import STRATEGIES
from engine.sweep import SWEPT, SweepOverFolds
from pages.parts.looks import shown_strategies
from pages.parts.runs.run_strategies import core_strategies, extra_strategies

Cell = tuple[int, str, int]  # fold, strategy, k
Made = TypeVar("Made")
#: What is remembered under keys of the pages' own.
_MOST_REMEMBERED = 16


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """An experiment and the cells of it that are finished."""

    experiment: Experiment
    done: frozenset[Cell] = frozenset()
    _tests: dict[Cell, GrowthTests] = field(default_factory=dict)
    _tails: set[Cell] = field(default_factory=set)
    _remembered: dict[Hashable, Any] = field(default_factory=dict)

    def with_done(self, cells: set[Cell]) -> Results:
        """Return these results with more cells finished."""
        return replace(self, done=self.done | cells)

    @property
    def planned_folds(self) -> int:
        """The number of folds of a complete run."""
        return len(self.experiment.fold_numbers)

    @property
    def half(self) -> bool:
        """Whether half of the queries are asked, so that strategies with embeddings are there."""
        return self.experiment.queries == "half"

    @cached_property
    def core(self) -> tuple[str, ...]:
        """The strategies that are finished in every fold that counts: the paper's, and NeuKNN."""
        return core_strategies(half=self.half)

    @property
    def extras(self) -> tuple[str, ...]:
        """The strategies that a run computes after those of the core."""
        return extra_strategies(self.experiment.ratings.n_ratings, half=self.half)

    def folds(self, k: int) -> tuple[int, ...]:
        """Return the folds in which the strategies of the core are finished at k."""
        return tuple(
            fold
            for fold in self.experiment.fold_numbers
            if all((fold, strategy, k) in self.done for strategy in self.core)
        )

    def ks(self, asked: int) -> tuple[int, ...]:
        """Return those k that are finished in the same folds as the k that is asked for."""
        return tuple(k for k in PAPER_KS if self.folds(k) == self.folds(asked))

    def strategies(self, k: int) -> tuple[str, ...]:
        """Return the strategies that are finished in all these folds, in the engine's order."""
        folds = self.folds(k)
        return tuple(
            strategy
            for strategy in shown_strategies(embeddings=True)
            if folds and all((fold, strategy, k) in self.done for fold in folds)
        )

    def usages(self, strategy: str, k: int) -> list[np.ndarray]:
        """Return the data usage of all users, an array (n_users,) for each fold."""
        return [self.experiment.usage(fold, strategy, k) for fold in self.folds(k)]

    def largest_usage(self, k: int) -> int:
        """Return the largest data usage of any strategy at k."""
        return max(self.sweep(strategy, k).largest for strategy in self.strategies(k))

    def outcome(
        self,
        strategy: str,
        k: int,
        tau: float,
        protection: str = "vulnerable",
        metrics: Iterable[str] = SWEPT,
    ) -> Outcome:
        """Return what a setting comes to over the finished folds.

        By default with those metrics that are known at once for every tau. The others take a
        prediction of all ratings, which is kept in memory and not in the store: a tau that the
        slider passes is not worth a place there.
        """
        setting = Setting(strategy, k, tau, protection)
        keep = protection != "vulnerable"  # the run has kept what does not depend on tau
        return self.experiment.outcome(setting, self.folds(k), metrics=metrics, keep=keep)

    def sweep(self, strategy: str, k: int) -> SweepOverFolds:
        """Return what every whole tau comes to over the finished folds."""
        return self.experiment.sweep_over_folds(strategy, k, self.folds(k))

    def growth_tests(self, strategy: str, k: int) -> list[GrowthTests] | None:
        """Return the tests of both curves against the baseline's, by fold; None until all are made.

        See `Experiment.growth_tests`.
        """
        tests = [self._tests.get((fold, strategy, k)) for fold in self.folds(k)]
        finished = [test for test in tests if test is not None]
        return finished if finished and len(finished) == len(tests) else None

    def untested(self) -> list[Cell]:
        """Return the finished cells whose curves are not yet tested against their baseline's."""
        return [
            cell
            for cell in sorted(self.done)
            if cell[1] != STRATEGIES[cell[1]].baseline and cell not in self._tests
        ]

    def test_growth(self, cell: Cell) -> None:
        """Test the curves of a cell against its baseline's, and remember it."""
        self._tests[cell] = self.experiment.growth_tests(*cell)

    def knows_tau(self, rule: str, k: int, strategy: str) -> bool:
        """Return whether tau under a rule is there at once; the tail takes a density a fold."""
        baseline = STRATEGIES[strategy].baseline
        return rule != "tail" or all((fold, baseline, k) in self._tails for fold in self.folds(k))

    def work_out_tails(self) -> None:
        """Find the tails of all that is finished, so that no page has to wait for them."""
        for fold, strategy, k in sorted(self.done):
            if strategy == STRATEGIES[strategy].baseline:
                self.experiment.tau("tail", fold, k, strategy)
                self._tails.add((fold, strategy, k))

    def suggested_tau(self, rule: str, k: int, strategy: str = "userknn") -> float:
        """Return tau under a rule, mean over folds. Rounded, so that what is shown is used."""
        return round(float(np.mean(self.tau_in_folds(rule, k, strategy))), 2)

    def tau_in_folds(self, rule: str, k: int, strategy: str = "userknn") -> list[float]:
        """Return tau under a rule, from the usage of a strategy's baseline, one for each fold."""
        return [self.experiment.tau(rule, fold, k, strategy) for fold in self.folds(k)]

    def remembered(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under a key; it is made once, and the latest few are remembered."""
        memory = self._remembered
        if key not in memory:
            memory[key] = make()
            if len(memory) > _MOST_REMEMBERED:
                del memory[next(iter(memory))]
        made: Made = memory[key]
        return made
