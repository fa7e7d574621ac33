"""The layout of a text: its separator, its header, and what each column holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.datasets import fields
from engine.datasets.limits import (
    MAX_COLUMNS,
    MAX_MATRIX_COLUMNS,
    MOST_SAMPLE_CHARACTERS,
    SAMPLE_CHARACTERS,
    SAMPLE_LINES,
)
from engine.datasets.matrix_form import (
    MatrixForm,
    find_matrix,
    may_be_matrix_header,
    numbers_columns,
)
from engine.datasets.naming import ROLES, named_columns
from engine.datasets.profiles import FEW_ROWS, counts_up, profile
from engine.datasets.remedies import Advice
from engine.datasets.roles import find_roles
from engine.datasets.sheet import Sheet
from engine.datasets.wording import listed, quoted
from engine.errors import InputError

# At least this many whole lines are needed to judge a table with many columns.
FEWEST_LINES = 20

Row = tuple[int, list[str]]


@dataclass(frozen=True)
class Layout:
    """How the rows of a text are to be read. Columns count from 0, lines from 1.

    Attributes:
        matrix: the form of a table of users by items, which has no columns of user, item, rating.
        names: what the columns of user, item and rating are called, for the report.
        point_is_certain: whether a point in some rating cannot mark thousands.
    """

    separator: str
    width: int
    user: int = 0
    item: int = 0
    rating: int = 0
    header: tuple[str, ...] | None = None
    header_line: int = 0
    decimal: str = "."
    point_is_certain: bool = False
    matrix: MatrixForm | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str | Advice, ...] = ()


@dataclass(frozen=True)
class Table:
    """The first rows of a text, before anyone says which column is what."""

    separator: str
    width: int
    header: tuple[str, ...] | None
    header_line: int
    body: list[list[str]]

    @property
    def matrix(self) -> MatrixForm | None:
        """The form of a table of users by items; None if it is a list."""
        return find_matrix(self.header, self.body)


def find_table(data: bytes, has_header: bool | None = None) -> Table:
    r"""Find separator and header from the first lines of UTF-8 text.

    Args:
        data: the text.
        has_header: whether the first line names the columns; None means that the text tells.

    Raises:
        InputError: there are no ratings, or fewer than three columns.

    >>> find_table(b"a;b;c\n1;2;3\n").header
    ('a', 'b', 'c')
    """
    separator, rows = _find_separator(_sample(data))
    line, first = rows[0]
    _check_one_header(first, line)
    body = [row for _, row in rows[1:]]
    header: tuple[str, ...] | None = None
    if has_header is not False:
        names = _with_row_names(first, body)
        header = tuple(names) if has_header or _is_header(names, body) else None
    while header and not header[-1]:  # Spreadsheets leave separators behind that nothing follows.
        header = header[:-1]
    if header and len(header) < 3:
        raise InputError(
            f"Line {line} ({quoted(', '.join(header))}) has fewer than three fields, but the lines "
            "below have more: leave it out, or name every column."
        )
    width = len(header) if header else _table_width(rows)
    body = [_without_empty_end(row, width) for row in (body if header else [first, *body])]
    return Table(separator, width, header, line if header else 0, body)


def _without_empty_end(row: list[str], width: int) -> list[str]:
    return row[:width] if len(row) > width and not any(row[width:]) else row


def find_layout(
    data: bytes,
    columns: Mapping[str, str | int] | None = None,
    has_header: bool | None = None,
) -> Layout:
    r"""Find separator, header and columns from the first lines of UTF-8 text.

    Args:
        data: the text.
        columns: the user's choice: "user", "item" or "rating" to a name or 1-based number.
        has_header: whether the first line names the columns; None means that the text tells.

    Raises:
        InputError: there are no ratings, there are fewer than three columns, or nothing tells
            which column is which.

    >>> find_layout(b"stars;who;movie\n3,5;7;x\n", {"user": "who"}).names
    {'user': 'who', 'item': 'movie', 'rating': 'stars'}
    """
    table = find_table(data, has_header)
    header, width, body = table.header, table.width, table.body
    matrix = None if columns else table.matrix
    if width > (MAX_MATRIX_COLUMNS if matrix else MAX_COLUMNS):
        raise InputError(f"The file has {width:,} columns where user, item and rating are needed.")
    layout = Layout(table.separator, width, header=header, header_line=table.header_line)
    if matrix:
        cells = [cell for row in body for cell in row[matrix.first :]]
        layout = replace(layout, matrix=matrix, decimal=_find_decimal(cells))
        if header and numbers_columns(header):
            return replace(layout, warnings=(_taken_for_header(table),))
        return layout
    sheet = Sheet.of(header, width, body)
    roles, warnings = find_roles(sheet, columns or {})
    if header and not named_columns(header):
        warnings += (_taken_for_header(table),)
    ratings = [row[roles["rating"]] for row in body if len(row) == width]
    return replace(
        layout,
        decimal=_find_decimal(ratings),
        point_is_certain=any(fields.has_certain_point(rating) for rating in ratings),
        names=sheet.role_names(roles),
        warnings=warnings,
        user=roles["user"],
        item=roles["item"],
        rating=roles["rating"],
    )


def _taken_for_header(table: Table) -> str:
    header = quoted(", ".join(table.header or ()))
    return f"Line {table.header_line} ({header}) was taken for the header."


def _check_one_header(first: Sequence[str], line: int) -> None:
    """Raise InputError for the first of several header lines, which pandas gives to pivot tables.

    It repeats the name of the values, and has nothing above the users.
    """
    if len(first) > 2 and not first[0] and first[1] and len(set(first[1:])) == 1:
        raise InputError(
            f"Line {line} has the name {quoted(first[1])} in every column: a pivot table may have "
            "several header lines. Leave one line, with a name for the users and one for each item."
        )


def _sample(data: bytes) -> str:
    size, lines = 0, 0
    while lines < FEWEST_LINES and 0 <= size < MOST_SAMPLE_CHARACTERS:
        size, lines = data.find(b"\n", size) + 1 or len(data), lines + 1
    size = min(max(size, SAMPLE_CHARACTERS), MOST_SAMPLE_CHARACTERS)
    start = data[:size]
    if len(data) > len(start):
        # The sample ends with a whole line, so that it does not cut a character in two.
        end = max(start.rfind(b"\n"), start.rfind(b"\r"))
        start = start[: end + 1] if end >= 0 else start
    return start.decode("utf-8", "ignore")


def _find_separator(text: str) -> tuple[str, list[Row]]:
    """Return the separator that splits most lines into equally many fields, three or more."""
    # The sniffers of three libraries were tried on 98 files, those of the tests and of MovieLens.
    # DuckDB 2.0 found separator and header of 81, clevercsv 0.8 of 77, and csv.Sniffer of 76. None
    # finds "::" (MovieLens 1M) or runs of spaces (FilmTrust). They take ids for a header. None
    # knows that a rating needs three columns, and that settles most files. Quotation marks are
    # taken for a part of titles only if nothing else gives three columns.
    for quotes in (True, False):
        splits = [(separator, _split(text, separator, quotes=quotes)) for separator in fields.NAMES]
        shares = [_share_of_table(rows) for _, rows in splits]
        if max(shares) > 0:
            return splits[shares.index(max(shares))]
        if not text.strip():
            raise InputError("There are no ratings in the file: it is empty.")
    raise InputError(
        "The file needs three columns (user, item, rating), but none of the separators tried "
        f"({listed(list(fields.NAMES.values()), 9)}) gives three."
    )


def _share_of_table(rows: list[Row]) -> float:
    """Return the share of the rows that have the most frequent number of fields from three on."""
    width = _table_width(rows)
    return sum(len(row) == width for _, row in rows) / len(rows) if width else 0.0


def _table_width(rows: list[Row]) -> int:
    widths = Counter(len(row) for _, row in rows if len(row) >= 3)
    return widths.most_common(1)[0][0] if widths else 0


def _split(text: str, separator: str, *, quotes: bool) -> list[Row]:
    unified, delimiter = fields.unify(text.encode(), separator)
    rows: list[Row] = []
    try:
        for line, row in fields.rows(unified, delimiter, quotes=quotes):
            if row:
                rows.append((line, row))
            if len(rows) == SAMPLE_LINES:
                break
    except InputError:
        pass  # The rows before the open quotation mark are enough.
    return rows


def _is_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    if any(fields.is_number(field.replace(",", ".")) for field in first):
        return may_be_matrix_header(first, body)
    named = named_columns(first)
    if len([role for role in ROLES if role in named]) >= 2:
        return True
    # Unknown names are a header if some column holds numbers below its name.
    same = [row for row in body if len(row) >= len(first)]
    if any(row[column] == name for row in same for column, name in enumerate(first) if name):
        return False  # A value that its column repeats is a user or an item.
    return any(
        name and profile([row[column] for row in same]).is_numeric
        for column, name in enumerate(first)
    )


def _with_row_names(first: list[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Return the header, with an empty name in front if R left the column of row names unnamed.

    Row names count up, or stand in front of a table of users by items, or shift the columns so
    that the one below the name of the rating holds no numbers.
    """
    width = len(first) + 1
    if len(first) < 3 or not body or any(len(row) != width for row in body):
        return first
    last, names = [row[-1] for row in body], [row[0] for row in body]
    count = len(body)
    if not any(last) or profile(last).time:
        return first
    has_row_names = counts_up(names) or (count < FEW_ROWS and names == _numbers(count))
    if not has_row_names and len(set(names)) == count and any(map(_is_text, first)):
        in_front = find_matrix(["", *first], body) is not None
        has_row_names = in_front or _rating_is_shifted(first, body)
    return ["", *first] if has_row_names else first


def _is_text(field: str) -> bool:
    return not fields.is_number(field)


def _rating_is_shifted(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Return whether the ratings stand one column to the right of the name for them."""
    columns = named_columns(first)
    if not all(role in columns for role in ROLES):
        return False
    column = columns["rating"][0]
    below, beside = (profile([row[place] for row in body]) for place in (column, column + 1))
    return beside.may_be_rating and not below.is_numeric


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def _find_decimal(ratings: Sequence[str]) -> str:
    return "," if any(fields.has_decimal_comma(rating) for rating in ratings) else "."
