"""Warnings about ratings that can be read and look odd."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from engine.datasets.naming import COUNT_NAMES, bare
from engine.datasets.outliers import values_apart
from engine.datasets.profiles import time_of
from engine.datasets.ratings import Ratings
from engine.datasets.remedies import Advice, ChooseColumns, ReadCounts
from engine.datasets.wording import agreeing, counted, listed, quoted

# No rating is larger, except on the scale that is made of counts.
LARGEST_USUAL_RATING = 100.0
MADE_OF_COUNTS = 1000.0
# A few large numbers show that the small ones are counts: those above this multiple of the median,
# and above this number.
SKEW = 10.0
LARGE_COUNT = 10.0
# The median of this many ratings says something.
LOOKED_AT = 100_000
# Such a share of zeros beside 1, 2, 3, ... is hardly an opinion.
MANY_ZEROS = 0.4
FEWEST_RATINGS = 10
FEWEST_LEVELS = 5

_SCIENTIFIC = re.compile(r"\d([.,]\d+)?[eE]\+\d\d+", re.ASCII)
_LONG_NUMBER = re.compile(r"\d{16,}", re.ASCII)
_MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY_OF_SPREADSHEET = re.compile(rf"\d{{1,2}}-{_MONTH}|{_MONTH}-\d\d", re.ASCII)
# Spreadsheets keep this many digits of a number, and zeros replace the others.
_DIGITS_KEPT = 15


def find_doubts(ratings: Ratings, *, are_counts: bool = False) -> tuple[str | Advice, ...]:
    """Return a warning for each thing that is odd about ratings as they were read.

    Args:
        ratings: as they stand in the file.
        are_counts: they are known to be counts, and ratings are going to be made of them.

    >>> print(*find_doubts(Ratings.from_columns("aab", "xyx", [7, 352, 1], name="plays")))
    The ratings look like counts, up to 352: --counts makes ratings of them.
    """
    value = ratings.value
    named_counts = bare(ratings.report.columns.get("rating", "")) in COUNT_NAMES
    marks = values_apart(value)
    if _are_just_the_largest(value, marks) and (are_counts or _skewed(value)):
        marks = ()
    rated = value[~np.isin(value, marks)] if marks else value
    doubts = [
        _all_equal(value),
        _times(value),
        _not_rated(value, rated, marks) if marks else _many_zeros(value),
        _counts(rated) if not are_counts and (named_counts or _skewed(rated)) else None,
        _rounded(ratings.users, "users"),
        _rounded(ratings.items, "items"),
        _made_days(ratings.users, "users"),
        _made_days(ratings.items, "items"),
    ]
    return tuple(doubt for doubt in doubts if doubt)


def _are_just_the_largest(value: np.ndarray, marks: Sequence[float]) -> bool:
    """Return whether the values apart are a single rating that is not 99, 999 or the like."""
    if len(marks) != 1 or marks[0] <= 0 or set(f"{marks[0]:.0f}") == {"9"}:
        return False
    return int((value == marks[0]).sum()) == 1


def _all_equal(value: np.ndarray) -> str | None:
    if len(value) < 2 or value.min() < value.max():
        return None
    return f"All ratings equal {value[0]:g}: every prediction is right, so errors say nothing here."


def _times(value: np.ndarray) -> Advice | None:
    if time_of(value[:LOOKED_AT]) not in ("date", "seconds", "month"):
        return None
    return Advice(f"The ratings look like times, as {value[0]:.0f}: ", ChooseColumns())


def _not_rated(value: np.ndarray, rated: np.ndarray, marks: Sequence[float]) -> str:
    count = len(value) - len(rated)
    n_marks = len(marks)
    return (
        f"The {agreeing(n_marks, 'rating', 'ratings')} "
        f"{listed([f'{mark:g}' for mark in marks], 5)} {agreeing(n_marks, 'stands', 'stand')} "
        f"apart from the rest ({rated.min():g} to {rated.max():g}), {counted(count, 'time')}: if "
        f'{agreeing(n_marks, "it means", "they mean")} "not rated", leave '
        f"{agreeing(count, 'this row', 'these rows')} out."
    )


def _many_zeros(value: np.ndarray) -> str | None:
    if value.min() != 0 or len(value) < FEWEST_RATINGS:
        return None
    share = float((value == 0).mean())
    if share < MANY_ZEROS or len(np.unique(value[:LOOKED_AT])) < FEWEST_LEVELS:
        return None
    part = f"{100 * share:.0f} %"
    return f'{part} of the ratings are 0: if 0 means "not rated", leave these rows out.'


def _counts(value: np.ndarray) -> Advice:
    return Advice(f"The ratings look like counts, up to {value.max():,.0f}: ", ReadCounts())


def _skewed(value: np.ndarray) -> bool:
    """Return whether no number is below 0, and they are larger or more skewed than ratings are.

    Numbers that are not whole, as hours are, must be both.
    """
    most = float(value.max())
    if value.min() < 0 or most <= LARGE_COUNT or most == MADE_OF_COUNTS:
        return False
    if time_of(value[:LOOKED_AT]):
        return False
    sample = value[:: max(1, len(value) // LOOKED_AT)]
    is_large = most > LARGEST_USUAL_RATING
    is_skewed = float(np.median(sample[sample > 0])) * SKEW <= most
    if (value[:LOOKED_AT] % 1).any() or (value % 1).any():
        return is_large and is_skewed
    return is_large or is_skewed


def _rounded(labels: Sequence[str] | np.ndarray, kind: str) -> str | None:
    """Return a warning if a spreadsheet has taken ids for numbers and rounded them."""
    scientific = [label for label in labels if "+" in label and _SCIENTIFIC.fullmatch(label)]
    long = [label for label in labels if len(label) > _DIGITS_KEPT]
    long = [label for label in long if _LONG_NUMBER.fullmatch(label)]
    zeros = [label for label in long if set(label[_DIGITS_KEPT:]) == {"0"}]
    rounded = scientific or (zeros if len(zeros) == len(long) > 1 else [])
    if not rounded:
        return None
    return (
        f"Some {kind} look rounded by a spreadsheet, as {quoted(rounded[0])}: several may have "
        "become one. Export them as text."
    )


def _made_days(labels: Sequence[str] | np.ndarray, kind: str) -> str | None:
    """Return a warning if a spreadsheet has taken ids such as 4-1 for days."""
    days = [label for label in labels if "-" in label and _DAY_OF_SPREADSHEET.fullmatch(label)]
    if not days:
        return None
    return (
        f"Some {kind} look like days that a spreadsheet made of them, as {quoted(days[0])}: "
        "several may have become one. Export them as text."
    )
