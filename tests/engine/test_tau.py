from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from engine.tau import check_tau, published_tau, resolve_tau, rule_name, tail_tau
from tests import oracle

dice = random.Random(0)
USAGES: dict[str, list[int]] = {
    "long tail": [int(dice.paretovariate(1.1) * 10) for _ in range(400)],
    "exponential": [int(dice.expovariate(1 / 200)) for _ in range(943)],
    "many at zero": [0] * 500 + [dice.randint(1, 900) for _ in range(100)],
    "two humps": [dice.randint(40, 60) for _ in range(80)]
    + [dice.randint(300, 320) for _ in range(80)],
    "few users": [0, 3, 17, 250],
    "small numbers": [0, 0, 1, 2, 1, 0, 5],
    "large numbers": [dice.randint(0, 100_000) for _ in range(300)],
    "all equal": [12] * 30,
    "one user": [5],
    "five bins at most": [0, 10, 20, 20, 40] * 8,
}
each_usage = pytest.mark.parametrize("name", USAGES)


def is_a_largest_bend(tau: float, usage: list[int]) -> bool:
    """Whether no point bends more than tau's, but for the rounding of the last digits."""
    grid, bend = oracle.published_curve(usage)
    nearest = min(range(len(grid)), key=lambda n: abs(grid[n] - tau))
    noise = 1e-16 / (25 * 50)
    return abs(grid[nearest] - tau) < 1e-9 * max(usage) and bend[nearest] >= max(bend) - 40 * noise


@each_usage
def test_published_is_the_largest_second_difference(name: str) -> None:
    usage = USAGES[name]
    tau = published_tau(np.array(usage))
    assert is_a_largest_bend(tau, usage)
    spacing = max(usage) / 999
    assert tau == pytest.approx(oracle.tau_published(usage), abs=3 * spacing + 1e-9)


@given(st.lists(st.integers(0, 3000), min_size=1, max_size=80))
def test_published_of_anything(usage: list[int]) -> None:
    tau = published_tau(np.array(usage))
    assert 0 <= tau <= max(usage)
    assert tau == 0 if max(usage) == 0 else is_a_largest_bend(tau, usage)


def test_published_says_more_about_its_bandwidth_than_about_the_data() -> None:
    # 24 of 25 counts are 0: one bell around 0 bends most at sqrt(3) * 50
    for usage in ([0] * 30 + [4000], [1] * 200 + [700], [0] * 999 + [150]):
        spacing = max(usage) / 999
        expected = math.sqrt(3) * 50
        assert published_tau(np.array(usage)) == pytest.approx(expected, abs=2 * spacing)


@pytest.mark.parametrize("n", [1, 2, 50])
def test_published_without_any_usage_is_zero(n: int) -> None:
    assert published_tau(np.zeros(n, dtype=np.int64)) == 0


@pytest.mark.parametrize("name", [n for n in USAGES if n not in ("all equal", "one user")])
def test_tail_is_the_largest_second_derivative_right_of_the_mode(name: str) -> None:
    usage = USAGES[name]
    tau = tail_tau(np.array(usage))
    assert tau == pytest.approx(oracle.tau_tail(usage), abs=3 * max(usage) / 999)
    grid = [max(usage) * n / 200 for n in range(201)]
    density, _ = oracle.tail_curve(usage, grid)
    mode = grid[density.index(max(density))]
    assert tau > mode - max(usage) / 200


def test_tail_without_a_tail_is_that_usage() -> None:
    assert tail_tau(np.array([7, 7, 7])) == 7
    assert tail_tau(np.array([0, 0])) == 0
    assert tail_tau(np.array([4])) == 4


@each_usage
@pytest.mark.parametrize("rule", ["q0", "q10", "q50", "q90", "q99", "q100"])
def test_quantiles(name: str, rule: str) -> None:
    usage = USAGES[name]
    expected = oracle.quantile(usage, int(rule[1:]) / 100)
    assert resolve_tau(rule, np.array(usage)) == pytest.approx(expected)


def test_rules_by_name() -> None:
    usage = np.array(USAGES["long tail"])
    assert resolve_tau("published", usage) == published_tau(usage)
    assert resolve_tau("tail", usage) == tail_tau(usage)
    assert resolve_tau("12.5", usage) == resolve_tau(12.5, usage) == 12.5
    assert resolve_tau(0, usage) == 0
    assert [rule_name(rule) for rule in ("published", "tail", "q90", "7", 7.5)] == [
        "published",
        "tail",
        "q90",
        "number",
        "number",
    ]


@pytest.mark.parametrize(
    "rule", ["paper", "", "q", "q-5", "q101", "qq", -1, "-0.5", "nan", float("nan"), "inf", "1e999"]
)
def test_what_is_no_rule_is_refused(rule: str | float) -> None:
    with pytest.raises(InputError):
        check_tau(rule)
