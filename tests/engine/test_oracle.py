"""The oracle itself, against figures worked out by hand: nothing of the engine is tested here."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tests import oracle
from tests.examples import SIX_USERS

A, B, C, D, E = range(5)
ROWS = [(int(u[1]), "abcde".index(i), Fraction(value)) for u, i, value in SIX_USERS]
TRAIN = oracle.train_of(ROWS, n_users=6, n_items=5)
ASKED = [(0, C), (0, D), (0, E)]
LOW_FIRST: oracle.Tie = lambda user, item, candidate: candidate  # noqa: E731
HIGH_FIRST: oracle.Tie = lambda user, item, candidate: -candidate  # noqa: E731


def test_similarity_by_hand() -> None:
    squared = {c: oracle.similarity_squared(TRAIN, 0, c) for c in range(1, 6)}
    # u0 = (4, 2) on a and b; u4 = (2, 4): 16 / sqrt(20 * 20)
    assert squared == {1: 1, 2: 1, 3: 1, 4: Fraction(16, 25), 5: 0}
    assert float(oracle.root(squared[4])) == pytest.approx(0.8, abs=1e-15)


def test_negative_products_give_negative_similarity() -> None:
    train = oracle.train_of([(0, 0, Fraction(2)), (1, 0, Fraction(-3))], 2, 1)
    assert oracle.similarity_squared(train, 0, 1) == -1
    assert oracle.root(oracle.similarity_squared(train, 0, 1)) == -1


def test_ranks_by_hand() -> None:
    # similarity: u5 is last of five, u4 next, the other three share the largest rank
    assert oracle.strategy_ranks(TRAIN, 0, "userknn") == {1: 5, 2: 5, 3: 5, 4: 2, 5: 1}
    # co-ratings 2, 2, 1, 2, 0 rank 5, 5, 2, 5, 1
    assert oracle.strategy_ranks(TRAIN, 0, "gain") == {1: 10, 2: 10, 3: 7, 4: 7, 5: 2}
    # a, b, c, d, e have 5, 4, 4, 3, 1 raters: 13, 16, 12, 13, 4 rank 4, 5, 2, 4, 1
    assert [oracle.expect_score(TRAIN, c) for c in range(1, 6)] == [13, 16, 12, 13, 4]
    assert oracle.strategy_ranks(TRAIN, 0, "expect") == {1: 9, 2: 10, 3: 7, 4: 6, 5: 2}


@pytest.mark.parametrize(
    ("strategy", "k", "tie", "expected"),
    [
        ("userknn", 2, LOW_FIRST, [{1, 2}, {2, 3}, {5}]),
        ("userknn", 2, HIGH_FIRST, [{3, 2}, {3, 2}, {5}]),
        ("userknn", 1, HIGH_FIRST, [{3}, {3}, {5}]),
        ("userknn", 9, LOW_FIRST, [{1, 2, 3, 4}, {2, 3, 5}, {5}]),
        ("gain", 3, LOW_FIRST, [{1, 2, 3}, {2, 3, 5}, {5}]),
        ("gain", 3, HIGH_FIRST, [{1, 2, 4}, {2, 3, 5}, {5}]),
        ("expect", 1, LOW_FIRST, [{2}, {2}, {5}]),
        ("userknn+reuse", 1, LOW_FIRST, [{1}, {2}, {5}]),
        ("userknn+reuse", 1, HIGH_FIRST, [{3}, {3}, {5}]),
        ("expect+reuse", 2, LOW_FIRST, [{2, 1}, {2, 3}, {5}]),
    ],
)
def test_neighbors_by_hand(
    strategy: str, k: int, tie: oracle.Tie, expected: list[set[int]]
) -> None:
    chosen = oracle.choose_neighbors(TRAIN, ASKED, strategy, k, tie)
    assert [set(neighbors) for neighbors in chosen] == expected
    assert oracle.invalid_choices(TRAIN, ASKED, strategy, k, chosen) == []


def test_reuse_keeps_a_previous_neighbor_that_a_better_candidate_would_replace() -> None:
    # d is rated by u2, u3 (1.0) and u5 (0). Asked e first, u5 is a previous neighbor and stays.
    asked = [(0, E), (0, D)]
    assert oracle.choose_neighbors(TRAIN, asked, "userknn", 1, LOW_FIRST) == [[5], [2]]
    assert oracle.choose_neighbors(TRAIN, asked, "userknn+reuse", 1, LOW_FIRST) == [[5], [5]]
    assert oracle.choose_neighbors(TRAIN, asked, "gain+reuse", 2, LOW_FIRST) == [[5], [5, 2]]


@pytest.mark.parametrize(
    "chosen",
    [
        [[4], [2], [5]],  # u4 is less similar than u1
        [[1, 2], [2], [5]],  # one too many
        [[], [2], [5]],  # none where there are candidates
        [[1], [1], [5]],  # u1 did not rate d
        [[0], [2], [5]],  # oneself
    ],
)
def test_wrong_choices_are_seen(chosen: list[list[int]]) -> None:
    assert len(oracle.invalid_choices(TRAIN, ASKED, "userknn", 1, chosen)) == 1


def test_wrong_reuse_is_seen() -> None:
    asked = [(0, E), (0, D)]
    assert oracle.invalid_choices(TRAIN, asked, "userknn+reuse", 1, [[5], [2]])
    assert oracle.invalid_choices(TRAIN, asked, "userknn+reuse", 2, [[5], [2, 3]])
    assert not oracle.invalid_choices(TRAIN, asked, "userknn+reuse", 2, [[5], [3, 5]])


def test_usage_ordinals_and_risk_by_hand() -> None:
    chosen = [[1, 2], [2, 3], [5], [2]]
    usage = oracle.data_usage(chosen, 6)
    assert usage == [0, 1, 3, 1, 0, 1]
    assert oracle.ordinals(chosen) == [[1, 1], [2, 1], [1], [3]]
    assert oracle.vulnerable_share(usage, 1) == 1 / 6
    assert oracle.mean_privacy_risk(usage, 1, "vulnerable") == pytest.approx(4 / 6)
    assert oracle.mean_privacy_risk(usage, 1, "none") == 1
    assert oracle.mean_privacy_risk(usage, 1, "full") == 0
    assert oracle.secure_risk(usage, 1) == 3 / 5
    assert oracle.secure_risk([2, 3], 1) is None
    assert oracle.epsilon_paper(usage, 1, "vulnerable") == pytest.approx(math.log(3 + 4 * 1 / 2))
    assert oracle.epsilon_paper(usage, 1, "full") == math.log(3)
    assert oracle.epsilon_paper(usage, 1, "none") is None
    assert oracle.epsilon_paper(usage, 3, "vulnerable") is None


def test_predictions_by_hand() -> None:
    chosen = [[1, 4], [2, 3], [5]]
    answers = {1: 1.0, 2: 5.0, 3: 5.0, 4: 2.0}
    plain = oracle.predict(TRAIN, ASKED, chosen)
    # (1 * 5 + .8 * 1) / 1.8; (1 + 2) / 2; u5 has similarity 0: mean of train, 44 / 17
    assert [float(p) for p in plain] == pytest.approx([5.8 / 1.8, 1.5, 44 / 17])
    full = oracle.predict(TRAIN, ASKED, chosen, "full", answer=lambda u, i, n: answers[n])
    assert [float(p) for p in full] == pytest.approx([2.6 / 1.8, 5, 44 / 17])
    # with tau = 1 only the second use of a neighbor is protected
    twice = [(0, C), (0, D), (1, D)]
    some = oracle.predict(
        TRAIN, twice, [[2], [2], [2]], "vulnerable", 1, lambda u, i, n: answers[n]
    )
    assert [float(p) for p in some] == [3, 5, 5]
    assert oracle.predicted_share(TRAIN, ASKED, chosen) == 2 / 3


def test_growth_by_hand() -> None:
    asked = [(0, C), (9, C), (0, D)]
    sizes, shared = oracle.growth_at_q(TRAIN, asked, [[1, 3], [], [2, 3]])
    assert sizes[:3] == [2, 3, None]
    assert shared[:3] == [1.5, pytest.approx(5 / 3), None]


def test_ties_among_top_items_stand_in_query_order() -> None:
    queries = [(0, item) for item in range(12)]
    predictions = [3, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3.5]
    assert oracle.top_queries(queries, predictions) == {0: [1, 11, 0, 2, 3, 4, 5, 6, 7, 8]}


def test_pearson_against_numpy() -> None:
    x, y = [1, 4, 4, 7, 2], [2, 3, 9, 9, 1]
    assert oracle.pearson(x, y) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
    assert oracle.pearson([1, 1], [1, 2]) is None
    assert oracle.pearson([1], [2]) is None


def test_both_ndcgs_by_hand() -> None:
    queries = [(0, 0), (0, 1), (0, 2), (1, 0)]
    predictions, truths = [5, 4, 3, 2], [1, 3, 5, 1]
    second, third = 1 / math.log2(3), 1 / 2
    value, without = oracle.ndcg(queries, predictions, truths, 3)
    assert (value, without) == (pytest.approx(third / 1), 1)
    expected = (second + third) / (1 + second + third) / 2  # user 1 scores 0
    assert oracle.ndcg_published(queries, predictions, truths, 3) == pytest.approx(expected)


@pytest.mark.parametrize("usage", [[0, 0, 5, 9, 100], [3, 3, 3], list(range(0, 400, 3))])
def test_histogram_and_gradient_against_numpy(usage: list[int]) -> None:
    counts = oracle.histogram_counts(usage)
    assert sorted(counts) == sorted(np.histogram(usage, bins=25)[0].tolist())
    grid, _ = oracle.published_curve(usage)
    values = np.sin(grid)
    assert oracle.gradient(list(values)) == pytest.approx(np.gradient(values).tolist())


def test_tail_density_has_scotts_bandwidth() -> None:
    values, _ = oracle.tail_curve([0, 1, 1, 2, 7, 30], [0.0, 1.5, 20.0])
    expected = stats.gaussian_kde([0, 1, 1, 2, 7, 30], "scott")([0.0, 1.5, 20.0])
    assert values == pytest.approx(expected.tolist())


def test_second_derivative_of_the_tail_is_that_of_its_density() -> None:
    usage, step = [0, 1, 1, 2, 7, 30], 1e-3
    density, bend = oracle.tail_curve(usage, [5 - step, 5, 5 + step])
    assert bend[1] == pytest.approx((density[0] - 2 * density[1] + density[2]) / step**2, rel=1e-4)


def test_quantile_against_numpy() -> None:
    usage = [5, 1, 9, 9, 30, 2, 0]
    assert oracle.quantile(usage, 0.9) == pytest.approx(np.quantile(usage, 0.9))


def test_split_covers_every_row_once() -> None:
    parts = oracle.split_positions(23, 5, 42)
    assert [len(part) for part in parts] == [5, 5, 5, 4, 4]
    assert sorted(p for part in parts for p in part) == list(range(23))


def test_of_duplicates_the_last_stays() -> None:
    assert oracle.deduplicated([("a", "x", 1), ("b", "x", 2), ("a", "x", 5)]) == [
        ("b", "x", 2),
        ("a", "x", 5),
    ]
