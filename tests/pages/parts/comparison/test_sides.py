"""A against B: what counts as a difference, and what cannot be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.datasets import generate
from engine.experiment import Experiment
from engine.judgement import Judgement
from engine.strategies import PAPER_STRATEGIES
from pages.parts.address import View
from pages.parts.comparison.sides import compare_screens, comparison_section, sides_sentence
from pages.parts.measures import (
    COVERAGE,
    MAE_WITH,
    MAE_WITHOUT,
    OVERVIEW,
    PP_CORR_WITH,
    VULNERABLE,
)
from pages.parts.runs.results import Results
from pages.parts.screen import Screen


@pytest.fixture
def screen(results: Results) -> Screen:
    return Screen(View(dataset="small", tau=30, strategy="gain"), 30, "small", results)


def test_values_are_those_of_the_pages(screen: Screen):
    a = screen.with_strategy("userknn")
    mine, theirs = (
        screen.results.outcome(strategy, 10, 30.0) for strategy in (screen.strategy, "userknn")
    )
    for measure, name in ((MAE_WITH, "mae"), (VULNERABLE, "vulnerable_share")):
        difference = compare_screens(a, screen, measure)
        assert difference.first == pytest.approx(theirs.value(name))
        assert difference.second == pytest.approx(mine.value(name))
    without = screen.results.outcome("gain", 10, 30.0, "none").value("mae")
    assert compare_screens(a, screen, MAE_WITHOUT).second == pytest.approx(without)
    lists = screen.results.outcome("gain", 10, 30.0, metrics=("pp_corr", "coverage"))
    assert compare_screens(a, screen, PP_CORR_WITH).second == lists.value("pp_corr")
    assert compare_screens(a, screen, COVERAGE).second == lists.value("coverage")


def test_the_same_settings_differ_in_nothing(screen: Screen):
    same = replace(screen, pinned=screen)
    judgements = {compare_screens(screen, same, measure).judgement for measure in OVERVIEW}
    assert judgements <= {Judgement.NO_DIFFERENCE, Judgement.UNDEFINED}
    (exhibit,) = comparison_section(same, OVERVIEW).exhibits
    assert set(exhibit.table["a clear difference?"]) <= {"no difference", "undefined"}
    assert "the same settings" in sides_sentence(same)


def test_both_sides_have_the_noise_that_is_set_and_it_is_said(screen: Screen):
    assert "Both have" not in sides_sentence(replace(screen, pinned=screen))
    noisy = replace(screen, view=replace(screen.view, memoised=True, seed=7))
    assert "Both have memoised answers and seed 7." in sides_sentence(replace(noisy, pinned=screen))


def test_folds_that_only_one_side_has_make_no_pair(results: Results, screen: Screen):
    fewer = replace(results, done=frozenset(cell for cell in results.done if cell[0] == 2))
    a = replace(screen.with_strategy("userknn"), results=fewer)
    difference = compare_screens(a, screen, MAE_WITH)
    assert difference.judgement is Judgement.ONE_FOLD
    assert difference.first == results.experiment.sweep(2, "userknn", 10).mae[30]


def test_other_data_cannot_be_paired(screen: Screen):
    experiment = Experiment(generate(users=40, items=60, ratings=900))
    experiment.run(PAPER_STRATEGIES, (5,))
    cells = {
        (fold, strategy, 5) for fold in experiment.fold_numbers for strategy in PAPER_STRATEGIES
    }
    a = Screen(View(dataset="b", k=5, tau=9), 9, "b", Results(experiment).with_done(cells))
    compared = replace(screen, pinned=a)
    (exhibit,) = comparison_section(compared, OVERVIEW).exhibits
    table = exhibit.table
    assert set(table["a clear difference?"]) == {"cannot be told: different data"}
    assert "different data" in sides_sentence(compared)
