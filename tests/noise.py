"""What the tests of the mechanism share: ratings to protect, and the answers about them."""

from __future__ import annotations

from collections.abc import Callable

from engine.coins import draw_answers
from engine.datasets import Ratings, Scale
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods, choose_neighbors
from engine.privacy import Mechanism
from engine.splits import split
from tests.examples import ratings_of

FIVE_STARS = Scale(1.0, 5.0, 1.0)
TEN_HALF_STARS = Scale(0.5, 5.0, 0.5)
THOUSAND = Scale(0.0, 1000.0, None)
RARE = 1e-4  # a right mechanism fails such a test in one of ten thousand settings


def filled(scale: Scale, value: Callable[[int, int], float], users: int = 70) -> Ratings:
    """Everybody rates 40 items; `value(user, item)` is the rating."""
    rows = [(f"u{u}", f"i{i}", value(u, i)) for u in range(users) for i in range(40)]
    return ratings_of(rows, scale)


def uses_of(fold: Fold, neighborhoods: Neighborhoods) -> list[tuple[int, int, int]]:
    """(user, item, neighbor) of every use, in order."""
    return [
        (int(fold.query_user[q]), int(fold.query_item[q]), int(n))
        for q in range(fold.n_queries)
        for n in neighborhoods.users(fold, q)
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
    neighborhoods = choose_neighbors(fold, [(strategy, k)], jobs=1)[strategy, k]
    drawn = draw_answers(fold, neighborhoods, mechanism)
    return dict(zip(uses_of(fold, neighborhoods), drawn.tolist(), strict=True))
