"""What the adversary makes of the predictions, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.attack.inference import elect, nearest, possible_values, subtract
from engine.datasets import Scale

STARS = np.arange(1.0, 6.0)


def test_values_are_those_of_the_scale_or_101() -> None:
    assert possible_values(Scale(1.0, 5.0, 1.0)).tolist() == STARS.tolist()
    assert possible_values(Scale(-10.0, 10.0)).tolist()[::25] == [-10, -5, 0, 5, 10]


def test_nearest_stays_on_the_scale_and_takes_the_lower_of_two() -> None:
    numbers = np.array([-9.0, 1.49, 1.5, 1.5 + 1e-9, 1.51, 3.0, 99.0])
    assert STARS[nearest(STARS, numbers)].tolist() == [1, 1, 1, 1, 2, 3, 5]
    assert nearest(np.array([4.0]), numbers).tolist() == [0] * 7


def test_the_rating_follows_where_all_others_are_fake() -> None:
    for rating in STARS:
        for k in (2, 5, 10, 30):
            prediction = (rating + (k - 1) * 3.0) / k
            answer = subtract(np.array([[prediction]]), np.array([k]), k - 1, 3.0, np.array([4.0]))
            assert answer[0, 0] == pytest.approx(rating)


def test_places_without_a_fake_account_are_taken_by_the_mean() -> None:
    prediction = (5 + 2 * 3.0 + 7 * 3.6) / 10
    answer = subtract(np.array([[prediction]]), np.array([10]), 2, 3.0, np.array([3.6]))
    assert answer[0, 0] == pytest.approx(5)
    # more fake accounts than places, and fewer neighbors than k
    assert subtract(np.array([[3.5]]), np.array([4]), 9, 3.0, np.array([1.0]))[0, 0] == 5.0


def elected(*answers: float) -> float:
    return float(STARS[elect(np.array(answers)[:, None], STARS)[0]])


def test_what_comes_up_most_often_is_elected() -> None:
    assert elected(4.0) == 4
    assert elected(4.0, 2.0, 4.0) == 4
    assert elected(4.0, 1.9, 2.1, 1.8, 2.2) == 4  # on the scale counts more than near to a value
    assert elected(1.9, 2.1, 3.6) == 2
    assert elected(4.0, 2.0, 2.2) == 2  # as often on the scale: the nearest to the mean, 2.7
    assert elected(-7.0) == 1
    assert elected(99.0) == 5
    assert elected(-7.0, 9.0, 9.0) == 4  # off the scale counts for nothing: the mean is 3.67
    assert elected(-7.0, -8.0, 4.0) == 4


def test_probes_do_not_mix() -> None:
    answers = np.array([[1.0, 5.0, 2.6], [1.0, 5.0, 2.7], [4.0, 2.0, 9.0]])
    assert STARS[elect(answers, STARS)].tolist() == [1, 5, 3]
