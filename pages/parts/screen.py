"""What a page shows: a view of the results that are finished."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from engine.datasets import Ratings
from engine.experiment import Experiment
from engine.outcome import Outcome
from engine.sweep import SWEPT
from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.wording import exactly, folds_phrase

#: Letters of a dataset's title below that of a figure: a phone has room for them.
_LONGEST_TITLE: Final = 32


@dataclass(frozen=True, eq=False, repr=False)
class Screen:
    """The settings of the sidebar with tau decided, and the results to show them with."""

    view: View
    tau: int
    title: str  # of the dataset, for Markdown
    results: Results
    pinned: Screen | None = None  # side A of a comparison; this is B

    @property
    def k(self) -> int:
        """The number of neighbors per query."""
        return self.view.k

    @property
    def experiment(self) -> Experiment:
        """What the results come from."""
        return self.results.experiment

    @property
    def ratings(self) -> Ratings:
        """The ratings that are on the screen."""
        return self.experiment.ratings

    @property
    def folds(self) -> tuple[int, ...]:
        """The folds that are finished at k."""
        return self.results.folds(self.k)

    @property
    def strategy(self) -> str:
        """The strategy chosen; UserKNN as long as the chosen one has no results."""
        return self.view.strategy if self.view.strategy in self.strategies else "userknn"

    @property
    def compared(self) -> tuple[str, str]:
        """The strategy chosen, and what it is compared with: UserKNN, or Expect for UserKNN."""
        return self.strategy, "expect" if self.strategy == "userknn" else "userknn"

    def with_strategy(self, strategy: str) -> Screen:
        """Return the same view of another strategy."""
        return replace(self, view=replace(self.view, strategy=strategy))

    def outcome(
        self,
        strategy: str | None = None,
        protection: str = "vulnerable",
        metrics: Iterable[str] = SWEPT,
    ) -> Outcome:
        """Return what a strategy comes to at the k and tau on the screen, by default the chosen.

        The sentences, numbers and figures of a page ask for the same ones again and again.
        """
        asked = strategy or self.strategy, protection, frozenset(metrics)
        if asked not in self._outcomes:
            name, protection, wanted = asked
            self._outcomes[asked] = self.results.outcome(name, self.k, self.tau, protection, wanted)
        return self._outcomes[asked]

    @cached_property
    def _outcomes(self) -> dict[tuple[str, str, frozenset[str]], Outcome]:
        return {}

    @property
    def protects_nobody(self) -> bool:
        """Whether nobody is used more than tau times, so that no use is noisy."""
        return self.outcome().value("vulnerable_share") == 0

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that have results at k."""
        return self.results.strategies(self.k)

    @property
    def title_in_figure(self) -> str:
        """The title of the dataset as a figure shows it: short, and not escaped for Markdown."""
        title = self.ratings.title
        return title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}…"

    @property
    def settings_line(self) -> str:
        """Which view a figure is of, also where it is copied from a page or a report."""
        half = ", half of the queries" if self.results.half else ""
        return f"{self.title_in_figure}, k = {self.k}, τ = {exactly(self.tau)}{half}"

    @property
    def folds_phrase(self) -> str:
        """What the numbers are a mean of."""
        return folds_phrase(len(self.folds), self.results.planned_folds)

    @property
    def fold_sentence(self) -> str:
        """What a fold is: how many of the ratings are asked for in it."""
        share = "tenth" if self.results.half else "fifth"
        return f"A fold is one test run: a {share} of the ratings are asked for, each once."
