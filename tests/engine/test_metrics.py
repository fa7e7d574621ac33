"""Every metric on cases small enough to be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine import metrics
from engine.datasets import Ratings
from engine.folds import Fold
from engine.splits import split
from tests import oracle
from tests.examples import arranged, codes, random_rows, ratings_of

# The mean of these training ratings is 3.
KNOWN = [("a", "x", 1), ("b", "y", 5), ("c", "z", 3)] + [
    (f"filler{n}", f"thing{n}", 3) for n in range(60)
]
SECOND, THIRD = 1 / math.log2(3), 1 / math.log2(4)


def asked_fold(*asked: tuple[str, str, float]) -> tuple[Fold, Ratings]:
    """A fold of exactly these queries, their number permitting; the mean of train is 3."""
    ratings, folds, number = arranged(KNOWN, asked)
    fold = split(ratings, number, folds)
    assert fold.n_queries == len(asked)
    assert fold.train_mean == 3
    return fold, ratings


def top(fold: Fold, predictions: list[float]) -> dict[int, list[int]]:
    top_lists = metrics.top_queries(fold, np.array(predictions))
    assert top_lists.shape == (fold.n_users, 10)
    lists = {}
    for user, row in enumerate(top_lists.tolist()):
        queries = [q for q in row if q >= 0]
        assert row == queries + [-1] * (10 - len(queries))
        if queries:
            lists[user] = queries
    return lists


def test_mae_is_the_mean_over_queries_and_mae_users_over_users() -> None:
    fold, _ = asked_fold(("a", "y", 2), ("a", "z", 4), ("b", "x", 1), ("a", "thing0", 5))
    predictions = np.array([3.0, 4.5, 5.0, 5.0])  # errors 1, .5, 0 of a; 4 of b
    assert metrics.mean_absolute_error(fold.query_rating, predictions) == 5.5 / 4
    assert metrics.mean_user_error(fold, predictions) == pytest.approx((0.5 + 4) / 2)


def test_users_without_a_query_have_no_error() -> None:
    fold, _ = asked_fold(("a", "y", 2))
    assert metrics.mean_user_error(fold, np.array([4.0])) == 2


def test_top_items_are_the_ten_predicted_highest_best_first() -> None:
    fold, ratings = asked_fold(*(("a", f"thing{n}", 3) for n in range(12)))
    users, _ = codes(ratings)
    predictions = [1, 12, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2]
    assert top(fold, predictions) == {users["a"]: [1, 10, 9, 8, 7, 6, 5, 4, 3, 2]}


def test_ties_among_top_items_stand_in_the_order_of_the_queries() -> None:
    fold, ratings = asked_fold(*(("a", f"thing{n}", 3) for n in range(13)))
    users, _ = codes(ratings)
    predictions = [3.0] * 13
    predictions[12], predictions[4] = 4, 1
    assert top(fold, predictions)[users["a"]] == [12, 0, 1, 2, 3, 5, 6, 7, 8, 9]


def test_queries_of_users_are_kept_apart() -> None:
    fold, ratings = asked_fold(("a", "y", 3), ("b", "x", 3), ("a", "z", 3), ("b", "z", 3))
    users, _ = codes(ratings)
    assert top(fold, [1, 2, 3, 2]) == {users["a"]: [2, 0], users["b"]: [1, 3]}


def test_item_frequency_counts_the_users_with_the_item_on_top() -> None:
    asked = [("a", f"thing{n}", 3) for n in range(11)] + [("b", "thing0", 3), ("b", "thing3", 3)]
    fold, ratings = asked_fold(*asked)
    _, items = codes(ratings)
    predictions = np.array([5.0] * 10 + [1.0] + [1.0, 1.0])  # thing10 is 11th of a
    frequency = metrics.item_frequency(fold, metrics.top_queries(fold, predictions))
    assert frequency.shape == (ratings.n_items,)
    assert frequency[[items["thing0"], items["thing3"], items["thing5"]]].tolist() == [2, 2, 1]
    assert frequency[items["thing10"]] == 0
    assert frequency.sum() == 12


def test_pp_corr_over_top_items_and_over_all() -> None:
    frequency, popularity = np.array([2, 0, 1, 4, 0]), np.array([3, 9, 4, 8, 1])
    on_top = np.corrcoef([2, 1, 4], [3, 4, 8])[0, 1]
    everywhere = np.corrcoef(frequency, popularity)[0, 1]
    correlation = metrics.correlation(frequency, popularity, all_items=False)
    assert correlation == pytest.approx(on_top, abs=1e-12)
    correlation = metrics.correlation(frequency, popularity, all_items=True)
    assert correlation == pytest.approx(everywhere, abs=1e-12)


@pytest.mark.parametrize(
    ("frequency", "popularity"),
    [
        ([0, 0, 0], [1, 2, 3]),  # nothing on top
        ([4, 0, 0], [1, 2, 3]),  # one item
        ([2, 2, 0], [1, 2, 3]),  # frequency does not vary
        ([1, 2, 0], [5, 5, 3]),  # popularity does not vary
    ],
)
def test_pp_corr_undefined(frequency: list[int], popularity: list[int]) -> None:
    counts = np.array(frequency), np.array(popularity)
    assert metrics.correlation(*counts, all_items=False) is None


def test_pp_corr_is_at_most_one() -> None:
    frequency = np.array([1, 2, 3, 5, 8, 13])
    correlation = metrics.correlation(frequency, frequency * 3, all_items=True)
    assert correlation == pytest.approx(1)
    assert correlation is not None
    assert abs(correlation) <= 1


def test_coverage_is_the_share_of_all_items() -> None:
    assert metrics.coverage(np.array([0, 3, 1, 0, 0])) == 0.4


def test_ndcg_by_hand() -> None:
    # a has relevant ratings (above 3) in places 2 and 3 of its list; b has none
    fold, _ = asked_fold(("a", "y", 5), ("a", "z", 3), ("a", "thing0", 4), ("b", "x", 3))
    top_lists = metrics.top_queries(fold, np.array([2.0, 5.0, 1.0, 4.0]))
    value, without = metrics.ndcg(fold, top_lists)
    assert value == pytest.approx((SECOND + THIRD) / (1 + SECOND))
    assert without == 1


def test_ndcg_published_by_hand() -> None:
    # relevant is at least 3: places 1, 3 of a; none of b's one place
    fold, _ = asked_fold(("a", "y", 2), ("a", "z", 3), ("a", "thing0", 4), ("b", "x", 1))
    top_lists = metrics.top_queries(fold, np.array([2.0, 5.0, 1.0, 4.0]))
    expected = (1 + THIRD) / (1 + SECOND + THIRD)
    assert metrics.ndcg_published(fold, top_lists) == pytest.approx(expected / 2)


def test_a_rating_at_the_mean_is_relevant_only_as_published() -> None:
    fold, _ = asked_fold(("a", "y", 3), ("a", "z", 2))
    top_lists = metrics.top_queries(fold, np.array([5.0, 1.0]))
    assert metrics.ndcg(fold, top_lists) == (None, 1)
    assert metrics.ndcg_published(fold, top_lists) == pytest.approx(1 / (1 + SECOND))


def test_a_relevant_item_below_the_tenth_place_counts_in_the_ideal() -> None:
    # eleven queries; the only two relevant ones are predicted 1st and 11th
    asked = [("a", f"thing{n}", 5 if n in (0, 10) else 1) for n in range(11)]
    fold, _ = asked_fold(*asked)
    top_lists = metrics.top_queries(fold, np.arange(11.0)[::-1])
    assert metrics.ndcg(fold, top_lists)[0] == pytest.approx(1 / (1 + SECOND))


def test_ideal_has_at_most_ten_places() -> None:
    fold, _ = asked_fold(*(("a", f"thing{n}", 5) for n in range(12)))
    top_lists = metrics.top_queries(fold, np.zeros(12))
    assert metrics.ndcg(fold, top_lists)[0] == pytest.approx(1)
    assert metrics.ndcg_published(fold, top_lists) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(6))
def test_all_equal_the_oracle_for_any_predictions(seed: int) -> None:
    """Predictions with many ties, users with more than ten queries, and with none."""
    ratings = ratings_of(random_rows(seed, users=12, items=60, share=0.9, values=[1, 2, 3, 4, 5]))
    fold = split(ratings, 0, 3)
    queries = list(zip(fold.query_user.tolist(), fold.query_item.tolist(), strict=True))
    truths = fold.query_rating.tolist()
    predictions = np.random.RandomState(seed).randint(2, 9, fold.n_queries) / 2
    assert top(fold, predictions.tolist()) == oracle.top_queries(queries, predictions.tolist())
    top_lists = metrics.top_queries(fold, predictions)
    frequency = metrics.item_frequency(fold, top_lists)
    assert frequency.tolist() == oracle.item_frequency(queries, predictions, ratings.n_items)
    value, without = metrics.ndcg(fold, top_lists)
    assert (value, without) == (
        pytest.approx(oracle.ndcg(queries, predictions, truths, fold.train_mean)[0]),
        oracle.ndcg(queries, predictions, truths, fold.train_mean)[1],
    )
    published = oracle.ndcg_published(queries, predictions, truths, fold.train_mean)
    assert metrics.ndcg_published(fold, top_lists) == pytest.approx(published)
    own = oracle.mae_users(queries, predictions, truths)
    assert metrics.mean_user_error(fold, predictions) == pytest.approx(own)
