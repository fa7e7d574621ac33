from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from engine.significance import (
    ALPHA,
    Alternative,
    Comparison,
    compare_correlations,
    compare_curves,
    mann_whitney,
    significant_in_all,
)

random = np.random.RandomState(3)
SAMPLES: dict[str, tuple[np.ndarray, np.ndarray]] = {
    "continuous": (random.normal(0, 1, 80), random.normal(0.4, 1, 60)),
    "many ties": (random.randint(0, 4, 300), random.randint(0, 5, 200)),
    "equal": (random.exponential(1, 150), random.exponential(1, 150)),
    "far apart": (np.arange(40), np.arange(40) + 100),
    "unequal sizes": (random.normal(0, 1, 900), random.normal(-0.2, 1, 30)),
    "one against one": (np.array([1.0]), np.array([2.0])),
    "same in the middle": (np.array([1, 2, 2, 3]), np.array([0, 2, 2, 4])),
    "neighbors of many": (
        random.randint(10, 300, 6000).astype(np.float32),
        random.randint(10, 400, 6000).astype(np.float32),
    ),
    "co-ratings of many": (
        random.gamma(4, 9, 3000).astype(np.float32),
        random.gamma(4, 9.2, 3000).astype(np.float32),
    ),
}


def z_by_definition(first: np.ndarray, second: np.ndarray) -> float:
    """U counts the pairs (a, b) with a > b, ties half; its variance shrinks with ties."""
    a, b = len(first), len(second)
    u = sum((x > y) + 0.5 * (x == y) for x in first.tolist() for y in second.tolist())
    n = a + b
    _, counts = np.unique(np.concatenate([first, second]), return_counts=True)
    ties = sum(int(t) ** 3 - int(t) for t in counts)
    variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)))
    return (u - a * b / 2) / math.sqrt(variance)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("swapped", [False, True])
def test_equals_scipy(name: str, alternative: Alternative, swapped: bool) -> None:
    first, second = SAMPLES[name][::-1] if swapped else SAMPLES[name]
    result = mann_whitney(first, second, alternative)
    assert result is not None
    # In float32, as the curves are, SciPy would sum ranks to seven digits only.
    exactly = (first.astype(float), second.astype(float))
    expected = stats.mannwhitneyu(*exactly, alternative=alternative, method="asymptotic")
    assert result.statistic == expected.statistic
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-12, abs=1e-300)
    assert result.significant == (expected.pvalue < ALPHA)


@pytest.mark.parametrize("name", SAMPLES)
def test_effect_is_z_over_root_n(name: str) -> None:
    first, second = SAMPLES[name]
    result = mann_whitney(first, second)
    assert result is not None
    expected = z_by_definition(first, second) / math.sqrt(len(first) + len(second))
    assert result.effect == pytest.approx(expected, abs=0.5 / len(first))  # the continuity
    assert abs(result.effect - expected) < 0.01


def test_effect_by_hand() -> None:
    # first all below: U = 0 of 16, z = -8 / sqrt(16 * 9 / 12), n = 8
    result = mann_whitney(np.array([1.0, 2, 3, 4]), np.array([5.0, 6, 7, 8]), "less")
    assert result is not None
    exact, continuous = -8 / math.sqrt(12), -7.5 / math.sqrt(12)
    assert result.effect == pytest.approx(exact / math.sqrt(8), rel=0.07)
    assert math.isclose(result.effect, exact / math.sqrt(8)) or math.isclose(
        result.effect, continuous / math.sqrt(8)
    )


def test_sides() -> None:
    low, high = SAMPLES["far apart"]
    sides: list[tuple[Alternative, bool]] = [
        ("less", True),
        ("greater", False),
        ("two-sided", True),
    ]
    for alternative, expected in sides:
        result = mann_whitney(low, high, alternative)
        assert result is not None
        assert result.significant is expected
        assert result.effect < 0


def test_alpha_is_one_percent() -> None:
    assert ALPHA == 0.01
    assert Comparison(1.0, 0.0099, 0.1).significant
    assert not Comparison(1.0, 0.0101, 0.1).significant


def test_nan_is_left_out() -> None:
    first, second = (s.astype(float) for s in SAMPLES["many ties"])
    with_nan = np.concatenate([first, [np.nan, np.nan]])
    assert mann_whitney(with_nan, second) == mann_whitney(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [([], [1.0]), ([1.0], []), ([2.0, 2.0], [2.0]), ([np.nan], [1.0, 2.0])],
)
def test_undefined(first: list[float], second: list[float]) -> None:
    assert mann_whitney(np.array(first), np.array(second)) is None


def test_only_significant_if_in_every_fold() -> None:
    yes, no = Comparison(3.0, 0.001, 0.4), Comparison(1.0, 0.2, 0.1)
    assert significant_in_all([yes] * 5)
    assert not significant_in_all([yes] * 4 + [no])
    assert not significant_in_all([yes] * 4 + [None])
    assert not significant_in_all([])


def test_two_correlations_by_hand() -> None:
    # atanh .5 = ln(1.5 / .5) / 2 = .549306, atanh .3 = .309520; sqrt(2 / 100) = .141421
    result = compare_correlations(0.5, 0.3, 103)
    assert result is not None
    assert result.statistic == pytest.approx(1.695546, abs=1e-5)
    assert result.p_value == pytest.approx(2 * stats.norm.sf(1.695546), abs=1e-6)
    assert not result.significant


def test_two_correlations_are_compared_either_way() -> None:
    a, b = compare_correlations(0.9, 0.8, 400), compare_correlations(0.8, 0.9, 400)
    assert a is not None
    assert b is not None
    assert a.p_value == b.p_value
    assert a.statistic == -b.statistic
    same = compare_correlations(0.4, 0.4, 400)
    assert same is not None
    assert same.p_value == 1


@pytest.mark.parametrize(("first", "second", "n"), [(0.5, 0.3, 3), (1.0, 0.3, 90), (0.2, -1.0, 90)])
def test_two_correlations_undefined(first: float, second: float, n: int) -> None:
    assert compare_correlations(first, second, n) is None


@pytest.mark.parametrize("alternative", ["less", "greater", "two-sided"])
def test_curves_are_compared_at_each_q_from_the_second(alternative: Alternative) -> None:
    dice = np.random.RandomState(1)
    first = dice.randint(1, 9, (60, 5)).astype(float)
    second = dice.randint(2, 9, (50, 5)).astype(float)
    first[40:, 3], second[10:, 3] = np.nan, np.nan  # fewer users have four queries
    first[:, 4] = np.nan  # and none five
    p_values, effects = compare_curves(first, second, alternative)
    assert p_values.shape == effects.shape == (5,)
    for q in (2, 3, 4):
        a, b = (curve[:, q - 1][~np.isnan(curve[:, q - 1])] for curve in (first, second))
        alone = mann_whitney(a, b, alternative)
        assert alone is not None
        assert p_values[q - 1] == pytest.approx(alone.p_value, rel=1e-9)
        assert effects[q - 1] == pytest.approx(alone.effect, rel=1e-9)
    for q in (1, 5):
        assert np.isnan(p_values[q - 1])
        assert np.isnan(effects[q - 1])
