from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.experiment import Experiment
from engine.protection_summary import ProtectionSummary, summarize_protection
from engine.settings import Setting

usages_of = st.lists(st.integers(0, 400), min_size=4, max_size=40).map(
    lambda values: [np.array(values), np.array(values[::-1]) // 2]
)
taus = st.floats(0, 500)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=60, items=80, ratings=1500, seed=5))


@given(usages_of, taus)
def test_the_classes_hold_every_user_once(usages: list[np.ndarray], tau: float) -> None:
    shares = ProtectionSummary.of(usages, tau).shares
    assert shares.sum() == pytest.approx(1)
    assert shares[0] == pytest.approx(np.mean([(usage == 0).mean() for usage in usages]))
    assert shares[2:].sum() == pytest.approx(np.mean([(usage > tau).mean() for usage in usages]))


@pytest.mark.parametrize("strategy", ["userknn", "expect"])
@pytest.mark.parametrize("tau", [0.0, 12.0, 33.5])
def test_it_is_what_evaluate_gives(experiment: Experiment, strategy: str, tau: float) -> None:
    outcome = experiment.outcome(Setting(strategy, 10, tau))
    summary = summarize_protection(experiment, strategy, 10, tau)
    assert summary.shares[2:].sum() == pytest.approx(outcome.value("vulnerable_share"))
    assert summary.epsilon == outcome.value("epsilon_paper")


def test_epsilon_of_the_vulnerable_users_alone() -> None:
    usages = [np.array([4, 20, 20, 20])]
    assert ProtectionSummary.of(usages, 10).quantiles == pytest.approx(np.full(3, np.log(7)))
    assert np.isnan(ProtectionSummary.of(usages, 50).quantiles).all()
    assert np.isnan(ProtectionSummary.of(usages, 50).epsilon)
    assert ProtectionSummary.of(usages, 0).quantiles == pytest.approx(np.full(3, np.log(3)))
