from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import Ratings, Scale
from engine.errors import InputError


def test_codes_and_labels_follow_the_first_appearance() -> None:
    ratings = Ratings.from_columns("baba", "yxxy", [1, 2, 3, 4], name="four")
    assert ratings.users.tolist() == ["b", "a"]
    assert ratings.items.tolist() == ["y", "x"]
    assert ratings.user.tolist() == [0, 1, 0, 1]
    assert ratings.item.tolist() == [0, 1, 1, 0]
    assert (ratings.user.dtype, ratings.item.dtype) == (np.int32, np.int32)
    assert ratings.value.dtype == np.float64


def test_a_kept_duplicate_stands_where_it_came_last() -> None:
    ratings = Ratings.from_columns("aba", "xxx", [1, 2, 3], name="three")
    assert ratings.value.tolist() == [2.0, 3.0]
    assert ratings.report.duplicates == 1
    assert ratings.report.rows == 3


def test_nothing_can_be_changed() -> None:
    ratings = Ratings.from_columns("ab", "xy", [1, 2], name="two", item_titles={"x": "The X"})
    for name in ("users", "items", "user", "item", "value", "item_titles"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(ratings, name)[0] = getattr(ratings, name)[1]
    with pytest.raises(dataclasses.FrozenInstanceError):
        ratings.name = "other"  # type: ignore[misc]
    assert ratings.item_titles is not None
    assert ratings.item_titles.tolist() == ["The X", "y"]


def test_the_arrays_given_stay_writable() -> None:
    value = np.array([1.0, 2.0])
    Ratings.from_codes(["a", "b"], np.array([0, 1]), ["x"], np.array([0, 0]), value, name="two")
    value[0] = 3


def test_the_fingerprint_is_of_the_content_alone() -> None:
    def fingerprint(users: object, items: object, values: object, **options: object) -> str:
        return Ratings.from_columns(users, items, values, **{"name": "n", **options}).fingerprint  # type: ignore[arg-type]

    same = fingerprint("ab", "xy", [1, 2])
    assert same == fingerprint(["a", " b"], ["x", "y"], [1.0, 2.0], name="m", title="t")
    assert same == fingerprint("aab", "xxy", [5, 1, 2])  # the first is a duplicate
    others = [
        fingerprint("ac", "xy", [1, 2]),
        fingerprint("ab", "xz", [1, 2]),
        fingerprint("ab", "xy", [1, 3]),
        fingerprint("ba", "yx", [2, 1]),
        fingerprint("aa", "xy", [1, 2]),
        fingerprint(["ab", "c"], "xy", [1, 2]),
        fingerprint(["a", "bc"], "xy", [1, 2]),
        fingerprint("ab", "xy", [1, 2], scale=Scale(1.0, 5.0, 1.0)),
    ]
    assert len({same, *others}) == 9
    assert fingerprint("a", "x", [0.0]) == fingerprint("a", "x", [-0.0])


@pytest.mark.parametrize(
    ("users", "items", "values", "reason"),
    [
        ([], [], [], "no ratings"),
        (["a"], ["x"], [1, 2], "equally many"),
        (["a", ""], ["x", "x"], [1, 2], "Row 2 has no user"),
        (["a", None], ["x", "x"], [1, 2], "Row 2 has no user"),
        (["a", "b"], ["x", " "], [1, 2], "Row 2 has no item"),
        (["a", "b"], ["x", "x"], [1, np.nan], "row 2 holds nan"),
    ],
)
def test_columns_that_cannot_be(
    users: list[str], items: list[str], values: list[float], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        Ratings.from_columns(users, items, values, name="bad")


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([1, 2, 5], Scale(1, 5, 1)),
        ([4, 4], Scale(4, 4, 1)),
        ([0.5, 4.0], Scale(0.5, 4.0, 0.5)),
        ([0, 100], Scale(0, 100, 1)),
        ([0, 101], Scale(0, 101, None)),
        ([1, 2.25], Scale(1, 2.25, 0.25)),
        ([0.1, 0.2, 0.3], Scale(0.1, 0.3, 0.1)),
        ([3.3, 10.0], Scale(3.3, 10.0, 0.1)),
        ([-10, 9.97, 0.321], Scale(-10, 9.97, None)),
        ([1, 1000, 500.25], Scale(1, 1000, None)),
        ([-3, 2], Scale(-3, 2, 1)),
    ],
)
def test_the_scale_is_found(values: list[float], scale: Scale) -> None:
    assert Scale.of(np.array(values, dtype=float)) == scale


@given(
    st.sampled_from([1.0, 0.5, 0.25, 0.2, 0.1, 0.01]),
    st.integers(-50, 50),
    st.lists(st.integers(0, 100), min_size=1, max_size=30),
)
def test_every_rating_is_a_level_of_the_scale_found(
    step: float, start: int, places: list[int]
) -> None:
    values = np.round(start + step * np.array(places), 9)
    scale = Scale.of(values)
    assert scale.step is not None
    assert scale.step >= step
    assert scale.levels is not None
    assert set(values) <= set(scale.levels)
    assert len(scale.levels) <= 101


@pytest.mark.parametrize(
    ("minimum", "maximum", "step"),
    [
        (5, 1, 1),
        (1, 5, 0),
        (1, 5, -1),
        (1, 5, 0.7),
        (0, 1000, 1),
        (np.nan, 5, 1),
        (0, np.inf, None),
    ],
)
def test_scales_that_cannot_be(minimum: float, maximum: float, step: float | None) -> None:
    with pytest.raises(InputError):
        Scale(minimum, maximum, step)
