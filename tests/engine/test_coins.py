"""What the coins of the mechanism are keyed by: the same use, the same coins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from engine.coins import draw_answers, throw_coins
from engine.datasets import Ratings, Scale
from engine.errors import InputError
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods, choose_neighbors
from engine.predictions import make_predictor
from engine.privacy import MECHANISMS, Mechanism, unprotected_uses
from engine.splits import split
from engine.usage import count_usage
from tests import oracle
from tests.examples import VALUES, ratings_of
from tests.noise import FIVE_STARS, RARE, THOUSAND, answers, filled


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
    neighborhoods = choose_neighbors(fold, [("gain", 3)], jobs=1)["gain", 3]
    mechanism = Mechanism.for_scale(small.scale)
    usage = count_usage(fold, neighborhoods)
    predictor = make_predictor(fold, neighborhoods, usage, mechanism)
    largest = int(usage.data_usage.max())
    full = predictor.predict(0.0)
    none = predictor.predict(math.inf)
    before = full
    for tau in range(1, largest + 1):
        after = predictor.predict(float(tau))
        freed = {
            q
            for q in range(fold.n_queries)
            if (usage.ordinal[neighborhoods.start[q] : neighborhoods.stop[q]] == tau).any()
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


def asked_again(users: int, asks: int, value: float) -> tuple[Fold, Neighborhoods]:
    """One user asks `users` others for the same item, `asks` times."""
    codes = np.arange(users)
    asker = np.full(asks, users)
    fold = Fold.of(
        (np.append(codes, users), np.append(np.zeros(users, int), 1), np.full(users + 1, value)),
        (asker, np.zeros(asks, int), np.full(asks, np.nan)),
        n_users=users + 1,
        n_items=2,
    )
    return fold, choose_neighbors(fold, [("userknn", users)], jobs=1)["userknn", users]


def test_a_query_that_is_put_again_gets_new_coins() -> None:
    users, asks = 300, 40
    fold, neighborhoods = asked_again(users, asks, 500.0)
    mechanism = Mechanism.for_scale(THOUSAND, "continuous")
    coins = throw_coins(fold, neighborhoods, mechanism)
    assert np.array_equal(coins.answers, draw_answers(fold, neighborhoods, mechanism))
    assert np.array_equal(coins.real, coins.answers == 500.0)
    neighbor = fold.by_item.indices[neighborhoods.place].reshape(asks, users)
    real = np.empty((asks, users), dtype=bool)
    np.put_along_axis(real, neighbor, coins.real.reshape(asks, users), axis=1)
    for heads in (coins.first_heads, coins.second_heads):
        assert stats.binomtest(int(heads.sum()), heads.size, 0.5).pvalue > RARE
    for one, other in ((real[0], real[1]), (real[1], real[2]), (real[0], real[-1])):
        both = int((one & other).sum())  # the asks are independent of each other
        assert stats.binomtest(both, users, 0.75**2).pvalue > RARE
    share = real.mean(axis=0)  # and so are the neighbors
    assert abs(share.std() - math.sqrt(0.75 * 0.25 / asks)) < 0.02


def test_the_first_ask_is_answered_as_if_there_were_no_other() -> None:
    mechanism = Mechanism.for_scale(FIVE_STARS)
    once = draw_answers(*asked_again(50, 1, 3.0), mechanism)
    often = draw_answers(*asked_again(50, 9, 3.0), mechanism)
    assert np.array_equal(once, often[:50])


def test_memoised_answers_stay_however_often_a_query_is_put() -> None:
    fold, neighborhoods = asked_again(200, 5, 3.0)
    neighbor = fold.by_item.indices[neighborhoods.place].reshape(5, 200)
    drawn = draw_answers(fold, neighborhoods, Mechanism.for_scale(FIVE_STARS, memoised=True))
    told = np.empty((5, 200))
    np.put_along_axis(told, neighbor, drawn.reshape(5, 200), axis=1)
    assert (told == told[0]).all()
    assert len(set(told[0].tolist())) == 5
