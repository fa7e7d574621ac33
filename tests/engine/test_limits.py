"""How limits are written and checked."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from engine.candidates import Candidate
from engine.errors import InputError
from engine.limits import LIMITS, Limits
from engine.sweep import Sweep, SweepOverFolds
from engine.tau_choice import judge_candidate


@pytest.mark.parametrize(
    ("limit", "text", "value"),
    [
        ("max_vulnerable", "20%", 0.2),
        ("max_vulnerable", " 20 % ", 0.2),
        ("max_vulnerable", "0.2", 0.2),
        ("max_vulnerable", ".5", 0.5),
        ("max_vulnerable", "0", 0.0),
        ("max_vulnerable", "1", 1.0),
        ("max_vulnerable", "100%", 1.0),
        ("max_vulnerable", "2.5%", 0.025),
        ("max_error_increase", "-3%", -0.03),
        ("max_error_increase", "250%", 2.5),
        ("max_error_points", "-0.02", -0.02),
        ("max_error_points", "1e-2", 0.01),
        ("max_risk", "40", 40.0),
        ("max_risk", "40.5", 40.5),
        ("max_real_uses", "100", 100.0),
        ("min_coverage", "60%", 0.6),
        ("max_pp_corr", "-0.2", -0.2),
    ],
)
def test_a_limit_is_read_as_it_is_written(limit: str, text: str, value: float):
    assert LIMITS[limit].read(text) == value


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("text", ["", "%", "a lot", "2,5%", "nan", "inf", "1_000", "20%%", "0x10"])
def test_what_is_no_number_gets_one_sentence_with_the_name(name: str, text: str):
    with pytest.raises(InputError, match=rf"^--x must be .*, not {text!r}\.$"):
        LIMITS[name].read(text, called="--x")


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("max_vulnerable", "20"),  # 20 % or a share of 20?
        ("max_vulnerable", "1.01"),
        ("max_vulnerable", "101%"),
        ("max_vulnerable", "-1%"),
        ("max_error_increase", "2"),
        ("max_error_increase", "-101%"),
        ("max_error_points", "2%"),
        ("max_risk", "40%"),
        ("max_risk", "-1"),
        ("max_risk", "1e999"),
        ("max_real_uses", "1.5"),
        ("max_real_uses", "-1"),
        ("max_real_uses", "1e2"),
        ("max_pp_corr", "1.1"),
    ],
)
def test_what_cannot_be_meant_is_refused(limit: str, text: str):
    with pytest.raises(InputError, match=f"^{limit} must be "):
        LIMITS[limit].read(text)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "20%", True, 1.5, -0.1])
def test_limits_check_their_values(value: object):
    with pytest.raises(InputError, match=r"^max_vulnerable must be "):
        Limits(max_vulnerable=value)  # type: ignore[arg-type]


def test_limits_know_their_baselines_and_criteria():
    with pytest.raises(InputError, match="There is no baseline 'mine'"):
        Limits(baseline="mine")
    assert Limits(max_real_uses=np.int64(5)).max_real_uses == 5
    assert Limits(min_coverage=0.5).needs_top_lists
    assert not Limits(max_risk=5).needs_top_lists


def test_every_limit_is_a_field_and_every_field_known():
    fields = {field.name for field in dataclasses.fields(Limits)}
    assert fields - LIMITS.keys() == {"baseline", "criterion", "allow_unprotected"}
    assert fields >= LIMITS.keys()


def test_a_written_value_meets_the_limit_that_it_was_written_for():
    dice = np.random.RandomState(3)
    for limit in LIMITS.values():
        for _ in range(200):
            value = dice.uniform(max(limit.lowest, -1), min(limit.highest, 500))
            if limit.form == "whole":
                value = float(int(value))
            again = limit.read(limit.text(value))
            assert again <= value + 1e-12 if limit.at_least else again >= value - 1e-12
            assert abs(again - value) <= 0.01


def test_lines_on_the_curves_are_where_the_limits_hold():
    errors = np.array([0.95, 0.9, 0.88, 0.84, 0.8])
    swept = SweepOverFolds("gain", 10, [Sweep(errors, np.array([0, 1, 4]))])
    candidate = Candidate(swept, swept)
    for limits in (
        Limits(max_error_increase=0.1, max_error_points=0.09, max_vulnerable=0.5, max_risk=1),
        Limits(max_error_increase=0.1),
        Limits(max_error_points=0.05, max_protected=0.4),
    ):
        bounds = candidate.bounds(limits)
        within = np.ones(errors.size, dtype=bool)
        for quantity, bound in bounds.items():
            within &= candidate.quantity(quantity) <= bound + 1e-12
        limits = dataclasses.replace(limits, allow_unprotected=True)
        assert judge_candidate(candidate, limits).meets.tolist() == within.tolist()
    assert "mae" not in candidate.bounds(Limits(max_risk=3))


def test_over_a_baseline_of_0_any_error_is_infinite():
    perfect = SweepOverFolds("userknn", 10, [Sweep(np.zeros(3), np.array([0, 2]))])
    noisy = SweepOverFolds("gain", 10, [Sweep(np.array([0.1, 0.05, 0.0]), np.array([0, 2]))])
    candidate = Candidate(noisy, perfect)
    assert candidate.quantity("error_increase").tolist() == [np.inf, np.inf, 0.0]
    assert candidate.bounds(Limits(max_error_increase=0.5))["mae"] == 0.0
    assert Candidate(perfect, perfect).outcome(0).error_increase == 0.0
