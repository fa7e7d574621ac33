"""The careful way to read a text: row by row, so that an error names its row."""

from __future__ import annotations

import math
import re
from array import array

import numpy as np

from engine.datasets import fields
from engine.datasets.columns import Columns
from engine.datasets.layout import Layout
from engine.datasets.limits import MAX_LEVELS, MAX_RATINGS
from engine.datasets.naming import COUNT_NAMES, bare
from engine.datasets.wording import quoted
from engine.errors import InputError

THOUSANDS_BY_COMMA = re.compile(r"[+-]?\d{1,3}((,\d{3})+\.\d+|(,\d{3}){2,})", re.ASCII)


class _DecimalComma(Exception):
    """A text that had decimal points so far has a decimal comma, or points that mark thousands."""


def read_line_by_line(data: bytes, delimiter: str, layout: Layout) -> Columns:
    """Return the columns of UTF-8 text.

    Raises:
        InputError: a row cannot be read; the error names the first such line and what is wrong.
    """
    try:
        return _read(data, delimiter, layout, quotes=True)
    except InputError as error:
        # A text that needs no quoting often has quotation marks as characters of titles.
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
    marks = _Marks(decimal, delimiter, layout)
    blank = 0
    try:
        for line, row in fields.rows(data, delimiter, quotes=quotes):
            if not row:
                blank += 1
                continue
            if line == layout.header_line:
                continue
            if len(row) != layout.width:
                fields.check_width(row, layout.width, line)
            users.add(row[layout.user], line)
            items.add(row[layout.item], line)
            rating = row[layout.rating]
            value = seen.get(rating)
            if value is None:
                value = _number(rating, decimal, line)
                marks.look(rating, line)
                # The same few ratings come again and again. The bound is for a file with many.
                if len(seen) < MAX_LEVELS:
                    seen[rating] = value
            if not math.isfinite(value):
                not_finite.append(line)
            values.append(value)
            if len(values) > MAX_RATINGS:
                raise InputError(
                    f"The file has more than {MAX_RATINGS:,} ratings: take a sample of its users."
                )
    finally:
        # A rating that is not finite is told first: it stands before the line of another error.
        _check_finite(not_finite)
    if not values:
        raise InputError("There are no ratings in the file.")
    marks.check()
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
    """Ids, numbered in order of first appearance."""

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


def _number(text: str, decimal: str, line: int) -> float:
    if fields.is_number(text) and (decimal == "." or "." not in text):
        return float(text)
    if not text:
        raise InputError(f"Line {line} has no rating.")
    if THOUSANDS_BY_COMMA.fullmatch(text) and decimal == ".":
        return float(text.replace(",", ""))
    if fields.has_decimal_comma(text):
        if decimal == ".":
            raise _DecimalComma
        return float(text.replace(".", "").replace(",", "."))
    if fields.POINT_OR_THOUSANDS.fullmatch(text):
        if decimal == ".":  # Two points mark thousands, so a comma marks decimals.
            raise _DecimalComma
        return float(text.replace(".", ""))
    if decimal == "," and fields.is_number(text):
        raise InputError(
            f"Line {line} has the rating {quoted(text)} with a decimal point, but other lines "
            "have decimal commas: use one of them."
        )
    raise fields.no_number(text, line)


def _check_finite(lines: list[int]) -> None:
    if lines:
        raise fields.not_finite("line", lines)


class _Marks:
    """Points and commas that may mark thousands or decimals: no number alone can tell.

    "1,234" between commas may be either. So may "1.234" between semicolons, and as a count. All
    other points mark decimals, unless whole numbers stand beside numbers such as "2.500": a
    program that keeps the zeros of a fraction writes "12.000", not "12".
    """

    def __init__(self, decimal: str, delimiter: str, layout: Layout) -> None:
        self.mark = "," if decimal == delimiter == "," else "." if decimal == "." else ""
        self.pattern = fields.POINT_OR_THOUSANDS if self.mark == "." else fields.COMMA_OR_THOUSANDS
        are_counts = bare(layout.names.get("rating", "")) in COUNT_NAMES
        self.is_suspect = self.mark == delimiter or delimiter == ";" or are_counts
        self.is_certain = layout.point_is_certain and self.mark == "."
        self.unclear: tuple[int, str] | None = None
        self.is_whole = self.ends_in_0 = False

    def look(self, rating: str, line: int) -> None:
        """Take in a rating that has not been seen before."""
        if self.is_certain or not self.mark:
            return
        if self.mark not in rating:
            self.is_whole = True
        elif self.pattern.fullmatch(rating):
            self.unclear = self.unclear or (line, rating)
            self.ends_in_0 = self.ends_in_0 or rating.endswith("0")
        else:
            self.is_certain = True

    def check(self) -> None:
        """Raise InputError if no number settled what the mark means."""
        if self.unclear is None or self.is_certain:
            return
        if self.is_suspect or (self.is_whole and self.ends_in_0):
            line, rating = self.unclear
            raise InputError(
                f"The {'comma' if self.mark == ',' else 'point'} in the rating {quoted(rating)} on "
                f"line {line} may mean thousands or decimals: write it without."
            )
