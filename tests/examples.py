"""Small ratings the tests share, and the way from the engine's objects to the oracle's."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from engine.datasets import Ratings, Scale
from engine.draws import TIES, draw, stream
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods, choose_neighbors
from engine.splits import split
from tests import oracle

# u0 and u1 are collinear, u2 equals u0 where both rated, u3 shares one item with u0, u4 is .8
# away and u5 shares nothing. Worked out by hand in test_oracle.py.
SIX_USERS = [
    ("u0", "a", 4),
    ("u0", "b", 2),
    ("u1", "a", 2),
    ("u1", "b", 1),
    ("u1", "c", 5),
    ("u2", "a", 4),
    ("u2", "b", 2),
    ("u2", "c", 3),
    ("u2", "d", 1),
    ("u3", "a", 1),
    ("u3", "c", 4),
    ("u3", "d", 2),
    ("u4", "a", 2),
    ("u4", "b", 4),
    ("u4", "c", 1),
    ("u5", "d", 5),
    ("u5", "e", 1),
]

# What a rating can be, by the kind of scale.
VALUES: dict[str, list[float]] = {
    "stars": [1, 2, 3, 4, 5],
    "half stars": [0.5 * n for n in range(1, 11)],
    "with zeros": [0, 0, 1, 2, 5],
    "thousand": [0, 0.1, 17.3, 250.05, 333.33, 999.99, 1000],
    "constant": [3],
    "constant tenths": [0.7],
    "binary": [0, 1],
    "signed": [-5, -2.5, 0, 1, 10],
    "tenths": [0.1, 0.2, 0.3, 0.7, 1.1],
}


def ratings_of(
    rows: Iterable[tuple[str, str, float]], scale: Scale | None = None, name: str = "test"
) -> Ratings:
    users, items, values = zip(*rows, strict=True)
    return Ratings.from_columns(list(users), list(items), list(values), name=name, scale=scale)


def random_rows(
    seed: int, users: int, items: int, share: float, values: Sequence[float]
) -> list[tuple[str, str, float]]:
    """Every user rates about this share of the items; nobody and nothing is sure to be there."""
    dice = random.Random(seed)
    rows = [
        (f"u{u}", f"i{i}", dice.choice(values))
        for u in range(users)
        for i in range(items)
        if dice.random() < share
    ]
    dice.shuffle(rows)
    return rows


def collinear_rows(seed: int, users: int, items: int, share: float) -> list[tuple[str, str, float]]:
    """Every user is a multiple of one of two profiles, so that nearly all similarities tie."""
    dice = random.Random(seed)
    profiles = [[dice.randint(1, 5) for _ in range(items)] for _ in range(2)]
    rows = [
        (f"u{u}", f"i{i}", profiles[u % 2][i] * (1 + u // 2 % 3))
        for u in range(users)
        for i in range(items)
        if dice.random() < share
    ]
    dice.shuffle(rows)
    return rows


def rows_of(ratings: Ratings) -> list[oracle.Row]:
    return [
        (int(u), int(i), oracle.exact(v))
        for u, i, v in zip(ratings.user, ratings.item, ratings.value, strict=True)
    ]


def oracle_fold(
    ratings: Ratings, fold: int, folds: int = 5, seed: int = 42
) -> tuple[oracle.Train, list[oracle.Query], list[Fraction]]:
    return oracle.fold_of(rows_of(ratings), ratings.n_users, ratings.n_items, fold, folds, seed)


def engine_tie(seed: int, fold: int) -> oracle.Tie:
    """The engine's draw for a tied candidate: the larger upper 31 bits go first."""

    def tie(user: int, item: int, candidate: int) -> int:
        # back to uint64: a compiled function hands out a Python int, and takes one as int64
        return -(int(draw(np.uint64(stream(seed, fold, TIES, user, item)), candidate)) >> 33)

    return tie


def engine_chosen(fold: Fold, neighborhoods: Neighborhoods) -> list[list[int]]:
    return [
        [int(n) for n in neighborhoods.users(fold, query)] for query in range(len(fold.query_user))
    ]


def arranged(
    known: Iterable[tuple[str, str, float]],
    asked: Iterable[tuple[str, str, float]],
    seed: int = 42,
) -> tuple[Ratings, int, int]:
    """Ratings, number of folds and a fold whose queries are exactly `asked`, in that order.

    The split is a shuffle that the seed determines, so the rows are laid out such that the shuffle
    puts them where they are wanted. Where no number of folds fits, queries of strangers for things
    nobody knows are added at the end.
    """
    known, asked = list(known), list(asked)
    while True:
        n = len(known) + len(asked)
        for folds in range(2, n + 1):
            for fold, size in ((0, -(-n // folds)), (folds - 1, n // folds)):
                if size == len(asked):
                    places = oracle.split_positions(n, folds, seed)[fold]
                    asked_at = dict(zip(places, asked, strict=True))
                    rest = iter(known)
                    rows = [asked_at[p] if p in asked_at else next(rest) for p in range(n)]
                    return ratings_of(rows), folds, fold
        asked.append((f"stranger{n}", f"unheard of {n}", 3))


def codes(ratings: Ratings) -> tuple[dict[str, int], dict[str, int]]:
    """Codes of users and of items by their labels."""
    return (
        {str(label): code for code, label in enumerate(ratings.users)},
        {str(label): code for code, label in enumerate(ratings.items)},
    )


def named(ratings: Ratings, users: Iterable[int]) -> set[str]:
    return {str(ratings.users[u]) for u in users}


def chosen_labels(
    known: list[tuple[str, str, float]],
    asked: list[tuple[str, str, float]],
    strategy: str,
    k: int,
    seed: int = 42,
) -> list[set[str]]:
    """Train on `known`, ask `asked` in that order, and name the chosen neighbors."""
    ratings, folds, number = arranged(known, asked, seed)
    fold = split(ratings, number, folds, seed)
    neighborhoods = choose_neighbors(fold, [(strategy, k)], jobs=1)[strategy, k]
    chosen = engine_chosen(fold, neighborhoods)[: len(asked)]  # the rest is padding
    return [named(ratings, neighbors) for neighbors in chosen]


def csv_ratings(users: int, items: int) -> str:
    """Two thirds of the ratings that these users could give these items, as CSV."""
    return "user,item,rating\n" + "".join(
        f"u{user},i{item},{1 + (user * item + user) % 5}\n"
        for user in range(users)
        for item in range(items)
        if (user + 2 * item) % 3
    )
