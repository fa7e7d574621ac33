"""Jester's table of jokes: a row a user, a column a joke, 99 where there is no rating."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from engine.datasets import fields
from engine.datasets.columns import Columns
from engine.errors import InputError

NOT_RATED = 99.0
LARGEST = 10.0


def is_jester(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows without header are such a table: the first column counts the row's ratings.

    >>> is_jester([["2", "99", "-7.5", "3.1"], ["1", "99", "99", "0.5"]])
    True
    >>> is_jester([["1", "99", "5", "978300760"]])
    False
    """
    width = len(rows[0]) if rows else 0
    if width < 4 or not any("99" in row[1:] for row in rows):
        return False
    return all(
        len(row) == width
        and all(fields.is_number(field) for field in row)
        and _fits(np.array(row, dtype=np.float64)[None, :]).all()
        for row in rows
    )


def _fits(table: np.ndarray) -> np.ndarray:
    rated = table[:, 1:] != NOT_RATED
    possible = ~rated | (np.abs(table[:, 1:]) <= LARGEST)
    return (table[:, 0] == rated.sum(axis=1)) & possible.all(axis=1)


def read_jester(data: bytes, delimiter: str) -> Columns:
    """The ratings of such a table; users and jokes are numbered from 1.

    Raises:
        InputError: a row that does not fit, or no rating at all.
    """
    try:
        table = np.loadtxt(io.BytesIO(data), delimiter=delimiter, comments=None, ndmin=2)
    except ValueError:
        raise InputError(
            "The file starts like Jester's table of jokes, but not all of its rows are numbers in "
            "equally many columns: leave out those that are not."
        ) from None
    fits = _fits(table)
    if not fits.all():
        raise InputError(
            f"Row {int(np.argmin(fits)) + 1} of the table of jokes does not fit: its first column "
            "must count its ratings, which are -10 to 10, and 99 where there is none."
        )
    user, joke = np.nonzero(table[:, 1:] != NOT_RATED)
    if len(user) == 0:
        raise InputError("There are no ratings in the file.")
    return Columns(
        user_labels=[str(number + 1) for number in range(len(table))],
        user=user.astype(np.int32),
        item_labels=[str(number + 1) for number in range(table.shape[1] - 1)],
        item=joke.astype(np.int32),
        value=table[:, 1:][user, joke],
        notes=("Read as Jester's table: a row a user, a column a joke, 99 for no rating.",),
    )
