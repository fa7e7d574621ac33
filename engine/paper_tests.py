"""Which differences the paper tests, and what the same tests say here (paper, section 4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.experiment import Experiment
from engine.growth_curves import GrowthCurve, GrowthMeasure, growth_curve
from engine.outcome import Outcome
from engine.paper import PaperFigure
from engine.setting_tests import TESTED_METRICS, SettingTest, compare_settings, pp_corr_test
from engine.settings import Setting

#: How the paper marks what is significantly lower than with UserKNN with DP (alpha = 0.01).
STARS = "**"
#: What the paper tests against.
_BASELINE = "userknn"
#: The tests of each setting against what the paper compares it with, by metric.
PaperTests = Mapping[Setting, Mapping[str, SettingTest]]


def compared_settings(figures: Iterable[PaperFigure]) -> list[tuple[Setting, Setting]]:
    """Return each setting whose figures the paper tests, and what it is compared with.

    >>> from engine.paper import paper_tables
    >>> [(setting.strategy, baseline.strategy)
    ...     for setting, baseline in compared_settings(paper_tables().figures_of("ciao"))]
    [('userknn+reuse', 'userknn'), ('expect', 'userknn'), ('gain', 'userknn')]
    """
    of_figures = dict.fromkeys(figure.setting for figure in figures)
    settings = [setting for setting in of_figures if setting.protection == "vulnerable"]
    baselines = {setting.k: setting for setting in settings if setting.strategy == _BASELINE}
    return [
        (setting, baselines[setting.k])
        for setting in settings
        if setting.strategy != _BASELINE and setting.k in baselines
    ]


def run_paper_tests(
    experiment: Experiment,
    figures: Iterable[PaperFigure],
    folds: Iterable[int] | None = None,
) -> PaperTests:
    """Return the tests of the paper, in some folds, or in all."""
    numbers = experiment.numbers_of(folds)
    return {
        setting: compare_settings(experiment, setting, baseline, numbers)
        for setting, baseline in compared_settings(figures)
    }


def growth_of(
    experiment: Experiment,
    figures: Iterable[PaperFigure],
    measure: GrowthMeasure,
    folds: Iterable[int] | None = None,
) -> dict[Setting, GrowthCurve]:
    """Return the tested curve of a measure under each setting that the paper tests (5.1.1).

    The tests are one-tailed: fewer neighbors, or more co-ratings, than with UserKNN, for each q.
    """
    numbers = experiment.numbers_of(folds)
    curves = {}
    for setting, _ in compared_settings(figures):
        strategy, k = setting.strategy, setting.k
        tests = [experiment.growth_tests(number, strategy, k) for number in numbers]
        curves[setting] = growth_curve(experiment, measure, strategy, k, numbers, tests)
    return curves


def find_test(
    metric: str, outcome: Outcome, baseline: Outcome, tests: PaperTests
) -> SettingTest | None:
    """Return the test of a metric; None where there is none. PP-Corr needs the top lists."""
    if metric == "pp_corr":
        return pp_corr_test(outcome, baseline)
    return tests[outcome.setting][metric] if metric in TESTED_METRICS else None
