"""How usage is distributed, against plain counting."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.experiment import Experiment
from engine.settings import Setting
from engine.usage_distribution import UsageDistribution, more_used_share

USERKNN = UsageDistribution([np.array([10, 90, 93, 300]), np.array([20, 80, 92, 500])])
EXPECT = UsageDistribution([np.array([0, 0, 1, 2000]), np.array([0, 1, 1, 1500])])
UNUSED = UsageDistribution([np.zeros(3, dtype=np.int64)])
usages = st.lists(st.integers(0, 30_000), min_size=1, max_size=60)
taus = st.one_of(st.floats(0, 40_000), st.integers(0, 40_000).map(float))


def two_folds(usage: list[int]) -> list[np.ndarray]:
    return [np.array(usage), np.array(usage[::-1]) // 2]


@given(usages, st.lists(taus, min_size=1, max_size=5))
def test_users_used_at_most_so_often(usage: list[int], bounds: list[float]) -> None:
    folds = two_folds(usage)
    distribution = UsageDistribution(folds)
    counts = distribution.at_most(np.array(bounds))
    shares = distribution.share_at_most(np.array(bounds))
    for bound, count, share in zip(bounds, counts, shares, strict=True):
        expected = [sum(uses <= bound for uses in fold.tolist()) for fold in folds]
        assert count == pytest.approx(np.mean(expected))
        assert share == pytest.approx(np.mean(expected) / len(usage))
    assert distribution.largest == max(usage)
    assert distribution.unused_share == pytest.approx(
        np.mean([(fold == 0).mean() for fold in folds])
    )


@given(usages, taus)
def test_vulnerable_are_those_above_tau(usage: list[int], tau: float) -> None:
    folds = two_folds(usage)
    distribution = UsageDistribution(folds)
    share = np.mean([sum(uses > tau for uses in fold.tolist()) / len(usage) for fold in folds])
    assert distribution.vulnerable_share(tau) == pytest.approx(share)
    (others,) = distribution.share_at_most(np.array([tau]))
    assert distribution.vulnerable_share(tau) + others == pytest.approx(1)
    means = [fold[fold > tau].mean() for fold in folds if (fold > tau).any()]
    expected = np.mean(means) if means else math.nan
    assert distribution.mean_vulnerable_usage(tau) == pytest.approx(expected, nan_ok=True)


@given(usages, st.sampled_from([0, 0.25, 0.5, 0.9, 1]))
def test_a_quantile_is_a_usage_that_this_share_has_at_most(usage: list[int], share: float) -> None:
    folds = two_folds(usage)
    quantile = UsageDistribution(folds).quantile(share)
    together = sorted(np.concatenate(folds).tolist())
    assert quantile in together
    assert sum(uses <= quantile for uses in together) / len(together) >= share - 1 / len(together)
    assert sum(uses < quantile for uses in together) / len(together) <= share


@given(usages, st.sampled_from([0.01, 0.05, 0.1, 0.5, 1]))
def test_the_load_falls_on_those_who_are_used_most(usage: list[int], part: float) -> None:
    folds = two_folds(usage)
    load = UsageDistribution(folds).share_of_uses(part)
    users = max(1, round(part * len(usage)))
    shares = [
        sum(sorted(fold.tolist())[-users:]) / sum(fold.tolist()) for fold in folds if fold.any()
    ]
    assert load == pytest.approx(np.mean(shares) if shares else math.nan, nan_ok=True)


def test_by_hand() -> None:
    assert USERKNN.at_most(np.array([0, 92, 10**6])).tolist() == [0, 2.5, 4]
    assert USERKNN.share_at_most(np.array([92])).tolist() == [5 / 8]
    assert EXPECT.share_at_most(np.array([0, 92])).tolist() == [3 / 8, 6 / 8]
    assert (USERKNN.vulnerable_share(92.89), EXPECT.vulnerable_share(92.89)) == (3 / 8, 2 / 8)
    assert (USERKNN.quantile(0.5), EXPECT.quantile(0.5)) == (90, 1)
    assert (USERKNN.largest, EXPECT.largest) == (500, 2000)
    assert EXPECT.unused_share == 3 / 8
    assert EXPECT.mean_vulnerable_usage(80) == 1750
    assert USERKNN.mean_vulnerable_usage(80) == pytest.approx((161 + 296) / 2)
    ranks = UsageDistribution([np.arange(1, 101)])
    assert ranks.share_of_uses(0.05) == pytest.approx(sum(range(96, 101)) / 5050)


def test_where_nobody_is_used() -> None:
    assert (UNUSED.largest, UNUSED.unused_share, UNUSED.quantile(0.5)) == (0, 1, 0)
    assert np.isnan(UNUSED.share_of_uses(0.1))
    assert np.isnan(UNUSED.mean_vulnerable_usage(0))
    assert UNUSED.vulnerable_share(0) == 0
    used_once = UsageDistribution([np.zeros(3, dtype=np.int64), np.array([0, 1, 3])])
    assert used_once.share_of_uses(0.1) == 3 / 4


def test_more_used_is_a_mean_over_folds() -> None:
    assert more_used_share([np.array([3, 0])], [np.array([2, 0])]) == 0.5
    assert more_used_share(EXPECT.usages, USERKNN.usages) == 2 / 8
    assert more_used_share(USERKNN.usages, USERKNN.usages) == 0


def test_it_is_what_the_outcome_says() -> None:
    experiment = Experiment(generate(users=40, items=60, ratings=900))
    usage = [experiment.usage(fold, "gain", 5) for fold in experiment.fold_numbers]
    for tau in (0, 8, 8.5, 1000):
        outcome = experiment.outcome(Setting("gain", 5, tau), metrics=["vulnerable_share"])
        assert UsageDistribution(usage).vulnerable_share(tau) == outcome.value("vulnerable_share")
