"""Randomized response to try: its scale, and the words and tables for what the engine throws."""

from __future__ import annotations

from typing import Final

import pandas as pd

from engine.coins import Coins
from engine.datasets import Scale
from engine.many_answers import AnswerCounts, Estimates, levels_of
from engine.noisy_answer import NoisyAnswer
from engine.privacy import REAL_PROBABILITY, Mechanism
from engine.randomized_response import answer_probabilities
from pages.parts.wording import exactly, percent

#: With more values than these on the scale, the lab throws its coins for five stars.
_MOST_LEVELS: Final = 21
_FIVE_STARS: Final = Scale(1.0, 5.0, 1.0)
#: The picture is made of this many throws.
MANY: Final = 1000
#: Observers whose estimates are followed.
OBSERVERS: Final = 200
#: This many answers of each kind of noise stand side by side.
SHOWN: Final = 300


def lab_scale(scale: Scale) -> Scale:
    """Return the scale that the coins are thrown on: that of the data if it has a few steps.

    >>> lab_scale(Scale(0.5, 5.0, 0.5)).step, lab_scale(Scale(-10.0, 10.0)).maximum
    (0.5, 5.0)
    """
    levels = scale.levels
    return scale if levels is not None and 2 <= levels.size <= _MOST_LEVELS else _FIVE_STARS


def default_rating(scale: Scale) -> float:
    """Return the rating that the lab begins with: the last but one.

    >>> default_rating(Scale(1.0, 5.0, 1.0)), default_rating(Scale(0.0, 1.0, 1.0))
    (4.0, 0.0)
    """
    return float(levels_of(scale)[-2])


def throw_sentence(coins: Coins, rating: float) -> str:
    """Return what happened in the last throw."""
    answer = exactly(float(coins.answers[-1]))
    if coins.first_heads[-1]:
        return (
            f"The first coin shows **heads**. So the answer is the real rating, **{answer}**. "
            "The second coin does not matter."
        )
    if coins.second_heads[-1]:
        return (
            "The first coin shows **tails**. The second coin shows **heads**. So the answer is "
            f"the real rating, **{answer}**."
        )
    luck = " It happens to be the real one." if coins.answers[-1] == rating else ""
    return (
        "Both coins show **tails**. So the answer is a random value of the scale, "
        f"**{answer}**.{luck}"
    )


def tally_table(counts: AnswerCounts) -> pd.DataFrame:
    """Return the numbers behind the picture of the answers, beside what is expected."""
    expected = answer_probabilities(counts.levels.size)[counts.levels == counts.rating][0]
    return pd.DataFrame(
        {
            "answer": counts.levels,
            "because a coin showed heads": counts.by_coins,
            "at random": counts.at_random,
            "share": (counts.by_coins + counts.at_random) / max(counts.answers, 1),
            "expected share": expected,
        }
    )


def tally_title(counts: AnswerCounts) -> str:
    """Return what came out of the throws."""
    if counts.answers == 1:
        verb = "is" if counts.true else "is not"
        return f"The answer {verb} the real rating, {exactly(counts.rating)}"
    return (
        f"{counts.true:,} of {counts.answers:,} answers are the real rating, "
        f"{exactly(counts.rating)}; {counts.lucky:,} of them came at random"
    )


def observer_sentence(scale: Scale) -> str:
    """Return what somebody who sees one answer can conclude, if all values were equally likely.

    P(rating = a | answer = a) is then 3/4 + 1/(4m), by Bayes' rule.
    """
    answer = NoisyAnswer.of(Mechanism.for_scale(scale))
    m = answer.levels
    return (
        f"What does somebody learn who sees one answer? If all {m} values seemed equally likely "
        f"before, the answer is the real rating with a probability of "
        f"**{percent(answer.real_share)}**. Without the answer a guess is right in "
        f"{percent(1 / m)} of the cases. So one answer tells much. But the person can say: this "
        "one was at random. One answer cannot prove otherwise."
    )


def estimates_title(fresh: Estimates, memoised: Estimates, rating: float, step: float) -> str:
    """Return what many answers about one rating reveal, as these observers experienced it."""
    asks = int(fresh.asks[-1])
    learned = "give the rating away" if fresh.within(rating, step) else "narrow it down"
    repeated = (
        "tell no more than the first one" if memoised.constant else "tell more than the first one"
    )
    return f"{asks:,} fresh answers {learned}; {asks:,} memoised ones {repeated}"


def estimates_table(fresh: Estimates, memoised: Estimates) -> pd.DataFrame:
    """Return the numbers behind the estimates."""
    return pd.DataFrame(
        {
            "answers": fresh.asks,
            "fresh, 5 % of observers below": fresh.low,
            "fresh, median": fresh.middle,
            "fresh, 5 % above": fresh.high,
            "memoised, 5 % of observers below": memoised.low,
            "memoised, median": memoised.middle,
            "memoised, 5 % above": memoised.high,
        }
    )


def continuous_title(certain: int, throws: int) -> str:
    """Return what continuous noise on a scale with steps gives away."""
    return (
        f"With continuous noise {certain:,} of {throws:,} answers are values of the scale: "
        "each of them is certainly the real rating"
    )


def continuous_noise_sentence(scale: Scale) -> str:
    """Return why the continuous noise of the published code hides nothing on such a scale."""
    low, high = exactly(scale.minimum), exactly(scale.maximum)
    return (
        f"The published code draws the random answer from all numbers between {low} and {high}. "
        "Such a number is practically never a value of the scale. So whoever sees an answer on "
        f"the scale knows that it is real. This happens in {percent(REAL_PROBABILITY)} of the "
        "answers. No finite ε holds. With discrete noise every answer can be a random one."
    )
