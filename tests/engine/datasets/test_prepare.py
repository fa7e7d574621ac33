from __future__ import annotations

import numpy as np
import pytest

from engine.datasets import Preparation, Ratings, generate, prepare
from engine.errors import InputError


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return generate(users=80, items=150, ratings=2000)


def test_nothing_asked_nothing_done(ratings: Ratings) -> None:
    same, dropped = prepare(ratings, Preparation())
    assert same is ratings
    assert dropped == []


def test_k_core_is_the_largest_part_that_holds(ratings: Ratings) -> None:
    core, dropped = prepare(ratings, Preparation(k_core=10))
    assert np.bincount(core.user).min() >= 10
    assert np.bincount(core.item).min() >= 10
    assert ratings.n_ratings - core.n_ratings == dropped[0].ratings
    assert ratings.n_items - core.n_items == dropped[0].items
    # Slowly: drop one user or item below 10 at a time until there is none.
    rows = {*zip(ratings.user.tolist(), ratings.item.tolist(), strict=True)}
    while True:
        users = [user for user, _ in rows]
        items = [item for _, item in rows]
        few = next(((u, i) for u, i in rows if users.count(u) < 10 or items.count(i) < 10), None)
        if few is None:
            break
        rows = {
            (u, i)
            for u, i in rows
            if not (u == few[0] and users.count(u) < 10)
            and not (i == few[1] and items.count(i) < 10)
        }
    assert len(rows) == core.n_ratings


def test_minimum_and_sample(ratings: Ratings) -> None:
    left, dropped = prepare(ratings, Preparation(min_ratings=25, sample_users=10, seed=1))
    assert left.n_users == 10
    assert np.bincount(left.user).min() >= 25
    assert [step.step for step in dropped] == [
        "A minimum of 25 ratings per user",
        "A sample of 10 users",
    ]
    assert sum(step.ratings for step in dropped) == ratings.n_ratings - left.n_ratings
    assert str(dropped[1]) in left.report.notes[-1]
    same, _ = prepare(ratings, Preparation(min_ratings=25, sample_users=10, seed=1))
    other, _ = prepare(ratings, Preparation(min_ratings=25, sample_users=10, seed=2))
    assert left.fingerprint == same.fingerprint
    assert len({left.fingerprint, other.fingerprint, ratings.fingerprint}) == 3


def test_the_rest_stays_as_it_was(ratings: Ratings) -> None:
    left, _ = prepare(ratings, Preparation(sample_users=5))
    assert left.scale == ratings.scale
    assert (left.name, left.title) == (ratings.name, ratings.title)
    title_of = dict(zip(ratings.items, ratings.item_titles, strict=True))  # type: ignore[arg-type]
    assert left.item_titles is not None
    assert [title_of[item] for item in left.items] == left.item_titles.tolist()
    value_of = {
        (ratings.users[u], ratings.items[i]): value
        for u, i, value in zip(ratings.user, ratings.item, ratings.value, strict=True)
    }
    for u, i, value in zip(left.user, left.item, left.value, strict=True):
        assert value_of[left.users[u], left.items[i]] == value


def test_a_sample_larger_than_all_keeps_all(ratings: Ratings) -> None:
    left, dropped = prepare(ratings, Preparation(sample_users=1000))
    assert left.n_users == ratings.n_users
    assert dropped[0].ratings == 0


@pytest.mark.parametrize(
    "settings", [{"k_core": -1}, {"min_ratings": -1}, {"sample_users": 0}, {"seed": -1}]
)
def test_settings_that_cannot_be(settings: dict[str, int]) -> None:
    with pytest.raises(InputError):
        Preparation(**settings)


def test_nothing_left(ratings: Ratings) -> None:
    with pytest.raises(InputError, match="No ratings are left"):
        prepare(ratings, Preparation(k_core=149))
