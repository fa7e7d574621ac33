"""The comparison with the paper: on made ratings, with made tables of figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.datasets import Ratings
from engine.datasets.known import KNOWN
from engine.datasets.statistics import PAPER_DATASETS
from engine.errors import InputError
from engine.evaluation import evaluate
from engine.outcome import FoldOutcome, Outcome
from engine.paper import PaperDataset, PaperFigure, PaperTables, paper_tables
from engine.paper_metrics import NEEDED_METRICS, PAPER_METRICS
from engine.reproduction import (
    Cause,
    compare_figures,
    recognize,
    reproduce,
    settings_of,
)
from engine.settings import Setting, Settings

K = 5
#: A metric of each kind, under the protections that the paper's tables have.
CELLS = [
    ("tau", "userknn", "none"),
    ("vulnerable_percent", "gain", "none"),
    ("mae", "userknn", "none"),
    ("mae", "gain", "vulnerable"),
    ("mae", "userknn", "vulnerable"),
    ("privacy_risk", "userknn", "none"),
    ("privacy_risk", "userknn", "full"),
    ("privacy_risk", "gain", "vulnerable"),
    ("secure_privacy_risk", "gain", "vulnerable"),
    ("pp_corr", "gain", "vulnerable"),
    ("coverage_percent", "userknn", "full"),
]
COLUMNS = [
    "metric", "strategy", "protection", "k", "paper", "here", "difference", "tolerance", "within",
    "spread", "cause", "stars_paper", "stars_here", "p_one_tailed", "p_two_tailed", "effect",
]  # fmt: skip


def tables_of(ratings: Ratings, figures: list[PaperFigure]) -> PaperTables:
    counts = (ratings.n_users, ratings.n_items, ratings.n_ratings)
    return PaperTables((PaperDataset("made", "stars", 1, 5, *counts),), tuple(figures))


def made_figures(values: list[float] | None = None) -> list[PaperFigure]:
    return [
        PaperFigure(metric, "made", strategy, protection, K, value)
        for (metric, strategy, protection), value in zip(
            CELLS, values or [0.0] * len(CELLS), strict=True
        )
    ]


@pytest.fixture(scope="module")
def measured(small_ratings: Ratings) -> list[float]:
    """What `evaluate` gives for each of the cells, in the paper's unit."""
    settings = Settings(ks=(K,), strategies=("userknn", "gain"), mechanism="continuous")
    means = evaluate(small_ratings, settings).query("fold == 'mean'")
    means = means.set_index(["strategy", "protection"])
    return [
        float(means.loc[(strategy, protection), PAPER_METRICS[metric].name])
        * PAPER_METRICS[metric].scale
        for metric, strategy, protection in CELLS
    ]


@pytest.fixture(scope="module")
def small_ratings() -> Ratings:
    draws = np.random.RandomState(3)
    pairs = [(user, item) for user in range(30) for item in range(20) if draws.rand() < 0.5]
    users, items = zip(*pairs, strict=True)
    return Ratings.from_columns(users, items, draws.randint(1, 6, len(pairs)), name="any name")


def test_figures_that_are_met(small_ratings: Ratings, measured: list[float]) -> None:
    table = reproduce(small_ratings, tables=tables_of(small_ratings, made_figures(measured)))
    assert list(table.columns) == COLUMNS
    assert table["here"].tolist() == pytest.approx(measured)
    assert table["within"].all()
    assert table["cause"].isna().all()
    # PP-Corr and coverage follow from all folds together; all others scatter over them.
    has_spread = ~table["metric"].isin(["pp_corr", "coverage_percent"])
    assert table["spread"].notna().tolist() == has_spread.tolist()


@pytest.mark.parametrize("place", range(len(CELLS)))
def test_a_figure_just_beyond_its_tolerance(
    small_ratings: Ratings, measured: list[float], place: int
) -> None:
    metric = PAPER_METRICS[CELLS[place][0]]
    for factor, within in ((0.99, True), (1.01, False)):
        values = list(measured)
        # From above; what is relative is a share of the paper's figure.
        values[place] = (values[place] + factor * metric.absolute) / (1 - factor * metric.relative)
        figures = made_figures(values)
        table = reproduce(small_ratings, tables=tables_of(small_ratings, figures))
        expected = [True] * len(CELLS)
        expected[place] = within
        assert table["within"].tolist() == expected
        assert (table.loc[place, "cause"] == Cause.UNKNOWN.value) is not within


def test_the_settings_of_the_paper_whatever_is_asked(small_ratings: Ratings) -> None:
    tables = tables_of(small_ratings, made_figures())
    plain = reproduce(small_ratings, tables=tables)
    asked = Settings(ks=(3,), strategies=("expect",), tau=7, mechanism="continuous")
    assert reproduce(small_ratings, asked, tables=tables).equals(plain)


