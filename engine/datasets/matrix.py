"""Reads tables of users by items: pivot tables of pandas, spreadsheets, Jester's table of jokes."""

from __future__ import annotations

from array import array
from collections import Counter

import numpy as np

from engine.datasets import fields
from engine.datasets.columns import Columns, recode
from engine.datasets.layout import Layout
from engine.datasets.limits import MAX_LEVELS, MAX_RATINGS
from engine.datasets.matrix_form import JESTER_NOT_RATED, USUAL_SCALE, MatrixForm, cell_number
from engine.datasets.outliers import values_apart
from engine.datasets.totals import last_column
from engine.datasets.wording import listed, quoted
from engine.errors import InputError


def read_matrix(data: bytes, delimiter: str, layout: Layout) -> Columns:
    """Return the ratings of such a table; rows and columns without names are numbered from 1.

    Raises:
        InputError: a row does not fit, a cell holds no number, or there is no rating at all.
    """
    form, header, width = layout.matrix or MatrixForm(), layout.header, layout.width
    numbers_of = _Numbers()
    row_names: list[str] = []
    of_row, of_column, values = array("i"), array("i"), array("d")
    for line, row in fields.rows(data, delimiter):
        if not row or line == layout.header_line:
            continue
        if len(row) != width:
            fields.check_width(row, width, line)
        numbers = np.array([numbers_of[text] for text in row[form.first : width]])
        if np.isinf(numbers).any():
            wrong = row[form.first + int(np.argmax(np.isinf(numbers)))]
            raise fields.no_number(wrong, line)
        rated = np.flatnonzero(~np.isnan(numbers))
        if form.counts:
            _check_count(row[form.first - 1], numbers, line)
        if form.names:
            role = "item" if form.rows_are_items else "user"
            if not row[0]:
                raise InputError(f"Line {line} has no {role}.")
            fields.check_label(row[0], role, line)
        of_row.extend([len(row_names)] * len(rated))
        of_column.extend(rated.tolist())
        values.extend(numbers[rated].tolist())
        row_names.append(row[0] if form.names else str(len(row_names) + 1))
        if len(values) > MAX_RATINGS:
            raise InputError(
                f"The file has more than {MAX_RATINGS:,} ratings: take a sample of its users."
            )
    names = list(header[form.first :]) if header else _numbered(width - form.first)
    value = np.array(values, dtype=np.float64)
    row_of, column_of = np.array(of_row, dtype=np.int32), np.array(of_column, dtype=np.int32)
    marks = _marks(value, len(row_names) * (width - form.first), form)
    is_rated = ~np.isin(value, marks)
    if not is_rated.any():
        raise InputError("There are no ratings in the file.")
    keep, warnings = _without_totals(row_of, column_of, value, is_rated, row_names, names)
    rows = recode(row_names, row_of[keep])
    columns = recode(names, column_of[keep])
    users, items = (columns, rows) if form.rows_are_items else (rows, columns)
    note = _note(form, marks)
    return Columns(
        *users,
        *items,
        value[keep],
        decimal=layout.decimal,
        notes=(note,) if form.counts else (),
        warnings=(*(() if form.counts else (note,)), *warnings, *_twice(names)),
    )


def _note(form: MatrixForm, marks: tuple[float, ...]) -> str:
    row, column = ("an item", "a user") if form.rows_are_items else ("a user", "an item")
    note = f"Read as a table of users by items: a row {row}, a column {column}"
    return note + (f", and {listed([f'{m:g}' for m in marks], 5)} for no rating." if marks else ".")


def _without_totals(
    row: np.ndarray,
    column: np.ndarray,
    value: np.ndarray,
    keep: np.ndarray,
    row_names: list[str],
    column_names: list[str],
) -> tuple[np.ndarray, list[str]]:
    """Return which cells are no sums or means of others (bool), and warnings about the rest."""
    warnings = []
    last = len(column_names) - 1
    if summary := last_column(row[keep], column[keep], value[keep], last):
        warnings.append(_left_out("column", column_names[last], summary))
        keep = keep & (column != last)
    last = len(row_names) - 1
    if summary := last_column(column[keep], row[keep], value[keep], last):
        warnings.append(_left_out("row", row_names[last], summary))
        keep = keep & (row != last)
    return keep, warnings


def _left_out(place: str, name: str, summary: str) -> str:
    return f"The last {place}, {quoted(name)}, holds {summary} of the others: it was left out."


def _twice(names: list[str]) -> list[str]:
    again = next((name for name, count in Counter(names).items() if count > 1), None)
    if again is None:
        return []
    return [f"Several columns are named {quoted(again)}: they were read as one."]


class _Numbers(dict[str, float]):
    """The number in a cell by its text. Each text is parsed once: the same few come again."""

    def __missing__(self, text: str) -> float:
        number = cell_number(text)
        if len(self) < MAX_LEVELS:
            self[text] = number
        return number


def _check_count(count: str, numbers: np.ndarray, line: int) -> None:
    rated = numbers[numbers != JESTER_NOT_RATED]
    if cell_number(count) != len(rated) or (np.abs(rated) > USUAL_SCALE).any():
        raise InputError(
            f"Line {line} of the table of jokes does not fit: its first column must count its "
            "ratings, which are -10 to 10, and 99 where there is none."
        )


def _numbered(count: int) -> list[str]:
    return [str(number + 1) for number in range(count)]


def _marks(value: np.ndarray, cells: int, form: MatrixForm) -> tuple[float, ...]:
    """Return the values that stand for "not rated".

    They are 99 in Jester's table, and the values that stand apart. A 0 is one of them if all other
    ratings are above it and no cell is empty: nobody rates everything.
    """
    if form.counts:
        return (JESTER_NOT_RATED,)
    if not len(value):
        return ()
    apart = values_apart(value)
    if not apart and len(value) == cells and (value >= 0).all() and (value > 0).any():
        return (0.0,) if (value == 0).any() else ()
    return apart
