"""What an observer concludes from protected answers (paper, section 3.3; Warner, 1965).

The mechanism answers with the real rating with probability 3/4, else with a random one. This module
throws its coins for one rating as often as wanted, with the engine's own draws, and says what
somebody who sees the answers and knows the mechanism can conclude:

* With m values on the scale, an answer is the real rating with probability 3/4 + 1/(4m), and any
  other value comes with probability 1/(4m).
* Fresh answers about one rating are independent. Their mean tends to 3/4 of the rating plus 1/4 of
  the mean random rating, so that the rating follows from many of them.
* A memoised answer is one answer, however often it is given. Asking again tells nothing new.
* Continuous noise on a scale with steps hides nothing: a value of the scale is certainly real.
"""

from __future__ import annotations

import numpy as np

from engine.coins import Coins, throw_coins
from engine.datasets import Scale
from engine.errors import InputError
from engine.folds import Fold
from engine.input_checks import DEFAULT_SEED
from engine.neighborhoods import Neighborhoods
from engine.privacy import REAL_PROBABILITY, Mechanism


def ask_often(
    ratings: np.ndarray,
    mechanism: Mechanism,
    *,
    items: int = 1,
    asks: int = 1,
    number: int = 0,
    seed: int = DEFAULT_SEED,
) -> Coins:
    """Throw the mechanism's coins for given ratings: arrays of shape (items, asks, n_ratings).

    There are as many neighbors as ratings, and each neighbor gives its rating to all of `items`
    items. One user asks `asks` times for each item. The people are made up; coins and answers are
    the engine's, as in a fold with this number and seed.

    >>> mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0), memoised=True)
    >>> ask_often(np.array([4.0, 2.0]), mechanism, asks=3).answers[0].tolist()
    [[4.0, 2.0], [4.0, 2.0], [4.0, 2.0]]
    """
    ratings = np.asarray(ratings, dtype=np.float64)
    n = ratings.size
    if n == 0 or items < 1 or asks < 1:
        raise InputError("There must be at least one rating, one item and one ask.")
    item = np.repeat(np.arange(items), n)
    asked = np.repeat(np.arange(items), asks)
    fold = Fold.of(
        (np.tile(np.arange(n), items), item, np.tile(ratings, items)),
        (np.full(asked.size, n), asked, np.full(asked.size, np.nan)),
        n_users=n + 1,
        n_items=items,
        number=number,
        seed=seed,
    )
    start = np.arange(asked.size, dtype=np.int64) * n
    place = (asked[:, None] * n + np.arange(n)).astype(np.int32).ravel()
    neighborhoods = Neighborhoods(
        start, start + n, place, np.ones(place.size), np.ones(place.size, dtype=np.uint16)
    )
    coins = throw_coins(fold, neighborhoods, mechanism)
    shape = (items, asks, n)
    return Coins(
        coins.first_heads.reshape(shape),
        coins.second_heads.reshape(shape),
        coins.answers.reshape(shape),
    )


def throw(rating: float, times: int, mechanism: Mechanism, seed: int = DEFAULT_SEED) -> Coins:
    """Ask for one rating several times: arrays of shape (times,).

    >>> mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> coins = throw(4.0, 1000, mechanism)
    >>> coins.real.sum(), (coins.answers == 4.0).sum()  # 3/4 and 3/4 + 1/20 of them, about
    (np.int64(777), np.int64(823))
    """
    coins = ask_often(np.array([rating]), mechanism, asks=times, seed=seed)
    return Coins(coins.first_heads.ravel(), coins.second_heads.ravel(), coins.answers.ravel())


def answer_probabilities(levels: int) -> np.ndarray:
    """Return P(answer | rating) for discrete noise on `levels` values: (ratings, answers).

    3/4 + 1/(4m) where the answer is the rating, else 1/(4m).

    >>> answer_probabilities(2)
    array([[0.875, 0.125],
           [0.125, 0.875]])
    """
    if levels < 1:
        raise InputError(f"A scale has at least one value, not {levels}.")
    return REAL_PROBABILITY * np.eye(levels) + (1 - REAL_PROBABILITY) / levels


def believe(
    answers: np.ndarray, mechanism: Mechanism, scale: Scale, prior: np.ndarray | None = None
) -> np.ndarray:
    """Return P(rating | the first n answers) for n = 0, 1, ...: (n_answers + 1, m) float64.

    Bayes' rule for an observer who knows the mechanism, and before any answer believes `prior`,
    (m,), by default all m values of the scale alike. Each fresh answer a multiplies the belief in
    r by P(a | r). A memoised answer counts once. Of continuous noise, an answer that is a value of
    the scale is certainly real, and any other says nothing about the rating.

    Raises `InputError` if the scale has no steps, or if the prior does not fit it.

    >>> stars = Scale(1.0, 5.0, 1.0)
    >>> believe(np.array([5.0, 5.0]), Mechanism.for_scale(stars), stars)[:, 4].round(3)
    array([0.2  , 0.8  , 0.985])
    >>> believe(np.array([2.7, 5.0]), Mechanism.for_scale(stars, "continuous"), stars)[:, 4]
    array([0.2, 0.2, 1. ])
    """
    levels = scale.levels
    if levels is None:
        raise InputError("A belief about each value needs a scale with steps.")
    belief = np.full(levels.size, 1 / levels.size) if prior is None else np.asarray(prior, float)
    if belief.shape != levels.shape or belief.min() < 0 or belief.sum() <= 0:
        raise InputError(f"The prior must have {levels.size} shares, none of them negative.")
    beliefs = np.empty((answers.size + 1, levels.size))
    beliefs[0] = belief / belief.sum()
    of_level = answer_probabilities(levels.size).T
    for n, answer in enumerate(answers):
        likelihood = np.ones(levels.size)
        if not mechanism.memoised or n == 0:
            is_level = levels == answer
            if mechanism.name == "discrete":
                likelihood = of_level[is_level][0]
            elif is_level.any():
                likelihood = is_level.astype(float)
        posterior = beliefs[n] * likelihood
        beliefs[n + 1] = posterior / posterior.sum()
    return beliefs


def estimate_rating(answers: np.ndarray, mechanism: Mechanism) -> np.ndarray:
    """Return the estimate of the rating after each answer: (n_answers,) float64, not clipped.

    An answer's mean is 3/4 of the rating plus 1/4 of the mean random rating c, so that
    (mean of the answers - c / 4) / (3/4) is right on average. Its standard error falls with the
    square root of the number of fresh answers. Of a memoised answer all copies are equal, and the
    estimate stays what it was after the first.

    >>> mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> estimate_rating(np.array([4.0, 1.0]), mechanism)
    array([4.33, 2.33])
    """
    means = np.cumsum(answers) / np.arange(1, len(answers) + 1)
    return (means - (1 - REAL_PROBABILITY) * mean_random_rating(mechanism)) / REAL_PROBABILITY


def mean_random_rating(mechanism: Mechanism) -> float:
    """Return the mean of what the mechanism answers when both coins show tails.

    >>> mean_random_rating(Mechanism.for_scale(Scale(0.5, 5.0, 0.5)))
    2.75
    """
    if mechanism.levels.size:
        return float(mechanism.levels.mean())
    return (mechanism.minimum + mechanism.maximum) / 2
