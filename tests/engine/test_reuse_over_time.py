from __future__ import annotations

import numpy as np
import pytest

from engine.draws import TIES, draw, stream
from engine.folds import Fold
from engine.neighborhoods import bounds
from engine.reuse_over_time import choose_over_time
from engine.strategies import rank_similarity
from engine.vectors import direction_rows, directions
from tests import embedding_oracle as oracle

# Items lie on a circle: 0 and 1 are alike, 2 stands across both, 3 is the opposite of 0.
ITEMS = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [-1.0, 0.0]])


def fold_with(
    train: list[tuple[int, int]], asked: list[tuple[int, int]], n_users: int, n_items: int
) -> Fold:
    columns = [np.array(column) for column in (*zip(*train, strict=True),)]
    queries = [np.array(column) for column in (*zip(*asked, strict=True),)]
    return Fold.of(
        (columns[0], columns[1], np.full(len(train), 3.0)),
        (queries[0], queries[1], np.full(len(asked), 3.0)),
        n_users=n_users,
        n_items=n_items,
    )


def chosen_for(
    fold: Fold, users: np.ndarray, items: np.ndarray, k: int, strength: int, block: int = 100
) -> list[list[int]]:
    """The neighbors of every query, best first, chosen in blocks of so many target users."""
    sizes = np.diff(bounds(fold, k))
    chosen: list[list[int]] = [[] for _ in range(fold.n_queries)]
    every = np.unique(fold.query_user).astype(np.int64)
    for start in range(0, every.size, block):
        targets = every[start : start + block]
        asked = np.concatenate(
            [fold.queries_by_user[fold.first_query[u] : fold.first_query[u + 1]] for u in targets]
        )
        n_uses = int(sizes[asked].sum())
        place, similarity = np.empty(n_uses, dtype=np.int32), np.empty(n_uses)
        shared = np.empty(n_uses, dtype=np.int32)
        rows = direction_rows(directions(users), targets)
        ranks = rank_similarity(rows, targets)
        choose_over_time(
            fold.seed, fold.number, targets, fold.first_query, fold.queries_by_user,
            fold.query_item, sizes, fold.by_item.indptr, fold.by_item.indices, ranks, strength,
            rows, ranks, directions(items), place, similarity, shared,
        )  # fmt: skip
        use = 0
        for q in asked:
            for _ in range(sizes[q]):
                neighbor = int(fold.by_item.indices[place[use]])
                target = int(np.searchsorted(targets, fold.query_user[q]))
                assert similarity[use] == rows[target, neighbor]
                assert shared[use] == ranks[target, neighbor]
                chosen[q].append(neighbor)
                use += 1
    return chosen


def test_by_hand() -> None:
    # Four candidates at growing angles from u0, so that 1 is the most similar and 4 the least.
    angles = [0.0, 0.1, 0.2, 0.3, 0.4]
    users = np.array([[np.cos(a), np.sin(a)] for a in angles])
    train = [(0, 3), (3, 0), (4, 0), (1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (3, 2)]
    fold = fold_with(train, [(0, 0), (0, 1), (0, 2)], 5, 4)
    # Item 0: only 3 and 4 rated it. Item 1 is like item 0, so 3 and 4 have reusability 0.8 and rank
    # 4, 1 and 2 rank 2 for 0: totals 1: 4 + 2, 2: 3 + 2, 3: 2 + 4, 4: 1 + 4.
    # Item 2 is across item 0 and 0.6 from item 1, of which 1 and 3 are neighbors: 1: 4 + 4,
    # 3: 2 + 4, 2: 3 + 2.
    chosen = chosen_for(fold, users, ITEMS, 2, strength=1)
    assert chosen[0] == [3, 4]
    assert set(chosen[1]) == {1, 3}
    assert chosen[2] == [1, 3]
    # Without reuse the most similar raters are chosen; with much of it those who were chosen.
    assert chosen_for(fold, users, ITEMS, 2, strength=0)[1] == [1, 2]
    assert chosen_for(fold, users, ITEMS, 2, strength=9)[1] == [3, 4]


def test_opposite_items_make_nobody_less_reusable() -> None:
    users = np.array([[np.cos(a), np.sin(a)] for a in (0.0, 0.1, 0.2)])
    train = [(0, 1), (2, 0), (1, 3), (2, 3)]
    fold = fold_with(train, [(0, 0), (0, 3)], 3, 4)
    assert chosen_for(fold, users, ITEMS, 1, strength=1) == [[2], [1]]


@pytest.mark.parametrize("strength", [0, 1, 3])
@pytest.mark.parametrize("seed", range(6))
def test_against_plain_loops(seed: int, strength: int) -> None:
    random = np.random.default_rng(seed)
    n_users, n_items, k = 25, 18, 4
    # Few different vectors, so that there are ties of similarity and of reusability.
    users = random.integers(-2, 3, (n_users, 3)).astype(float)
    items = random.integers(-1, 3, (n_items, 3)).astype(float)
    pairs = [(u, i) for u in range(n_users) for i in range(n_items) if random.random() < 0.5]
    random.shuffle(pairs)
    pairs = [(int(u), int(i)) for u, i in pairs]
    train, asked = pairs[40:], pairs[:40] * 2  # every query is put twice
    fold = fold_with(train, asked, n_users, n_items)

    def tie(user: int, item: int, candidate: int) -> int:
        state = np.uint64(stream(fold.seed, fold.number, TIES, user, item))
        return -(int(draw(state, candidate)) >> 33)

    known_users, known_items = {u for u, _ in train}, {i for _, i in train}
    expected = oracle.choose_neighbors(
        lambda item: {u for u, i in train if i == item},
        [query for query in asked if query[0] in known_users and query[1] in known_items],
        directions(users),
        directions(items),
        k,
        tie,
        strength,
    )
    for block in (1, 100):
        ours = chosen_for(fold, users, items, k, strength, block)
        answered = np.flatnonzero(fold.answered)
        assert [ours[q] for q in answered] == expected
        assert not any(ours[q] for q in np.flatnonzero(~fold.answered))
