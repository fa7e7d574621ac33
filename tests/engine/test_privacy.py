"""The mechanism by sampling: every draw is keyed, so what is seen once is seen always."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from engine.datasets import Ratings, Scale
from engine.errors import InputError
from engine.folds import Fold, split
from engine.neighborhoods import Neighborhoods, choose
from engine.predictions import make_predictor
from engine.privacy import (
    MECHANISMS,
    PROTECTIONS,
    Mechanism,
    draw_answers,
    is_vulnerable,
    paper_epsilon,
    privacy_risk,
    secure_risk,
    strict_epsilon,
    unprotected_uses,
)
from engine.usage import count_usage
from tests import oracle
from tests.examples import VALUES, ratings_of

FIVE_STARS = Scale(1.0, 5.0, 1.0)
TEN_HALF_STARS = Scale(0.5, 5.0, 0.5)
THOUSAND = Scale(0.0, 1000.0, None)
RARE = 1e-4  # a right mechanism fails such a test in one of ten thousand settings


def filled(scale: Scale, value: Callable[[int, int], float], users: int = 70) -> Ratings:
    """Everybody rates 40 items; `value(user, item)` is the rating."""
    rows = [(f"u{u}", f"i{i}", value(u, i)) for u in range(users) for i in range(40)]
    return ratings_of(rows, scale)


def uses_of(fold: Fold, found: Neighborhoods) -> list[tuple[int, int, int]]:
    """(user, item, neighbor) of every use, in order."""
    return [
        (int(fold.query_user[q]), int(fold.query_item[q]), int(n))
        for q in range(fold.n_queries)
        for n in found.users(fold, q)
    ]


def answers(
    ratings: Ratings,
    mechanism: Mechanism,
    *,
    strategy: str = "userknn",
    k: int = 1000,
    number: int = 0,
    seed: int = 42,
) -> dict[tuple[int, int, int], float]:
    fold = split(ratings, number, 5, seed)
    found = choose(fold, [(strategy, k)], jobs=1)[strategy, k]
    drawn = draw_answers(fold, found, mechanism)
    return dict(zip(uses_of(fold, found), drawn.tolist(), strict=True))


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


# --- what the coins are keyed by -----------------------------------------------------------------


@pytest.mark.parametrize("memoised", [False, True])
@pytest.mark.parametrize("name", MECHANISMS)
def test_every_strategy_and_k_sees_the_same_noise(
    small: Ratings, memoised: bool, name: str
) -> None:
    mechanism = Mechanism.for_scale(small.scale, name, memoised)
    everything = answers(small, mechanism, k=1000)
    for strategy in oracle.STRATEGIES:
        for k in (1, 5):
            drawn = answers(small, mechanism, strategy=strategy, k=k)
            assert drawn
            assert {use: everything[use] for use in drawn} == drawn


def test_fresh_answers_about_one_rating_differ_from_query_to_query() -> None:
    mechanism = Mechanism.for_scale(THOUSAND, "continuous")
    told: dict[tuple[int, int], set[float]] = {}
    for (_, item, neighbor), answer in answers(
        filled(THOUSAND, lambda u, i: 500.0), mechanism
    ).items():
        told.setdefault((item, neighbor), set()).add(answer)
    assert max(len(answers) for answers in told.values()) > 5


@pytest.mark.parametrize("name", MECHANISMS)
def test_memoised_answers_about_one_rating_are_one(name: str) -> None:
    mechanism = Mechanism.for_scale(FIVE_STARS, name, memoised=True)
    told: dict[tuple[int, int], set[float]] = {}
    for (_, item, neighbor), answer in answers(
        filled(FIVE_STARS, lambda u, i: 3.0, users=200), mechanism
    ).items():
        told.setdefault((item, neighbor), set()).add(answer)
    assert {len(answers) for answers in told.values()} == {1}
    # and over the ratings they are distributed as fresh ones
    values = [answer for answers in told.values() for answer in answers]
    share = 0.75 + (0.05 if name == "discrete" else 0)
    hits = sum(v == 3.0 for v in values)
    assert stats.binomtest(hits, len(values), share).pvalue > RARE


@pytest.mark.parametrize("memoised", [False, True])
@pytest.mark.parametrize(("number", "seed"), [(1, 42), (0, 43)])
def test_another_fold_or_seed_is_other_noise(memoised: bool, number: int, seed: int) -> None:
    ratings = filled(FIVE_STARS, lambda u, i: 3.0)
    mechanism = Mechanism.for_scale(FIVE_STARS, "continuous", memoised)

    def about_ratings(number: int, seed: int) -> dict[tuple[int, int], float]:
        drawn = answers(ratings, mechanism, number=number, seed=seed)
        return {(item, neighbor): answer for (_, item, neighbor), answer in drawn.items()}

    a, b = about_ratings(0, 42), about_ratings(number, seed)
    common = a.keys() & b.keys()
    both_noisy = [key for key in common if a[key] != 3 and b[key] != 3]
    assert all(a[key] != b[key] for key in both_noisy)
    shares = len(both_noisy) / len(common)
    assert 0.02 < shares < 0.12  # a quarter of a quarter


def test_every_tau_sees_the_same_noise(small: Ratings) -> None:
    """What a use answers when protected does not depend on which others are protected too."""
    fold = split(small, 0)
    found = choose(fold, [("gain", 3)], jobs=1)["gain", 3]
    mechanism = Mechanism.for_scale(small.scale)
    usage = count_usage(fold, found)
    predictor = make_predictor(fold, found, usage, mechanism)
    largest = int(usage.data_usage.max())
    full = predictor.predict(0.0)
    none = predictor.predict(math.inf)
    before = full
    for tau in range(1, largest + 1):
        after = predictor.predict(float(tau))
        freed = {
            q
            for q in range(fold.n_queries)
            if (usage.ordinal[found.start[q] : found.stop[q]] == tau).any()
        }
        changed = set(np.flatnonzero(before != after).tolist())
        assert changed <= freed
        before = after
    assert before.tolist() == none.tolist()


def test_no_tau_and_tau_zero_are_the_ends(small: Ratings) -> None:
    assert unprotected_uses("none", 5.0) == math.inf
    assert unprotected_uses("full", 5.0) == 0
    assert unprotected_uses("vulnerable", 5.5) == 5.5
    assert unprotected_uses("vulnerable", 0.0) == 0


@pytest.mark.parametrize("kind", VALUES)
def test_answers_stay_within_the_scale(kind: str) -> None:
    rows = [
        (f"u{u}", f"i{i}", VALUES[kind][(u + i) % len(VALUES[kind])])
        for u in range(12)
        for i in range(9)
    ]
    ratings = ratings_of(rows)
    for name in MECHANISMS:
        if name == "discrete" and ratings.scale.step is None:
            continue
        drawn = answers(ratings, Mechanism.for_scale(ratings.scale, name))
        low, high = min(VALUES[kind]), max(VALUES[kind])
        assert all(low <= answer <= high for answer in drawn.values())
        if name == "discrete":
            assert ratings.scale.levels is not None
            assert set(drawn.values()) <= set(ratings.scale.levels.tolist())


def test_constant_ratings_are_answered_as_they_are() -> None:
    drawn = answers(
        filled(Scale(4, 4, 1), lambda u, i: 4.0, users=5), Mechanism.for_scale(Scale(4, 4, 1))
    )
    assert set(drawn.values()) == {4.0}


def test_discrete_is_the_default_where_the_scale_has_steps() -> None:
    assert Mechanism.for_scale(FIVE_STARS).name == "discrete"
    assert Mechanism.for_scale(THOUSAND).name == "continuous"
    assert not Mechanism.for_scale(FIVE_STARS).memoised


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError):
        Mechanism.for_scale(THOUSAND, "discrete")
    with pytest.raises(InputError, match="laplace"):
        Mechanism.for_scale(FIVE_STARS, "laplace")


# --- vulnerable users, risk, epsilon -------------------------------------------------------------


def test_vulnerable_is_strictly_above_tau() -> None:
    usage = np.array([0, 1, 2, 3])
    assert is_vulnerable(usage, 2).tolist() == [False, False, False, True]
    assert is_vulnerable(usage, 1.5).tolist() == [False, False, True, True]
    assert is_vulnerable(usage, 0).tolist() == [False, True, True, True]


def test_risk_by_hand() -> None:
    usage = np.array([0, 1, 5, 9])
    assert privacy_risk(usage, "vulnerable", 4.5).tolist() == [0, 1, 4.5, 4.5]
    assert privacy_risk(usage, "none", 4.5).tolist() == [0, 1, 5, 9]
    assert privacy_risk(usage, "full", 4.5).tolist() == [0, 0, 0, 0]


def test_secure_risk_by_hand() -> None:
    usage = np.array([0, 1, 5, 9])
    assert secure_risk(usage, 5) == 2
    assert secure_risk(usage, 0) == 0
    assert secure_risk(usage, 100) == 3.75
    assert secure_risk(np.array([3, 4]), 2) is None


def test_epsilon_of_the_paper_by_hand() -> None:
    usage = np.array([2, 20, 40])
    expected = (math.log(3 + 4 * 10 / 10) + math.log(3 + 4 * 10 / 30)) / 2
    assert paper_epsilon(usage, "vulnerable", 10) == pytest.approx(expected)
    assert paper_epsilon(usage, "vulnerable", 0) == pytest.approx(math.log(3))
    assert paper_epsilon(usage, "vulnerable", 40) is None
    assert paper_epsilon(usage, "full", 10) == pytest.approx(math.log(3))
    assert paper_epsilon(usage, "none", 10) is None


def test_epsilon_needs_a_vulnerable_user_also_under_full_protection() -> None:
    assert paper_epsilon(np.array([0, 3]), "full", 5) is None


@given(
    usage=st.lists(st.integers(0, 60), min_size=1, max_size=30),
    tau=st.one_of(st.integers(0, 70), st.floats(0, 70)),
)
def test_privacy_metrics_equal_the_oracle(usage: list[int], tau: float) -> None:
    counted = np.array(usage)
    share = float(is_vulnerable(counted, tau).mean())
    assert share == pytest.approx(oracle.vulnerable_share(usage, tau))
    assert secure_risk(counted, tau) == pytest.approx(oracle.secure_risk(usage, tau))
    for protection in PROTECTIONS:
        mean = float(privacy_risk(counted, protection, tau).mean())
        assert mean == pytest.approx(oracle.mean_privacy_risk(usage, tau, protection))
        epsilon = oracle.epsilon_paper(usage, tau, protection)
        assert paper_epsilon(counted, protection, tau) == (
            None if epsilon is None else pytest.approx(epsilon)
        )


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
