"""What an observer concludes: fresh answers add up, memoised do not, continuous noise fails."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from engine.datasets import Scale
from engine.errors import InputError
from engine.privacy import Mechanism, strict_epsilon
from engine.randomized_response import (
    answer_probabilities,
    ask_often,
    believe,
    estimate_rating,
    mean_random_rating,
    throw,
)

FIVE_STARS = Scale(1.0, 5.0, 1.0)
HALF_STARS = Scale(0.5, 5.0, 0.5)
FRESH = Mechanism.for_scale(FIVE_STARS)
MEMOISED = Mechanism.for_scale(FIVE_STARS, memoised=True)
CONTINUOUS = Mechanism.for_scale(FIVE_STARS, "continuous")


def test_coins_are_fair_and_decide() -> None:
    coins = throw(4.0, 20_000, FRESH)
    for heads in (coins.first_heads, coins.second_heads):
        assert stats.binomtest(int(heads.sum()), heads.size, 0.5).pvalue > 1e-4
    both = int((coins.first_heads & coins.second_heads).sum())
    assert stats.binomtest(both, 20_000, 0.25).pvalue > 1e-4
    assert (coins.answers[coins.real] == 4.0).all()
    random = coins.answers[~coins.real]
    counts = [int((random == level).sum()) for level in range(1, 6)]
    assert stats.chisquare(counts).pvalue > 1e-4


def test_of_100_answers_of_five_stars_80_are_true() -> None:
    assert answer_probabilities(5)[4, 4] == pytest.approx(0.8)
    answers = ask_often(np.arange(1.0, 6), FRESH, items=20_000).answers.reshape(-1, 5)
    five = (answers == 5).sum(axis=0)
    assert five[4] / five.sum() == pytest.approx(0.8, abs=0.01)
    assert believe(np.array([5.0]), FRESH, FIVE_STARS)[1, 4] == pytest.approx(0.8)


@pytest.mark.parametrize("levels", [1, 2, 5, 10])
def test_probabilities_are_those_of_two_coins_and_a_die(levels: int) -> None:
    table = answer_probabilities(levels)
    for rating, answer in itertools.product(range(levels), repeat=2):
        outcomes = [
            rating if "heads" in (first, second) else die
            for first, second, die in itertools.product(
                ("heads", "tails"), ("heads", "tails"), range(levels)
            )
        ]
        assert table[rating, answer] == pytest.approx(outcomes.count(answer) / len(outcomes))
    if levels > 1:
        scale = Scale(1.0, levels, 1.0)
        assert math.log(table[0, 0] / table[1, 0]) == pytest.approx(
            strict_epsilon(Mechanism.for_scale(scale))
        )


@pytest.mark.parametrize("rating", [1.0, 4.0, 5.0])
def test_fresh_answers_converge_to_the_rating(rating: float) -> None:
    answers = throw(rating, 40_000, FRESH).answers
    estimate = estimate_rating(answers, FRESH)
    error = estimate[-1] - rating
    deviation = answers.std() / 0.75
    assert abs(error) < 4 * deviation / math.sqrt(40_000) < 0.05
    assert believe(answers[:40], FRESH, FIVE_STARS)[-1, int(rating) - 1] > 0.999
    # over many ratings the error falls with the square root of the number of answers
    many = ask_often(np.full(400, rating), FRESH, asks=64).answers[0]
    errors = [
        np.std([estimate_rating(column[:asks], FRESH)[-1] for column in many.T])
        for asks in (4, 16, 64)
    ]
    assert errors[0] / errors[1] == pytest.approx(2, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(2, rel=0.2)


def test_memoised_answers_never_tell_more_than_one() -> None:
    many = ask_often(np.full(500, 4.0), MEMOISED, asks=50).answers[0]
    assert (many == many[0]).all()
    for answers in many.T[:50]:
        estimate = estimate_rating(answers, MEMOISED)
        assert estimate == pytest.approx(np.full(50, estimate[0]))
        beliefs = believe(answers, MEMOISED, FIVE_STARS)
        assert (beliefs[1:] == beliefs[1]).all()
    # and one of five answers stays wrong, however often one asks
    wrong = int((many[-1] != 4.0).sum())
    assert stats.binomtest(wrong, 500, 0.2).pvalue > 1e-4


def test_another_item_or_neighbor_has_a_memoised_answer_of_its_own() -> None:
    answers = ask_often(np.full(40, 3.0), MEMOISED, items=40).answers
    assert len(np.unique(answers[:, 0, 0])) > 1
    assert len(np.unique(answers[0, 0])) > 1


def test_one_continuous_answer_on_whole_stars_is_certain_or_says_nothing() -> None:
    answers = throw(2.0, 1000, CONTINUOUS).answers
    stars = answers[answers == np.rint(answers)]
    assert set(stars.tolist()) == {2.0}
    assert stats.binomtest(stars.size, 1000, 0.75).pvalue > 1e-4
    for answer in answers:
        belief = believe(np.array([answer]), CONTINUOUS, FIVE_STARS)[1]
        assert belief.tolist() == ([0, 1, 0, 0, 0] if answer == 2 else [0.2] * 5)


def test_a_prior_is_bayes_rule_by_hand() -> None:
    prior = np.array([0.1, 0.1, 0.2, 0.5, 0.1])
    after = believe(np.array([5.0]), FRESH, FIVE_STARS, prior)[1]
    by_hand = prior * np.array([0.05, 0.05, 0.05, 0.05, 0.8])
    assert after == pytest.approx(by_hand / by_hand.sum())
    assert after[4] == pytest.approx(0.64)  # five stars are rare: fewer such answers are true


def test_beliefs_are_calibrated() -> None:
    """Among the answers after which the observer is 80 % sure, 80 % are right."""
    ratings = np.random.default_rng(1).choice(np.arange(1.0, 6), size=4000)
    answers = ask_often(ratings, FRESH, asks=2).answers[0]
    sure = np.array([believe(pair, FRESH, FIVE_STARS)[2] for pair in answers.T])
    right = sure.argmax(axis=1) + 1 == ratings
    assert sure.max(axis=1).mean() == pytest.approx(right.mean(), abs=0.02)


def test_estimates_on_half_stars_are_right_on_average() -> None:
    mechanism = Mechanism.for_scale(HALF_STARS)
    assert mean_random_rating(mechanism) == 2.75
    assert estimate_rating(throw(0.5, 50_000, mechanism).answers, mechanism)[-1] == pytest.approx(
        0.5, abs=0.05
    )
    assert mean_random_rating(Mechanism.for_scale(Scale(-10, 10, None))) == 0


def test_what_cannot_be_concluded() -> None:
    with pytest.raises(InputError, match="steps"):
        believe(np.array([1.0]), CONTINUOUS, Scale(1.0, 5.0, None))
    with pytest.raises(InputError, match="prior"):
        believe(np.array([1.0]), FRESH, FIVE_STARS, np.array([1.0]))
    with pytest.raises(InputError, match="at least one"):
        throw(4.0, 0, FRESH)
    with pytest.raises(InputError, match="at least one value"):
        answer_probabilities(0)
