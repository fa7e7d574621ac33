"""Tells a table with a rating in each row from one with a row of ratings for each user."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.datasets import fields
from engine.datasets.naming import NAMES, bare, named_columns
from engine.datasets.outliers import values_apart
from engine.datasets.profiles import counts_up

FEWEST_COLUMNS = 4
MANY_ROWS = 10
WIDEST_SCALE = 100.0
# Most rating scales lie within. Other numbers are one scale only if all columns overlap.
USUAL_SCALE = 10.0
# What a cell holds if nobody rated.
NOT_RATED = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "?", "."))
JESTER_NOT_RATED = 99.0


@dataclass(frozen=True)
class MatrixForm:
    """How a table of users by items is laid out.

    Attributes:
        names: whether the first column names the rows.
        counts: whether the first column counts the ratings of its row, as Jester's does.
        rows_are_items: whether the rows are items and the columns users.
    """

    names: bool = False
    counts: bool = False
    rows_are_items: bool = False

    @property
    def first(self) -> int:
        """The first column of ratings."""
        return int(self.names) + int(self.counts)


def find_matrix(header: Sequence[str] | None, body: Sequence[Sequence[str]]) -> MatrixForm | None:
    """Return how the first rows of a table are laid out; None if each lists a rating.

    The first columns of a list hold ids, which are never empty, negative or fractions. The header
    of a list names its columns. In a matrix no row comes twice, and all numbers lie on one scale.

    >>> find_matrix(["userId", "11", "12", "13"], [["7", "5", "", "1"], ["8", "2", "4", "3"]])
    MatrixForm(names=True, counts=False, rows_are_items=False)
    >>> find_matrix(None, [["2", "99", "-7.5", "3.1"], ["1", "99", "99", "0.5"]]).counts
    True
    >>> find_matrix(None, [["1", "99", "5", "978300760"], ["1", "98", "4", "978300761"]])
    """
    width = len(header) if header else len(body[0]) if body else 0
    if width < FEWEST_COLUMNS or len(body) < (1 if not header else 2):
        return None
    if any(len(row) != width for row in body):
        return None
    cells = np.array([[cell_number(text) for text in row[1:]] for row in body])
    if np.isinf(cells).any() or np.isnan(cells).all():
        return None
    names = [row[0] for row in body]
    if header and not numbers_columns(header):
        return _under_header(header, names, cells)
    return _without_header(names, cells)


def may_be_matrix_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row with numbers names items, as "userId,11,12,13" or "0,1,2,3"."""
    if numbers_columns(first):
        return find_matrix(first, body) is not None
    return (
        not fields.is_number(first[0])
        and len(set(first[1:])) == len(first) - 1
        and _row_role(first[0]) is not None
        and find_matrix(first, body) is not None
    )


def numbers_columns(header: Sequence[str]) -> bool:
    """Return whether a header numbers its columns from 0 or 1, as pandas does without names."""
    start = next((n for n in (0, 1) if header[0] == str(n)), None)
    return start is not None and list(header) == [str(n + start) for n in range(len(header))]


def cell_number(text: str) -> float:
    """Return the number in a cell: NaN if it is not rated, infinity if it holds something else."""
    if text.lower() in NOT_RATED:
        return math.nan
    number = text.replace(",", ".")
    return float(number) if fields.NUMBER.fullmatch(number) else math.inf


def _row_role(name: str) -> str | None:
    """Return what the name above the rows says that they are; None if it says nothing."""
    if not name:
        return "user"
    return next((role for role in ("user", "item") if bare(name) in NAMES[role]), None)


def _under_header(
    header: Sequence[str], names: Sequence[str], cells: np.ndarray
) -> MatrixForm | None:
    if len(named_columns(header[1:])) >= 2 or len(set(names)) < len(names) or "" in names:
        return None
    role = _row_role(header[0])
    if role is None and all(fields.is_number(name) for name in names):
        return None
    counts = _counts_ratings(cells[:, 0], cells[:, 1:])
    if not counts and not is_one_scale(cells):
        return None
    is_short = not header[0] and len(header) == FEWEST_COLUMNS and not _has_gaps(cells)
    if is_short and _may_be_indexed_list(header, names):
        return None
    return MatrixForm(names=True, counts=counts, rows_are_items=role == "item")


def _may_be_indexed_list(header: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether three columns after a row number may be user, item and rating."""
    return counts_up(names) and not all(fields.is_number(name) for name in header[1:])


def _has_gaps(cells: np.ndarray) -> bool:
    """Return whether the first columns, where a list has its ids, have an empty cell."""
    return bool(np.isnan(cells[:, :2]).any())


def _without_header(names: Sequence[str], cells: np.ndarray) -> MatrixForm | None:
    first = np.array([cell_number(name) for name in names])
    if _counts_ratings(first, cells):
        return MatrixForm(counts=True)
    whole = np.column_stack([first, cells])
    all_differ = len(set(names)) == len(names)
    if all_differ and "" not in names and _counts_ratings(cells[:, 0], cells[:, 1:]):
        return MatrixForm(names=True, counts=True)
    if all_differ and not _is_no_id(whole, 0):
        if _is_no_id(whole, 1) and is_one_scale(cells) and "" not in names:
            return MatrixForm(names=True)
    elif not np.isinf(first).any() and is_one_scale(whole):
        no_ids = _is_no_id(whole, 0) or _is_no_id(whole, 1) or _pairs_come_again(whole)
        return MatrixForm() if no_ids else None
    return None


def _pairs_come_again(cells: np.ndarray) -> bool:
    """Return whether half of the pairs in the first two columns repeat; no user's ratings do."""
    pairs = len(np.unique(cells[:, :2], axis=0))
    return len(cells) >= MANY_ROWS and pairs <= len(cells) / 2


def _counts_ratings(first: np.ndarray, cells: np.ndarray) -> bool:
    """Return whether the first column counts the other cells that are not 99 and are -10 to 10."""
    rated = cells != JESTER_NOT_RATED
    possible = ~rated | (np.abs(cells) <= USUAL_SCALE)
    return bool((first == rated.sum(axis=1)).all() and possible.all() and not rated.all())


def _is_no_id(cells: np.ndarray, column: int) -> bool:
    """Return whether a column has what no id is: nothing, a fraction, a number below 0, a mark.

    A mark is a value apart from all others that stands in another column, too.
    """
    numbers = cells[:, column]
    if np.isinf(numbers).any():
        return False
    if np.isnan(numbers).any() or (numbers < 0).any() or (numbers % 1 != 0).any():
        return True
    marks = values_apart(cells[np.isfinite(cells)])
    return any(
        mark in numbers and len(np.unique(np.nonzero(cells == mark)[1])) > 1 for mark in marks
    )


def is_one_scale(cells: np.ndarray) -> bool:
    """Return whether all numbers but a mark for "not rated" may be ratings on one scale."""
    rated = cells[~np.isnan(cells)]
    if np.isinf(rated).any():
        return False
    marks = values_apart(rated)
    rated = rated[~np.isin(rated, marks)]
    if not len(rated) or float(np.ptp(rated)) > WIDEST_SCALE:
        return False
    if np.abs(rated).max() <= USUAL_SCALE or _has_gaps(cells):
        return True
    columns = [column[~np.isnan(column) & ~np.isin(column, marks)] for column in cells.T]
    columns = [column for column in columns if len(column) > 1]
    return not columns or max(c.min() for c in columns) <= min(c.max() for c in columns)
