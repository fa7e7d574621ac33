"""+Reuse: previous neighbors come first."""

from __future__ import annotations

import pytest

from tests import oracle
from tests.examples import arranged, chosen_labels, codes, oracle_fold

without_reuse = pytest.mark.parametrize("strategy", ["userknn", "expect", "gain"])
with_reuse = pytest.mark.parametrize("strategy", ["userknn+reuse", "expect+reuse", "gain+reuse"])

# Similar is 1.0 to the target on one item. Reusable is .99 to it on six popular ones, so that
# Expect and Gain rank it higher. Both is as good as either by every rank.
REUSE = [
    *[("target", f"c{n}", value) for n, value in enumerate([1, 2, 3, 4, 5, 2])],
    *[("reusable", f"c{n}", value) for n, value in enumerate([1, 2, 3, 4, 5, 3])],
    *[("both", f"c{n}", value) for n, value in enumerate([1, 2, 3, 4, 5, 2])],
    ("similar", "c0", 5),
    *[(f"filler{f}", f"c{n}", [5, 1, 1, 1, 1, 5][n]) for f in range(5) for n in range(6)],
    *[("similar", "x", 3), ("reusable", "y", 3)],
    *[("similar", "z", 3), ("reusable", "z", 3), ("both", "z", 3)],
    *[("similar", "w", 3), ("reusable", "w", 3), ("both", "w", 3), ("filler0", "w", 3)],
]
X, Y, Z, W = (("target", item, 3.0) for item in "xyzw")


@pytest.mark.parametrize("strategy", ["expect", "gain"])
def test_the_example_ranks_the_reusable_neighbor_higher(strategy: str) -> None:
    ratings, folds, number = arranged(REUSE, [X, Y, Z])
    users, _ = codes(ratings)
    train, _, _ = oracle_fold(ratings, number, folds)
    rank = oracle.strategy_ranks(train, users["target"], strategy)
    similarity = oracle.similarities(train, users["target"])
    assert rank[users["both"]] > rank[users["reusable"]] > rank[users["similar"]]
    assert similarity[users["similar"]] > similarity[users["reusable"]]


@with_reuse
def test_previous_neighbors_are_taken_by_similarity_not_by_the_strategys_rank(
    strategy: str,
) -> None:
    expected = [{"similar"}, {"reusable"}, {"similar"}]
    assert chosen_labels(REUSE, [X, Y, Z], strategy, k=1) == expected


@with_reuse
def test_all_previous_neighbors_come_before_better_candidates(strategy: str) -> None:
    *_, last = chosen_labels(REUSE, [X, Y, W], strategy, k=3)
    assert last == {"similar", "reusable", "both"}
    *_, last = chosen_labels(REUSE, [X, Y, W], strategy, k=2)
    assert last == {"similar", "reusable"}


@without_reuse
def test_without_reuse_the_best_candidate_is_taken(strategy: str) -> None:
    *_, last = chosen_labels(REUSE, [X, Y, Z], strategy, k=1)
    assert last <= ({"both", "similar"} if strategy == "userknn" else {"both"})


@with_reuse
def test_reuse_follows_the_order_of_the_queries(strategy: str) -> None:
    first, *_ = chosen_labels(REUSE, [Z, X, Y], strategy, k=1)
    assert first <= ({"both", "similar"} if strategy == "userknn+reuse" else {"both"})
    assert chosen_labels(REUSE, [Y, Z, X], strategy, k=1)[:2] == [{"reusable"}, {"reusable"}]


@with_reuse
def test_queries_of_others_in_between_change_nothing(strategy: str) -> None:
    other = ("both", "x", 3.0)
    assert chosen_labels(REUSE, [X, other, Z], strategy, k=1)[2] == {"similar"}


@with_reuse
def test_a_larger_k_reuses_others(strategy: str) -> None:
    """With k = 2 the fillers come along in the first two queries, and are reused in the third."""
    known = [
        *REUSE,
        *[("reusable", "p", 3), ("filler0", "p", 3)],
        *[("reusable", "q", 3), ("filler1", "q", 3)],
        *[("both", "r", 3), ("filler0", "r", 3), ("filler1", "r", 3)],
    ]
    asked = [("target", item, 3.0) for item in "pqr"]
    assert chosen_labels(known, asked, strategy, k=1) == [{"reusable"}, {"reusable"}, {"both"}]
    assert chosen_labels(known, asked, strategy, k=2) == [
        {"reusable", "filler0"},
        {"reusable", "filler1"},
        {"filler0", "filler1"},
    ]
