from __future__ import annotations

import json

import numpy as np
import pytest
import streamlit as streamlit_module
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.runs.results import PAPER, At, Results
from pages.parts.tradeoff.figures import Outcome, outcomes
from pages.parts.tradeoff.pareto import (
    Curve,
    Point,
    find_curves,
    find_front,
    front_points,
    pareto_front,
    thinned_taus,
)
from pages.parts.tradeoff.pareto_figure import (
    front_sentence,
    front_table,
    make_pareto_figure,
    take_point,
)
from tests.pages.driving import figures, open_page, texts

# Few values, so that points are often equal in one measure or both.
measure = st.one_of(st.integers(0, 6).map(float), st.floats(-1e6, 1e6))
point_sets = st.lists(st.tuples(measure, measure), max_size=60)


@given(point_sets)
def test_the_front_is_what_no_other_point_beats(points: list[tuple[float, float]]):
    front = pareto_front(np.array([x for x, _ in points]), np.array([y for _, y in points]))
    for (x, y), stays in zip(points, front, strict=True):
        beaten = any(a <= x and b <= y and (a < x or b < y) for a, b in points)
        assert stays == (not beaten)


@given(point_sets.filter(bool), st.randoms())
def test_the_front_does_not_depend_on_the_order(points: list[tuple[float, float]], random):
    def front(of: list[tuple[float, float]]) -> set[tuple[float, float]]:
        x, y = np.array(of).T
        return {p for p, stays in zip(of, pareto_front(x, y), strict=True) if stays}

    shuffled = random.sample(points, len(points))
    assert front(points) == front(shuffled) != set()


@given(st.integers(0, 100_000), st.integers(3, 250))
def test_thinned_taus_have_both_ends_and_are_few(largest: int, most: int):
    taus = thinned_taus(largest, most)
    assert taus[0] == 0
    assert taus[-1] == largest
    assert taus.size <= most
    assert (np.diff(taus) > 0).all()


def test_curves_are_what_each_tau_comes_to(results: Results):
    curves = find_curves(results, PAPER, 10)
    assert {(c.strategy, c.k) for c in curves} == {(s, k) for s in PAPER for k in results.ks(10)}
    assert all(c.k == 10 for c in curves[-4:])
    for curve in curves[::5]:
        for place in (0, curve.taus.size // 2, -1):
            at = results.at(curve.strategy, curve.k, float(curve.taus[place]))
            assert curve.errors[place] == pytest.approx(at.mae)
            assert curve.risks[place] == pytest.approx(at.privacy_risk)


def test_the_front_falls_as_the_risk_grows(results: Results):
    front = find_front(results, PAPER, 10)
    assert [p.risk for p in front] == sorted({p.risk for p in front})
    assert (np.diff([p.error for p in front]) < 0).all()
    assert len(front_table(front)) == len(front)


def test_no_whole_tau_of_any_k_and_strategy_beats_the_front(results: Results):
    front = find_front(results, PAPER, 10)
    assert front == find_front(results, PAPER, 25)
    risks, errors = np.array([(p.risk, p.error) for p in front]).T
    for k in results.ks(10):
        for strategy in PAPER:
            every_error, every_risk = results.sweep_means(strategy, k)
            place = np.searchsorted(risks, every_risk, side="right") - 1
            assert (errors[place] <= every_error).all()
    for point in front[:: 1 + len(front) // 9]:
        at = results.at(point.strategy, point.k, point.tau)
        assert (at.privacy_risk, at.mae) == (pytest.approx(point.risk), pytest.approx(point.error))


def test_of_settings_that_come_to_the_same_the_smallest_k_stays():
    curves = [
        Curve("gain", k, np.array([0, 1]), np.array([0.0, 1.0]), np.array([0.9, 0.8]))
        for k in (5, 10)
    ]
    assert front_points(curves) == [
        Point("gain", 5, 0.0, 0.0, 0.9),
        Point("gain", 5, 1.0, 1.0, 0.8),
    ]


def test_every_point_leads_to_its_setting(results: Results):
    found, curves = outcomes(results, PAPER, 10, 20.5), find_curves(results, PAPER, 10)
    figure = make_pareto_figure(
        found,
        curves,
        find_front(results, PAPER, 10),
        strategy="gain",
        k=10,
        tau=20.5,
        title="Title",
    )
    sent = json.loads(figure.to_json())["data"]
    for trace in sent:
        assert isinstance(trace["customdata"], list)
        for (strategy, k, tau), x, y in list(
            zip(trace["customdata"], trace["x"], trace["y"], strict=True)
        )[:: 1 + len(trace["x"]) // 3]:
            at = results.at(strategy, k, tau)
            assert (at.privacy_risk, at.mae) == (pytest.approx(x), pytest.approx(y))
    assert sum(len(trace["x"]) for trace in sent) <= 5000
    assert [trace["name"] for trace in sent[-len(found) :]] == [o.name for o in found]


def test_a_click_sets_strategy_k_and_tau(monkeypatch: pytest.MonkeyPatch):
    state: dict[str, str] = {}

    class State:
        def __setattr__(self, name: str, value: str) -> None:
            state[name] = value

    monkeypatch.setattr(streamlit_module, "session_state", State())
    take_point(["userknn+reuse", 25, 12.0])
    assert state == {"strategy": "userknn+reuse", "k": "25", "tau": "12"}
    state.clear()
    take_point(["<b>", 25, 12.0])
    assert not state


def test_the_sentence_names_what_is_better_at_no_more_risk():
    found = [Outcome("gain", "vulnerable", [At(0.8, 30.0, 0.5, 0.5, 10.0)])]
    front = [
        Point("expect", 30, 12.0, 29.0, 0.75),
        Point("gain", 30, 90.0, 31.0, 0.7),
    ]
    assert front_sentence(found, front, "gain", 30) == (
        "With no more privacy risk than the 30 you look at, the least error is **0.750** instead "
        "of 0.800: Expect, k = 30, τ = 12 (risk 29)."
    )
    assert front_sentence(found, front, "gain", 10).endswith("the same rating add up.")
    same = [Point("gain", 10, 40.0, 30.0, 0.7999)]
    assert front_sentence(found, same, "gain", 30).startswith("No other setting has less error")
    assert front_sentence(found, [], "gain", 30).startswith("No other setting")


def test_the_page_has_the_front_and_error_bars():
    app = open_page("tradeoff", dataset="small", strategy="gain", tau=12)
    scatter, over_k, _ = figures(app)
    assert "Pareto front" in [trace["name"] for trace in scatter["data"]]
    assert all("error_y" in trace for trace in over_k["data"])
    assert "Click a point" in texts(app)
    assert app.get("plotly_chart")[0].proto.selection_mode
