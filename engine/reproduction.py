"""Are the paper's figures met? Each one beside what comes out here, and why the two may differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import pandas as pd

from cache import Store
from engine.datasets import Ratings
from engine.errors import InputError
from engine.evaluation import choose_by_fold, make_experiment
from engine.growth_curves import GROWTH_MEASURES, GrowthCurve, GrowthMeasure
from engine.outcome import METRICS, FoldOutcome, Outcome, none_if_nan
from engine.paper import PaperDataset, PaperFigure, PaperTables, paper_tables
from engine.paper_metrics import NEEDED_METRICS, PAPER_METRICS
from engine.paper_tests import (
    STARS,
    PaperTests,
    compared_settings,
    find_test,
    growth_of,
    run_paper_tests,
)
from engine.privacy import whole_uses
from engine.setting_tests import SettingTest
from engine.settings import Setting, Settings

_STANDARD_ERRORS = 2


class Cause(Enum):
    """Why a figure differs from the paper's, as far as it is known.

    Ties between equal neighbors and the coins of the mechanism are drawn at random. tau depends on
    the ties, because it follows UserKNN's usage. WHOLE_USES is a finding: in the paper's tables the
    risk of vulnerable users fits floor(tau) better than tau.
    """

    FOLDS = "within the noise of the folds"
    WHOLE_USES = "risk in whole uses: floor(tau), not tau"
    TIES = "other draws of ties"
    COINS = "other draws of coins and ties"
    MECHANISM = "discrete noise here, continuous there"
    UNKNOWN = "not known"


@dataclass(frozen=True)
class ReproducedFigure:
    """A figure of the paper and what it comes to here, in the paper's unit.

    `here` is the mean over the folds. `spread` is the sample standard deviation over the folds. It
    is NaN for one fold, and for PP-Corr and coverage, which follow from all folds together. `cause`
    is None where the two agree in the decimals that the paper prints. `test` compares the setting
    with UserKNN with protection of the vulnerable users; None where the paper tests nothing.
    """

    figure: PaperFigure
    here: float
    spread: float
    cause: Cause | None
    test: SettingTest | None = None

    @property
    def stars(self) -> str:
        """The mark of a significantly lower value, as the paper has it; "" for none."""
        return STARS if self.test is not None and self.test.is_lower else ""

    @property
    def difference(self) -> float:
        """What comes out here less the paper's figure."""
        return self.here - self.figure.value

    @property
    def tolerance(self) -> float:
        """How large a difference may be."""
        metric = PAPER_METRICS[self.figure.metric]
        return metric.absolute + metric.relative * abs(self.figure.value)

    @property
    def within(self) -> bool:
        """Whether the difference is within the tolerance."""
        return bool(abs(self.difference) <= self.tolerance)


def recognize(ratings: Ratings, tables: PaperTables | None = None) -> PaperDataset:
    """Return the dataset of the paper that these ratings are, by their counts, else by their name.

    Raises `InputError` if the paper has no such dataset.
    """
    tables = tables or paper_tables()
    dataset = tables.with_counts(ratings) or tables.with_name(ratings.name)
    if dataset is None:
        names = ", ".join(known.name for known in tables.datasets)
        raise InputError(
            f"{ratings.title} is no dataset of the paper: it has {ratings.n_users:,} users, "
            f"{ratings.n_items:,} items and {ratings.n_ratings:,} ratings. "
            f"The paper has {names}."
        )
    return dataset


def settings_of(figures: Iterable[PaperFigure]) -> list[Setting]:
    """Return the settings under which the figures were published, each once, by strategy."""
    settings = {figure.setting: None for figure in figures}
    return sorted(settings, key=lambda setting: (setting.k, setting.strategy))


def compare_figures(
    figures: Iterable[PaperFigure],
    outcomes: Iterable[Outcome],
    *,
    mechanism: str = "continuous",
    tests: PaperTests | None = None,
) -> list[ReproducedFigure]:
    """Return what each figure comes to, from the outcomes of `settings_of` under a mechanism.

    The outcomes must have `NEEDED_METRICS`. `tests` are those of `run_paper_tests`.

    >>> from engine.datasets import generate
    >>> from engine.experiment import Experiment
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> outcome = experiment.outcome(Setting("gain", 5, protection="none"))
    >>> figure = PaperFigure("privacy_risk", "made", "gain", "none", 5, 20.0)
    >>> [reproduced] = compare_figures([figure], [outcome])
    >>> reproduced.here, reproduced.within, reproduced.cause
    (21.61, False, <Cause.UNKNOWN: 'not known'>)
    """
    outcome_of = {outcome.setting: outcome for outcome in outcomes}
    listed = list(figures)
    baselines = dict(compared_settings(listed))
    compared = []
    for figure in listed:
        setting = figure.setting
        reproduced = _compare(figure, outcome_of[setting], mechanism)
        if tests is not None and setting in baselines:
            baseline = outcome_of[baselines[setting]]
            test = find_test(
                PAPER_METRICS[figure.metric].name, outcome_of[setting], baseline, tests
            )
            reproduced = replace(reproduced, test=test)
        compared.append(reproduced)
    return compared


@dataclass(frozen=True, eq=False)
class Reproduction:
    """The figures of the paper for some ratings, and the curves that the paper tests for each q."""

    figures: list[ReproducedFigure]
    growth: Mapping[GrowthMeasure, Mapping[Setting, GrowthCurve]]


