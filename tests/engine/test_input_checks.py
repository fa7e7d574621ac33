"""Folds, k and users are checked by one rule, whatever is asked about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine import (
    Experiment,
    InputError,
    Setting,
    explain_query,
    exposure_of,
    find_front,
    gather_candidates,
    generate,
    group_biases,
    growth_curve,
    noise_band,
    tabulate_rounds,
    tabulate_users,
    uses_over_folds,
    vulnerable_over_time,
)
from engine.attack.plan import AttackPlan
from engine.attack.probing import attack
from engine.datasets import Ratings
from engine.protection_summary import summarize_protection
from engine.usage_distribution import UsageDistribution


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return generate(users=40, items=60, ratings=900)


@pytest.fixture(scope="module")
def experiment(ratings: Ratings) -> Experiment:
    return Experiment(ratings)


# --- what is refused -----------------------------------------------------------------------------

ASKED: dict[str, Callable[[Experiment, int, Any], object]] = {
    "usage": lambda e, fold, k: e.usage(fold, "gain", k),
    "neighbors_at_q": lambda e, fold, k: e.neighbors_at_q(fold, "gain", k),
    "co_ratings_at_q": lambda e, fold, k: e.co_ratings_at_q(fold, "gain", k),
    "growth": lambda e, fold, k: e.growth(fold, "gain", k),
    "growth_tests": lambda e, fold, k: e.growth_tests(fold, "gain", k),
    "uses_of": lambda e, fold, k: e.uses_of(fold, "gain", k, user=0),
    "neighborhoods": lambda e, fold, k: e.neighborhoods(fold, "gain", k),
    "predictor": lambda e, fold, k: e.predictor(fold, "gain", k),
    "sweep": lambda e, fold, k: e.sweep(fold, "gain", k),
    "sweep_over_folds": lambda e, fold, k: e.sweep_over_folds("gain", k, [fold]),
    "tau by a rule": lambda e, fold, k: e.tau("q90", fold, k),
    "tau as a number": lambda e, fold, k: e.tau(5.0, fold, k),
    "choose": lambda e, fold, k: e.choose(fold, [("gain", k)]),
    "run": lambda e, fold, k: e.run(["gain"], [k], [fold]),
    "outcome": lambda e, fold, k: e.outcome(Setting("gain", k, 5), [fold]),
    "fold_outcome": lambda e, fold, k: e.fold_outcome(fold, Setting("gain", k, 5)),
    "absolute_errors": lambda e, fold, k: e.absolute_errors(fold, Setting("gain", k, 5)),
    "top_items": lambda e, fold, k: e.top_items(fold, Setting("gain", k, 5)),
    "item_frequency": lambda e, fold, k: e.item_frequency(fold, Setting("gain", k, 5)),
    "find_front": lambda e, fold, k: find_front(e, ["gain"], [k], [fold]),
    "exposure_of": lambda e, fold, k: exposure_of(e, "gain", k, 0, [fold]),
    "uses_over_folds": lambda e, fold, k: uses_over_folds(e, "gain", k, 0, [fold]),
    "tabulate_users": lambda e, fold, k: tabulate_users(e, "gain", k, 5, [fold]),
    "group_biases": lambda e, fold, k: group_biases(e, Setting("gain", k, 5), [fold]),
    "growth_curve": lambda e, fold, k: growth_curve(e, "neighbors", "gain", k, [fold]),
    "neighborhoods_again": lambda e, fold, k: e.neighborhoods_again(fold, "gain", k),
    "popularity_sweep": lambda e, fold, k: e.popularity_sweep("gain", k, [fold]),
    "mae_with_coins": lambda e, fold, k: e.mae_with_coins(fold, "gain", k, draw=1),
    "gather_candidates": lambda e, fold, k: gather_candidates(e, ["gain"], [k], [fold]),
    "noise_band": lambda e, fold, k: noise_band(e, "gain", k, [fold], draws=1),
    "vulnerable_over_time": lambda e, fold, k: vulnerable_over_time(e, "gain", k, 5, [fold]),
    "tabulate_rounds": lambda e, fold, k: tabulate_rounds(e, "gain", k, 5, [fold], [2]),
    "explain_query": lambda e, fold, k: explain_query(e, fold, 0, Setting("gain", k, 5)),
    "attack": lambda e, fold, k: attack(e, fold, "gain", k, AttackPlan(victims=1, probes=1)),
}
every_question = pytest.mark.parametrize("question", ASKED)


@every_question
@pytest.mark.parametrize("k", [0, -3, 2.5])
def test_a_k_that_makes_no_sense(experiment: Experiment, question: str, k: Any) -> None:
    with pytest.raises(InputError, match=r"^k must be a whole number of at least 1, not"):
        ASKED[question](experiment, 0, k)


@every_question
@pytest.mark.parametrize("fold", [7, 5, -1])
def test_a_fold_that_there_is_not(experiment: Experiment, question: str, fold: int) -> None:
    with pytest.raises(InputError, match=r"^fold must be "):
        ASKED[question](experiment, fold, 5)


@every_question
@pytest.mark.parametrize(("fold", "k"), [(1, True), (1, 1.0), (True, 1), (1.0, 1)])
def test_what_was_asked_before_does_not_let_nonsense_pass(
    experiment: Experiment, question: str, fold: Any, k: Any
) -> None:
    """True and 1.0 are equal to 1, whose answer is remembered; they are refused all the same."""
    ASKED[question](experiment, 1, 1)
    with pytest.raises(InputError, match="must be a whole number"):
        ASKED[question](experiment, fold, k)


FOLDS_ASKED: dict[str, Callable[[Experiment, Any], object]] = {
    "sweep_over_folds": lambda e, folds: e.sweep_over_folds("gain", 5, folds),
    "run": lambda e, folds: e.run(["gain"], [5], folds),
    "outcome": lambda e, folds: e.outcome(Setting("gain", 5, 5), folds),
    "find_front": lambda e, folds: find_front(e, ["gain"], [5], folds),
    "exposure_of": lambda e, folds: exposure_of(e, "gain", 5, 0, folds),
    "uses_over_folds": lambda e, folds: uses_over_folds(e, "gain", 5, 0, folds),
    "tabulate_users": lambda e, folds: tabulate_users(e, "gain", 5, 5, folds),
    "group_biases": lambda e, folds: group_biases(e, Setting("gain", 5, 5), folds),
    "growth_curve": lambda e, folds: growth_curve(e, "neighbors", "gain", 5, folds),
    "popularity_sweep": lambda e, folds: e.popularity_sweep("gain", 5, folds),
    "gather_candidates": lambda e, folds: gather_candidates(e, ["gain"], [5], folds),
    "noise_band": lambda e, folds: noise_band(e, "gain", 5, folds, draws=1),
    "vulnerable_over_time": lambda e, folds: vulnerable_over_time(e, "gain", 5, 5, folds),
    "tabulate_rounds": lambda e, folds: tabulate_rounds(e, "gain", 5, 5, folds),
}


@pytest.mark.parametrize("question", FOLDS_ASKED)
def test_no_fold_at_all_is_refused(experiment: Experiment, question: str) -> None:
    with pytest.raises(InputError, match="fold"):
        FOLDS_ASKED[question](experiment, [])


@pytest.mark.parametrize("question", FOLDS_ASKED)
def test_folds_are_taken_from_any_iterable(experiment: Experiment, question: str) -> None:
    FOLDS_ASKED[question](experiment, (number for number in (0, 2)))
    FOLDS_ASKED[question](experiment, np.array([0, 2]))


def test_strategies_and_ks_are_taken_from_any_iterable(experiment: Experiment) -> None:
    names, ks = ("gain", "expect"), (3, 5)
    pairs = [(c.strategy, c.k) for c in gather_candidates(experiment, iter(names), iter(ks))]
    assert pairs == [(name, k) for name in names for k in ks]
    table = tabulate_rounds(experiment, "gain", 5, 5, rounds=iter((1, 2)))
    assert table.equals(tabulate_rounds(experiment, "gain", 5, 5, rounds=(1, 2)))
    assert len(table) == 4


@pytest.mark.parametrize("user", [-1, 40, 10**9])
def test_a_user_that_there_is_not(experiment: Experiment, user: int) -> None:
    for ask in (
        lambda: exposure_of(experiment, "gain", 5, user),
        lambda: uses_over_folds(experiment, "gain", 5, user),
        lambda: experiment.uses_of(0, "gain", 5, user),
    ):
        with pytest.raises(InputError, match="user"):
            ask()


@pytest.mark.parametrize("tau", [-4, -0.5, float("nan")])
def test_a_threshold_below_zero(experiment: Experiment, tau: float) -> None:
    exposure = exposure_of(experiment, "gain", 5, 0)
    for ask in (
        lambda: exposure.real(tau),
        lambda: exposure.protected(tau),
        lambda: exposure.risk(tau),
        lambda: exposure.epsilon(tau),
        lambda: UsageDistribution([exposure.usage]).vulnerable_share(tau),
        lambda: summarize_protection(experiment, "gain", 5, tau),
        lambda: experiment.sweep(0, "gain", 5).metrics_at(tau),
    ):
        with pytest.raises(InputError, match="tau must be at least 0"):
            ask()
