"""What every whole tau comes to, by hand and against the outcome at that tau."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.errors import InputError
from engine.experiment import Experiment
from engine.outcome import none_if_nan
from engine.privacy import usage_metrics
from engine.settings import Setting
from engine.sweep import SWEPT, Sweep, SweepOverFolds

usages = st.lists(st.integers(0, 40), min_size=1, max_size=20)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=40, items=60, ratings=900))


def metrics_of(sweep: Sweep | SweepOverFolds, tau: float) -> dict[str, Any]:
    """All that is swept at floor(tau), with None for what is undefined."""
    whole = min(math.floor(tau), sweep.largest)
    if isinstance(sweep, SweepOverFolds):
        return {name: none_if_nan(sweep.mean(name)[whole]) for name in SWEPT}
    return {name: none_if_nan(sweep.curve(name, np.array([whole]))[0]) for name in SWEPT}


def test_by_hand() -> None:
    sweep = Sweep(np.array([0.9, 0.8, 0.7, 0.6]), np.array([0, 1, 3]))
    assert sweep.vulnerable_share.tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3, 0])
    assert sweep.privacy_risk.tolist() == pytest.approx([0, 2 / 3, 1, 4 / 3])
    assert sweep.secure_risk.tolist() == pytest.approx([0, 0.5, 0.5, 4 / 3])
    assert sweep.protected_uses.tolist() == pytest.approx([1, 0.5, 0.25, 0])


@given(usages, st.integers(0, 60))
def test_one_tau_is_a_place_on_the_curves(usage: list[int], tau: int) -> None:
    sweep = Sweep(np.linspace(0.9, 0.5, max(usage) + 1), np.array(usage))
    for name, value in sweep.metrics_at(tau).items():
        on_curve = sweep.curve(name, np.array([tau]))[0]
        assert value == pytest.approx(on_curve, nan_ok=True), name
    assert sweep.metrics_at(tau + 0.5)["mae"] == sweep.metrics_at(tau)["mae"]


def test_above_the_largest_usage_nothing_changes() -> None:
    sweep = Sweep(np.array([0.9, 0.8, 0.7, 0.6]), np.array([0, 1, 3]))
    for name in SWEPT:
        beyond = sweep.curve(name, np.array([3, 4, 10**9]))
        assert beyond.tolist() == [getattr(sweep, name)[-1]] * 3
    assert sweep.curve("mae", np.array([10**9]))[0] == 0.6
    assert sweep.curve("privacy_risk", np.array([10**9]))[0] == pytest.approx(4 / 3)


def test_what_a_sweep_does_not_have_is_refused() -> None:
    sweep = Sweep(np.array([0.9, 0.8]), np.array([0, 1]))
    both = SweepOverFolds("gain", 5, [sweep, sweep])
    for ask in (
        lambda: sweep.curve("ndcg", np.array([0])),
        lambda: sweep.curve("largest", np.array([0])),
        lambda: both.mean("ndcg"),
        lambda: both.lowest("ndcg"),
    ):
        with pytest.raises(InputError, match="A sweep has no"):
            ask()
    with pytest.raises(InputError, match="tau must be a whole number of at least 0, not -4"):
        sweep.curve("mae", np.array([1, -4]))
    for tau in (-4, -0.5, math.nan):
        with pytest.raises(InputError, match=f"tau must be at least 0, not {tau}"):
            sweep.metrics_at(tau)
    assert sweep.curve("mae", np.array([], dtype=np.int64)).size == 0


def test_where_nobody_is_secure() -> None:
    sweep = Sweep(np.array([0.9, 0.8, 0.7]), np.array([1, 2]))
    assert np.isnan(sweep.secure_risk[0])
    assert sweep.secure_risk[1:].tolist() == [1, 1.5]


def test_where_nobody_is_used() -> None:
    sweep = Sweep(np.array([0.9]), np.array([0, 0]))
    assert metrics_of(sweep, 0) == {
        "mae": 0.9,
        "privacy_risk": 0,
        "vulnerable_share": 0,
        "secure_risk": 0,
        "protected_uses": 0,
    }


@given(usages)
def test_curves_are_the_metrics_at_every_tau(usage: list[int]) -> None:
    counted = np.array(usage)
    sweep = Sweep(np.zeros(counted.max() + 1), counted)
    for tau in range(counted.max() + 3):
        expected = usage_metrics(counted, "vulnerable", tau)
        for name, value in metrics_of(sweep, tau).items():
            if name != "mae":
                wanted = expected[name]
                assert value == (None if wanted is None else pytest.approx(wanted, abs=1e-12))


@pytest.mark.parametrize("strategy", ["userknn", "userknn+reuse", "expect"])
def test_the_outcome_at_any_tau_is_the_sweep_at_its_whole_part(
    experiment: Experiment, strategy: str
) -> None:
    """The risk alone, min(tau, DataUsage), grows between two whole numbers: with who is above."""
    sweep = experiment.sweep_over_folds(strategy, 5)
    for tau in (0, 0.3, 1, 2.75, 7.999, 8, sweep.largest - 0.5, sweep.largest, 1e7):
        outcome = experiment.outcome(Setting(strategy, 5, tau), metrics=SWEPT)
        expected = metrics_of(sweep, tau)
        expected["privacy_risk"] += (tau - math.floor(tau)) * expected["vulnerable_share"]
        for name in SWEPT:
            value = none_if_nan(outcome.value(name))
            wanted = expected[name]
            assert value == (None if wanted is None else pytest.approx(wanted, abs=1e-12))
            if name == "mae":
                assert value == wanted  # to the last digit


def test_the_ends_of_a_sweep_are_full_protection_and_none(experiment: Experiment) -> None:
    sweep = experiment.sweep_over_folds("gain", 5)
    for tau, protection in ((0, "full"), (sweep.largest, "none")):
        outcome = experiment.outcome(Setting("gain", 5, tau, protection), metrics=SWEPT)
        for name, value in metrics_of(sweep, tau).items():
            assert none_if_nan(outcome.value(name)) == pytest.approx(value, abs=1e-12)


def test_over_folds_a_smaller_fold_enters_with_its_last_values() -> None:
    short = Sweep(np.array([0.9, 0.8]), np.array([0, 1]))
    long = Sweep(np.array([0.7, 0.6, 0.5, 0.4]), np.array([3, 1]))
    both = SweepOverFolds("gain", 5, [short, long])
    assert both.taus.tolist() == [0, 1, 2, 3]
    assert both.in_folds("mae").tolist() == [[0.9, 0.8, 0.8, 0.8], [0.7, 0.6, 0.5, 0.4]]
    assert both.mean("mae").tolist() == pytest.approx([0.8, 0.7, 0.65, 0.6])
    assert both.lowest("mae").tolist() == [0.7, 0.6, 0.5, 0.4]
    assert both.highest("mae").tolist() == [0.9, 0.8, 0.8, 0.8]


def test_over_folds_what_is_undefined_in_one_is_the_value_of_the_other() -> None:
    nobody_secure = Sweep(np.array([0.9, 0.8]), np.array([1, 1]))
    half_secure = Sweep(np.array([0.9, 0.8]), np.array([0, 1]))
    both = SweepOverFolds("gain", 5, [nobody_secure, half_secure])
    assert both.mean("secure_risk").tolist() == [0, 0.75]
    assert both.lowest("secure_risk").tolist() == [0, 0.5]
    assert both.highest("secure_risk").tolist() == [0, 1]
    alone = SweepOverFolds("gain", 5, [nobody_secure])
    assert np.isnan([alone.mean("secure_risk")[0], alone.lowest("secure_risk")[0]]).all()


def test_a_sweep_over_folds_is_of_the_folds_asked_for(experiment: Experiment) -> None:
    some = experiment.sweep_over_folds("gain", 5, [3, 1])
    assert some.in_folds("mae").shape[0] == 2
    for row, number in enumerate((3, 1)):
        own = experiment.sweep(number, "gain", 5)
        assert some.in_folds("mae")[row, : own.mae.size].tolist() == own.mae.tolist()
    assert experiment.sweep_over_folds("gain", 5).in_folds("mae").shape[0] == 5
