"""What the page The paper measures, in the background: it predicts every rating anew for each k.

It has a worker of its own, so that it need not wait for the numbers of other datasets, and an
experiment of its own, so that the predictors that make a new tau cheap stay in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.experiment import Experiment
from engine.outcome import Outcome
from engine.paper import PaperFigure
from engine.paper_metrics import NEEDED_METRICS
from engine.paper_tests import PaperTests, run_paper_tests
from engine.reproduction import settings_of
from engine.settings import PAPER_KS, Setting
from engine.strategies import PAPER_STRATEGIES
from pages.parts.looks import named
from pages.parts.runs.runs_of_ratings import Kind, run_key, runs_of
from pages.parts.runs.worker import Run, Runs, Work
from pages.parts.screen import Screen

#: Ranking in both definitions.
RANKING: Final = ("ndcg", "ndcg_published")
#: Predictors in memory: those of the strategies of one fold.
_PREDICTORS: Final = 4
_METRICS: Final = (*NEEDED_METRICS, *RANKING)


@dataclass(frozen=True, eq=False)
class Measured:
    """What has been measured so far: settings under the published tau, and the paper's tests."""

    experiment: Experiment
    figures: tuple[PaperFigure, ...]  # of the paper on these ratings; none on others
    ks: tuple[int, ...]  # over which ranking is shown
    outcomes: Mapping[Setting, Outcome] = field(default_factory=dict)
    tests: PaperTests | None = None

    @property
    def settings(self) -> list[Setting]:
        """All settings to measure, those of the figures first."""
        over_k = [setting for k in self.ks for setting in ranking_settings(k)]
        return list(dict.fromkeys([*settings_of(self.figures), *over_k]))

    @property
    def has_figures(self) -> bool:
        """Whether all that stands beside the paper's figures is there."""
        return self.tests is not None and all(
            setting in self.outcomes for setting in settings_of(self.figures)
        )

    @property
    def has_ranking(self) -> bool:
        """Whether ranking is there for every k."""
        return all(setting in self.outcomes for k in self.ks for setting in ranking_settings(k))


def ranking_settings(k: int) -> list[Setting]:
    """Return UserKNN with full DP, then each strategy of the paper with DP and without.

    >>> [(setting.strategy, setting.protection) for setting in ranking_settings(5)][:2]
    [('userknn', 'full'), ('userknn', 'vulnerable')]
    """
    full = Setting("userknn", k, "published", "full")
    return [
        full,
        *(
            Setting(strategy, k, "published", protection)
            for strategy in PAPER_STRATEGIES
            for protection in ("vulnerable", "none")
        ),
    ]


def paper_runs() -> Runs[Measured]:
    """Return the worker for this page and its runs, one for the server."""
    return runs_of(Kind.PAPER)


def finished_ks(screen: Screen) -> tuple[int, ...]:
    """Return the k for which the paper's strategies are finished in every fold.

    None where half of the queries are asked: the paper's tables are of all.
    """
    results = screen.results
    if results.half:
        return ()
    return tuple(k for k in PAPER_KS if len(results.folds(k)) == results.planned_folds)


def known_run(screen: Screen) -> Run[Measured] | None:
    """Return the run of what is on the screen, if it has begun."""
    return paper_runs().known(run_key(screen.experiment, finished_ks(screen)))


def run_of(screen: Screen, figures: tuple[PaperFigure, ...]) -> Run[Measured]:
    """Return the run of what is on the screen; begin it if nobody has."""
    experiment, ks = screen.experiment, finished_ks(screen)
    key = run_key(experiment, ks)
    for other in paper_runs().all():
        # An earlier run on the same ratings, with fewer k: what it has finished is kept.
        fingerprint = other.result.experiment.ratings.fingerprint
        if other.active and other.key != key and fingerprint == experiment.ratings.fingerprint:
            other.stop.set()

    def make() -> tuple[Measured, Work[Measured]]:
        of_these = figures if all(figure.k in ks for figure in figures) else ()
        return Measured(experiment.like_this(predictors=_PREDICTORS), of_these, ks), carry_out

    return paper_runs().ask(key, make)


def carry_out(run: Run[Measured]) -> None:
    """Measure what is missing. Raises `Cancelled` if the run is to stop."""
    experiment, figures = run.result.experiment, run.result.figures
    settings = run.result.settings
    for place, setting in enumerate(settings):
        if figures and run.result.tests is None and place == len(settings_of(figures)):
            _test(run, place / len(settings))
        if setting in run.result.outcomes:
            continue
        for number in experiment.fold_numbers:
            share = (place + number / experiment.folds) / len(settings)
            run.progress(share, _activity(setting, number, experiment.folds))
            experiment.fold_outcome(number, setting, metrics=_METRICS)
        outcome = experiment.outcome(setting, metrics=_METRICS)
        # The page is drawn anew for a part that it can show, and not for each setting.
        run.result = replace(run.result, outcomes={**run.result.outcomes, setting: outcome})
    experiment.release()
    run.finished_part(run.result)


def _test(run: Run[Measured], share: float) -> None:
    experiment, figures = run.result.experiment, run.result.figures
    for number in experiment.fold_numbers:
        run.progress(share, f"Testing differences, fold {number + 1} of {experiment.folds}")
        run_paper_tests(experiment, figures, [number])
    run.finished_part(replace(run.result, tests=run_paper_tests(experiment, figures)))


def _activity(setting: Setting, number: int, folds: int) -> str:
    name = named(setting.strategy, setting.protection)
    return f"Predicting with {name}, k = {setting.k}, fold {number + 1} of {folds}"
