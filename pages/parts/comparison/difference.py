"""Two sides of a comparison, A pinned and B on the screen, and whether they can be told apart.

Folds are split the same way whatever k, tau and strategy are, so that on the same ratings each fold
gives a pair, and the differences B - A within the pairs vary less than the values themselves. A
difference is called noise unless it has the same sign in every fold and its mean is at least two
standard errors from 0. That is a rule of thumb, not a test: folds share training data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from pages.parts.screen import Screen
from pages.parts.wording import number, percent, points, signed

_STANDARD_ERRORS: Final = 2
#: Verdicts, and how a table says them.
VERDICT: Final = {
    "clear": "yes",
    "noise": "no: within the noise of the folds",
    "none": "no difference",
    "one fold": "cannot be told from one fold",
    "unpaired": "cannot be told: different data",
    "undefined": "undefined",
}


@dataclass(frozen=True)
class Measure:
    """A number that stands on a page, and how it is read and shown."""

    label: str
    of: Callable[[Screen, tuple[int, ...]], np.ndarray]  # (folds,) float64, NaN where undefined
    shown: Callable[[float], str]
    difference: Callable[[float], str]
    #: Over all folds together, where that is not the mean.
    whole: Callable[[Screen], float] | None = None


@dataclass(frozen=True)
class Difference:
    """What a measure is on both sides, B - A, and whether they can be told apart."""

    measure: Measure
    a: float
    b: float
    verdict: str

    @property
    def shown(self) -> str:
        """The difference as a text."""
        return self.measure.difference(self.b - self.a)


def judge(a: np.ndarray, b: np.ndarray) -> str:
    """Return the verdict on pairs, one a fold.

    >>> judge(np.array([0.80, 0.81, 0.79]), np.array([0.82, 0.84, 0.81]))
    'clear'
    >>> judge(np.array([0.80, 0.81, 0.79]), np.array([0.81, 0.80, 0.80]))
    'noise'
    """
    differences = b - a
    if differences.size == 0 or not np.isfinite(differences).all():
        return "undefined"
    if (differences == 0).all():
        return "none"
    if differences.size == 1:
        return "one fold"
    mean = float(differences.mean())
    error = float(differences.std(ddof=1)) / np.sqrt(differences.size)
    same_sign = (differences > 0).all() or (differences < 0).all()
    return "clear" if same_sign and abs(mean) >= _STANDARD_ERRORS * error else "noise"


def same_ratings(a: Screen, b: Screen) -> bool:
    """Return whether both sides are of the same ratings, so that their folds are the same."""
    return a.results.experiment.ratings.fingerprint == b.results.experiment.ratings.fingerprint


def compare(a: Screen, b: Screen, measure: Measure) -> Difference:
    """Return the difference of B to A in a measure."""
    folds_a, folds_b = a.results.folds(a.k), b.results.folds(b.k)
    in_a, in_b = measure.of(a, folds_a), measure.of(b, folds_b)
    if same_ratings(a, b):
        verdict = judge(
            in_a[[fold in folds_b for fold in folds_a]], in_b[[fold in folds_a for fold in folds_b]]
        )
    else:
        verdict = "unpaired"
    if measure.whole:
        return Difference(measure, measure.whole(a), measure.whole(b), verdict)
    return Difference(measure, mean_defined(in_a), mean_defined(in_b), verdict)


def mean_defined(values: np.ndarray) -> float:
    """Return the mean of the folds in which a measure is defined, NaN if there are none.

    >>> mean_defined(np.array([1.0, np.nan, 3.0]))
    2.0
    """
    defined = values[np.isfinite(values)]
    return float(defined.mean()) if defined.size else float("nan")


def _swept(name: str, protection: str = "vulnerable") -> Callable[..., np.ndarray]:
    def of(screen: Screen, folds: tuple[int, ...]) -> np.ndarray:
        tau = {"none": np.inf, "vulnerable": screen.tau, "full": 0.0}[protection]
        sweep = screen.results.experiment.sweep
        values = []
        for fold in folds:
            found = sweep(fold, screen.strategy, screen.k)
            values.append(found.at(min(tau, float(found.largest)))[name])
        # What is undefined is None.
        return np.array(values, dtype=float)

    return of


def _curve(name: str, q: int) -> Callable[..., np.ndarray]:
    def of(screen: Screen, folds: tuple[int, ...]) -> np.ndarray:
        read = getattr(screen.results.experiment, name)
        return np.array([read(fold, screen.strategy, screen.k)[q - 1] for fold in folds])

    return of


def _listed(name: str) -> Callable[..., np.ndarray]:
    def of(screen: Screen, folds: tuple[int, ...]) -> np.ndarray:
        from engine.results import popularity_bias

        popularity = screen.results.experiment.popularity
        found = screen.results.item_frequencies(screen.strategy, screen.k, screen.tau)
        values = [popularity_bias(frequency, popularity)[name] for frequency in found]
        return np.array(values, dtype=float)

    return of


def _listed_whole(name: str) -> Callable[[Screen], float]:
    def whole(screen: Screen) -> float:
        lists = screen.results.top_lists(screen.strategy, "vulnerable", screen.k, screen.tau)
        value = getattr(lists, name)
        return float("nan") if value is None else float(value)

    return whole


def _decimals(decimals: int) -> tuple[Callable[[float], str], Callable[[float], str]]:
    return lambda value: number(value, decimals), lambda value: signed(value, decimals)


MAE_WITH: Final = Measure("MAE with DP", _swept("mae"), *_decimals(3))
MAE_WITHOUT: Final = Measure("MAE without DP", _swept("mae", "none"), *_decimals(3))
VULNERABLE: Final = Measure("Vulnerable users", _swept("vulnerable_share"), percent, points)
RISK: Final = Measure("Mean privacy risk", _swept("privacy_risk"), number, signed)
RISK_WITHOUT: Final = Measure(
    "Mean privacy risk without DP", _swept("privacy_risk", "none"), number, signed
)
SECURE: Final = Measure("Secure user's uses", _swept("secure_risk"), number, signed)
PROTECTED: Final = Measure("Uses that are protected", _swept("protected_uses"), percent, points)
NEIGHBORS_20: Final = Measure(
    "Neighbors after 20 queries", _curve("neighbors_at_q", 20), number, signed
)
NEIGHBORS_100: Final = Measure(
    "Neighbors after 100 queries", _curve("neighbors_at_q", 100), number, signed
)
CO_RATINGS_20: Final = Measure(
    "Items in common, after 20 queries", _curve("co_ratings_at_q", 20), number, signed
)
CO_RATINGS_100: Final = Measure(
    "Items in common, after 100 queries", _curve("co_ratings_at_q", 100), number, signed
)
PP_CORR_WITH: Final = Measure(
    "PP-Corr", _listed("pp_corr"), *_decimals(4), _listed_whole("pp_corr")
)
COVERAGE: Final = Measure(
    "Coverage", _listed("coverage"), percent, points, _listed_whole("coverage")
)
#: What the overview compares: none of it takes longer than a table look-up.
OVERVIEW: Final = (
    VULNERABLE,
    RISK,
    SECURE,
    PROTECTED,
    MAE_WITH,
    MAE_WITHOUT,
    NEIGHBORS_20,
    CO_RATINGS_20,
)
