"""What a page shows: a view of the results that are finished."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.wording import folds_phrase


@dataclass(frozen=True, eq=False)
class Screen:
    """The settings of the sidebar with tau decided, and the results to show them with."""

    view: View
    tau: float
    title: str  # of the dataset
    results: Results
    pinned: Screen | None = None  # side A of a comparison; this is B

    @property
    def k(self) -> int:
        """The number of neighbors per query."""
        return self.view.k

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

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that have results at k."""
        return self.results.strategies(self.k)

    @property
    def folds_phrase(self) -> str:
        """What the numbers are a mean of."""
        return folds_phrase(len(self.results.folds(self.k)), self.results.planned_folds)
