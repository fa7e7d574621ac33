"""The engine equals the oracle, from the split to the metrics, on small random ratings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import metrics
from engine.coins import draw_answers
from engine.datasets import Ratings
from engine.growth import grow
from engine.neighborhoods import choose_neighbors
from engine.predictions import make_predictor
from engine.privacy import (
    Mechanism,
    is_vulnerable,
    paper_epsilon,
    privacy_risk,
    secure_risk,
    unprotected_uses,
)
from engine.splits import split
from engine.usage import count_usage
from tests import oracle
from tests.examples import (
    VALUES,
    collinear_rows,
    engine_chosen,
    engine_tie,
    oracle_fold,
    random_rows,
    ratings_of,
    rows_of,
)

KS = (1, 2, 3, 5, 50)


def approx(value: float | None, rel: float = 1e-9) -> object:
    return None if value is None else pytest.approx(value, rel=rel, abs=1e-9)


def number_or_none(values: np.ndarray) -> list[float | None]:
    return [None if math.isnan(v) else float(v) for v in values]


def assert_neighbors_equal(
    ratings: Ratings, number: int, folds: int, seed: int, ks: Sequence[int] = KS
) -> None:
    fold = split(ratings, number, folds, seed)
    train, queries, _ = oracle_fold(ratings, number, folds, seed)
    tie = engine_tie(seed, number)
    wanted = [(strategy, k) for strategy in oracle.STRATEGIES for k in ks]
    by_cell = choose_neighbors(fold, wanted, jobs=1)
    for strategy, k in wanted:
        chosen = engine_chosen(fold, by_cell[strategy, k])
        assert oracle.invalid_choices(train, queries, strategy, k, chosen) == []
        expected = oracle.choose_neighbors(train, queries, strategy, k, tie)
        assert [set(c) for c in chosen] == [set(e) for e in expected], (strategy, k)
        if not strategy.endswith("+reuse"):
            assert chosen == expected, (strategy, k)  # best first, also among ties


def assert_all_equal(
    ratings: Ratings,
    number: int,
    strategy: str,
    k: int,
    *,
    mechanism: Mechanism,
    folds: int = 5,
    seed: int = 42,
) -> None:
    fold = split(ratings, number, folds, seed)
    train, queries, truths = oracle_fold(ratings, number, folds, seed)
    neighborhoods = choose_neighbors(fold, [(strategy, k)], jobs=1)[strategy, k]
    chosen = engine_chosen(fold, neighborhoods)
    assert [set(c) for c in chosen] == [
        set(c)
        for c in oracle.choose_neighbors(train, queries, strategy, k, engine_tie(seed, number))
    ]

    usage = count_usage(fold, neighborhoods)
    assert usage.data_usage.tolist() == oracle.data_usage(chosen, ratings.n_users)
    assert usage.ordinal.tolist() == [n for numbers in oracle.ordinals(chosen) for n in numbers]

    growth = grow(fold, neighborhoods)
    sizes, shared = oracle.growth_at_q(train, queries, chosen)
    assert number_or_none(growth.neighbors_at_q) == [approx(s) for s in sizes]
    assert number_or_none(growth.co_ratings_at_q) == [
        None if s is None else pytest.approx(s, rel=1e-6) for s in shared
    ]

    answers = draw_answers(fold, neighborhoods, mechanism)
    uses = [(u, i, n) for (u, i), row in zip(queries, chosen, strict=True) for n in row]
    answer_of = dict(zip(uses, answers.tolist(), strict=True))
    predictor = make_predictor(fold, neighborhoods, usage, mechanism)
    share = oracle.predicted_share(train, queries, chosen)
    assert float(np.mean(predictor.predicted)) == approx(share)

    largest = int(usage.data_usage.max())
    by_tau = predictor.mae_by_tau(largest)
    assert by_tau.shape == (largest + 1,)
    for protection, tau in [
        ("none", 1.0),
        ("full", 1.0),
        *(
            ("vulnerable", tau)
            for tau in (0.0, 1.0, 2.5, largest - 1.0, float(largest))
            if tau >= 0
        ),
    ]:
        expected = oracle.predict(
            train, queries, chosen, protection, tau, lambda u, i, n: answer_of[u, i, n]
        )
        predictions = predictor.predict(unprotected_uses(protection, tau))
        # the engine weighs by similarities rounded to 2^-40, which shows where all of them are tiny
        assert predictions.tolist() == pytest.approx(
            [float(p) for p in expected], rel=1e-6, abs=1e-9
        )
        error = oracle.mae(expected, truths)
        assert metrics.mean_absolute_error(fold.query_rating, predictions) == approx(error, 1e-6)
        assert metrics.mean_user_error(fold, predictions) == approx(
            oracle.mae_users(queries, expected, truths), 1e-6
        )
        if protection == "vulnerable":
            assert by_tau[min(math.floor(tau), largest)] == approx(error, 1e-6)

        top = metrics.top_queries(fold, predictions)
        frequency = metrics.item_frequency(fold, top)
        expected_frequency = oracle.item_frequency(queries, expected, ratings.n_items)
        assert frequency.tolist() == expected_frequency
        popular = oracle.popularity(rows_of(ratings), ratings.n_items)
        counts = np.array(popular)
        assert metrics.correlation(frequency, counts, all_items=False) == approx(
            oracle.pp_corr(expected_frequency, popular)
        )
        assert metrics.correlation(frequency, counts, all_items=True) == approx(
            oracle.pp_corr_all(expected_frequency, popular)
        )
        assert metrics.coverage(frequency) == approx(oracle.coverage(expected_frequency))
        value, without = oracle.ndcg(queries, expected, truths, train.mean)
        assert metrics.ndcg(fold, top) == (approx(value), without)
        assert metrics.ndcg_published(fold, top) == approx(
            oracle.ndcg_published(queries, expected, truths, train.mean)
        )

        used = oracle.data_usage(chosen, ratings.n_users)
        assert float(np.mean(is_vulnerable(usage.data_usage, tau))) == approx(
            oracle.vulnerable_share(used, tau)
        )
        risk = float(np.mean(privacy_risk(usage.data_usage, protection, tau)))
        assert risk == approx(oracle.mean_privacy_risk(used, tau, protection))
        assert secure_risk(usage.data_usage, tau) == approx(oracle.secure_risk(used, tau))
        assert paper_epsilon(usage.data_usage, protection, tau) == approx(
            oracle.epsilon_paper(used, tau, protection)
        )


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_neighbors(kind: str, seed: int) -> None:
    ratings = ratings_of(
        random_rows(seed, users=16, items=14, share=0.2 * seed, values=VALUES[kind])
    )
    assert_neighbors_equal(ratings, number=seed, folds=5, seed=40 + seed)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_neighbors_among_collinear_users(seed: int) -> None:
    ratings = ratings_of(collinear_rows(seed, users=20, items=12, share=0.4))
    assert_neighbors_equal(ratings, number=0, folds=4, seed=seed)


@st.composite
def few_ratings(draw: st.DrawFn) -> Ratings:
    """Up to 8 users and 7 items in any pattern: lone users, unknown items, zeros, ties."""
    values = VALUES[draw(st.sampled_from(sorted(VALUES)))]
    pairs = draw(
        st.lists(
            st.tuples(st.integers(0, 7), st.integers(0, 6)), min_size=5, max_size=45, unique=True
        )
    )
    return ratings_of([(f"u{u}", f"i{i}", draw(st.sampled_from(values))) for u, i in pairs])


@given(ratings=few_ratings(), number=st.integers(0, 4), seed=st.integers(0, 3))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_neighbors_of_anything(ratings: Ratings, number: int, seed: int) -> None:
    assert_neighbors_equal(ratings, number, 5, seed, ks=(1, 2, 30))


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
@pytest.mark.parametrize("kind", VALUES)
def test_everything(strategy: str, kind: str) -> None:
    ratings = ratings_of(random_rows(11, users=15, items=20, share=0.6, values=VALUES[kind]))
    for k in (1, 3):
        for memoised in (False, True):
            mechanism = Mechanism.for_scale(ratings.scale, memoised=memoised)
            assert_all_equal(ratings, 2, strategy, k, mechanism=mechanism)


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
def test_everything_among_collinear_users(strategy: str) -> None:
    ratings = ratings_of(collinear_rows(5, users=18, items=24, share=0.7))
    for name in ("discrete", "continuous"):
        mechanism = Mechanism.for_scale(ratings.scale, name)
        assert_all_equal(ratings, 0, strategy, 4, mechanism=mechanism, folds=3)


@given(
    ratings=few_ratings(),
    number=st.integers(0, 4),
    strategy=st.sampled_from(oracle.STRATEGIES),
    k=st.sampled_from([1, 2, 30]),
)
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_everything_of_anything(ratings: Ratings, number: int, strategy: str, k: int) -> None:
    mechanism = Mechanism.for_scale(ratings.scale)
    assert_all_equal(ratings, number, strategy, k, mechanism=mechanism)


def test_a_single_user_has_no_neighbors() -> None:
    ratings = ratings_of([("only", f"i{n}", 1 + n % 5) for n in range(10)])
    assert_neighbors_equal(ratings, 0, 5, 42)
    for strategy in oracle.STRATEGIES:
        mechanism = Mechanism.for_scale(ratings.scale)
        assert_all_equal(ratings, 1, strategy, 3, mechanism=mechanism)


def test_users_and_items_without_training_ratings() -> None:
    # every user has one or two ratings: many are unknown in train, and so are items
    ratings = ratings_of(
        [(f"u{n}", f"i{n * m % 11}", 1 + n % 3) for n in range(30) for m in (1, 2)]
    )
    for number in range(3):
        assert_neighbors_equal(ratings, number, 3, 42)
        for strategy in oracle.STRATEGIES:
            mechanism = Mechanism.for_scale(ratings.scale)
            assert_all_equal(ratings, number, strategy, 2, mechanism=mechanism, folds=3)
