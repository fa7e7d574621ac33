"""What the first rows of a file tell about its columns: numbers, times, numbers of rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.datasets import fields
from engine.datasets.scale import Scale

# Ratings are given in these seconds since 1970: from 1993 to 2100. Most ids and counts lie outside.
EARLIEST_SECOND, LAST_SECOND = 7.25e8, 4.12e9
SECONDS = (1.0, 1e3, 1e6, 1e9)  # also as milliseconds, microseconds and nanoseconds
FIRST_YEAR, LAST_YEAR = 1900, 2100
# This many rows show a row number, or a value that a user or an item always has.
FEW_ROWS = 3
# A day in a number is followed by nothing, hhmm, or hhmmss.
_CLOCKS = (1, 10_000, 1_000_000)

_WHOLE = re.compile(r"\d{1,15}", re.ASCII)
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})([T ].*)?", re.ASCII
)


@dataclass(frozen=True)
class Profile:
    """What a column looks like in the first rows.

    Attributes:
        numbers: its numbers in the order of the rows; a column that is mostly text has none.
        is_numeric: more than half of its fields are numbers.
        time: the moments that they look like: "date", "seconds" (since 1970), "month" or "year";
            "" if they look like none.
        is_distinct: no value comes twice, in at least three rows.
        counts_up: they are whole numbers, each larger than the one in the row above.
        has_step: its numbers lie on the steps of one rating scale.
    """

    numbers: np.ndarray
    is_numeric: bool
    time: str
    is_distinct: bool
    counts_up: bool
    has_step: bool

    @property
    def may_be_rating(self) -> bool:
        """Whether it holds numbers that are not times."""
        return self.is_numeric and not self.time

    @property
    def is_no_id(self) -> bool:
        """Whether it holds dates, or seconds that never come twice. A user comes again."""
        return self.time == "date" or (self.time == "seconds" and self.is_distinct)

    @property
    def is_constant(self) -> bool:
        """Whether all of its numbers are the same."""
        return len(self.numbers) > 0 and bool((self.numbers == self.numbers[0]).all())


def profile(column: Sequence[str]) -> Profile:
    """Return what the fields of a column look like.

    >>> profile(["20150309", "20150310"]).time, profile(["4", "5"]).may_be_rating
    ('date', True)
    """
    decimals = [field.replace(",", ".") for field in column]
    numbers = np.array([float(field) for field in decimals if fields.is_number(field)])
    numbers = numbers[np.isfinite(numbers)]
    is_numeric = len(numbers) > len(column) / 2
    return Profile(
        numbers=numbers if is_numeric else numbers[:0],
        is_numeric=is_numeric,
        time=time_of(numbers) if is_numeric else _time_of_texts(column),
        is_distinct=len(column) >= FEW_ROWS and len(set(column)) == len(column),
        counts_up=counts_up(column),
        has_step=is_numeric and Scale.of(numbers).step is not None,
    )


def counts_up(column: Sequence[str]) -> bool:
    """Return whether at least three whole numbers each exceed the one in the row above.

    >>> counts_up(["0", "1", "3", "7"]), counts_up(["1", "1", "2"])
    (True, False)
    """
    if len(column) < FEW_ROWS or not all(_WHOLE.fullmatch(field) for field in column):
        return False
    numbers = np.array(column, dtype=np.float64)
    return bool((np.diff(numbers) > 0).all())


def _time_of_texts(column: Sequence[str]) -> str:
    dates = sum(_DATE.fullmatch(field) is not None for field in column)
    return "date" if dates > len(column) / 2 else ""


def time_of(numbers: np.ndarray) -> str:
    """Return what moments numbers look like: "date", "seconds" or another `Profile.time`.

    >>> time_of(np.array([978300760.0])), time_of(np.array([201503011233.0]))
    ('seconds', 'date')
    >>> time_of(np.array([201501, 201512.0])), time_of(np.array([76561197960265728.0]))
    ('month', '')
    """
    known = numbers[numbers != 0]  # MovieLens 1M has 0 where a time is unknown.
    if not len(known):
        return ""
    if (known % 1 == 0).all():
        if any(_are_days(known // clock) for clock in _CLOCKS):
            return "date"
        if _are_months(known):
            return "month"
        if _lie_within(known, FIRST_YEAR, LAST_YEAR):
            return "year"
    within = [(known >= EARLIEST_SECOND * s) & (known <= LAST_SECOND * s) for s in SECONDS]
    return "seconds" if any(part.all() for part in within) else ""


def _are_days(numbers: np.ndarray) -> bool:
    """Return whether whole numbers are days as YYYYMMDD."""
    return _are_months(numbers // 100) and _lie_within(numbers % 100, 1, 31)


def _are_months(numbers: np.ndarray) -> bool:
    """Return whether whole numbers are months as YYYYMM."""
    years, months = numbers // 100, numbers % 100
    return _lie_within(years, FIRST_YEAR, LAST_YEAR) and _lie_within(months, 1, 12)


def _lie_within(numbers: np.ndarray, first: float, last: float) -> bool:
    return bool(((numbers >= first) & (numbers <= last)).all())


def is_determined(column: Sequence[str], owner: Sequence[str]) -> bool:
    """Return whether each owner who comes again has one value in a column.

    The category of a product is determined by the product; a rating by neither user nor item.

    >>> is_determined(["7", "3", "7", "7", "3"], ["a", "b", "a", "a", "b"])
    True
    >>> is_determined(["5", "2", "4", "4", "2"], ["a", "b", "a", "a", "b"])
    False
    """
    first: dict[str, str] = {}
    again = 0
    for value, name in zip(column, owner, strict=True):
        if first.setdefault(name, value) != value:
            return False
        again += 1
    return again - len(first) >= FEW_ROWS
