"""What becomes of a tau that is fixed today, worked out in the background.

With +Reuse the neighbors are chosen anew, which takes most of a minute on a million ratings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from engine.experiment import Experiment
from engine.repeated_queries import VulnerableOverTime, tabulate_rounds, vulnerable_over_time
from pages.parts.looks import name_of
from pages.parts.runs.on_demand import ask_once
from pages.parts.runs.runs_of_ratings import Kind, run_key
from pages.parts.runs.worker import Run

#: The share of the work that it takes to choose neighbors again.
_CHOOSING: Final = 0.7


@dataclass(frozen=True, eq=False)
class OverTime:
    """A setting whose tau is fixed for all time, and what it comes to once the run has finished."""

    experiment: Experiment
    strategy: str
    k: int
    tau: int
    folds: tuple[int, ...]
    vulnerable: VulnerableOverTime | None = None
    table: pd.DataFrame | None = None  # see `tabulate_rounds`


def ask_over_time(
    experiment: Experiment, strategy: str, k: int, tau: int, folds: tuple[int, ...]
) -> Run[OverTime]:
    """Return the run of a setting; begin it if nobody has."""
    key = run_key(experiment, strategy, k, tau, folds)
    asked = OverTime(experiment, strategy, k, tau, folds)
    return ask_once(Kind.OVER_TIME, key, asked, carry_out)


def carry_out(run: Run[OverTime]) -> None:
    """Choose neighbors again where that is needed, and count. Raises `Cancelled` on request."""
    asked, experiment = run.result, run.result.experiment
    strategy, k, tau, folds = asked.strategy, asked.k, asked.tau, asked.folds
    for done, fold in enumerate(folds):
        text = f"Asking all queries again under {name_of(strategy)}, fold {fold + 1}"
        report = run.part(text, _CHOOSING * done / len(folds), _CHOOSING / len(folds))
        report(0.0)
        experiment.neighborhoods_again(
            fold, strategy, k, progress=report, cancelled=run.stop.is_set
        )
    run.progress(_CHOOSING, "Counting the uses")
    vulnerable = vulnerable_over_time(experiment, strategy, k, tau, folds)
    report = run.part("Predicting round after round", _CHOOSING, 1 - _CHOOSING)
    table = tabulate_rounds(
        experiment, strategy, k, tau, folds, progress=report, cancelled=run.stop.is_set
    )
    run.finished_part(replace(asked, vulnerable=vulnerable, table=table))
