"""What one noisy answer reveals: the odds, and how often it is the real rating."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from engine.privacy import Mechanism, strict_epsilon
from engine.randomized_response import answer_probabilities


class Hides(Enum):
    """How well noise hides a rating from somebody who sees one answer."""

    BOUNDED = "the odds of any two ratings change by a bounded factor"
    NOT = "an answer that is a value of the scale is certainly the real rating"
    NO_SECRET = "all ratings are the same, so that nothing is to be hidden"


@dataclass(frozen=True)
class NoisyAnswer:
    """One noisy answer of randomized response (paper, section 3.3) on a scale of `levels` values.

    With probability 3/4 it is the real rating, else a value of the scale drawn at random, which is
    the real one in one of `levels` cases.

    >>> from engine.datasets import Scale
    >>> answer = NoisyAnswer.of(Mechanism.for_scale(Scale(1.0, 5.0, 1.0)))
    >>> answer.hides, answer.odds, answer.real_share, round(answer.epsilon, 2)
    (<Hides.BOUNDED: 'the odds of any two ratings change by a bounded factor'>, 16, 0.8, 2.77)
    """

    levels: int
    #: ln(odds); infinite for continuous noise. The strict one, not the paper's.
    epsilon: float

    @classmethod
    def of(cls, mechanism: Mechanism) -> NoisyAnswer:
        """Return what one answer of a mechanism reveals."""
        return cls(mechanism.levels.size, strict_epsilon(mechanism))

    @property
    def hides(self) -> Hides:
        """How well the noise hides the rating."""
        if math.isinf(self.epsilon):
            return Hides.NOT
        return Hides.NO_SECRET if self.levels == 1 else Hides.BOUNDED

    @property
    def odds(self) -> int:
        """How many times likelier an answer can be under one rating than under another.

        That is 1 + 3 `levels`. It only means something where `hides` is `Hides.BOUNDED`.
        """
        return 1 + 3 * self.levels

    @property
    def real_share(self) -> float:
        """The share of the noisy answers that are the real rating, kept or drawn by chance.

        Continuous noise has no levels, and no such share.
        """
        return float(answer_probabilities(self.levels)[0, 0])
