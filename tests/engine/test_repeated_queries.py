"""A threshold over time against queries that are really put again, one after the other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.errors import InputError
from engine.experiment import Experiment
from engine.neighborhoods import choose_neighbors
from engine.repeated_queries import (
    PLANS,
    VulnerableOverTime,
    after_rounds,
    tabulate_rounds,
    vulnerable_over_time,
)
from engine.settings import Setting
from engine.usage import count_usage
from tests.examples import random_rows, ratings_of

K = 3
STRATEGIES = ("userknn", "userknn+reuse", "gain", "expect+reuse")


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    rows = random_rows(12, users=14, items=30, share=0.5, values=[1, 2, 3, 4, 5])
    return Experiment(ratings_of(rows), folds=2)


def uses_put_again(
    experiment: Experiment, number: int, strategy: str, rounds: int
) -> list[list[int]]:
    """Who is used by each query, all queries put so many times: chosen anew, none read back."""
    fold = experiment.fold(number).repeated(rounds)
    neighborhoods = choose_neighbors(fold, [(strategy, K)])[strategy, K]
    return [neighborhoods.users(fold, query).tolist() for query in range(fold.n_queries)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_all_rounds_from_the_second_on_are_alike(experiment: Experiment, strategy: str):
    once = uses_put_again(experiment, 0, strategy, 1)
    often = uses_put_again(experiment, 0, strategy, 4)
    n = len(once)
    again = experiment.neighborhoods_again(0, strategy, K)
    fold = experiment.fold(0)
    assert often[:n] == once
    second = [again.users(fold, query).tolist() for query in range(n)]
    assert often[n : 2 * n] == often[2 * n : 3 * n] == often[3 * n :] == second
    assert (second == once) == (not strategy.endswith("+reuse"))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("tau", [0, 4, 11.7, 60])
def test_each_user_becomes_vulnerable_with_the_query_that_passes_tau(
    experiment: Experiment, strategy: str, tau: float
):
    rounds = 12
    over_time = vulnerable_over_time(experiment, strategy, K, tau)
    for number, times in enumerate(over_time.times):
        uses = uses_put_again(experiment, number, strategy, rounds)
        n_queries = experiment.fold(number).n_queries
        counts = np.zeros(experiment.ratings.n_users, dtype=int)
        expected = np.full(counts.size, np.inf)
        for query, users in enumerate(uses):
            for user in users:
                counts[user] += 1
                if counts[user] == math.floor(tau) + 1:
                    expected[user] = (query + 1) / n_queries
        known = np.isfinite(expected)
        assert times[known] == pytest.approx(expected[known])
        assert (times[~known] > rounds).all()
    whole = np.arange(1, rounds + 1)
    in_folds = np.array([[(t <= m).mean() for m in whole] for t in over_time.times])
    assert over_time.share(whole) == pytest.approx(in_folds.mean(axis=0))


def test_the_first_round_is_what_evaluate_gives(experiment: Experiment):
    for strategy in STRATEGIES:
        for tau in (0, 5, 12.5, 10_000):
            outcome = experiment.outcome(Setting(strategy, K, tau), keep=False)
            for plan in PLANS:
                row = after_rounds(experiment, strategy, K, tau, plan, 1)
                names = ("vulnerable_share", "protected_uses", "mae")
                for name in names:
                    assert getattr(row, name) == pytest.approx(outcome.value(name)), name
                if tau == int(tau):  # the paper's risk of 12.5 counts half a use
                    assert row.mean_real_uses == pytest.approx(outcome.value("privacy_risk"))
            share = vulnerable_over_time(experiment, strategy, K, tau).share(np.array([1.0]))[0]
            assert share == pytest.approx(outcome.value("vulnerable_share"))


@pytest.mark.parametrize("strategy", ["gain", "userknn+reuse"])
@pytest.mark.parametrize("plan", PLANS)
def test_real_uses_are_counted_one_by_one(experiment: Experiment, strategy: str, plan: str):
    rounds, tau = 5, 7
    row = after_rounds(experiment, strategy, K, tau, plan, rounds, [1])
    uses = uses_put_again(experiment, 1, strategy, rounds)
    n_queries = experiment.fold(1).n_queries
    real = np.zeros(experiment.ratings.n_users, dtype=int)
    counted = np.zeros_like(real)
    total = 0
    for query, users in enumerate(uses):
        if plan == "renewed" and query % n_queries == 0:
            counted[:] = 0
        for user in users:
            counted[user] += 1
            real[user] += counted[user] <= tau
            total += 1
    assert row.vulnerable_share == pytest.approx((counted > tau).mean())
    assert row.most_real_uses == real.max()
    assert row.mean_real_uses == pytest.approx(real.mean())
    assert row.protected_uses == pytest.approx(1 - real.sum() / total)
    assert row.protected_answers == pytest.approx((total - real.sum()) / real.size)


def test_coins_are_thrown_anew_in_each_round_unless_answers_are_kept(experiment: Experiment):
    errors = {after_rounds(experiment, "gain", K, 0, "renewed", m).mae for m in (1, 2, 3)}
    assert len(errors) == 3
    memoised = Experiment(experiment.ratings, folds=2, memoised=True)
    errors = {after_rounds(memoised, "gain", K, 0, "renewed", m).mae for m in (1, 2, 3)}
    assert len(errors) == 1


def test_with_a_fixed_tau_all_answers_of_later_rounds_end_up_protected(experiment: Experiment):
    table = tabulate_rounds(experiment, "userknn", K, 3, rounds=[1, 4, 40]).set_index("plan")
    fixed = table.loc["fixed"]
    assert fixed.vulnerable_share.is_monotonic_increasing
    assert fixed.most_real_uses.max() == 3
    used = np.mean([(experiment.usage(fold, "userknn", K) > 0).mean() for fold in (0, 1)])
    assert fixed.vulnerable_share.iloc[-1] == pytest.approx(used)
    assert table.loc["renewed"].vulnerable_share.nunique() == 1


def test_rounds_below_one_make_no_sense(experiment: Experiment):
    with pytest.raises(InputError, match="rounds must be a whole number of at least 1"):
        after_rounds(experiment, "gain", K, 5, "fixed", 0)


def test_an_unknown_plan_is_refused(experiment: Experiment):
    with pytest.raises(InputError, match="no plan 'monthly'; choose from fixed, renewed"):
        after_rounds(experiment, "gain", K, 5, "monthly", 2)  # type: ignore[arg-type]


def test_a_rule_gives_each_fold_a_tau_of_its_own(experiment: Experiment):
    over_time = vulnerable_over_time(experiment, "gain", K, "q90")
    rows = []
    for number in experiment.fold_numbers:
        tau = experiment.tau("q90", number, K)
        (alone,) = vulnerable_over_time(experiment, "gain", K, tau, [number]).times
        assert over_time.times[number].tolist() == alone.tolist()
        rows.append(after_rounds(experiment, "gain", K, tau, "fixed", 4, [number]))
    both = after_rounds(experiment, "gain", K, "q90", "fixed", 4)
    assert both.mae == pytest.approx(np.mean([row.mae for row in rows]))
    assert both.protected_uses == pytest.approx(np.mean([row.protected_uses for row in rows]))
    outcome = experiment.outcome(Setting("gain", K, "q90"))
    first = after_rounds(experiment, "gain", K, "q90", "renewed", 1)
    assert first.mae == pytest.approx(outcome.value("mae"))
    assert first.vulnerable_share == pytest.approx(outcome.value("vulnerable_share"))


def test_nobody_is_ever_vulnerable_where_nobody_is_used():
    alone = Experiment(ratings_of([("only", f"i{i}", 1 + i % 5) for i in range(6)]), folds=3)
    over_time = vulnerable_over_time(alone, "userknn+reuse", K, 0)
    assert np.isinf(over_time.times[0]).all()
    assert over_time.time_until(0.01) == math.inf
    row = after_rounds(alone, "gain", K, 5, "fixed", 20)
    assert (row.vulnerable_share, row.most_real_uses, row.protected_uses) == (0, 0, 0)


def test_the_time_until_a_share_counts_whole_users():
    over_time = VulnerableOverTime([np.arange(1.0, 11.0)])
    assert over_time.time_until(0.3) == 3.0
    assert over_time.time_until(0.31) == 4.0
    assert over_time.time_until(1.0) == 10.0


def test_usage_of_the_rounds_adds_up(experiment: Experiment):
    fold = experiment.fold(0).repeated(3)
    neighborhoods = choose_neighbors(fold, [("gain+reuse", K)])["gain+reuse", K]
    whole = count_usage(fold, neighborhoods).data_usage
    first = experiment.usage(0, "gain+reuse", K)
    again = experiment.neighborhoods_again(0, "gain+reuse", K)
    later = count_usage(experiment.fold(0), again).data_usage
    assert np.array_equal(whole, first + 2 * later)
