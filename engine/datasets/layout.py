"""What a text looks like: its separator, its header, and which column is what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.datasets import fields
from engine.datasets.jester import is_jester
from engine.datasets.limits import MAX_COLUMNS, SAMPLE_CHARACTERS, SAMPLE_LINES
from engine.datasets.naming import bare, roles_by_name
from engine.datasets.wording import listed, plain, quoted
from engine.errors import InputError

ROLES = ("user", "item", "rating")
# Seconds since 1970 as of 1973: no rating is so large, no timestamp of a rating so small.
EARLIEST_TIMESTAMP = 1e8

Row = tuple[int, list[str]]


@dataclass(frozen=True)
class Layout:
    """How the rows of a text are to be read. Columns count from 0, lines from 1."""

    separator: str
    width: int
    user: int
    item: int
    rating: int
    header: tuple[str, ...] | None = None
    header_line: int = 0
    decimal: str = "."
    is_jester: bool = False
    warnings: tuple[str, ...] = ()

    def column_names(self) -> dict[str, str]:
        """For the report: the column of each role, by name or number."""
        return {
            role: plain(self.header[column]) if self.header else f"column {column + 1}"
            for role, column in zip(ROLES, (self.user, self.item, self.rating), strict=True)
        }


@dataclass(frozen=True)
class Table:
    """The first rows of a text, before anyone says which column is what."""

    separator: str
    width: int
    header: tuple[str, ...] | None
    header_line: int
    body: list[list[str]]


def find_table(data: bytes) -> Table:
    r"""Find separator and header from the first lines of UTF-8 text.

    Raises:
        InputError: no ratings, or fewer than three columns.

    >>> find_table(b"a;b;c\n1;2;3\n").header
    ('a', 'b', 'c')
    """
    separator, rows = _find_separator(_sample(data))
    line, first = rows[0]
    header = tuple(first) if _is_header(first, [row for _, row in rows[1:]]) else None
    while header and not header[-1]:  # Spreadsheets leave separators behind that nothing follows.
        header = header[:-1]
    body = rows[1:] if header else rows
    if header and len(header) < 3:
        raise InputError(
            f"Line {line} ({quoted(', '.join(header))}) has fewer than three fields, but the lines "
            "below have more: leave it out, or name every column."
        )
    width = len(header) if header else _table_width(rows)
    if width > MAX_COLUMNS:
        raise InputError(f"The file has {width:,} columns where user, item and rating are needed.")
    return Table(separator, width, header, line if header else 0, [row for _, row in body])


def find_layout(data: bytes, columns: Mapping[str, str | int] | None = None) -> Layout:
    r"""Find separator, header and columns from the first lines of UTF-8 text.

    Args:
        columns: what the user said: "user", "item" or "rating" to a name or 1-based number.

    Raises:
        InputError: no ratings, fewer than three columns, or no telling which is which.

    >>> find_layout(b"stars;who;movie\n3,5;7;x\n", {"user": "who"}).column_names()
    {'user': 'who', 'item': 'movie', 'rating': 'stars'}
    """
    table = find_table(data)
    header, width, body = table.header, table.width, table.body
    line = table.header_line
    roles, warnings = find_roles(header, width, body, columns or {})
    if header and not roles_by_name(header):
        warnings += (f"Line {line} ({quoted(', '.join(header))}) was taken for the header.",)
    return Layout(
        separator=table.separator,
        width=width,
        header=header,
        header_line=line,
        decimal=_find_decimal([row[roles["rating"]] for row in body if len(row) == width]),
        is_jester=not header and not columns and is_jester(body),
        warnings=warnings,
        **roles,
    )


def _sample(data: bytes) -> str:
    start = data[:SAMPLE_CHARACTERS]
    if len(data) > len(start):
        # Whole lines only, and a number of bytes that does not cut a character in two.
        end = max(start.rfind(b"\n"), start.rfind(b"\r"))
        start = start[: end + 1] if end >= 0 else start
    return start.decode("utf-8", "ignore")


def _find_separator(text: str) -> tuple[str, list[Row]]:
    """The separator that splits most lines into the same number of fields, three or more."""
    # Only where that leads nowhere are quotation marks taken for a part of titles.
    for quotes in (True, False):
        found = [(separator, _split(text, separator, quotes=quotes)) for separator in fields.NAMES]
        shares = [_share_of_table(rows) for _, rows in found]
        if max(shares) > 0:
            return found[shares.index(max(shares))]
        if not any(rows for _, rows in found) and '"' not in text:
            raise InputError("There are no ratings in the file: it is empty.")
    raise InputError(
        "The file needs three columns (user, item, rating), but none of the separators tried "
        f"({listed(list(fields.NAMES.values()), 9)}) gives three."
    )


def _share_of_table(rows: list[Row]) -> float:
    """Which share of the rows has the most frequent number of fields, of three or more."""
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
        pass  # What came before the open quotation mark is enough to go on.
    return rows


def _is_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    if any(fields.is_number(field.replace(",", ".")) for field in first):
        return False
    found = roles_by_name(first)
    if len([role for role in ROLES if role in found]) >= 2:
        return True
    # Unknown names are a header if what stands below them in some column is numbers.
    same = [row for row in body if len(row) >= len(first)]
    if any(row[column] == name for row in same for column, name in enumerate(first) if name):
        return False  # What comes again in its column is a user or an item.
    return any(
        name and _mostly_numbers([row[column] for row in same]) for column, name in enumerate(first)
    )


def _mostly_numbers(column: Sequence[str]) -> bool:
    numbers = sum(fields.is_number(field.replace(",", ".")) for field in column)
    return numbers > len(column) / 2


def find_roles(
    header: tuple[str, ...] | None,
    width: int,
    body: Sequence[Sequence[str]],
    columns: Mapping[str, str | int],
) -> tuple[dict[str, int], tuple[str, ...]]:
    """The column of user, item and rating: as told, else by name, else by position.

    Returns warnings, too, about what was taken by position under a header.
    """
    roles = _roles_as_told(header, width, columns)
    by_name = roles_by_name(header) if header else {}
    for role, column in by_name.items():
        if role not in roles and column not in roles.values():
            roles[role] = column
    missing = [role for role in ROLES if role not in roles]
    if not missing:
        return {role: roles[role] for role in ROLES}, ()
    free = [column for column in range(width) if column not in roles.values()]
    named = header is not None and any(role in by_name for role in ROLES)
    if len(free) < len(missing) or (named and len(free) > len(missing)):
        raise InputError(
            f"The header ({quoted(', '.join(header or ()))}) names no "
            f"{' and no '.join(missing)} column: name one {quoted(missing[0])}, or choose the "
            "columns."
        )
    if header and named:
        # Some have their names, and exactly as many columns are left as roles.
        roles.update(zip(missing, free, strict=True))
        taken = [f"{quoted(header[roles[role]])} for the {role}" for role in missing]
        return {role: roles[role] for role in ROLES}, (f"Taken by position: {listed(taken)}.",)
    for role in ("user", "item"):
        if role in missing:
            roles[role] = free.pop(0)
    if "rating" in missing:
        roles["rating"] = next((c for c in free if _may_be_ratings(c, width, body)), free[0])
    return {role: roles[role] for role in ROLES}, ()


def _roles_as_told(
    header: tuple[str, ...] | None, width: int, columns: Mapping[str, str | int]
) -> dict[str, int]:
    roles: dict[str, int] = {}
    for role, column in columns.items():
        if role not in ROLES:
            raise InputError(f"A column is chosen for {listed(ROLES)}, not for {quoted(role)}.")
        names = [bare(name) for name in header or ()]
        if isinstance(column, str) and bare(column) in names:
            number = names.index(bare(column))
        elif str(column) in map(str, range(1, width + 1)):
            number = int(column) - 1
        else:
            known = listed([quoted(name) for name in header], 9) if header else f"1 to {width}"
            raise InputError(f"There is no column {quoted(str(column))}; there are {known}.")
        if number in roles.values():
            raise InputError(f"Column {quoted(str(column))} was chosen twice.")
        roles[role] = number
    return roles


def _may_be_ratings(column: int, width: int, body: Sequence[Sequence[str]]) -> bool:
    """Numbers, and not timestamps: those of MovieLens stand after the rating, of others before."""
    values = [row[column].replace(",", ".") for row in body if len(row) == width]
    numbers = [float(value) for value in values if fields.is_number(value)]
    return len(numbers) > len(values) / 2 and min(numbers) < EARLIEST_TIMESTAMP


def _find_decimal(ratings: Sequence[str]) -> str:
    return "," if any(fields.has_decimal_comma(rating) for rating in ratings) else "."
