"""A slow, obvious second implementation of appendix C, which imports nothing of the engine.

A model is three arrays in double precision: vectors of users, vectors of items, and [weight, bias].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Model = tuple[np.ndarray, np.ndarray, np.ndarray]
Rated = tuple[int, int, float]  # user, item, rating

FIRST_DECAY, SECOND_DECAY, SMALL = 0.9, 0.999, 1e-7


# --- model, loss and its slope -------------------------------------------------------------------


def cosine(x: Sequence[float], y: Sequence[float]) -> float:
    lengths = math.sqrt(sum(a * a for a in x)) * math.sqrt(sum(b * b for b in y))
    return sum(a * b for a, b in zip(x, y, strict=True)) / lengths if lengths > 0 else 0.0


def predicted(model: Model, user: int, item: int, form: str) -> float:
    """`published`: ReLU(w cos(x, y) + b). `paper`: b + ReLU(w x.y)."""
    users, items, (weight, bias) = model
    if form == "published":
        return float(max(0.0, weight * cosine(users[user], items[item]) + bias))
    return float(bias + max(0.0, weight * float(users[user] @ items[item])))


def loss(model: Model, rated: Sequence[Rated], form: str) -> float:
    """Mean absolute error."""
    return math.fsum(abs(predicted(model, u, i, form) - r) for u, i, r in rated) / len(rated)


def slope(model: Model, rated: Sequence[Rated], form: str, change: float = 1e-6) -> Model:
    """How the loss changes with every number of the model, by central differences."""
    slopes = tuple(np.zeros_like(part) for part in model)
    for part, slopes_of_part in zip(model, slopes, strict=True):
        for index in np.ndindex(part.shape):
            own = part[index]
            part[index] = own + change
            higher = loss(model, rated, form)
            part[index] = own - change
            lower = loss(model, rated, form)
            part[index] = own
            slopes_of_part[index] = (higher - lower) / (2 * change)
    return slopes[0], slopes[1], slopes[2]


# --- Adam, every number in every step ------------------------------------------------------------


@dataclass
class Adam:
    """Kingma and Ba, with the small term where Keras adds it: beside the root as it is."""

    step_size: float
    steps: int = 0
    moments: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    def step(self, model: Model, gradient: Model) -> None:
        if not self.moments:
            self.moments = [(np.zeros_like(part), np.zeros_like(part)) for part in model]
        self.steps += 1
        size = (
            self.step_size * math.sqrt(1 - SECOND_DECAY**self.steps) / (1 - FIRST_DECAY**self.steps)
        )
        for part, slopes, (first, second) in zip(model, gradient, self.moments, strict=True):
            first += (1 - FIRST_DECAY) * (slopes - first)
            second += (1 - SECOND_DECAY) * (slopes**2 - second)
            part -= size * first / (np.sqrt(second) + SMALL)


# --- neighbors that depend on earlier queries ----------------------------------------------------


def reusability(
    earlier: Sequence[tuple[int, list[int]]], item: int, items: np.ndarray, candidate: int
) -> float:
    """Sum over earlier queries that used the candidate of max(0, cosine of the two items)."""
    return sum(
        max(0.0, cosine(items[item], items[asked]))
        for asked, neighbors in earlier
        if candidate in neighbors
    )


def rank(scores: dict[int, float], candidate: int) -> int:
    """How many have a score <= the candidate's own, itself included."""
    return sum(1 for other in scores if scores[other] <= scores[candidate])


def choose_neighbors(
    raters: Callable[[int], set[int]],
    queries: Sequence[tuple[int, int]],
    users: np.ndarray,
    items: np.ndarray,
    k: int,
    tie: Callable[[int, int, int], Any],
    strength: int,
) -> list[list[int]]:
    """Neighbors of every query by rank(similarity) + strength * rank(reusability), best first.

    `tie(user, item, candidate)`: among equals the smaller goes first.
    """
    history: dict[int, list[tuple[int, list[int]]]] = {}
    chosen = []
    for user, item in queries:
        earlier = history.setdefault(user, [])
        others = [c for c in range(len(users)) if c != user]
        similar = {c: cosine(users[user], users[c]) for c in others}
        reusable = {c: reusability(earlier, item, items, c) for c in others}
        score = {c: rank(similar, c) + strength * rank(reusable, c) for c in others}
        candidates = sorted(raters(item) - {user}, key=lambda c: tie(user, item, c))
        neighbors = sorted(candidates, key=lambda c: score[c], reverse=True)[:k]
        earlier.append((item, neighbors))
        chosen.append(neighbors)
    return chosen
