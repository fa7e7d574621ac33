"""Who is vulnerable, what that risks, and the paper's epsilon: by hand and against the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.privacy import (
    PROTECTIONS,
    is_vulnerable,
    paper_epsilon,
    paper_epsilon_of_each,
    privacy_risk,
    protected_uses,
    secure_risk,
    usage_metrics,
)
from tests import oracle


def test_vulnerable_is_strictly_above_tau() -> None:
    usage = np.array([0, 1, 2, 3])
    assert is_vulnerable(usage, 2).tolist() == [False, False, False, True]
    assert is_vulnerable(usage, 1.5).tolist() == [False, False, True, True]
    assert is_vulnerable(usage, 0).tolist() == [False, True, True, True]


def test_risk_by_hand() -> None:
    usage = np.array([0, 1, 5, 9])
    assert privacy_risk(usage, "vulnerable", 4.5).tolist() == [0, 1, 4.5, 4.5]
    assert privacy_risk(usage, "none", 4.5).tolist() == [0, 1, 5, 9]
    assert privacy_risk(usage, "full", 4.5).tolist() == [0, 0, 0, 0]


def test_secure_risk_by_hand() -> None:
    usage = np.array([0, 1, 5, 9])
    assert secure_risk(usage, 5) == 2
    assert secure_risk(usage, 0) == 0
    assert secure_risk(usage, 100) == 3.75
    assert secure_risk(np.array([3, 4]), 2) is None


def test_epsilon_of_the_paper_by_hand() -> None:
    usage = np.array([2, 20, 40])
    expected = (math.log(3 + 4 * 10 / 10) + math.log(3 + 4 * 10 / 30)) / 2
    assert paper_epsilon(usage, "vulnerable", 10) == pytest.approx(expected)
    assert paper_epsilon(usage, "vulnerable", 0) == pytest.approx(math.log(3))
    assert paper_epsilon(usage, "vulnerable", 40) is None
    assert paper_epsilon(usage, "full", 10) == pytest.approx(math.log(3))
    assert paper_epsilon(usage, "none", 10) is None


def test_epsilon_needs_a_vulnerable_user_also_under_full_protection() -> None:
    assert paper_epsilon(np.array([0, 3]), "full", 5) is None


@given(
    usage=st.lists(st.integers(0, 60), min_size=1, max_size=30),
    tau=st.one_of(st.integers(0, 70), st.floats(0, 70)),
)
def test_privacy_metrics_equal_the_oracle(usage: list[int], tau: float) -> None:
    counted = np.array(usage)
    share = float(is_vulnerable(counted, tau).mean())
    assert share == pytest.approx(oracle.vulnerable_share(usage, tau))
    assert secure_risk(counted, tau) == pytest.approx(oracle.secure_risk(usage, tau))
    for protection in PROTECTIONS:
        mean = float(privacy_risk(counted, protection, tau).mean())
        assert mean == pytest.approx(oracle.mean_privacy_risk(usage, tau, protection))
        epsilon = oracle.epsilon_paper(usage, tau, protection)
        assert paper_epsilon(counted, protection, tau) == (
            None if epsilon is None else pytest.approx(epsilon)
        )


# --- the means over all users --------------------------------------------------------------------


def test_usage_metrics_by_hand() -> None:
    metrics = usage_metrics(np.array([0, 2, 4, 10]), "vulnerable", 2)
    assert metrics["data_usage"] == 4
    assert metrics["vulnerable_share"] == 0.5
    assert metrics["privacy_risk"] == 1.5
    assert metrics["secure_risk"] == 1
    assert metrics["protected_uses"] == 10 / 16  # two of the third user, eight of the last
    epsilon = (math.log(3 + 4 * 2 / 2) + math.log(3 + 4 * 2 / 8)) / 2
    assert metrics["epsilon_paper"] == pytest.approx(epsilon)


@pytest.mark.parametrize("protection", PROTECTIONS)
def test_usage_vulnerable_share_and_secure_risk_depend_on_no_protection(protection: str) -> None:
    metrics = usage_metrics(np.array([0, 2, 4, 10]), protection, 2.5)
    assert (metrics["data_usage"], metrics["vulnerable_share"], metrics["secure_risk"]) == (
        4,
        0.5,
        1,
    )
    assert metrics["protected_uses"] == {"none": 0, "vulnerable": 10 / 16, "full": 1}[protection]


def test_a_threshold_between_two_whole_numbers_is_exact() -> None:
    metrics = usage_metrics(np.array([0, 1, 3]), "vulnerable", 2.75)
    assert metrics["privacy_risk"] == pytest.approx((0 + 1 + 2.75) / 3)
    assert metrics["vulnerable_share"] == pytest.approx(1 / 3)
    assert metrics["protected_uses"] == 0.25
    beyond = usage_metrics(np.array([0, 1, 3]), "vulnerable", 1e9)
    assert (beyond["protected_uses"], beyond["vulnerable_share"]) == (0, 0)
    assert beyond["privacy_risk"] == pytest.approx(4 / 3)


def test_where_nobody_is_secure_or_used() -> None:
    assert usage_metrics(np.array([1, 2]), "vulnerable", 0.5)["secure_risk"] is None
    for protection in PROTECTIONS:
        unused = usage_metrics(np.array([0, 0]), protection, 0.0)
        assert (unused["vulnerable_share"], unused["protected_uses"]) == (0, 0)


@given(
    usage=st.lists(st.integers(0, 60), min_size=1, max_size=30),
    tau=st.one_of(st.integers(0, 70), st.floats(0, 70)),
)
def test_protected_uses_are_those_with_an_ordinal_above_tau(usage: list[int], tau: float) -> None:
    chosen = [[user] for user, uses in enumerate(usage) for _ in range(uses)]
    for protection in PROTECTIONS:
        counted = protected_uses(np.array(usage), protection, tau)
        expected = [0] * len(usage)
        for (user,), (ordinal,) in zip(chosen, oracle.ordinals(chosen), strict=True):
            expected[user] += oracle.is_protected(protection, ordinal, tau)
        assert counted.tolist() == expected
        share = usage_metrics(np.array(usage), protection, tau)["protected_uses"]
        assert share == pytest.approx(oracle.protected_uses(chosen, protection, tau))


def test_epsilon_of_each_is_undefined_for_who_is_not_vulnerable() -> None:
    epsilons = paper_epsilon_of_each(np.array([0, 10, 11, 40]), 10)
    assert np.isnan(epsilons[:2]).all()
    assert epsilons[2:].tolist() == pytest.approx([math.log(43), math.log(3 + 4 / 3)])
