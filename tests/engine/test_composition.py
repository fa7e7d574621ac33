"""Composition against brute force, and the account against counting by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from engine.composition import (
    answers_by_rating,
    compose_basic,
    compose_optimal,
    composition_delta,
    strict_account,
)
from engine.datasets import Ratings
from engine.errors import InputError
from engine.experiment import Experiment
from engine.neighborhoods import choose_neighbors
from engine.randomized_response import answer_probabilities
from engine.settings import Setting
from engine.splits import split
from tests import oracle
from tests.examples import engine_chosen


def delta_by_enumeration(probabilities: np.ndarray, answers: int, total: float) -> float:
    """The most by which exp(total) fails to bound P(outcome | r) / P(outcome | r'), summed."""
    delta = 0.0
    levels = range(len(probabilities))
    for outcome in itertools.product(levels, repeat=answers):
        one = math.prod(probabilities[0, answer] for answer in outcome)
        other = math.prod(probabilities[1, answer] for answer in outcome)
        delta += max(0.0, one - math.exp(total) * other)
    return delta


@pytest.mark.parametrize("answers", [1, 2, 5])
def test_two_values_are_the_worst_mechanism(answers: int) -> None:
    """With two values our mechanism is the worst of its epsilon: the formula is exact for it."""
    epsilon = math.log(7)
    for total in (0.0, 0.7, epsilon, 2.5 * epsilon):
        assert composition_delta(total, epsilon, answers) == pytest.approx(
            delta_by_enumeration(answer_probabilities(2), answers, total), abs=1e-12
        )


@pytest.mark.parametrize(("levels", "answers"), [(3, 4), (5, 3), (10, 2)])
def test_more_values_reveal_no_more_than_that(levels: int, answers: int) -> None:
    epsilon = math.log(1 + 3 * levels)
    for share in (0.0, 0.3, 0.6, 0.9, 1.0):
        total = share * answers * epsilon
        exact = delta_by_enumeration(answer_probabilities(levels), answers, total)
        assert exact <= composition_delta(total, epsilon, answers) + 1e-12


@pytest.mark.parametrize("epsilon", [0.1, 1.0, math.log(16)])
@pytest.mark.parametrize("answers", [1, 2, 10, 100, 5000])
def test_optimal_is_the_inverse_and_at_most_the_sum(epsilon: float, answers: int) -> None:
    total = compose_basic(epsilon, answers)
    before = total
    for delta in (0.0, 1e-9, 1e-6, 1e-3, 0.5):
        optimal = compose_optimal(epsilon, answers, delta)
        assert optimal <= before + 1e-9
        assert composition_delta(optimal, epsilon, answers) <= delta * (1 + 1e-6) + 1e-13
        before = optimal
    assert compose_optimal(epsilon, answers, 0.0) == total


def test_optimal_composition_of_many_small_losses_grows_with_the_root() -> None:
    few, many = (compose_optimal(0.01, n, 1e-6) for n in (1000, 4000))
    assert many / few == pytest.approx(2, rel=0.15)


def test_ends() -> None:
    assert compose_basic(2.5, 0) == compose_optimal(2.5, 0) == 0
    assert compose_basic(math.inf, 0) == 0
    assert compose_basic(math.inf, 2) == compose_optimal(math.inf, 2) == math.inf
    for delta in (-0.1, 1.0, math.nan):
        with pytest.raises(InputError, match="delta"):
            compose_optimal(1.0, 3, delta)
    with pytest.raises(InputError, match="answers"):
        compose_basic(1.0, -1)


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
@pytest.mark.parametrize("protection", ["none", "vulnerable", "full"])
def test_the_account_equals_counting_by_hand(
    small: Ratings, strategy: str, protection: str
) -> None:
    tau = 9.0
    fold = split(small, 0)
    chosen = engine_chosen(fold, choose_neighbors(fold, [(strategy, 4)], jobs=1)[strategy, 4])
    real: dict[tuple[int, int], int] = {}
    noisy: dict[tuple[int, int], int] = {}
    for item, neighbors, numbers in zip(
        fold.query_item.tolist(), chosen, oracle.ordinals(chosen), strict=True
    ):
        for neighbor, ordinal in zip(neighbors, numbers, strict=True):
            counts = noisy if oracle.is_protected(protection, ordinal, tau) else real
            counts[neighbor, item] = counts.get((neighbor, item), 0) + 1

    setting = Setting(strategy, 4, tau, protection)
    experiment = Experiment(small, jobs=1)
    answers = answers_by_rating(experiment, 0, setting)
    for user, item, n_real, n_noisy in zip(
        answers.user, answers.item, answers.real, answers.protected, strict=True
    ):
        assert n_real == real.get((int(user), int(item)), 0)
        assert n_noisy == noisy.get((int(user), int(item)), 0)

    for memoised in (False, True):
        account = strict_account(Experiment(small, memoised=memoised, jobs=1), 0, setting)
        for user in range(small.n_users):
            unprotected = {item for u, item in real if u == user}
            only_noisy = {item: n for (u, item), n in noisy.items() if u == user}
            only_noisy = {i: n for i, n in only_noisy.items() if i not in unprotected}
            most = max(only_noisy.values(), default=0)
            assert account.unprotected[user] == len(unprotected)
            assert account.protected_only[user] == len(only_noisy)
            assert account.answered[user] == len(unprotected) + len(only_noisy)
            assert account.most_answers[user] == most
            revealing = min(most, 1) if memoised else most
            assert account.epsilon_basic[user] == pytest.approx(revealing * math.log(16))
            assert account.epsilon_memoised[user] == (math.log(16) if most else 0)
            assert account.epsilon_optimal[user] == pytest.approx(
                compose_optimal(math.log(16), revealing)
            )
        assert (account.ratings == np.diff(fold.by_user.indptr)).all()


def test_continuous_noise_has_no_finite_account(small: Ratings) -> None:
    experiment = Experiment(small, mechanism="continuous", jobs=1)
    account = strict_account(experiment, 0, Setting("gain", 4, 5.0, "full"))
    answered = account.answered > 0
    for epsilon in (account.epsilon_basic, account.epsilon_optimal, account.epsilon_memoised):
        assert np.isinf(epsilon[answered]).all()
        assert (epsilon[~answered] == 0).all()
