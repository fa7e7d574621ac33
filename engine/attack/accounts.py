"""Whom the adversary attacks, and the accounts made for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.draws import KNOWN_ITEMS, VICTIMS, shuffled
from engine.folds import Fold


@dataclass(frozen=True, eq=False)
class Target:
    """A victim, the items whose ratings the adversary knows, and the items that it asks for."""

    victim: int
    known: np.ndarray  # item codes, ascending
    known_ratings: np.ndarray
    probed: np.ndarray  # item codes, ascending
    probed_ratings: np.ndarray  # what the adversary wants to learn


def after_queries(fold: Fold) -> Fold:
    """Return the fold as it is when everybody has rated what they asked for.

    The queries with their true ratings are then training ratings too, and nothing is asked.

    >>> from engine.datasets import generate
    >>> from engine.splits import split
    >>> after_queries(split(generate(users=40, items=60, ratings=900), 0)).by_user.nnz
    900
    """
    train = fold.by_user.tocoo()
    user, item = train.coords
    nothing = np.empty(0, dtype=np.int64)
    return Fold.of(
        (
            np.concatenate((user, fold.query_user)),
            np.concatenate((item, fold.query_item)),
            np.concatenate((train.data, fold.query_rating)),
        ),
        (nothing, nothing, np.empty(0)),
        n_users=fold.n_users,
        n_items=fold.n_items,
        number=fold.number,
        seed=fold.seed,
    )


def choose_victims(fold: Fold, number: int, min_ratings: int | None = None) -> np.ndarray:
    """Return a number of users with enough training ratings, at random; all if there are fewer.

    Enough are `min_ratings`, by default as many as the median user has, and always two. A larger
    number adds victims to the same ones, so that results of both can be compared.

    >>> from engine.datasets import generate
    >>> from engine.splits import split
    >>> fold = split(generate(users=40, items=60, ratings=900), 0)
    >>> np.array_equal(choose_victims(fold, 9)[:4], choose_victims(fold, 4))
    True
    """
    ratings = np.diff(fold.by_user.indptr)
    fewest = float(np.median(ratings)) if min_ratings is None else min_ratings
    eligible = np.flatnonzero(ratings >= max(fewest, 2))
    return shuffled(eligible, fold.seed, fold.number, VICTIMS)[:number]


def choose_target(fold: Fold, victim: int, knowledge: float, probes: int) -> Target:
    """Return what is known of a victim's ratings, and what is asked for.

    Of n ratings, round(knowledge * n) are known, but at least one and at most n - 1. The known ones
    are the first of a random order and the asked ones the last, so that more knowledge adds to the
    known ones and, as far as possible, leaves the asked ones as they are.

    >>> from engine.datasets import generate
    >>> from engine.splits import split
    >>> fold = split(generate(users=40, items=60, ratings=900), 0)
    >>> target = choose_target(fold, 7, knowledge=0.5, probes=3)
    >>> target.known.size, target.probed.size, np.intersect1d(target.known, target.probed).size
    (8, 3, 0)
    """
    items = fold.by_user.indices[fold.by_user.indptr[victim] : fold.by_user.indptr[victim + 1]]
    order = shuffled(items, fold.seed, fold.number, KNOWN_ITEMS, victim)
    n_known = min(max(round(knowledge * order.size), 1), order.size - 1)
    n_probed = min(probes, order.size - n_known)
    known, probed = np.sort(order[:n_known]), np.sort(order[order.size - n_probed :])
    return Target(victim, known, _rated(fold, victim, known), probed, _rated(fold, victim, probed))


def open_accounts(fold: Fold, target: Target, accounts: int, planted: float, repeats: int) -> Fold:
    """Return the fold with the adversary's accounts, and their queries in place of its own.

    The first account has the known ratings. It asks for every probed item, as many times as
    `repeats` says. The `accounts` fake ones have the known ratings and rate each probed item with
    `planted`.
    """
    planted_ratings = np.full(target.probed.size, planted)
    items = np.concatenate((target.known, target.probed))
    ratings = np.concatenate((target.known_ratings, planted_ratings))
    order = np.argsort(items)
    fake = items[order], ratings[order]
    query_item = np.tile(target.probed, repeats)
    return fold.with_users(
        [(target.known, target.known_ratings)] + [fake] * accounts,
        (
            np.full(query_item.size, fold.n_users),
            query_item,
            np.tile(target.probed_ratings, repeats),
        ),
    )


def _rated(fold: Fold, user: int, items: np.ndarray) -> np.ndarray:
    start, stop = fold.by_user.indptr[user], fold.by_user.indptr[user + 1]
    own = fold.by_user.indices[start:stop]
    order = np.argsort(own)
    values: np.ndarray = fold.by_user.data[start:stop][order]
    return values[np.searchsorted(own[order], items)]
