from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from engine.intervals import Share, clopper_pearson


@pytest.mark.parametrize("error", [0.05, 1e-4])
@pytest.mark.parametrize(("successes", "trials"), [(0, 7), (7, 7), (1, 7), (31, 100), (99, 100)])
def test_clopper_pearson_equals_the_library_for_one(
    successes: int, trials: int, error: float
) -> None:
    exact = stats.binomtest(successes, trials).proportion_ci(1 - error, method="exact")
    low, high = clopper_pearson(np.array([successes]), trials, error)
    assert (low[0], high[0]) == (pytest.approx(exact.low), pytest.approx(exact.high))


def test_independent_trials_in_groups_get_the_interval_of_independent_trials() -> None:
    rng = np.random.default_rng(3)
    trials = np.full(400, 10)
    share = Share.of_groups(rng.binomial(trials, 0.3), trials)
    exact = stats.binomtest(round(share.value * 4000), 4000).proportion_ci(method="exact")
    assert share.low == pytest.approx(exact.low, abs=0.01)
    assert share.high == pytest.approx(exact.high, abs=0.01)


def test_the_interval_holds_the_truth_where_a_group_is_alike() -> None:
    """Each of 40 groups has its own probability: independent trials would promise too much."""
    rng = np.random.default_rng(5)
    trials = np.full(40, 10)
    held = held_if_independent = 0
    for _ in range(400):
        successes = rng.binomial(trials, rng.beta(0.4, 0.6, size=40))  # mean 0.4
        share = Share.of_groups(successes, trials)
        held += share.low <= 0.4 <= share.high
        low, high = clopper_pearson(successes.sum(), trials.sum())
        held_if_independent += bool(low <= 0.4 <= high)
    assert held >= 370
    assert held_if_independent < 300


def test_all_alike_and_none_there() -> None:
    every = Share.of_groups(np.full(20, 5), np.full(20, 5))
    assert (every.value, every.high) == (1, 1)
    assert every.low == pytest.approx(0.025 ** (1 / 20))  # as for 20 independent trials
    nothing = Share.of_groups(np.array([0, 0]), np.array([0, 0]))
    assert math.isnan(nothing.value)
    assert math.isnan(nothing.low)
    one = Share.of_groups(np.array([3]), np.array([10]))
    assert one.low < 0.03
    assert one.high > 0.9
