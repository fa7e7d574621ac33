"""A against B: what counts as a difference, and what cannot be told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.experiment import Experiment
from pages.parts.address import View
from pages.parts.comparison.compare import differences_table, find_differences, sides_sentence
from pages.parts.comparison.difference import (
    COVERAGE,
    MAE_WITH,
    MAE_WITHOUT,
    OVERVIEW,
    PP_CORR_WITH,
    VULNERABLE,
    compare,
    judge,
)
from pages.parts.pin import read_pin, write_pin
from pages.parts.runs.results import PAPER, Results
from pages.parts.screen import Screen
from pages.parts.wording import STRATEGY


@pytest.fixture
def screen(results: Results) -> Screen:
    return Screen(View("small", 10, "gain", 30.0), 30.0, "small", results)


@pytest.mark.parametrize(
    ("differences", "verdict"),
    [
        ([0.1, 0.1, 0.1, 0.1, 0.1], "clear"),
        ([0.1, 0.2, 0.1, 0.2, 0.1], "clear"),
        ([-0.1, -0.2, -0.1, -0.2, -0.1], "clear"),
        # The same sign in all folds, but one fold makes most of the mean.
        ([0.001, 0.001, 0.001, 0.001, 1.0], "noise"),
        # Far from 0 in the mean, but not in every fold.
        ([1.0, 1.1, 1.0, 1.1, -0.01], "noise"),
        ([0.0, 1.0, 1.0, 1.0, 1.0], "noise"),
        ([0.0, 0.0, 0.0], "none"),
        ([0.3], "one fold"),
        ([0.3, np.nan], "undefined"),
        ([], "undefined"),
    ],
)
def test_a_difference_counts_in_every_fold_or_not_at_all(differences: list[float], verdict: str):
    b = np.array(differences, dtype=float)
    assert judge(np.zeros(b.size), b) == verdict


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=6), st.floats(-5, 5))
def test_which_side_is_a_does_not_matter(values: list[float], shift: float):
    a = np.array(values)
    b = np.roll(a, 1) + shift
    assert judge(a, b) == judge(b, a)


def test_values_are_those_of_the_pages(screen: Screen):
    a = screen.with_strategy("userknn")
    mine, theirs = (
        screen.results.at(strategy, 10, 30.0) for strategy in (screen.strategy, "userknn")
    )
    for measure, name in ((MAE_WITH, "mae"), (VULNERABLE, "vulnerable_share")):
        found = compare(a, screen, measure)
        assert found.a == pytest.approx(getattr(theirs, name))
        assert found.b == pytest.approx(getattr(mine, name))
    without = compare(a, screen, MAE_WITHOUT)
    assert without.b == pytest.approx(screen.results.at("gain", 10, 30.0, "none").mae)
    lists = screen.results.top_lists("gain", "vulnerable", 10, 30.0)
    assert compare(a, screen, PP_CORR_WITH).b == lists.pp_corr
    assert compare(a, screen, COVERAGE).b == lists.coverage


def test_the_same_settings_differ_in_nothing(screen: Screen):
    same = replace(screen, pinned=screen)
    assert {found.verdict for found in find_differences(same, OVERVIEW)} <= {"none", "undefined"}
    assert "the same settings" in sides_sentence(same)


def test_folds_that_only_one_side_has_make_no_pair(results: Results, screen: Screen):
    fewer = replace(results, done=frozenset(cell for cell in results.done if cell[0] == 2))
    a = replace(screen.with_strategy("userknn"), results=fewer)
    found = compare(a, screen, MAE_WITH)
    assert found.verdict == "one fold"
    assert found.a == results.experiment.sweep(2, "userknn", 10).at(30)["mae"]


def test_other_data_cannot_be_paired(screen: Screen):
    experiment = Experiment(generate(users=40, items=60, ratings=900))
    experiment.run(PAPER, (5,))
    cells = {(fold, strategy, 5) for fold in experiment.fold_numbers for strategy in PAPER}
    a = Screen(View("b", 5, "expect", 9.0), 9.0, "b", Results.of(experiment).with_done(cells))
    compared = replace(screen, pinned=a)
    table = differences_table(find_differences(compared, OVERVIEW))
    assert set(table["a clear difference?"]) == {"cannot be told: different data"}
    assert "different data" in sides_sentence(compared)


@given(
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1),
    st.sampled_from((5, 10, 30)),
    st.floats(0, 1e6).map(lambda tau: round(tau, 3)),
    st.sampled_from(list(STRATEGY)),
)
def test_a_pin_is_read_as_it_was_written(name: str, k: int, tau: float, strategy: str):
    text = write_pin(View(name, k, strategy, None), tau)
    assert read_pin(text, ["sample", name]) == (View(name, k, strategy, tau), "")


@pytest.mark.parametrize(
    "text", ["x", "small_10_30", "small_7_30_gain", "small_10_-1_gain", "small_10_30_foo", "___"]
)
def test_a_pin_that_is_none_says_so(text: str):
    view, note = read_pin(text, ["sample", "small"])
    assert view is None
    assert "Nothing is pinned" in note


def test_a_pinned_dataset_that_is_not_here_is_not_replaced():
    view, note = read_pin("gone_10_30_gain", ["sample"])
    assert view is None
    assert "gone is not here" in note
