"""The careful way to read a text: row by row, so that a bad one can be named."""

from __future__ import annotations

import math
import re
from array import array

import numpy as np

from engine.datasets import fields
from engine.datasets.columns import Columns
from engine.datasets.layout import Layout
from engine.datasets.limits import MAX_LEVELS, MAX_RATINGS
from engine.datasets.wording import listed, quoted
from engine.errors import InputError

THOUSANDS_AND_POINT = re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d+", re.ASCII)
COMMA_OR_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)


class _DecimalComma(Exception):
    """Met a decimal comma in what so far had decimal points."""


def read_line_by_line(data: bytes, delimiter: str, layout: Layout) -> Columns:
    """The columns of UTF-8 text.

    Raises:
        InputError: the first row that cannot be read, with its line and what is wrong in it.
    """
    try:
        return _read(data, delimiter, layout, quotes=True)
    except InputError as error:
        # Where quoting is not needed a quotation mark is often just a character of a title.
        if b'"' not in data or delimiter in ",;":
            raise
        try:
            return _read(data, delimiter, layout, quotes=False)
        except InputError:
            raise error from None


def _read(data: bytes, delimiter: str, layout: Layout, *, quotes: bool) -> Columns:
    try:
        return _read_rows(data, delimiter, layout, layout.decimal, quotes=quotes)
    except _DecimalComma:
        return _read_rows(data, delimiter, layout, ",", quotes=quotes)


def _read_rows(
    data: bytes, delimiter: str, layout: Layout, decimal: str, *, quotes: bool
) -> Columns:
    users, items = _Labels("user"), _Labels("item")
    values = array("d")
    seen: dict[str, float] = {}
    not_finite: list[int] = []
    commas: list[tuple[int, str]] = []
    blank = 0
    try:
        for line, row in fields.rows(data, delimiter, quotes=quotes):
            if not row:
                blank += 1
                continue
            if line == layout.header_line:
                continue
            if len(row) != layout.width:
                _check_width(row, layout.width, line)
            users.add(row[layout.user], line)
            items.add(row[layout.item], line)
            rating = row[layout.rating]
            value = seen.get(rating)
            if value is None:
                value = _number(rating, decimal, line)
                # The same few ratings come again and again; never kept without bound.
                if len(seen) < MAX_LEVELS:
                    seen[rating] = value
            if not math.isfinite(value):
                not_finite.append(line)
            if "," in rating and decimal == delimiter == ",":
                commas.append((line, rating))
            values.append(value)
            if len(values) > MAX_RATINGS:
                raise InputError(
                    f"The file has more than {MAX_RATINGS:,} ratings: take a sample of its users."
                )
    finally:
        # Stands before an error further down, as the first thing that is wrong.
        _check_finite(not_finite)
    if not values:
        raise InputError("There are no ratings in the file.")
    _check_commas(commas)
    notes = ("Quotation marks were read as part of the text.",)
    return Columns(
        list(users.codes),
        np.array(users.coded, dtype=np.int32),
        list(items.codes),
        np.array(items.coded, dtype=np.int32),
        np.array(values, dtype=np.float64),
        blank,
        decimal,
        () if quotes or b'"' not in data else notes,
    )


class _Labels:
    """Ids numbered as they come."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.codes: dict[str, int] = {}
        self.coded = array("i")

    def add(self, label: str, line: int) -> None:
        code = self.codes.get(label)
        if code is None:
            if not label:
                raise InputError(f"Line {line} has no {self.role}.")
            fields.check_label(label, self.role, line)
            code = self.codes[label] = len(self.codes)
        self.coded.append(code)


def _check_width(row: list[str], width: int, line: int) -> None:
    # Spreadsheets leave separators behind that nothing follows.
    filled = len(row)
    while filled and not row[filled - 1]:
        filled -= 1
    if len(row) < width or filled > width:
        raise InputError(
            f"Line {line} has {len(row)} {'field' if len(row) == 1 else 'fields'} where {width} "
            "were expected."
        )


def _number(text: str, decimal: str, line: int) -> float:
    if fields.is_number(text) and (decimal == "." or "." not in text):
        return float(text)
    if not text:
        raise InputError(f"Line {line} has no rating.")
    if THOUSANDS_AND_POINT.fullmatch(text) and decimal == ".":
        return float(text.replace(",", ""))
    if fields.has_decimal_comma(text):
        if decimal == ".":
            raise _DecimalComma
        return float(text.replace(".", "").replace(",", "."))
    if decimal == "," and fields.is_number(text):
        raise InputError(
            f"Line {line} has the rating {quoted(text)} with a decimal point, but other lines "
            "have decimal commas: use one of them."
        )
    raise InputError(f"Line {line} has the rating {quoted(text)}, which is not a number.")


def _check_finite(lines: list[int]) -> None:
    if lines:
        where = f"line {lines[0]} does" if len(lines) == 1 else f"lines {listed(lines)} do"
        raise InputError(f"Ratings must be finite: {where} not hold a finite number.")


def _check_commas(ratings: list[tuple[int, str]]) -> None:
    """Between commas, "1,234" may be a thousand: clear only if some comma cannot mean that."""
    if ratings and all(COMMA_OR_THOUSANDS.fullmatch(rating) for _, rating in ratings):
        raise InputError(
            f"The comma in the rating {quoted(ratings[0][1])} on line {ratings[0][0]} may mean "
            "thousands or decimals: write it without."
        )
