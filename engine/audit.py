"""A lower bound on the epsilon of the mechanism as it is implemented, from many of its answers.

A mechanism satisfies local differential privacy with epsilon if for all ratings r and r' and every
answer a: P(a | r) <= exp(epsilon) * P(a | r'). The audit asks for each rating of a scale many
times and counts the answers. Clopper-Pearson intervals hold all probabilities P(a | r) at once
with 95 % confidence (each of the bounds is allowed an equal share of the 5 %, after Bonferroni),
so that

    epsilon >= max over r, r', a of  ln( lower end of P(a | r) / upper end of P(a | r') ).

The bound is a test of the implementation: above the stated epsilon it refutes what is stated, far
below it shows that too few answers were drawn, or that the mechanism is more private than it says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.datasets import Scale
from engine.datasets.limits import MAX_LEVELS
from engine.errors import InputError
from engine.input_checks import DEFAULT_SEED
from engine.intervals import clopper_pearson
from engine.privacy import MECHANISMS, Mechanism, strict_epsilon
from engine.randomized_response import ask_often

#: Numbers of values on a scale: likes, thumbs with a middle, five stars, ten half stars.
LEVELS = (2, 3, 5, 10)
#: Answers about each rating. They bring the bound within 5 % of ln(1 + 3m) up to m = 10.
SAMPLES = 100_000
_ERROR = 0.05
#: Answers about each rating that are drawn at once.
_BATCH = 50_000


@dataclass(frozen=True, eq=False)
class Audit:
    """What many answers prove about one mechanism on a scale with m values.

    The bound is for the rating with index `rating` against `other_rating`, told apart by the answer
    with index `answer`; index m stands for an answer that is no value of the scale.
    """

    mechanism: Mechanism
    scale: Scale
    samples: int  # answers about each rating
    counts: np.ndarray  # (m, m + 1) int64: how often each rating got each answer
    epsilon_stated: float
    epsilon_lower_bound: float
    rating: int
    other_rating: int
    answer: int

    @property
    def levels(self) -> int:
        """The number of values on the scale."""
        return int(self.counts.shape[0])

    @property
    def finite(self) -> bool:
        """Some finite epsilon is stated to hold."""
        return math.isfinite(self.epsilon_stated)

    @property
    def refuted(self) -> bool:
        """The answers prove more loss of privacy than is stated, at 95 % confidence."""
        return self.epsilon_lower_bound > self.epsilon_stated

    @property
    def certain_share(self) -> float:
        """Share of all answers that came about one rating only, and so give it away.

        Where it stays above 0 whatever the number of samples, no finite epsilon holds.
        """
        only_one = (self.counts > 0).sum(axis=0) == 1
        return float(self.counts[:, only_one].sum() / self.counts.sum())


def audit(
    levels: int,
    mechanism: str = "discrete",
    *,
    memoised: bool = False,
    samples: int = SAMPLES,
    seed: int = DEFAULT_SEED,
) -> Audit:
    """Ask the implemented mechanism about every rating of a scale of 1, 2, ..., `levels`.

    Half of the fresh answers are to a first ask, half to the same query put again. Raises
    `InputError` for a scale of fewer than 2 or more than 101 values, for fewer than 100 samples,
    or for an unknown mechanism.

    >>> found = audit(5, samples=20_000)
    >>> found.epsilon_lower_bound, found.epsilon_stated
    (2.7..., 2.77...)
    >>> audit(5, "continuous", samples=20_000).certain_share
    0.75...
    """
    if not 2 <= levels <= MAX_LEVELS:
        raise InputError(f"An audit needs a scale of 2 to {MAX_LEVELS} values, not {levels}.")
    if samples < 100:
        raise InputError(f"An audit needs at least 100 samples of each rating, not {samples}.")
    scale = Scale(1.0, float(levels), 1.0)
    audited = Mechanism.for_scale(scale, mechanism, memoised)
    ratings = np.arange(1.0, levels + 1)
    counts = np.zeros((levels, levels + 1), dtype=np.int64)
    for number, first in enumerate(range(0, samples, _BATCH)):
        size = min(_BATCH, samples - first)
        asks = 1 if memoised else 2
        coins = ask_often(
            ratings, audited, items=-(-size // asks), asks=asks, number=number, seed=seed
        )
        answers = coins.answers.reshape(-1, levels)[:size]
        index = np.where(answers == np.rint(answers), answers - 1, levels).astype(np.int64)
        cells = index + np.arange(levels) * (levels + 1)
        counts += np.bincount(cells.ravel(), minlength=counts.size).reshape(counts.shape)
    bound, rating, other_rating, answer = bound_epsilon(counts)
    return Audit(
        mechanism=audited,
        scale=scale,
        samples=samples,
        counts=counts,
        epsilon_stated=strict_epsilon(audited),
        epsilon_lower_bound=bound,
        rating=rating,
        other_rating=other_rating,
        answer=answer,
    )


def bound_epsilon(counts: np.ndarray) -> tuple[float, int, int, int]:
    """Return a lower bound on epsilon from how often each rating got each answer.

    `counts` has a row for each rating and a column for each answer. The bound is wrong with
    probability 5 % at most. With it come the rating, the other rating and the answer that give it.

    >>> bound_epsilon(np.array([[900, 100], [100, 900]]))  # ln 9 = 2.2 from the shares alone
    (1.93..., 0, 1, 0)
    """
    bounds = 2 * counts.size
    # Clopper-Pearson gives each end half of the error it is told.
    low, high = clopper_pearson(counts, counts.sum(axis=1, keepdims=True), 2 * _ERROR / bounds)
    with np.errstate(divide="ignore"):
        told_apart = np.log(low[:, None, :] / high[None, :, :])
    rating, other, answer = np.unravel_index(int(told_apart.argmax()), told_apart.shape)
    return max(0.0, float(told_apart.max())), int(rating), int(other), int(answer)


def audit_all(
    levels: Iterable[int] = LEVELS,
    mechanisms: Iterable[str] = MECHANISMS,
    *,
    memoised: bool = False,
    samples: int = SAMPLES,
    seed: int = DEFAULT_SEED,
) -> list[Audit]:
    """Return the audit of each mechanism on each scale.

    >>> audits = audit_all(levels=(2, 5), mechanisms=("discrete",), samples=1000)
    >>> [math.exp(found.epsilon_stated) for found in audits]
    [7.0, 16.0]
    """
    levels = tuple(levels)
    return [
        audit(m, name, memoised=memoised, samples=samples, seed=seed)
        for name in mechanisms
        for m in levels
    ]
