"""Ratings that can be read but are odd: a warning for each oddity, none for ordinary scales."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.engine.datasets.uploads import upload, warnings


def repeated(values: Sequence[object], users: int = 6) -> str:
    """Ratings of six items each, which take the values in turn."""
    table = ((u, i, values[(2 * u + i) % len(values)]) for u in range(users) for i in range(6))
    return "user,item,rating\n" + "".join(f"u{u},i{i},{value}\n" for u, i, value in table)


DOUBTFUL: dict[str, tuple[str, str]] = {
    "counts under any name": (
        "user,item,weight\na,x,13883\nb,y,1\n",
        "look like counts, up to 13,",
    ),
    "small counts without a name": (
        "u1,a1,57\nu1,a2,1\nu2,a1,2\nu2,a3,1\nu3,a3,1\nu3,a1,3\n",
        "look like counts, up to 57: --counts",
    ),
    "counts by name": ("user,item,plays\na,x,1.5\nb,y,2\n", "look like counts"),
    "small counts": (
        repeated([1, 1, 1, 2, 1, 19, 1, 3, 1, 11, 1]),
        "look like counts, up to 19: --counts",
    ),
    "hours": (repeated([0.5, 1.5, 3.2, 2, 940.5]), "look like counts, up to 94"),
    "months": ("user,item,rating\na,x,201501\nb,y,201512\n", "look like times"),
    "98 and 99 above a scale": (
        repeated([1, 2, 3, 4, 5, 98, 99]),
        'The ratings 98 and 99 stand apart from the rest (1 to 5), 10 times: if they mean "not',
    ),
    "-1 and -2 below a scale": (repeated([-1, -2, 6, 7, 8, 10]), "The ratings -2 and -1 stand"),
    "255 above percentages": (
        repeated([255, *range(0, 101, 10)]),
        "The rating 255 stands apart from the rest (0 to 100)",
    ),
    "ids made days": (
        "user,item,rating\n1-Apr,x,3\nMay-05,y,4\n",
        "Some users look like days that a spreadsheet made of them",
    ),
    "ids that R rounds": (
        "user,item,rating\n7.65612e+16,x,3\n7.65613e+16,y,4\n",
        "Some users look rounded by a spreadsheet",
    ),
    "all equal": (repeated([1]), "All ratings equal 1"),
    "-1 below a scale": (repeated([-1, 6, 8, 10]), "The rating -1 stands apart"),
    "-1 below a scale from 0": (repeated([-1, 0, 1, 2, 3, 4]), "The rating -1 stands apart"),
    "99 above a scale": (repeated([1, 2, 3, 4, 5, 99]), "The rating 99 stands apart"),
    "9 above a scale": (repeated([1, 2, 3, 4, 5, 9]), "The rating 9 stands apart"),
    "999 above a scale": (repeated([1, 2, 3, 4, 5, 999]), "The rating 999 stands apart"),
    "-99 below a scale": (repeated([-99, -9.5, 3.25, 8]), "The rating -99 stands apart"),
    "0 below a scale": (repeated([0, 6, 7, 8, 9, 10]), "The rating 0 stands apart"),
    "zeros of Book-Crossing": (repeated([0, 0, 0, 5, 8, 10, 7]), " % of the ratings are 0"),
    "times": ("user,item,rating\na,x,978300760\nb,y,978300761\n", "look like times"),
    "ids in scientific notation": (
        "user,item,rating\n7.65612E+16,x,3\n7.65613E+16,y,4\n",
        "Some users look rounded by a spreadsheet",
    ),
    "ids with a decimal comma": (
        "user;item;rating\n7,65612E+16;x;3\n7,65613E+16;y;4\n",
        "Some users look rounded by a spreadsheet",
    ),
    "ids of which 15 digits are left": (
        "user,item,rating\na,7656119796028790000,3\nb,7656119796028800000,4\n",
        "Some items look rounded by a spreadsheet",
    ),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubtful_ratings_are_read_with_a_warning(name: str) -> None:
    content, warning = DOUBTFUL[name]
    ratings = upload(content)
    assert len(ratings.report.warnings) == 1, warnings(ratings)
    assert warning in warnings(ratings)


@pytest.mark.parametrize(
    "values",
    [
        *([1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5], [0.5, 4, 4.5, 5], [1, 5], [-1, 1], [-1, 0, 1]),
        *([-9.75, 0, 3.5, 9.75], [1, 3, 10], [1, 2, 5], [0, 50, 70, 80, 100], [4, 5, 7, 9]),
        *([1, 500.5, 1000], [0, 1], [-5, -1, 3, 5], [6, 7, 9], [-2, -1, 0, 1, 2, 3], [0, 12, 20]),
        *([1, 40, 75, 80, 90], [-10, -9, -3, 0, 4, 10], [2, 4.5, 9.5, 88.5, 100]),
    ],
)
def test_ordinary_scales_raise_no_doubt(values: list[float]) -> None:
    assert upload(repeated(values)).report.warnings == ()


def test_counts_that_are_read_as_counts_raise_no_doubt() -> None:
    text = "user,item,weight\na,x,13883\na,y,3\nb,y,1\n"
    assert upload(text, counts=True).report.warnings == ()


def test_minus_zero_is_zero() -> None:
    minus, plus = (upload(f"a,x,{zero}\nb,x,{zero}.0\na,y,3\n") for zero in ("-0", "0"))
    assert minus.fingerprint == plus.fingerprint
    assert [str(value) for value in minus.value[:2]] == ["0.0", "0.0"]
