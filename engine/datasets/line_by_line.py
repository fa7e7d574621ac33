"""The careful way to read a text: row by row, so that a bad one can be named."""

from __future__ import annotations

import re
from array import array

import numpy as np

from engine.datasets import fields
from engine.datasets.columns import Columns
from engine.datasets.layout import Layout
from engine.datasets.limits import MAX_RATINGS
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
    text = data.decode()
    try:
        return _read(text, delimiter, layout, quotes=True)
    except InputError:
        # Outside of comma separated files a quotation mark is often just a character of a title.
        if '"' not in text or delimiter in ",;":
            raise
        try:
            columns = _read(text, delimiter, layout, quotes=False)
        except InputError:
            columns = None
        if columns is None:
            raise
        return columns


def _read(text: str, delimiter: str, layout: Layout, *, quotes: bool) -> Columns:
    try:
        return _read_rows(text, delimiter, layout, layout.decimal, quotes=quotes)
    except _DecimalComma:
        return _read_rows(text, delimiter, layout, ",", quotes=quotes)


def _read_rows(text: str, delimiter: str, layout: Layout, decimal: str, *, quotes: bool) -> Columns:
    users: dict[str, int] = {}
    items: dict[str, int] = {}
    user, item, value = array("i"), array("i"), array("d")
    not_finite: list[int] = []
    blank = 0
    commas_only_thousands: int | None = None
    certain_comma = False
    try:
        for line, row in fields.rows(text, delimiter, quotes=quotes):
            if not row:
                blank += 1
                continue
            if line == layout.header_line:
                continue
            if len(row) != layout.width:
                _check_width(row, layout.width, line)
            labels = row[layout.user], row[layout.item]
            for label, role in zip(labels, ("user", "item"), strict=True):
                if not label:
                    raise InputError(f"Line {line} has no {role}.")
            rating = row[layout.rating]
            number = _number(rating, decimal, line)
            if not np.isfinite(number):
                not_finite.append(line)
                continue
            if decimal == "," and "," in rating and delimiter == ",":
                if COMMA_OR_THOUSANDS.fullmatch(rating):
                    commas_only_thousands = commas_only_thousands or line
                else:
                    certain_comma = True
            for label, role, codes, coded in (
                (labels[0], "user", users, user),
                (labels[1], "item", items, item),
            ):
                code = codes.get(label)
                if code is None:
                    fields.check_label(label, role, line)
                    code = codes[label] = len(codes)
                coded.append(code)
            value.append(number)
            if len(value) > MAX_RATINGS:
                raise InputError(
                    f"The file has more than {MAX_RATINGS:,} ratings: take a sample of its users."
                )
    except InputError:
        if not_finite:
            _raise_not_finite(not_finite)
        raise
    if not_finite:
        _raise_not_finite(not_finite)
    if not value:
        raise InputError("There are no ratings in the file.")
    if commas_only_thousands and not certain_comma:
        raise InputError(
            f"The comma in the rating on line {commas_only_thousands} may mean thousands or "
            "decimals: write it without."
        )
    return Columns(
        list(users),
        np.array(user, dtype=np.int32),
        list(items),
        np.array(item, dtype=np.int32),
        np.array(value, dtype=np.float64),
        blank,
        decimal,
        () if quotes or '"' not in text else ("Quotation marks were read as part of the text.",),
    )


def _check_width(row: list[str], width: int, line: int) -> None:
    # Spreadsheets leave separators behind that nothing follows.
    filled = len(row)
    while filled and not row[filled - 1]:
        filled -= 1
    if len(row) < width or filled > width:
        for field in row:
            fields.check_label(field, "field", line)
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


def _raise_not_finite(lines: list[int]) -> None:
    where = f"line {lines[0]} does" if len(lines) == 1 else f"lines {listed(lines)} do"
    raise InputError(f"Ratings must be finite: {where} not hold a finite number.")
