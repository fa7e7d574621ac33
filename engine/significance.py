"""Is a difference more than chance? (paper, section 4.4)"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

Alternative = Literal["two-sided", "less", "greater"]

#: The paper's significance level.
ALPHA = 0.01


@dataclass(frozen=True)
class Comparison:
    """The result of a test of two samples."""

    statistic: float  # U of the first sample, or z
    p_value: float
    effect: float  # r = z / sqrt(n), or the difference of two correlations after Fisher's z

    @property
    def significant(self) -> bool:
        return self.p_value < ALPHA


def mann_whitney(
    first: np.ndarray, second: np.ndarray, alternative: Alternative = "two-sided"
) -> Comparison | None:
    """Mann-Whitney U test of two independent samples, ties corrected, normal approximation.

    `alternative` is "two-sided", "less" (the first sample is smaller) or "greater". The effect size
    is r = z / sqrt(n) with n the size of both samples together, negative if the first is smaller.
    NaN is left out. None if a sample is empty or all values are equal.

    >>> result = mann_whitney(np.arange(50.0), np.arange(50.0) + 30, "less")
    >>> result.significant, round(result.effect, 2)
    (True, -0.72)
    """
    from scipy.stats import mannwhitneyu  # half a second that most starts can do without

    # SciPy would sum the ranks of float32 samples, as the curves are, in float32.
    first, second = (sample[~np.isnan(sample)].astype(np.float64) for sample in (first, second))
    if not first.size or not second.size:
        return None
    pooled = np.concatenate((first, second))
    _, ties = np.unique(pooled, return_counts=True)
    if ties.size == 1:
        return None
    result = mannwhitneyu(first, second, alternative=alternative, method="asymptotic")
    n = pooled.size
    correction = 1 - float((ties.astype(float) ** 3 - ties).sum()) / (n**3 - n)
    spread = math.sqrt(first.size * second.size * (n + 1) / 12 * correction)
    z = (float(result.statistic) - first.size * second.size / 2) / spread
    return Comparison(float(result.statistic), float(result.pvalue), z / math.sqrt(n))


def compare_curves(
    first: np.ndarray, second: np.ndarray, alternative: Alternative
) -> tuple[np.ndarray, np.ndarray]:
    """Test two sets of curves at each q: p-values and effect sizes, (n_queries,) float64 each.

    `first` and `second` have a row per user and a column per q, NaN where the user has fewer
    queries. At q = 1 nothing is tested (the paper tests q in [2, 100]); where a test is not
    defined both are NaN.

    >>> few = np.arange(40.0)[:, None] + np.array([0.0, 0.0])
    >>> p_values, _ = compare_curves(few, few + 30, "less")
    >>> bool(np.isnan(p_values[0])), bool(p_values[1] < ALPHA)
    (True, True)
    """
    p_values = np.full(first.shape[1], np.nan)
    effects = np.full(first.shape[1], np.nan)
    for q in range(1, first.shape[1]):
        result = mann_whitney(first[:, q], second[:, q], alternative)
        if result is not None:
            p_values[q], effects[q] = result.p_value, result.effect
    return p_values, effects


def significant_in_all(comparisons: Iterable[Comparison | None]) -> bool:
    """Return whether every fold's test is significant (the paper reports nothing less).

    >>> significant_in_all([Comparison(3.0, 0.001, 0.4), Comparison(2.0, 0.2, 0.1)])
    False
    """
    results = list(comparisons)
    return bool(results) and all(result is not None and result.significant for result in results)


def compare_correlations(first: float, second: float, n: int) -> Comparison | None:
    """Two-sided z-test of two correlations over n items each, after Fisher's transformation.

    z = (atanh(r1) - atanh(r2)) / sqrt(2 / (n - 3)). None for fewer than 4 items or |r| = 1.

    >>> compare_correlations(0.9, 0.8, 400).significant
    True
    """
    if n < 4 or abs(first) >= 1 or abs(second) >= 1:
        return None
    difference = math.atanh(first) - math.atanh(second)
    z = difference / math.sqrt(2 / (n - 3))
    return Comparison(z, math.erfc(abs(z) / math.sqrt(2)), difference)
