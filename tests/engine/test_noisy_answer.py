"""What one noisy answer reveals, against the probabilities of all answers, and against throws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.datasets import Scale
from engine.noisy_answer import Hides, NoisyAnswer
from engine.privacy import Mechanism
from engine.randomized_response import answer_probabilities, throw


@pytest.mark.parametrize("levels", [2, 5, 10, 21])
def test_the_odds_are_the_largest_ratio_of_two_probabilities(levels: int):
    answer = NoisyAnswer.of(Mechanism.for_scale(Scale(1.0, float(levels), 1.0)))
    given = answer_probabilities(levels)
    assert answer.hides is Hides.BOUNDED
    assert answer.odds == pytest.approx((given.max(axis=0) / given.min(axis=0)).max())
    assert answer.epsilon == pytest.approx(math.log(answer.odds))


def test_so_many_thrown_answers_are_the_real_rating():
    mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    answers = throw(4.0, 100_000, mechanism).answers
    expected = NoisyAnswer.of(mechanism).real_share
    assert np.mean(answers == 4.0) == pytest.approx(expected, abs=4 * math.sqrt(0.16 / 100_000))


def test_continuous_noise_and_a_single_value_hide_nothing():
    stars = Scale(1.0, 5.0, 1.0)
    continuous = NoisyAnswer.of(Mechanism.for_scale(stars, "continuous"))
    assert continuous.hides is Hides.NOT
    assert math.isinf(continuous.epsilon)
    single = NoisyAnswer.of(Mechanism.for_scale(Scale(4.0, 4.0, 1.0)))
    assert single.hides is Hides.NO_SECRET
    assert single.real_share == 1.0
