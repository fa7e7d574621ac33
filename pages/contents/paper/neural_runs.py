"""NeuKNN in the background: it learns vectors, and measures its two strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from weakref import ReferenceType

from engine.embeddings import Embeddings
from engine.experiment import Experiment
from engine.outcome import Outcome
from engine.settings import Setting
from engine.strategies import STRATEGIES
from pages.parts.looks import named
from pages.parts.runs.runs_of_ratings import Kind, begin_run, runs_of
from pages.parts.runs.worker import Run, Runs

#: The strategies whose neighbors come from embeddings.
NEURAL: Final = tuple(name for name, strategy in STRATEGIES.items() if strategy.needs_embeddings)
#: What is measured, under the names of the engine.
NEURAL_METRICS: Final = (
    "mae", "predicted_share", "data_usage", "vulnerable_share", "privacy_risk", "secure_risk",
    "ndcg", "ndcg_published", "coverage", "neighbors_at_20",
)  # fmt: skip
#: The share of the work that learning and choosing neighbors take.
_CHOOSING: Final = 0.9


@dataclass(frozen=True, eq=False)
class Neural:
    """What has been measured at one k, under the published tau; nothing until all is."""

    experiment: Experiment
    k: int
    outcomes: Sequence[Outcome] = ()
    embeddings: Sequence[Embeddings] = ()  # one for each fold

    @property
    def settings(self) -> list[Setting]:
        """The variants of the appendix."""
        cases = [("neuknn", "none"), ("neuknn", "vulnerable"), ("neuknn", "full")]
        cases += [(name, "vulnerable") for name in NEURAL if name != "neuknn"]
        return [Setting(name, self.k, "published", protection) for name, protection in cases]


def neural_runs() -> Runs[Neural]:
    """Return the worker for embeddings and its runs, one for the server."""
    return runs_of(Kind.NEUKNN)


def begin(of: ReferenceType[Experiment], k: int) -> None:
    """Begin to learn and measure, or go on."""
    begin_run(of, Kind.NEUKNN, k, partial(Neural, k=k), carry_out)


def carry_out(run: Run[Neural]) -> None:
    """Learn and measure. Raises `Cancelled` if the run is to stop; what finished is kept."""
    neural, experiment = run.result, run.result.experiment

    def report(share: float, activity: str, _: tuple[int, ...]) -> None:
        run.progress(_CHOOSING * share, f"{activity}, k = {neural.k}")

    experiment.run(NEURAL, [neural.k], progress=report, cancelled=run.stop.is_set)
    outcomes = []
    for place, setting in enumerate(neural.settings):
        share = place / len(neural.settings)
        run.progress(
            _CHOOSING + (1 - _CHOOSING) * share,
            f"Predicting with {named(setting.strategy, setting.protection)}",
        )
        outcomes.append(experiment.outcome(setting, metrics=NEURAL_METRICS))
    embeddings = [experiment.embeddings(number) for number in experiment.fold_numbers]
    experiment.release()
    run.finished_part(replace(neural, outcomes=outcomes, embeddings=embeddings))
