from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.people.summary import (
    CLASSES,
    Summary,
    make_summary_figure,
    summary_sentence,
    summary_table,
    summary_title,
)
from pages.parts.runs.results import Results
from tests.pages.driving import figures, open_page, texts

usages_of = st.lists(st.integers(0, 400), min_size=4, max_size=40).map(
    lambda values: [np.array(values), np.array(values[::-1]) // 2]
)
taus = st.floats(0, 500)
FOUND = {
    "userknn": Summary.of([np.array([0, 5, 40, 90])], 10),
    "gain": Summary.of([np.array([0, 0, 2, 12])], 10),
}
NOBODY = {strategy: Summary.of([np.array([0, 2])], 10) for strategy in FOUND}


@given(usages_of, taus)
def test_the_classes_hold_every_user_once(usages: list[np.ndarray], tau: float):
    shares = Summary.of(usages, tau).shares
    assert shares.sum() == pytest.approx(1)
    assert shares[0] == pytest.approx(np.mean([(usage == 0).mean() for usage in usages]))
    assert shares[2:].sum() == pytest.approx(np.mean([(usage > tau).mean() for usage in usages]))


@pytest.mark.parametrize("strategy", ["userknn", "expect"])
@pytest.mark.parametrize("tau", [0.0, 12.0, 33.5])
def test_it_is_what_evaluate_gives(results: Results, strategy: str, tau: float):
    experiment, usages = results.experiment, results.usages(strategy, 10)
    found = [experiment.evaluate(f, strategy, "vulnerable", 10, tau) for f in results.folds(10)]
    pooled = experiment.pooled(found).metrics
    summary = Summary.of(usages, tau)
    assert summary.shares[2:].sum() == pytest.approx(pooled["vulnerable_share"])
    assert summary.epsilon == pooled["epsilon_paper"]


def test_epsilon_of_the_vulnerable_users_alone():
    usages = [np.array([4, 20, 20, 20])]
    assert Summary.of(usages, 10).quantiles == pytest.approx(np.full(3, np.log(7)))
    assert np.isnan(Summary.of(usages, 50).quantiles).all()
    assert np.isnan(Summary.of(usages, 50).epsilon)
    assert Summary.of(usages, 0).quantiles == pytest.approx(np.full(3, np.log(3)))


def test_the_words_and_the_figure_say_the_same():
    table = summary_table(FOUND).set_index("strategy")
    assert table.loc["UserKNN"].tolist()[:5] == [25, 25, 0, 50, 0]
    title = summary_title(FOUND, "gain", "userknn")
    assert title == (
        "0 % of the users have half or more of their uses protected with Gain, 50 % with UserKNN"
    )
    figure = make_summary_figure(FOUND, "gain", title)
    assert [trace.name for trace in figure.data] == list(CLASSES)
    assert [sum(trace.x[row] for trace in figure.data) for row in (0, 1)] == [1, 1]
    sentence = summary_sentence(FOUND, 10, "gain", "userknn")
    assert "**25 % of the users are used, but at most τ times" in sentence
    assert "50 % are never used" in sentence
    assert "Nobody is vulnerable" in summary_sentence(NOBODY, 10, "gain", "userknn")


def test_the_page_shows_all_users_and_says_how_to_find_one_without_a_mouse(folders):
    app = open_page("people", dataset="small", strategy="gain", tau=20)
    bars = figures(app)[-1]["data"]
    assert [bar["name"] for bar in bars] == list(CLASSES)
    assert "or type the id into the field at the top of the page" in texts(app)
