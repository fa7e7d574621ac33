from __future__ import annotations

import math

import pytest

from engine.outcome import Outcome
from pages.contents.tradeoff.figures import (
    hidden_marks_sentence,
    make_tradeoff_figure,
    outcomes_table,
    over_k,
    over_k_title,
    tradeoff_outcomes,
    tradeoff_sentence,
    tradeoff_title,
)
from pages.parts.drawing.over_k import make_over_k_figure, over_k_table
from pages.parts.measures import value_text
from pages.parts.outcomes import outcome_name
from pages.parts.runs.results import Results
from tests.pages.made_outcomes import make_outcome

STRATEGIES = ("userknn", "userknn+reuse", "expect", "gain")


def outcome(strategy: str, protection: str, mae: float, risk: float) -> Outcome:
    return make_outcome(strategy, protection, mae=mae, privacy_risk=risk, protected_uses=0.5)


FOUND = [
    outcome("userknn", "none", 0.8011, 330.77),
    outcome("userknn", "full", 0.8362, 0.0),
    outcome("userknn", "vulnerable", 0.8224, 84.39),
    outcome("gain", "vulnerable", 0.7942, 35.30),
]


def test_the_sentence_has_the_numbers_and_what_they_are_compared_with():
    assert tradeoff_sentence(FOUND, "gain") == (
        "With Gain, predictions miss by **0.794** points of the scale on average, and a person's "
        "real ratings are used **35.3** times. UserKNN without protection misses by 0.801 and uses "
        "a person's real ratings 331 times. UserKNN with the same τ misses by 0.822 and uses them "
        "84.4 times."
    )
    assert "with the same τ" not in tradeoff_sentence(FOUND, "userknn")


def test_the_title_says_less_or_more():
    assert tradeoff_title(FOUND, "gain") == (
        "Gain with DP: less error and less privacy risk compared with UserKNN with DP"
    )
    assert tradeoff_title(FOUND, "userknn") == (
        "UserKNN with DP: more error and less privacy risk compared with UserKNN without DP"
    )


def test_what_rounds_to_the_same_is_the_same():
    outcomes = [*FOUND[:3], outcome("gain", "vulnerable", 0.8221, 84.41)]
    assert "the same error and the same privacy risk" in tradeoff_title(outcomes, "gain")


def test_the_title_over_k_says_where():
    def row(strategy: str, protection: str, errors: list[float]) -> list[Outcome]:
        return [outcome(strategy, protection, error, 1.0) for error in errors]

    by_k = {
        ("userknn", "none"): row("userknn", "none", [0.9, 0.8, 0.7]),
        ("userknn", "vulnerable"): row("userknn", "vulnerable", [0.9, 0.8, 0.7]),
        ("gain", "vulnerable"): row("gain", "vulnerable", [0.8, 0.8, 0.75]),
        ("expect", "vulnerable"): row("expect", "vulnerable", [0.8, 0.7, 0.6]),
    }
    ks = (5, 10, 15)
    assert over_k_title(by_k, ks, "expect", 10, "mae") == (
        "Expect with DP has less error than UserKNN with DP at every k "
        "(0.700 against 0.800 at k = 10)"
    )
    assert over_k_title(by_k, ks, "gain", 5, "mae") == (
        "Gain with DP has less error than UserKNN with DP at k = 5, more at k = 15, "
        "the same at k = 10 (0.800 against 0.900 at k = 5)"
    )
    assert over_k_title(by_k, ks, "userknn", 5, "mae") == (
        "UserKNN with DP has the same error as UserKNN without DP at every k "
        "(0.900 against 0.900 at k = 5)"
    )
    assert over_k_title(by_k, ks, "gain+reuse", 5, "mae").startswith("UserKNN with DP")


def test_every_outcome_is_a_point_with_its_name():
    figure = make_tradeoff_figure(FOUND, "gain")
    assert {(t.name, t.x[0], t.y[0]) for t in figure.data} == {
        (outcome_name(o), o.value("privacy_risk"), o.value("mae")) for o in FOUND
    }
    listed = [annotation.text for annotation in figure.layout.annotations][1:-1]
    by_error = sorted(FOUND, key=lambda o: -o.value("mae"))
    for entry, outcome in zip(listed, by_error, strict=True):
        error, risk = (value_text(outcome, metric) for metric in ("mae", "privacy_risk"))
        assert f"{outcome_name(outcome)}  {error}, {risk}" in entry
        assert entry.startswith("<b>") == (outcome_name(outcome) == "Gain with DP")
    symbols = {t.name: t.marker.symbol for t in figure.data}
    assert len(set(symbols.values())) == 4


def test_the_table_has_differences_to_userknn_with_dp():
    table = outcomes_table(FOUND).set_index("strategy")
    assert table.loc["Gain with DP", "MAE, difference to UserKNN with DP"] == pytest.approx(-0.0282)
    assert table.loc["UserKNN with DP", "risk, difference to UserKNN with DP"] == 0


def test_lines_over_k_have_the_dash_of_their_protection(results: Results):
    ks = results.ks(10)
    by_k = over_k(results, STRATEGIES, ks, 20.0)
    figure = make_over_k_figure(by_k, ks, "gain", "mae", y_title="")
    dashes = {trace.name: trace.line.dash for trace in figure.data}
    assert dashes["UserKNN without DP"] == "dash"
    assert dashes["UserKNN full DP"] == "dot"
    assert dashes["Gain with DP"] == "solid"
    assert list(over_k_table(by_k, ks, "mae").columns[:2]) == ["k", "UserKNN without DP"]
    risk = make_over_k_figure(by_k, ks, "gain", "privacy_risk", y_title="", log_y=True)
    assert "UserKNN full DP" not in {trace.name for trace in risk.data}
    assert risk.layout.yaxis.type == "log"


def test_outcomes_of_a_run(results: Results):
    outcomes = tradeoff_outcomes(results, STRATEGIES, 10, 20.0)
    by_name = {outcome_name(outcome): outcome for outcome in outcomes}
    assert by_name["UserKNN full DP"].value("privacy_risk") == 0
    assert by_name["UserKNN without DP"].value("protected_uses") == 0
    assert by_name["UserKNN full DP"].value("protected_uses") == 1
    assert by_name["UserKNN with DP"].value("privacy_risk") <= 20
    assert all(math.isfinite(outcome.value("mae")) for outcome in outcomes)


def test_marks_that_lie_on_each_other_are_named(results: Results):
    strategies = ["userknn", "gain"]
    at_zero = hidden_marks_sentence(tradeoff_outcomes(results, strategies, 10, 0))
    assert "UserKNN with DP" in at_zero
    assert "UserKNN full DP" in at_zero
    assert "Gain" not in at_zero
    assert not hidden_marks_sentence(tradeoff_outcomes(results, strategies, 10, 33))
