"""Text split into rows of fields, with the number of the line each row starts on."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from engine.datasets.limits import MAX_ID_CHARACTERS
from engine.errors import InputError

# Separators of several characters become this one, which is made for it and no text contains.
UNIT_SEPARATOR = "\x1f"
SPACES = " "
NAMES = {
    "::": '"::"',
    "\t\t": "double tab",
    "\t": "tab",
    ";": "semicolon",
    ",": "comma",
    "|": "bar",
    SPACES: "spaces",
}

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?", re.ASCII)
THOUSANDS_AND_COMMA = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+", re.ASCII)
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def is_number(text: str) -> bool:
    """Whether the text is a number as files write it, finite or not.

    >>> [is_number(text) for text in ("3.5", "-1e3", "nan", "3,5", "four", "1_000", "")]
    [True, True, True, False, False, False, False]
    """
    return bool(NUMBER.fullmatch(text) or NOT_FINITE.fullmatch(text))


def has_decimal_comma(text: str) -> bool:
    """Whether the text is a number with a decimal comma.

    >>> has_decimal_comma("3,5"), has_decimal_comma("1.234,5"), has_decimal_comma("1,234.5")
    (True, True, False)
    """
    return bool(COMMA.fullmatch(text) or THOUSANDS_AND_COMMA.fullmatch(text))


def unify(data: bytes, separator: str) -> tuple[bytes, str]:
    """The same text with a separator of one character, and that character.

    Lines stay where they are.
    """
    if separator == SPACES:
        data = data.replace(b"\t", b" ")
        while b"  " in data:
            data = data.replace(b"  ", b" ")
        for end in (b"\n", b"\r"):
            data = data.replace(end + b" ", end).replace(b" " + end, end)
        return data.strip(b" "), SPACES
    if len(separator) > 1:
        return data.replace(separator.encode(), UNIT_SEPARATOR.encode()), UNIT_SEPARATOR
    return data, separator


def rows(data: bytes, delimiter: str, *, quotes: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Every row of UTF-8 text and the 1-based line it starts on; fields stripped, blank rows empty.

    Raises:
        InputError: a quotation mark in the wrong place, or a field without end.
    """
    reader = csv.reader(
        io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline=None),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        strict=True,
        skipinitialspace=delimiter != SPACES,
    )
    line = 1
    try:
        for row in reader:
            fields = [field.strip() for field in row]
            yield line, fields if any(fields) else []
            line = reader.line_num + 1
    except csv.Error as error:
        if "larger than" in str(error):
            what = f"has a field of more than {csv.field_size_limit():,} characters"
        else:
            what = "opens a quotation mark that is not closed, or closes one within a field"
        raise InputError(f"Line {line} {what}.") from None


def check_label(label: str, role: str, line: int) -> None:
    """Raise InputError for an id that can only come from a quotation mark left open."""
    if "\n" in label or "\r" in label:
        raise InputError(f"Line {line} opens a quotation mark that is not closed on that line.")
    if len(label) > MAX_ID_CHARACTERS:
        raise InputError(
            f"Line {line} has a {role} of {len(label):,} characters, more than "
            f"{MAX_ID_CHARACTERS:,}: check the separator."
        )
