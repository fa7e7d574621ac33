"""The sentences of the page Choose tau are true of their numbers, also at the extremes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.candidates import Candidate, TauOutcome
from engine.choice import Decision, choose_tau
from engine.errors import InputError
from engine.limits import LIMITS, Limits
from engine.noise_floor import NoiseShare
from engine.sweep import Sweep, SweepOverFolds
from pages.contents.choose_tau import words
from pages.parts.limits_text import parse_limits, write_limits

OUTCOME = TauOutcome(
    "gain", 10, 93, 0.81, 0.05, 0.04, 0.23, 31.0, 12.0, 0.85, 93, protects_nobody=False
)


def decide(limits: Limits, errors=(0.9, 0.8, 0.7), usage=(0, 1, 2, 2), folds: int = 2) -> Decision:
    sweep = SweepOverFolds("userknn", 10, [Sweep(np.array(errors), np.array(usage))] * folds)
    return choose_tau([Candidate(sweep, sweep)], limits)


def said(limits: Limits, **data: object) -> str:
    return " ".join(words.best_choice_sentences(decide(limits, **data)))


def test_a_setting_is_said_with_what_it_is_compared_with():
    sentence = words.current_sentence(OUTCOME, "userknn-none")
    assert sentence == (
        "**Now**, with Gain, k = 10, τ = 93: 23\xa0% of the users are vulnerable, the error is "
        "5\xa0% above UserKNN without protection, and 85\xa0% of all uses are answered with noise."
    )


def test_protecting_nobody_is_no_success():
    nobody = replace(OUTCOME, vulnerable_share=0.0, protected_uses=0.0, protects_nobody=True)
    sentence = words.current_sentence(nobody, "userknn-none")
    assert "nobody is protected" in sentence
    assert "0\xa0%" not in sentence


def test_protecting_everybody_says_so():
    all_noisy = replace(OUTCOME, tau=0, protected_uses=1.0, vulnerable_share=0.8)
    sentence = words.current_sentence(all_noisy, "userknn-none")
    assert "every use is answered with noise" in sentence
    assert "vulnerable" not in sentence


@pytest.mark.parametrize(
    ("increase", "said"),
    [
        (-0.066, "6.6\xa0% below"),
        (0.0001, "the error is that of"),
        (np.inf, "0.040 points above"),
    ],
)
def test_the_error_has_its_direction(increase: float, said: str):
    assert said in words.error_words(replace(OUTCOME, error_increase=increase), "same-none")


def test_without_limits_nothing_is_called_best():
    assert "Best" not in said(Limits())


def test_a_choice_that_no_limit_protects_is_warned_of():
    assert "None of your limits asks for protection" in said(Limits(max_vulnerable=0.5))
    assert "asks for protection" not in said(Limits(max_risk=1.0))


def test_a_choice_that_protects_nobody_is_named():
    sentence = said(Limits(max_vulnerable=0.5, allow_unprotected=True))
    assert "protects nobody" in sentence


def test_contradicting_limits_name_the_smallest_change_of_each():
    decision = decide(Limits(max_error_points=0.05, max_risk=0.5))
    assert decision.best is None
    sentences = words.best_choice_sentences(decision)
    assert sentences[0] == "**Nothing keeps to all these limits.**"
    for relaxation, sentence in zip(decision.relaxations, sentences[1:], strict=True):
        assert words.limit_text(relaxation.limit, relaxation.needed) in sentence
        changed = replace(decision.limits, **{relaxation.limit: relaxation.needed})
        assert decide(changed).best is not None


def test_one_fold_is_said():
    assert "one fold only" in said(Limits(max_risk=1.0), folds=1)


def test_where_nobody_is_used_nothing_can_be_protected():
    sentence = said(Limits(max_risk=1.0), errors=(0.5,), usage=(0, 0))
    assert "Nothing keeps to all these limits" in sentence
    assert "may protect nobody" in sentence


@pytest.mark.parametrize("errors", [(0.0, 0.0, 0.0), (0.7, 0.7, 0.7)])
def test_constant_errors(errors: tuple[float, ...]):
    sentence = said(Limits(max_error_increase=0.02, max_risk=1.0), errors=errors)
    assert "the error is that of UserKNN without protection" in sentence


@given(st.sampled_from(list(LIMITS)), st.integers(0, 100))
def test_limits_are_read_from_the_address_as_they_were_written(name: str, percents: int):
    form = LIMITS[name].form
    value = percents if form == "whole" else percents / 100
    limits = Limits(**{name: value}, criterion="risk", baseline="same-none")
    assert parse_limits(write_limits(limits)) == limits


def test_a_limit_that_is_neither_yes_nor_no_is_refused():
    assert parse_limits("allow_unprotected: YES ").allow_unprotected
    assert not parse_limits("allow_unprotected:no").allow_unprotected
    with pytest.raises(InputError, match="allow_unprotected must be yes or no, not 'maybe'"):
        parse_limits("allow_unprotected:maybe")


@pytest.mark.parametrize(
    ("errors", "usage", "said"),
    [
        ((0.9, 0.8), (0, 1), "errs less"),
        ((0.8, 0.9), (0, 1), "costs no accuracy"),
        ((0.0, 0.0), (0, 1), "the error is the same"),
        ((0.9,), (0, 0), "nobody is used"),
    ],
)
def test_the_title_of_the_views_follows_from_the_curves(errors: object, usage: object, said: str):
    sweep = SweepOverFolds("gain", 10, [Sweep(np.array(errors), np.array(usage))])
    assert said in words.views_finding(sweep)


def test_where_nobody_is_used_it_is_said():
    unused = replace(OUTCOME, tau=5, real_uses=0, protects_nobody=True)
    assert words.consequences(unused, "userknn-none").startswith("nobody is used: no prediction")
    bare = replace(unused, real_uses=5)
    assert words.consequences(bare, "userknn-none").startswith("nobody is protected")


def test_a_floor_of_nothing_is_no_floor():
    assert "at least" in words.floor_sentence(0.4, OUTCOME, "")
    none = words.floor_sentence(0.0, OUTCOME, "")
    assert "no use would have to be noisy" in none
    assert "85\xa0% of the uses are noisy" in none
    assert "at least" not in none


def test_the_title_of_the_floor_says_who_has_the_fewest_noisy_uses_and_who_the_most():
    shares = [
        NoiseShare("userknn", 10, 93, 0.2, 0.1, 0.1, 0.5, 3.0),
        NoiseShare("gain", 10, 93, 0.4, 0.1, 0.3, 0.3, 9.0),
    ]
    assert words.floor_title(shares) == (
        "UserKNN has the fewest noisy uses (20\xa0%), Gain the most (40\xa0%)"
    )
    assert words.floor_title(shares[:1]) == "20\xa0% of the uses are noisy, whatever the strategy"
