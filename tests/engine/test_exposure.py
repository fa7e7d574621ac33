"""What one user is exposed to: the same numbers whichever way they are counted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import Scale, generate
from engine.errors import InputError
from engine.experiment import Experiment
from engine.exposure import (
    Exposure,
    UsesOverFolds,
    exposure_of,
    tabulate_users,
    user_code,
    uses_over_folds,
)
from engine.privacy import paper_epsilon, privacy_risk
from engine.settings import Setting
from tests.examples import ratings_of

STRATEGIES = ("userknn", "expect+reuse")
usages = st.lists(st.integers(0, 30_000), min_size=1, max_size=5).map(
    lambda values: np.array(values, dtype=np.int64)
)
taus = st.one_of(st.floats(0, 40_000), st.integers(0, 40_000).map(float))


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=40, items=60, ratings=900))


def most_used(experiment: Experiment, strategy: str) -> int:
    usage = [experiment.usage(fold, strategy, 5) for fold in experiment.fold_numbers]
    return int(np.sum(usage, axis=0).argmax())


@given(usages, taus)
def test_real_and_protected_uses_are_all_uses_and_the_risk_is_the_papers(
    usage: np.ndarray, tau: float
) -> None:
    exposure = Exposure(usage)
    assert exposure.real(tau) + exposure.protected(tau) == pytest.approx(exposure.uses)
    assert exposure.risk(tau) == privacy_risk(usage, "vulnerable", tau).mean()
    assert exposure.risk(tau) - exposure.real(tau) < 1
    assert (exposure.protected(tau) > 0) == (exposure.vulnerable_folds(tau) > 0)
    assert exposure.vulnerable_folds(tau) == (usage > tau).sum()
    assert 0 <= exposure.protected_share(tau) <= 1
    paper = paper_epsilon(usage, "vulnerable", tau)
    if paper is None:
        assert math.isnan(exposure.epsilon(tau))
    else:
        assert exposure.epsilon(tau) == pytest.approx(paper)


def test_a_user_who_is_never_used() -> None:
    nobody = Exposure(np.zeros(3, dtype=np.int64))
    assert (nobody.uses, nobody.risk(5), nobody.protected_share(0)) == (0, 0, 0)
    assert math.isnan(nobody.epsilon(0))


@pytest.mark.parametrize("tau", [0, 4.5, 20])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_uses_are_counted_over_all_folds_and_protected_above_tau(
    experiment: Experiment, strategy: str, tau: float
) -> None:
    user = most_used(experiment, strategy)
    exposure = exposure_of(experiment, strategy, 5, user)
    uses = uses_over_folds(experiment, strategy, 5, user)
    assert uses.item.size == uses.asked_by.size == uses.ordinal.size == exposure.usage.sum()
    assert (uses.ordinal > tau).sum() / 5 == pytest.approx(exposure.protected(tau))
    for by in (uses.asked_by, uses.item):
        codes, counted, protected = uses.counts(by, tau)
        assert (np.diff(counted) <= 0).all()
        for code, number, hidden in zip(codes, counted, protected, strict=True):
            assert number == (by == code).sum()
            assert hidden == ((by == code) & (uses.ordinal > tau)).sum()
        assert counted.sum() == uses.item.size
        assert protected.sum() == (uses.ordinal > tau).sum()
    assert user not in uses.asked_by
    ratings = experiment.ratings
    assert set(uses.item.tolist()) <= set(ratings.item[ratings.user == user].tolist())


def test_uses_are_those_of_the_folds_asked_for(experiment: Experiment) -> None:
    parts = [uses_over_folds(experiment, "gain", 5, 3, [fold]) for fold in (4, 1)]
    both = uses_over_folds(experiment, "gain", 5, 3, [4, 1])
    for name in ("asked_by", "item", "ordinal"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert getattr(both, name).tolist() == joined.tolist()
    for part, fold in zip(parts, (4, 1), strict=True):
        assert part.ordinal.tolist() == [*range(1, experiment.usage(fold, "gain", 5)[3] + 1)]
        assert exposure_of(experiment, "gain", 5, 3, [fold]).uses == part.ordinal.size


def test_counts_of_nothing() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    codes, uses, protected = UsesOverFolds(nothing, nothing, nothing).counts(nothing, 1)
    assert codes.size == uses.size == protected.size == 0


def test_a_label_has_one_code(experiment: Experiment) -> None:
    labels = experiment.ratings.users
    assert [user_code(experiment, str(label)) for label in labels] == [*range(40)]
    with pytest.raises(InputError, match="no user 'nobody'"):
        user_code(experiment, "nobody")


# --- the table of all users ----------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("tau", [0, 8.5, 10_000])
def test_the_table_agrees_with_each_user(experiment: Experiment, strategy: str, tau: float) -> None:
    table = tabulate_users(experiment, strategy, 5, tau)
    ratings = experiment.ratings
    assert sorted(table.user) == sorted(ratings.users.tolist())
    assert table.data_usage.is_monotonic_decreasing
    for row in table.itertuples():
        user = user_code(experiment, row.user)
        exposure = exposure_of(experiment, strategy, 5, user)
        assert row.ratings == (ratings.user == user).sum()
        assert row.data_usage == pytest.approx(exposure.uses)
        assert row.vulnerable_folds == exposure.vulnerable_folds(tau)
        assert row.protected == pytest.approx(exposure.protected(tau))
        assert row.privacy_risk == pytest.approx(exposure.risk(tau))
        assert row.epsilon_paper == pytest.approx(exposure.epsilon(tau), nan_ok=True)
        assert row.epsilon_strict_sum == pytest.approx(exposure.protected(tau) * math.log(16))


@pytest.mark.parametrize("tau", ["q90", "published", 8.5])
def test_means_over_users_are_those_of_the_outcome(
    experiment: Experiment, tau: str | float
) -> None:
    """Also where a rule gives each fold a tau of its own."""
    for strategy in STRATEGIES:
        table = tabulate_users(experiment, strategy, 5, tau)
        outcome = experiment.outcome(Setting(strategy, 5, tau))
        assert table.data_usage.mean() == pytest.approx(outcome.value("data_usage"))
        assert table.privacy_risk.mean() == pytest.approx(outcome.value("privacy_risk"))
        assert table.vulnerable_folds.mean() / 5 == pytest.approx(outcome.value("vulnerable_share"))
        # Every fold of a strategy has the same number of users, but not of uses.
        uses = outcome.in_folds("data_usage") * len(table)
        protected = (outcome.in_folds("protected_uses") * uses).mean()
        assert table.protected.sum() == pytest.approx(protected)


def test_continuous_noise_has_no_strict_epsilon() -> None:
    rows = [(f"u{u}", f"i{i}", 1 + (u * i) % 5) for u in range(12) for i in range(9)]
    experiment = Experiment(ratings_of(rows, Scale(1.0, 5.0, 1.0)), mechanism="continuous")
    table = tabulate_users(experiment, "gain", 3, 2)
    assert (table.protected > 0).any()
    assert table.epsilon_strict_sum.isna().all()


def test_memoised_answers_about_one_rating_reveal_it_once() -> None:
    """However often a rating is asked for, its protected answer is one, and so is its epsilon."""
    rows = [(f"u{u}", f"i{i}", 1 + (u * i) % 5) for u in range(12) for i in range(9)]
    experiment = Experiment(ratings_of(rows), memoised=True)
    tau = 2
    table = tabulate_users(experiment, "gain", 5, tau).set_index("user")
    for user, label in enumerate(experiment.ratings.users):
        answered = []
        for fold in experiment.fold_numbers:
            uses = uses_over_folds(experiment, "gain", 5, user, [fold])
            answered.append(len(set(uses.item[uses.ordinal > tau].tolist())))
        expected = np.mean(answered) * math.log(16)
        assert table.epsilon_strict_sum[label] == pytest.approx(expected)
    assert (table.protected * math.log(16) > table.epsilon_strict_sum).any()


def test_the_table_is_of_the_folds_asked_for(experiment: Experiment) -> None:
    table = tabulate_users(experiment, "gain", 5, 8, [2]).set_index("user")
    usage = experiment.usage(2, "gain", 5)
    assert table.data_usage[experiment.ratings.users].tolist() == usage.tolist()
    assert set(table.vulnerable_folds) <= {0, 1}
