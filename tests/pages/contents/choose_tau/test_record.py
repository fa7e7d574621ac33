"""The decision record: what it says, and that it claims no more than holds."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from engine.candidates import TauOutcome
from engine.datasets import Scale
from engine.limits import Limits
from engine.privacy import Mechanism
from pages.contents.choose_tau.decisions import decision_of
from pages.contents.choose_tau.record import (
    Note,
    make_record,
    no_promises,
    promises,
    record_markdown,
    record_page,
)
from pages.parts.address import View
from pages.parts.promises import NEIGHBORS_SENTENCE
from pages.parts.runs.results import Results
from pages.parts.screen import Screen

LIMITS = Limits(max_vulnerable=0.4, max_risk=30.0)
STARS = Scale(1.0, 5.0, 1.0)


def screen_of(results: Results, tau: int = 20) -> Screen:
    view = View(dataset="small", k=10, tau=tau, strategy="gain", limits=LIMITS)
    return Screen(view, tau, "small", results)


@pytest.fixture
def record(results: Results):
    screen = screen_of(results)
    note = Note("Because <b>we</b> must", "A. Smith, 2026-11-28", "Who counts the uses?")
    return make_record(screen, decision_of(screen, LIMITS), note, "http://localhost/choose_tau")


def outcome(tau: int, **changes: object) -> TauOutcome:
    values = {
        "strategy": "gain", "k": 10, "tau": tau, "mae": 0.8, "error_increase": 0.0,
        "error_points": 0.0, "vulnerable_share": 0.2, "privacy_risk": 30.0, "secure_risk": 10.0,
        "protected_uses": 0.5, "real_uses": tau, "protects_nobody": False,
    }  # fmt: skip
    return TauOutcome(**{**values, **changes})


def test_both_forms_hold_the_same_sentences_and_what_was_typed(record):
    page, markdown = record_page(record), record_markdown(record)
    parser = HTMLParser()
    parser.feed(page)
    for text in (record.note.names, record.note.open_questions, record.data):
        assert text in page
        assert text in markdown
    assert "<b>we</b>" not in page
    assert "&lt;b&gt;we&lt;/b&gt;" in page
    for sentence in (*record.limits, *record.promised, *record.not_promised):
        assert sentence in markdown


def test_a_strategy_that_is_finished_at_one_k_alone_is_decided_on(results: Results):
    missing = {cell for cell in results.done if cell[1] == "gain+reuse" and cell[2] != 10}
    fewer = replace(results, done=results.done - missing)
    view = View(dataset="small", k=10, tau=20, strategy="gain+reuse", limits=LIMITS)
    screen = Screen(view, 20, "small", fewer)
    decision = decision_of(screen, LIMITS)
    assert {c.candidate.k for c in decision.choices if c.candidate.strategy == "gain+reuse"} == {10}
    assert {c.candidate.k for c in decision.choices} > {5, 10}
    record = make_record(screen, decision, Note(), "http://localhost/choose_tau")
    assert "Gain+Reuse, k = 10" in record.choice


def test_the_command_gives_the_same_decision(record):
    assert "choose small --k" in record.source[0]
    assert "--max-vulnerable 40%" in record.source[0]
    assert "limits=max_vulnerable" in record.source[1]


def test_the_page_asks_for_nothing(record):
    page = record_page(record)
    assert "default-src 'none'" in page
    assert "<script" not in page


@pytest.mark.parametrize("memoised", [False, True])
def test_the_promise_is_weak_and_says_so(memoised: bool):
    mechanism = Mechanism.for_scale(STARS, memoised=memoised)
    promised = " ".join(promises(outcome(93), mechanism))
    assert "16 times as likely" in promised
    assert "ln 16 = 2.77" in promised
    assert "weak" in promised
    assert ("Many can reveal" in promised) == (not memoised)
    denied = " ".join(no_promises(outcome(93), mechanism))
    assert "not protected at all" in denied
    assert ("do not add up" in denied) == memoised
    assert NEIGHBORS_SENTENCE in denied


def test_continuous_noise_promises_nothing():
    promised = promises(outcome(93), Mechanism.for_scale(STARS, "continuous"))
    assert "promises nothing that can be shown" in promised[0]
    assert len(promised) == 1


def test_where_all_ratings_are_the_same_nothing_is_promised():
    promised = promises(outcome(93), Mechanism.for_scale(Scale(4.0, 4.0, 1.0)))
    assert "nothing to hide" in promised[0]
    assert len(promised) == 1


def test_who_protects_nobody_promises_nothing():
    promised = promises(outcome(10**6, protects_nobody=True), Mechanism.for_scale(STARS))
    assert promised == ["Nothing: at this τ nobody is protected."]
    denied = no_promises(outcome(10**6, protects_nobody=True), Mechanism.for_scale(STARS))
    assert denied[0] == "Every use of everybody is real."
    assert "oisy" not in " ".join(denied)


def test_full_protection_leaves_no_real_use():
    denied = " ".join(no_promises(outcome(0), Mechanism.for_scale(STARS)))
    assert "are real" not in denied
