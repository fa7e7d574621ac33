"""Text split into rows of fields, with the number of the line each row starts on."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from engine.datasets.limits import MAX_ID_CHARACTERS
from engine.datasets.wording import agreeing, counted, listed, quoted
from engine.errors import InputError

# Separators of several characters become this one: it is made for that, and no text contains it.
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
POINT_OR_THOUSANDS = re.compile(r"[+]?[1-9]\d{0,2}(\.\d{3})+", re.ASCII)
COMMA_OR_THOUSANDS = re.compile(r"[+]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def is_number(text: str) -> bool:
    """Return whether the text is a number as files write it, finite or not.

    >>> [is_number(text) for text in ("3.5", "-1e3", "nan", "3,5", "four", "1_000", "")]
    [True, True, True, False, False, False, False]
    """
    return bool(NUMBER.fullmatch(text) or NOT_FINITE.fullmatch(text))


def has_decimal_comma(text: str) -> bool:
    """Return whether the text is a number with a decimal comma.

    >>> has_decimal_comma("3,5"), has_decimal_comma("1.234,5"), has_decimal_comma("1,234.5")
    (True, True, False)
    """
    return bool(COMMA.fullmatch(text) or THOUSANDS_AND_COMMA.fullmatch(text))


def has_certain_point(text: str) -> bool:
    """Return whether the text is a number with a point that cannot mark thousands.

    >>> has_certain_point("3.5"), has_certain_point("0.125"), has_certain_point("1.234")
    (True, True, False)
    """
    return "." in text and is_number(text) and not POINT_OR_THOUSANDS.fullmatch(text)


def unify(data: bytes, separator: str) -> tuple[bytes, str]:
    """Return the same text with a separator of one character, and that character.

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
    """Yield each row's 1-based line and its fields, stripped; a blank row has no fields.

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
    except csv.Error:
        raise InputError(
            f"Line {line} opens a quotation mark that is not closed, closes one within a field, or "
            f"has a field of more than {csv.field_size_limit():,} characters."
        ) from None


def check_label(label: str, role: str, line: int) -> None:
    """Raise InputError for an id that can only come from a quotation mark left open."""
    if "\n" in label or "\r" in label:
        raise InputError(f"Line {line} opens a quotation mark that is not closed on that line.")
    if len(label) > MAX_ID_CHARACTERS:
        raise InputError(
            f"Line {line} has a {role} of {len(label):,} characters, more than "
            f"{MAX_ID_CHARACTERS:,}: check the separator."
        )


def check_width(row: list[str], width: int, line: int) -> None:
    """Raise InputError for a row that does not have as many fields as the table has columns."""
    # Spreadsheets leave separators behind that nothing follows.
    filled = len(row)
    while filled and not row[filled - 1]:
        filled -= 1
    if len(row) < width or filled > width:
        if len(row) == 1 and re.search("[,;\t|]", row[0]):
            raise InputError(
                f"Line {line} stands in quotation marks as a whole: save the table without them, "
                "or with them around each field."
            )
        raise InputError(
            f"Line {line} has {counted(len(row), 'field')} where {width} were expected: mend it, "
            "or leave it out."
        )


def not_finite(place: str, numbers: Sequence[int]) -> InputError:
    """Return the error about ratings that are not finite, in these lines or rows.

    >>> print(not_finite("line", [3, 4]))
    Ratings must be finite: lines 3 and 4 do not hold a finite number.
    """
    where = f"{agreeing(len(numbers), place, place + 's')} {listed(numbers, 5)}"
    verb = agreeing(len(numbers), "does", "do")
    return InputError(f"Ratings must be finite: {where} {verb} not hold a finite number.")


def no_number(text: str, line: int) -> InputError:
    """Return the error about a rating that is none."""
    return InputError(
        f"Line {line} has the rating {quoted(text)}, which is not a number: mend it, or leave the "
        "line out."
    )
