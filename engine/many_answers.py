"""What many answers about one rating come to: counted by value, and estimated by observers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.coins import Coins
from engine.datasets import Scale
from engine.errors import InputError
from engine.privacy import Mechanism
from engine.randomized_response import ask_often, estimate_rating


def levels_of(scale: Scale) -> np.ndarray:
    """Return the values of a scale with steps: (m,) float64. Raises `InputError` without steps."""
    levels = scale.levels
    if levels is None:
        raise InputError("Answers can be counted by value only on a scale with steps.")
    return levels


@dataclass(frozen=True, eq=False)
class AnswerCounts:
    """How often each value of the scale was answered, by the coins and at random: (m,) each."""

    rating: float
    levels: np.ndarray
    by_coins: np.ndarray
    at_random: np.ndarray

    @property
    def answers(self) -> int:
        """The number of answers."""
        return int(self.by_coins.sum() + self.at_random.sum())

    @property
    def true(self) -> int:
        """The number of answers that are the real rating."""
        return int((self.by_coins + self.at_random)[self.levels == self.rating].sum())

    @property
    def lucky(self) -> int:
        """The number of random answers that are the real rating."""
        return int(self.at_random[self.levels == self.rating].sum())


def count_answers_by_value(coins: Coins, rating: float, scale: Scale) -> AnswerCounts:
    """Count the answers of discrete noise by value. Raises `InputError` on a scale without steps.

    >>> from engine.randomized_response import throw
    >>> stars = Scale(1.0, 5.0, 1.0)
    >>> counts = count_answers_by_value(throw(4.0, 1000, Mechanism.for_scale(stars)), 4.0, stars)
    >>> counts.answers, counts.true, counts.true - counts.lucky
    (1000, 823, 777)
    """
    levels = levels_of(scale)
    level = np.searchsorted(levels, coins.answers)

    def count(is_counted: np.ndarray) -> np.ndarray:
        return np.bincount(level[is_counted], minlength=levels.size)

    return AnswerCounts(rating, levels, count(coins.real), count(~coins.real))


def count_certain_answers(answers: np.ndarray, scale: Scale) -> int:
    """Return how many answers of continuous noise are a value of the scale, and so surely real.

    >>> from engine.randomized_response import throw
    >>> stars = Scale(1.0, 5.0, 1.0)
    >>> coins = throw(4.0, 1000, Mechanism.for_scale(stars, "continuous"))
    >>> count_certain_answers(coins.answers, stars)
    777
    """
    return int(np.isin(answers, levels_of(scale)).sum())


@dataclass(frozen=True, eq=False)
class Estimates:
    """What observers take for a rating, by number of answers: the middle and 90 % of them."""

    asks: np.ndarray  # (n,) int64: after how many answers
    low: np.ndarray  # (n,) float64: the 5th percentile
    middle: np.ndarray  # (n,) float64: the median
    high: np.ndarray  # (n,) float64: the 95th percentile

    @property
    def constant(self) -> bool:
        """Whether later answers change nothing in what these observers take for the rating."""
        return all(np.allclose(ends, ends[0]) for ends in (self.low, self.middle, self.high))

    def within(self, rating: float, step: float) -> bool:
        """Return whether 90 % of the last estimates are nearer to the rating than to any other."""
        return bool(max(rating - self.low[-1], self.high[-1] - rating) < step / 2)


def follow_estimates(
    rating: float, scale: Scale, *, memoised: bool, observers: int = 200, asks: int = 1000
) -> Estimates:
    """Follow how the estimate of one rating changes with the number of answers about it.

    Each observer sees answers of its own, and estimates as `estimate_rating` does. Memoised answers
    are drawn once for each observer.

    >>> stars = Scale(1.0, 5.0, 1.0)
    >>> estimates = follow_estimates(4.0, stars, memoised=False)
    >>> int(estimates.asks[-1]), estimates.within(4.0, step=1.0), estimates.constant
    (1000, True, False)
    """
    mechanism = Mechanism.for_scale(scale, "discrete", memoised)
    coins = ask_often(np.array([rating]), mechanism, items=observers, asks=asks)
    estimates = np.array(
        [estimate_rating(answers, mechanism) for answers in coins.answers[:, :, 0]]
    )
    places = np.unique(np.geomspace(1, asks, 60).round().astype(int)) - 1
    low, middle, high = np.percentile(estimates[:, places], [5, 50, 95], axis=0)
    return Estimates(places + 1, low, middle, high)
