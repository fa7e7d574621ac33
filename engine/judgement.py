"""Can two outcomes be told apart? One rule for every difference that this project names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from engine.outcome import Outcome

#: A mean difference counts only from this many of its standard errors on.
_STANDARD_ERRORS = 2


class Judgement(Enum):
    """What can be said about the difference of two outcomes."""

    CLEAR = "clear"
    WITHIN_NOISE = "within the noise of the folds"
    NO_DIFFERENCE = "no difference"
    ONE_FOLD = "one fold only"
    UNDEFINED = "undefined"
    DIFFERENT_DATA = "different data"


def judge(first: np.ndarray, second: np.ndarray) -> Judgement:
    """Judge the differences of pairs, one pair for each fold: (n_folds,) float64 each.

    The folds of the same ratings are the same for every setting, so each fold gives a pair. The
    differences within the pairs vary less than the values themselves. A difference is clear if it
    has the same sign in every fold and its mean is at least two standard errors from 0. This is a
    rule of thumb and not a test, because the folds share training data. One fold has no noise to
    compare with, so nothing is clear there.

    >>> judge(np.array([0.80, 0.81, 0.79]), np.array([0.82, 0.84, 0.81]))
    <Judgement.CLEAR: 'clear'>
    >>> judge(np.array([0.80, 0.81, 0.79]), np.array([0.81, 0.80, 0.80]))
    <Judgement.WITHIN_NOISE: 'within the noise of the folds'>
    >>> judge(np.array([0.80]), np.array([0.90]))
    <Judgement.ONE_FOLD: 'one fold only'>
    """
    differences = second - first
    if differences.size == 0 or not np.isfinite(differences).all():
        return Judgement.UNDEFINED
    if (differences == 0).all():
        return Judgement.NO_DIFFERENCE
    if differences.size == 1:
        return Judgement.ONE_FOLD
    return Judgement.CLEAR if are_clear(differences) else Judgement.WITHIN_NOISE


def are_clear(differences: np.ndarray) -> np.ndarray:
    """Return which of many differences are clear (see `judge`), at least two folds: (...,) bool.

    `differences` is (n_folds, ...) float64: a row for each fold.

    >>> are_clear(np.array([[0.02, 0.01, 0.0], [0.03, -0.01, 0.0], [0.02, 0.01, 0.0]])).tolist()
    [True, False, False]
    """
    error = differences.std(axis=0, ddof=1) / np.sqrt(differences.shape[0])
    same_sign = (differences > 0).all(axis=0) | (differences < 0).all(axis=0)
    return np.asarray(same_sign & (np.abs(differences.mean(axis=0)) >= _STANDARD_ERRORS * error))


@dataclass(frozen=True)
class Difference:
    """A metric of two outcomes, and what can be said about the difference; NaN if undefined."""

    metric: str
    first: float
    second: float
    judgement: Judgement

    @property
    def value(self) -> float:
        """The second less the first."""
        return self.second - self.first

    @property
    def relative(self) -> float:
        """The difference as a share of the first; NaN where the first is 0."""
        return self.value / self.first if self.first else np.nan

    @property
    def clear(self) -> bool:
        """Whether the difference is more than the noise of the folds."""
        return self.judgement is Judgement.CLEAR


def compare(first: Outcome, second: Outcome, metric: str) -> Difference:
    """Return how two outcomes differ in a metric, judged over the folds that both have.

    >>> from engine.datasets import generate
    >>> from engine.experiment import Experiment
    >>> from engine.settings import Setting
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> without = experiment.outcome(Setting("gain", 5, 20, "none"))
    >>> full = experiment.outcome(Setting("gain", 5, 20, "full"))
    >>> compare(without, full, "mae").value > 0, compare(without, full, "data_usage").judgement
    (True, <Judgement.NO_DIFFERENCE: 'no difference'>)
    """
    values = first.value(metric), second.value(metric)
    if first.origin is None or first.origin != second.origin:
        return Difference(metric, *values, Judgement.DIFFERENT_DATA)
    _, places, other_places = np.intersect1d(
        first.fold_numbers, second.fold_numbers, return_indices=True
    )
    pairs = first.in_folds(metric)[places], second.in_folds(metric)[other_places]
    return Difference(metric, *values, judge(*pairs))
