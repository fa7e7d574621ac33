from __future__ import annotations

import json

import numpy as np
import pytest
import streamlit as streamlit_module
from hypothesis import given
from hypothesis import strategies as st

from engine.pareto_front import FrontPoint
from engine.strategies import PAPER_STRATEGIES
from pages.contents.tradeoff.figures import tradeoff_outcomes
from pages.contents.tradeoff.pareto import front_of_results, sweeps_of, thinned_taus
from pages.contents.tradeoff.pareto_figure import (
    front_sentence,
    front_table,
    make_pareto_figure,
    take_point,
)
from pages.parts import memory
from pages.parts.address import View
from pages.parts.outcomes import outcome_name
from pages.parts.runs.results import Results
from tests.pages.driving import SessionState, control, figures, open_fold, open_page, texts
from tests.pages.made_outcomes import make_outcome


@given(st.integers(0, 100_000), st.integers(3, 250))
def test_thinned_taus_have_both_ends_and_are_few(largest: int, most: int):
    taus = thinned_taus(largest, most)
    assert taus[0] == 0
    assert taus[-1] == largest
    assert taus.size <= most
    assert (np.diff(taus) > 0).all()


def test_curves_are_what_each_tau_comes_to(results: Results):
    sweeps = sweeps_of(results, PAPER_STRATEGIES, 10)
    assert {(sweep.strategy, sweep.k) for sweep in sweeps} == {
        (strategy, k) for strategy in PAPER_STRATEGIES for k in results.ks(10)
    }
    assert all(sweep.k == 10 for sweep in sweeps[-4:])
    for sweep in sweeps[::5]:
        for tau in (0, sweep.largest // 2, sweep.largest):
            outcome = results.outcome(sweep.strategy, sweep.k, float(tau))
            for metric in ("mae", "privacy_risk"):
                assert sweep.mean(metric)[tau] == pytest.approx(outcome.value(metric))


def test_the_front_falls_as_the_risk_grows(results: Results):
    front = front_of_results(results, PAPER_STRATEGIES, 10)
    assert [p.privacy_risk for p in front] == sorted({p.privacy_risk for p in front})
    assert (np.diff([p.mae for p in front]) < 0).all()
    assert len(front_table(front)) == len(front)


def test_no_whole_tau_of_any_k_and_strategy_beats_the_front(results: Results):
    front = front_of_results(results, PAPER_STRATEGIES, 10)
    assert front == front_of_results(results, PAPER_STRATEGIES, 25)
    risks, errors = np.array([(p.privacy_risk, p.mae) for p in front]).T
    for k in results.ks(10):
        for strategy in PAPER_STRATEGIES:
            sweep = results.sweep(strategy, k)
            place = np.searchsorted(risks, sweep.mean("privacy_risk"), side="right") - 1
            assert (errors[place] <= sweep.mean("mae")).all()
    for point in front[:: 1 + len(front) // 9]:
        outcome = results.outcome(point.strategy, point.k, point.tau)
        assert outcome.value("privacy_risk") == pytest.approx(point.privacy_risk)
        assert outcome.value("mae") == pytest.approx(point.mae)


def test_every_point_leads_to_its_setting(results: Results):
    outcomes = tradeoff_outcomes(results, PAPER_STRATEGIES, 10, 20.5)
    figure = make_pareto_figure(
        outcomes,
        sweeps_of(results, PAPER_STRATEGIES, 10),
        front_of_results(results, PAPER_STRATEGIES, 10),
        strategy="gain",
        k=10,
        tau=20.5,
    )
    sent = json.loads(figure.to_json())["data"]
    for trace in sent:
        assert isinstance(trace["customdata"], list)
        for (strategy, k, tau), x, y in list(
            zip(trace["customdata"], trace["x"], trace["y"], strict=True)
        )[:: 1 + len(trace["x"]) // 3]:
            outcome = results.outcome(strategy, k, tau)
            assert outcome.value("privacy_risk") == pytest.approx(x)
            assert outcome.value("mae") == pytest.approx(y)
    assert sum(len(trace["x"]) for trace in sent) <= 5000
    assert [trace["name"] for trace in sent[-len(outcomes) :]] == [
        outcome_name(outcome) for outcome in outcomes
    ]


def test_a_click_sets_strategy_k_and_tau(monkeypatch: pytest.MonkeyPatch):
    state = SessionState(memory=memory.Memory(View(dataset="small")))
    monkeypatch.setattr(streamlit_module, "session_state", state)
    wanted = View(dataset="small", k=25, tau=12, strategy="userknn+reuse")
    take_point(["userknn+reuse", 25, 12.0])
    assert memory.view() == wanted
    take_point(["<b>", 10, 15.0])
    assert memory.view() == wanted


def test_the_sentence_names_what_is_better_at_no_more_risk():
    outcomes = [make_outcome("gain", mae=0.8, privacy_risk=30.0)]
    front = [
        FrontPoint("expect", 30, 12, 29.0, 0.75),
        FrontPoint("gain", 30, 90, 31.0, 0.7),
    ]
    assert front_sentence(outcomes, front, "gain", 30) == (
        "**There is a better setting**: Expect, k = 30, τ = 12. Predictions miss by 0.750 instead "
        "of 0.800, with 29 real uses per person instead of 30."
    )
    assert front_sentence(outcomes, front, "gain", 10).endswith("the same rating add up.")
    same = [FrontPoint("gain", 10, 40, 30.0, 0.7999)]
    assert front_sentence(outcomes, same, "gain", 30).startswith("**No setting is better**")
    assert front_sentence(outcomes, [], "gain", 30).startswith("**No setting is better**")


def test_the_page_has_the_front_and_error_bars():
    app = open_page("tradeoff", dataset="small", strategy="gain", tau=12)
    (scatter,) = figures(app)
    names = [trace["name"] for trace in scatter["data"]]
    assert "Pareto front" in names
    assert {name.split("k = ")[1] for name in names if "k = " in name} == {"10"}
    assert "Click a point" in texts(app)
    assert app.get("plotly_chart")[0].proto.selection_mode


def test_the_other_k_are_one_click_away():
    app = open_page("tradeoff", dataset="small", strategy="gain", tau=12)
    open_fold(app, "What another k would do")
    _, over_k, _, all_k = figures(app)
    assert all("error_y" in trace for trace in over_k["data"])
    assert {"Gain, k = 5", "Gain, k = 30"} <= {trace["name"] for trace in all_k["data"]}


def test_a_better_setting_is_one_click_away():
    app = open_page("tradeoff", dataset="small", strategy="userknn", tau=20)
    assert "**There is a better setting**" in texts(app)
    (button,) = [b for b in app.main.button if b.label.startswith("Use this setting")]
    button.click().run()
    assert button.label.endswith(f"τ = {control(app, 'type_tau').value}")
    assert "**No setting is better**" in texts(app)
    assert not [b for b in app.main.button if b.label.startswith("Use this setting")]
