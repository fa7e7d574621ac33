"""One suite that every strategy must pass, and what is particular to ties and to +Reuse."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.datasets import Ratings
from engine.errors import Cancelled, InputError
from engine.folds import split
from engine.neighborhoods import Neighborhoods, choose, target_blocks
from engine.strategies import PAPER_STRATEGIES, STRATEGIES
from tests import oracle
from tests.examples import (
    SIX_USERS,
    arranged,
    codes,
    engine_chosen,
    named,
    oracle_fold,
    random_rows,
    ratings_of,
)

every_strategy = pytest.mark.parametrize("strategy", oracle.STRATEGIES)
without_reuse = pytest.mark.parametrize("strategy", ["userknn", "expect", "gain"])
with_reuse = pytest.mark.parametrize("strategy", ["userknn+reuse", "expect+reuse", "gain+reuse"])

Labels = list[set[str]]


def chosen_labels(
    known: list[tuple[str, str, float]],
    asked: list[tuple[str, str, float]],
    strategy: str,
    k: int,
    seed: int = 42,
) -> Labels:
    """Train on `known`, ask `asked` in that order, and name the chosen neighbors."""
    ratings, folds, number = arranged(known, asked, seed)
    fold = split(ratings, number, folds, seed)
    found = choose(fold, [(strategy, k)], jobs=1)[strategy, k]
    chosen = engine_chosen(fold, found)[: len(asked)]  # the rest is padding
    return [named(ratings, neighbors) for neighbors in chosen]


def assert_same(a: Neighborhoods, b: Neighborhoods) -> None:
    sizes_a, sizes_b = a.stop - a.start, b.stop - b.start
    assert sizes_a.tolist() == sizes_b.tolist()
    for q, (start_a, start_b) in enumerate(zip(a.start, b.start, strict=True)):
        uses_a = slice(start_a, start_a + sizes_a[q])
        uses_b = slice(start_b, start_b + sizes_b[q])
        for name in ("place", "similarity", "co_ratings"):
            assert getattr(a, name)[uses_a].tolist() == getattr(b, name)[uses_b].tolist(), (q, name)


# --- the shared suite ----------------------------------------------------------------------------


def test_strategies_are_those_of_the_paper_and_the_published_code() -> None:
    assert set(STRATEGIES) == set(oracle.STRATEGIES)
    assert list(PAPER_STRATEGIES) == ["userknn", "userknn+reuse", "expect", "gain"]


@every_strategy
def test_six_users_by_hand(strategy: str) -> None:
    # as in test_oracle.py: u1, u2, u3 tie in similarity, u2 leads Expect, u1 and u2 lead Gain
    asked = [("u0", "c", 3), ("u0", "e", 3)]
    first, last = chosen_labels(SIX_USERS, asked, strategy, k=2)
    possible = {
        "userknn": [{"u1", "u2"}, {"u1", "u3"}, {"u2", "u3"}],
        "expect": [{"u1", "u2"}],
        "gain": [{"u1", "u2"}],
    }
    assert first in possible[strategy.removesuffix("+reuse")]
    assert last == {"u5"}


@every_strategy
@pytest.mark.parametrize("k", [1, 2, 7, 1000])
def test_valid_for_every_k(small: Ratings, strategy: str, k: int) -> None:
    fold = split(small, 1)
    train, queries, _ = oracle_fold(small, 1)
    found = choose(fold, [(strategy, k)], jobs=1)[strategy, k]
    assert oracle.invalid_choices(train, queries, strategy, k, engine_chosen(fold, found)) == []


@every_strategy
def test_k_above_the_raters_takes_all_of_them_without_padding(
    small: Ratings, strategy: str
) -> None:
    fold = split(small, 0)
    found = choose(fold, [(strategy, 1000)], jobs=1)[strategy, 1000]
    raters = np.diff(fold.by_item.indptr)[fold.query_item]
    assert (found.stop - found.start).tolist() == np.where(fold.answered, raters, 0).tolist()


@every_strategy
def test_neighbors_bring_their_similarity_co_ratings_and_rating(
    small: Ratings, strategy: str
) -> None:
    fold = split(small, 2)
    train, queries, _ = oracle_fold(small, 2)
    found = choose(fold, [(strategy, 3)], jobs=1)[strategy, 3]
    for q, (user, item) in enumerate(queries):
        for n, use in enumerate(range(found.start[q], found.stop[q])):
            neighbor = found.users(fold, q)[n]
            expected = float(oracle.root(oracle.similarity_squared(train, user, neighbor)))
            assert found.similarity[use] == pytest.approx(expected, abs=1e-14)
            assert found.co_ratings[use] == oracle.co_ratings(train, user, neighbor)
            assert fold.by_item.data[found.place[use]] == train.by_item[item][neighbor]


@every_strategy
def test_unknown_users_and_items_have_no_neighbors(strategy: str) -> None:
    asked = [("new", "c", 3), ("u0", "unseen", 3), ("u0", "c", 3)]
    unknown_user, unknown_item, known = chosen_labels(SIX_USERS, asked, strategy, k=2)
    assert unknown_user == unknown_item == set()
    assert len(known) == 2


@every_strategy
def test_nobody_is_a_neighbor_of_their_own(small: Ratings, strategy: str) -> None:
    fold = split(small, 4)
    found = choose(fold, [(strategy, 1000)], jobs=1)[strategy, 1000]
    for q, neighbors in enumerate(engine_chosen(fold, found)):
        assert fold.query_user[q] not in neighbors
        assert len(neighbors) == len(set(neighbors))


@every_strategy
def test_duplicate_ratings_change_nothing(strategy: str) -> None:
    rows = random_rows(2, users=12, items=9, share=0.6, values=[1, 2, 3, 4, 5])
    once, twice = ratings_of(rows), ratings_of([(u, i, 6 - v) for u, i, v in rows] + rows)
    folds = split(once, 0), split(twice, 0)
    a, b = (choose(fold, [(strategy, 2)], jobs=1)[strategy, 2] for fold in folds)
    assert once.users.tolist() == twice.users.tolist()
    assert_same(a, b)


@every_strategy
def test_a_constant_rater_is_as_similar_as_its_cosine(strategy: str) -> None:
    # (3, 3) to (1, 5) is 18 / sqrt(18 * 26) = .83; the better candidate by every rank is "like"
    known = [
        *[("t", "a", 1), ("t", "b", 5)],
        *[("constant", "a", 3), ("constant", "b", 3), ("constant", "x", 3)],
        *[("like", "a", 1), ("like", "b", 5), ("like", "x", 4)],
    ]
    assert chosen_labels(known, [("t", "x", 3)], strategy, k=1) == [{"like"}]
    assert chosen_labels(known, [("t", "x", 3)], strategy, k=2) == [{"like", "constant"}]


@every_strategy
def test_a_target_or_neighbor_of_zeros_is_chosen_with_similarity_zero(strategy: str) -> None:
    known = [
        *[("zeros", "a", 0), ("zeros", "b", 0), ("zeros", "x", 0)],
        *[("t", "a", 1), ("t", "b", 5), ("t", "y", 0)],
    ]
    assert chosen_labels(known, [("t", "x", 3)], strategy, k=1) == [{"zeros"}]
    assert chosen_labels(known, [("zeros", "y", 3)], strategy, k=1) == [{"t"}]


@every_strategy
def test_relabelled_ids_give_the_same_neighbors(small: Ratings, strategy: str) -> None:
    relabelled = Ratings.from_columns(
        [f"person {hash_of(label)}" for label in small.users[small.user]],
        [f"thing {hash_of(label)}" for label in small.items[small.item]],
        small.value,
        name="relabelled",
    )
    a, b = (
        choose(split(ratings, 3), [(strategy, 4)], jobs=1)[strategy, 4]
        for ratings in (small, relabelled)
    )
    assert_same(a, b)


def hash_of(label: str) -> int:
    """A number that puts the labels into another order than the codes have."""
    return sum(ord(letter) * 7919**n for n, letter in enumerate(label)) % 99_991


@every_strategy
def test_a_scale_that_is_stretched_gives_the_same_neighbors(small: Ratings, strategy: str) -> None:
    halves = Ratings.from_columns(
        small.users[small.user], small.items[small.item], small.value / 2, name="halves"
    )
    a, b = (
        engine_chosen(split(r, 0), choose(split(r, 0), [(strategy, 4)], jobs=1)[strategy, 4])
        for r in (small, halves)
    )
    assert a == b


@every_strategy
def test_jobs_and_blocks_change_nothing(small: Ratings, strategy: str) -> None:
    fold = split(small, 0)
    cell = (strategy, 5)
    alone = choose(fold, [cell], jobs=1)[cell]
    users = np.concatenate(target_blocks(fold))
    one_by_one = [np.array([u], dtype=users.dtype) for u in reversed(users)]
    shuffled = np.array_split(np.random.RandomState(1).permutation(users), 4)
    assert_same(alone, choose(fold, [cell], jobs=2)[cell])
    assert_same(alone, choose(fold, [cell], jobs=2, blocks=one_by_one)[cell])
    assert_same(alone, choose(fold, [cell], jobs=1, blocks=shuffled)[cell])


def test_all_in_one_pass_equals_one_by_one(small: Ratings) -> None:
    fold = split(small, 1)
    cells = [(strategy, k) for strategy in oracle.STRATEGIES for k in (1, 4, 9)]
    together = choose(fold, cells, jobs=2)
    for cell in cells:
        assert_same(together[cell], choose(fold, [cell], jobs=1)[cell])


@without_reuse
def test_one_selection_serves_every_smaller_k(small: Ratings, strategy: str) -> None:
    fold = split(small, 1)
    large = choose(fold, [(strategy, 12)], jobs=1)[strategy, 12]
    for k in (1, 2, 5, 12):
        assert_same(large.first(k), choose(fold, [(strategy, k)], jobs=1)[strategy, k])


def test_unknown_strategy(small: Ratings) -> None:
    with pytest.raises(InputError, match="neighbour"):
        choose(split(small, 0), [("neighbour", 3)])


def test_cancelled_between_blocks(small: Ratings) -> None:
    with pytest.raises(Cancelled):
        choose(split(small, 0), [("userknn", 3)], jobs=1, cancelled=lambda: True)


def test_progress_grows_to_one(small: Ratings) -> None:
    shares: list[float] = []
    choose(split(small, 0), [("gain", 3)], jobs=2, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


# --- ties ----------------------------------------------------------------------------------------

CANDIDATES = 8
ITEMS = 64


def tied(strategy: str, k: int, seed: int = 42, targets: str = "t") -> list[list[set[str]]]:
    """What each target chooses for 64 items that 8 candidates, equal in every respect, rated."""
    known: list[tuple[str, str, float]] = [(target, "a", 4) for target in targets]
    for c in range(CANDIDATES):
        known += [(f"c{c}", "a", 4), *((f"c{c}", f"i{n}", 3) for n in range(ITEMS))]
    asked = [(target, f"i{n}", 3.0) for target in targets for n in range(ITEMS)]
    labels = chosen_labels(known, asked, strategy, k, seed)
    return [labels[t * ITEMS : (t + 1) * ITEMS] for t in range(len(targets))]


@without_reuse
def test_ties_are_broken_per_query_and_not_once_per_user(strategy: str) -> None:
    """A draw per user would choose the same candidate 64 times, a draw per query each about 8."""
    (choices,) = tied(strategy, k=1)
    counts = Counter(label for one in choices for label in one)
    assert len(counts) == CANDIDATES
    expected = ITEMS / CANDIDATES
    chi_squared = sum((n - expected) ** 2 / expected for n in counts.values())
    assert chi_squared < 24.3  # 0.1 % of 7 degrees of freedom


@without_reuse
def test_each_tied_candidate_is_as_likely_over_seeds(strategy: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(12):
        (choices,) = tied(strategy, 3, seed)
        counts.update(label for one in choices for label in one)
    draws = 12 * ITEMS
    assert sum(counts.values()) == 3 * draws
    share = 3 / CANDIDATES
    deviation = (draws * share * (1 - share)) ** 0.5
    assert all(abs(n - draws * share) < 4 * deviation for n in counts.values())


def test_tied_candidates_are_drawn_anew_for_each_user_and_seed() -> None:
    choices = [mine for seed in (1, 2) for mine in tied("userknn", 1, seed, targets="ts")]
    for a in range(4):
        for b in range(a):
            same = sum(x == y for x, y in zip(choices[a], choices[b], strict=True))
            assert same < ITEMS / CANDIDATES + 4 * (ITEMS / CANDIDATES) ** 0.5


@with_reuse
def test_first_choices_of_reuse_are_drawn_per_user(strategy: str) -> None:
    """With k = 1 and equal candidates the first one chosen stays; who that is differs by user."""
    known = [(f"t{t}", "a", 4) for t in range(20)]
    for c in range(CANDIDATES):
        known += [(f"c{c}", "a", 4), *((f"c{c}", f"i{n}", 3) for n in range(4))]
    asked = [(f"t{t}", f"i{n}", 3) for n in range(2) for t in range(20)]
    labels = [min(one) for one in chosen_labels(known, asked, strategy, k=1)]
    assert labels[:20] == labels[20:]
    assert len(set(labels)) > CANDIDATES / 2


# --- +Reuse --------------------------------------------------------------------------------------

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