def reproduce(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    tables: PaperTables | None = None,
    store: Store | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> pd.DataFrame:
    """Return a row for each figure that the paper has of these ratings.

    Columns: metric, strategy, protection, k, paper, here, difference, tolerance, within, spread,
    cause, stars_paper, stars_here, p_one_tailed, p_two_tailed, effect (see `ReproducedFigure` and
    `SettingTest`). The other arguments are those of `measure_paper`.
    """
    measured = measure_paper(ratings, settings, tables=tables, store=store, progress=progress)
    return tabulate_reproduction(measured.figures)


def measure_paper(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    tables: PaperTables | None = None,
    store: Store | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Reproduction:
    """Return what the figures come to that the paper has of these ratings, with the tests.

    Strategies, k and tau are the paper's, whatever the settings say. By default the noise is
    continuous, as in the published code. Raises `InputError` if the paper has no such dataset.
    """
    tables = tables or paper_tables()
    figures = tables.figures_of(recognize(ratings, tables).name)
    asked = settings_of(figures)
    settings = replace(
        settings or Settings(mechanism="continuous"),
        ks=tuple(dict.fromkeys(setting.k for setting in asked)),
        strategies=tuple(dict.fromkeys(setting.strategy for setting in asked)),
        tau="published",
    )
    experiment = make_experiment(ratings, settings, store)
    folds: dict[Setting, list[FoldOutcome]] = {setting: [] for setting in asked}
    for number, _ in choose_by_fold(experiment, settings, progress):
        for setting in asked:
            folds[setting].append(experiment.fold_outcome(number, setting, metrics=NEEDED_METRICS))
    outcomes = [Outcome(setting, folds[setting], experiment.popularity) for setting in asked]
    numbers = settings.fold_numbers
    tests = run_paper_tests(experiment, figures, numbers)
    mechanism = experiment.mechanism.name
    return Reproduction(
        compare_figures(figures, outcomes, mechanism=mechanism, tests=tests),
        {name: growth_of(experiment, figures, name, numbers) for name in GROWTH_MEASURES},
    )


def tabulate_reproduction(reproduced: Iterable[ReproducedFigure]) -> pd.DataFrame:
    """Return a row for each figure; see `reproduce` for the columns."""
    rows = [
        {
            "metric": row.figure.metric,
            "strategy": row.figure.strategy,
            "protection": row.figure.protection,
            "k": row.figure.k,
            "paper": row.figure.value,
            "here": row.here,
            "difference": row.difference,
            "tolerance": row.tolerance,
            "within": row.within,
            "spread": none_if_nan(row.spread),
            "cause": row.cause.value if row.cause else None,
            "stars_paper": row.figure.stars if row.test else None,
            "stars_here": row.stars if row.test else None,
            "p_one_tailed": none_if_nan(row.test.p_one_tailed) if row.test else None,
            "p_two_tailed": none_if_nan(row.test.p_two_tailed) if row.test else None,
            "effect": none_if_nan(row.test.effect) if row.test else None,
        }
        for row in reproduced
    ]
    return pd.DataFrame(rows)


def _compare(figure: PaperFigure, outcome: Outcome, mechanism: str) -> ReproducedFigure:
    metric = PAPER_METRICS[figure.metric]
    if metric.name == "tau":
        in_folds, value = np.array([fold.tau for fold in outcome.folds]), outcome.tau
    else:
        in_folds, value = outcome.in_folds(metric.name), outcome.value(metric.name)
    is_pooled = metric.name != "tau" and METRICS[metric.name].source == "lists"
    has_spread = in_folds.size > 1 and not is_pooled
    spread = float(in_folds.std(ddof=1)) * metric.scale if has_spread else np.nan
    reproduced = ReproducedFigure(figure, value * metric.scale, spread, None)
    return replace(reproduced, cause=_find_cause(reproduced, outcome, mechanism))


def _find_cause(reproduced: ReproducedFigure, outcome: Outcome, mechanism: str) -> Cause | None:
    """Return the first cause that is large enough; a figure beyond its tolerance has none."""
    figure, gap = reproduced.figure, abs(reproduced.difference)
    metric = PAPER_METRICS[figure.metric]
    if gap <= metric.rounding:
        return None
    is_noisy = metric.depends_on_noise and figure.protection != "none"
    if is_noisy and mechanism != "continuous":
        return Cause.MECHANISM
    if not reproduced.within:
        return Cause.UNKNOWN
    if figure.metric == "privacy_risk" and figure.protection == "vulnerable":
        with_whole_uses = reproduced.difference - _beyond_whole_uses(outcome)
        if abs(with_whole_uses) < gap / 2:
            return Cause.WHOLE_USES
    # The published code splits into the same folds, so the folds' noise bounds what draws can do.
    if gap <= metric.rounding + _STANDARD_ERRORS * reproduced.spread / np.sqrt(len(outcome.folds)):
        return Cause.FOLDS
    return Cause.COINS if is_noisy else Cause.TIES


def _beyond_whole_uses(outcome: Outcome) -> float:
    """Return by how much the mean privacy risk exceeds that at floor(tau), for the same usage.

    Uses are whole, so min(tau, uses) - min(floor(tau), uses) is tau - floor(tau) for whoever has
    more than tau uses, and 0 for the others.
    """
    beyond = np.array([fold.tau - whole_uses(fold.tau) for fold in outcome.folds])
    return float(np.mean(outcome.in_folds("vulnerable_share") * beyond))