def test_discrete_noise_is_a_cause_where_there_is_noise(
    small_ratings: Ratings, measured: list[float]
) -> None:
    tables = tables_of(small_ratings, made_figures([value + 5 for value in measured]))
    table = reproduce(small_ratings, Settings(mechanism="discrete"), tables=tables)
    causes = dict(zip(CELLS, table["cause"], strict=True))
    from_noise = {cell for cell, cause in causes.items() if cause == Cause.MECHANISM.value}
    assert from_noise == {
        ("mae", "gain", "vulnerable"),
        ("mae", "userknn", "vulnerable"),
        ("pp_corr", "gain", "vulnerable"),
        ("coverage_percent", "userknn", "full"),
    }
    assert causes["mae", "userknn", "none"] == Cause.UNKNOWN.value


def test_what_is_tested_against_userknn_with_dp(small_ratings: Ratings) -> None:
    table = reproduce(small_ratings, tables=tables_of(small_ratings, made_figures()))
    tested = table[table["stars_here"].notna()]
    assert set(zip(tested["metric"], tested["strategy"], tested["protection"], strict=True)) == {
        (metric, "gain", "vulnerable")
        for metric in ("mae", "privacy_risk", "secure_privacy_risk", "pp_corr")
    }
    # The mark is for a lower value in every fold: the largest of their p-values decides.
    assert tested["stars_here"].tolist() == [
        "**" if p < 0.01 else "" for p in tested["p_one_tailed"]
    ]
    assert (tested["stars_paper"] == "").all()


def made_outcome(setting: Setting, taus: list[float], **in_folds: list[float]) -> Outcome:
    folds = [
        FoldOutcome(number, tau, {name: values[number] for name, values in in_folds.items()})
        for number, tau in enumerate(taus)
    ]
    return Outcome(setting, folds)


def test_causes_of_small_differences() -> None:
    setting = Setting("gain", 10)
    outcome = made_outcome(
        setting,
        [90.5, 92.5],
        privacy_risk=[40.0, 40.2],
        vulnerable_share=[0.4, 0.4],
        secure_risk=[10.0, 10.0],
        mae=[0.80, 0.80],
    )

    def cause(metric: str, value: float) -> Cause | None:
        figure = PaperFigure(metric, "made", "gain", "vulnerable", 10, value)
        [reproduced] = compare_figures([figure], [outcome])
        assert reproduced.within
        return reproduced.cause

    # Two of five users are vulnerable, and tau is half a use beyond a whole one: 0.4 * 0.5.
    assert cause("privacy_risk", 40.1 - 0.2) is Cause.WHOLE_USES
    # The standard error of 40.0 and 40.2 is 0.1.
    assert cause("privacy_risk", 40.1 + 0.2) is Cause.FOLDS
    assert cause("privacy_risk", 40.1 + 0.3) is Cause.TIES
    assert cause("secure_privacy_risk", 10.1) is Cause.TIES
    assert cause("mae", 0.8055) is Cause.COINS
    assert cause("mae", 0.8045) is None


def test_ratings_are_recognized_by_counts_then_by_name(small_ratings: Ratings) -> None:
    tables = tables_of(small_ratings, [])
    assert recognize(small_ratings, tables).name == "made"
    ciao = replace(small_ratings, name="ciao")
    assert recognize(ciao).name == "ciao"
    assert recognize(ciao, tables).name == "made"
    with pytest.raises(InputError, match=r"no dataset of the paper: it has 30 users.*goodreads"):
        recognize(small_ratings)


def test_tables_of_the_paper() -> None:
    tables = paper_tables()
    names = {dataset.name for dataset in tables.datasets}
    assert {figure.dataset for figure in tables.figures} == names
    assert {figure.metric for figure in tables.figures} == set(PAPER_METRICS)
    for name in names:
        figures = tables.figures_of(name)
        assert len(figures) == 31
        assert {figure.k for figure in figures} == {10}
        assert len(settings_of(figures)) == 9
    cells = [
        (figure.dataset, figure.metric, figure.strategy, figure.protection)
        for figure in tables.figures
    ]
    assert len(set(cells)) == len(cells) == 155


def test_the_datasets_are_those_that_are_known() -> None:
    assert tuple(dataset.name for dataset in paper_tables().datasets) == PAPER_DATASETS
    for dataset in paper_tables().datasets:
        known = KNOWN[dataset.name]
        counts = (dataset.users, dataset.items, dataset.ratings)
        assert counts == (known.users, known.items, known.ratings)


def test_what_the_comparison_needs() -> None:
    assert set(NEEDED_METRICS) == {
        "vulnerable_share", "mae", "privacy_risk", "secure_risk", "pp_corr", "coverage",
    }  # fmt: skip
