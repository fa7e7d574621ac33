"""The mechanism by sampling: every draw is keyed, so what is seen once is seen always."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from engine.datasets import Scale
from engine.privacy import (
    MECHANISMS,
    PROTECTIONS,
    Mechanism,
    strict_epsilon,
)
from tests import oracle
from tests.noise import FIVE_STARS, RARE, TEN_HALF_STARS, THOUSAND, answers, filled

# --- the mechanism -------------------------------------------------------------------------------


def test_names() -> None:
    assert PROTECTIONS == ("none", "vulnerable", "full")
    assert MECHANISMS == ("discrete", "continuous")


@pytest.mark.parametrize("scale", [FIVE_STARS, TEN_HALF_STARS, Scale(0, 1, 1)])
@pytest.mark.parametrize("position", [0, 1, -1])
def test_discrete_answers_are_real_three_times_in_four_else_uniform(
    scale: Scale, position: int
) -> None:
    levels = scale.levels
    assert levels is not None
    real = float(levels[position])
    drawn = answers(filled(scale, lambda u, i: real), Mechanism.for_scale(scale))
    values = np.array(list(drawn.values()))
    assert len(values) > 25_000
    m = len(levels)
    expected = [len(values) * ((0.75 if v == real else 0) + 0.25 / m) for v in levels.tolist()]
    counts = [int((values == v).sum()) for v in levels.tolist()]
    assert sum(counts) == len(values)  # nothing but values of the scale
    assert stats.chisquare(counts, expected).pvalue > RARE


@pytest.mark.parametrize(
    ("scale", "real"), [(FIVE_STARS, 4.0), (THOUSAND, 12.5), (Scale(-10, 10, None), -10.0)]
)
def test_continuous_answers_are_real_three_times_in_four_else_uniform_on_the_range(
    scale: Scale, real: float
) -> None:
    mechanism = Mechanism.for_scale(scale, "continuous")
    values = np.array(list(answers(filled(scale, lambda u, i: real), mechanism).values()))
    assert values.min() >= scale.minimum
    assert values.max() <= scale.maximum
    others = values[values != real]
    assert stats.binomtest(len(others), len(values), 0.25).pvalue > RARE
    width = scale.maximum - scale.minimum
    assert stats.kstest((others - scale.minimum) / width, "uniform").pvalue > RARE
    assert len(np.unique(others)) > 0.99 * len(others)


def test_the_coin_is_fair_for_every_rating() -> None:
    ratings = filled(FIVE_STARS, lambda u, i: 1 + (u + i) % 5)
    rating = {(u, i): v for u, i, v in zip(ratings.user, ratings.item, ratings.value, strict=True)}
    by_rating: dict[float, list[bool]] = {}
    for (_, item, neighbor), answer in answers(
        ratings, Mechanism.for_scale(THOUSAND, "continuous")
    ).items():
        by_rating.setdefault(rating[neighbor, item], []).append(answer == rating[neighbor, item])
    assert sorted(by_rating) == [1, 2, 3, 4, 5]
    for hits in by_rating.values():
        assert stats.binomtest(sum(hits), len(hits), 0.75).pvalue > RARE


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
def test_the_coin_knows_nothing_of_the_draw_that_chose_the_neighbor(strategy: str) -> None:
    """Where all candidates tie, a hash decides who is chosen; the coins must not be part of it."""
    ratings = filled(FIVE_STARS, lambda u, i: 3.0, users=200)
    values = []
    for number in range(5):
        drawn = answers(
            ratings, Mechanism.for_scale(FIVE_STARS), strategy=strategy, k=1, number=number
        )
        values += list(drawn.values())
    counts = [values.count(v) for v in (1, 2, 3, 4, 5)]
    expected = [len(values) * (0.75 * (v == 3) + 0.05) for v in (1, 2, 3, 4, 5)]
    assert stats.chisquare(counts, expected).pvalue > RARE


def test_both_answers_to_one_query_and_to_one_neighbor_are_independent() -> None:
    mechanism = Mechanism.for_scale(THOUSAND, "continuous")
    drawn = answers(filled(THOUSAND, lambda u, i: 1000.0), mechanism)
    real = {use: answer == 1000.0 for use, answer in drawn.items()}
    for same in (lambda use: use[:2], lambda use: use[2:], lambda use: use[1:]):
        groups: dict[tuple[int, ...], list[bool]] = {}
        for use, hit in real.items():
            groups.setdefault(same(use), []).append(hit)
        pairs = [(a, b) for hits in groups.values() for a, b in pairwise(hits)]
        both = sum(a and b for a, b in pairs)
        # pairs overlap, so the bound is wider than that of independent ones: five deviations
        deviation = math.sqrt(len(pairs) * 0.5625 * 0.4375 * 3)
        assert abs(both - 0.5625 * len(pairs)) < 5 * deviation


# --- what is strictly true ------------------------------------------------------------------------


def test_what_is_strictly_true() -> None:
    assert strict_epsilon(Mechanism.for_scale(FIVE_STARS)) == pytest.approx(math.log(16))
    assert strict_epsilon(Mechanism.for_scale(TEN_HALF_STARS)) == pytest.approx(math.log(31))
    assert strict_epsilon(Mechanism.for_scale(FIVE_STARS, "continuous")) == math.inf


def test_no_level_tells_more_than_the_stated_epsilon() -> None:
    """The likelihood of an answer under two ratings, from the frequencies by definition."""
    for scale in (FIVE_STARS, TEN_HALF_STARS):
        mechanism = Mechanism.for_scale(scale)
        m = len(mechanism.levels)
        likely, unlikely = 0.75 + 0.25 / m, 0.25 / m
        assert strict_epsilon(mechanism) == pytest.approx(math.log(likely / unlikely))
