"""Coverage and PP-Corr at every tau, worked out in the background.

The top lists of a strategy are followed over every tau: some seconds each on a million ratings.
What was followed is kept in the store.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.experiment import Experiment
from pages.parts.looks import name_of
from pages.parts.runs.on_demand import ask_once
from pages.parts.runs.runs_of_ratings import Kind, run_key
from pages.parts.runs.worker import Run


@dataclass(frozen=True, eq=False)
class TopLists:
    """The strategies whose top lists are followed at one k, and how many of them are done."""

    experiment: Experiment
    strategies: tuple[str, ...]
    k: int
    folds: tuple[int, ...]
    done: int = 0


def ask_top_lists(
    experiment: Experiment, strategies: tuple[str, ...], k: int, folds: tuple[int, ...]
) -> Run[TopLists]:
    """Return the run that follows the top lists of these strategies; begin it if nobody has."""
    key = run_key(experiment, strategies, k, folds)
    asked = TopLists(experiment, strategies, k, folds)
    return ask_once(Kind.TOP_LISTS, key, asked, carry_out)


def carry_out(run: Run[TopLists]) -> None:
    """Follow the top lists of one strategy after the other. Raises `Cancelled` on request."""
    while (asked := run.result).done < len(asked.strategies):
        strategy, total = asked.strategies[asked.done], len(asked.strategies)
        run.progress(
            asked.done / total,
            f"Following the top lists of {name_of(strategy)} over every τ, {asked.done + 1} of "
            f"{total}",
        )
        asked.experiment.popularity_sweep(strategy, asked.k, asked.folds)
        run.result = replace(asked, done=asked.done + 1)
