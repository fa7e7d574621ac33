"""Makes `Ratings` from a file of any layout. The data go through these modules:

opening -> bytes of one file -> decoding -> UTF-8 -> layout -> at_once, else line_by_line -> Ratings
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import IO

from engine.datasets import fields
from engine.datasets.at_once import read_at_once
from engine.datasets.columns import Columns
from engine.datasets.decoding import to_utf8
from engine.datasets.formats import check_is_table
from engine.datasets.layout import Layout, find_layout
from engine.datasets.limits import MAX_RATINGS, MAX_USERS
from engine.datasets.line_by_line import read_line_by_line
from engine.datasets.matrix import read_matrix
from engine.datasets.naming import named_columns
from engine.datasets.opening import PARQUET, Opened, open_ratings
from engine.datasets.parquet import read_parquet
from engine.datasets.preamble import without_preamble
from engine.datasets.profiles import counts_up
from engine.datasets.ratings import Ratings
from engine.datasets.remedies import Advice, ChooseColumns
from engine.datasets.report import LoadReport
from engine.datasets.titles import read_titles
from engine.datasets.wording import printable
from engine.errors import InputError

# In a list of at most so many users it is no wonder if each rated only one item.
SHORT_LIST = 9
SUFFIXES = (".gz", ".zip", ".csv", ".tsv", ".dat", ".data", ".txt", ".inter", ".parquet")


def read_ratings(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    name: str | None = None,
    title: str | None = None,
    columns: Mapping[str, str | int] | None = None,
    has_header: bool | None = None,
) -> Ratings:
    r"""Read a ratings file: text in any common layout, packed or not, or Parquet.

    Args:
        source: a path, or a file object open for reading bytes.
        name: the name of the ratings, by default that of the file without its endings.
        columns: "user", "item", "rating" to a column's name or 1-based number, if the names in
            the file do not tell.
        has_header: whether the first line names the columns; None means that the file tells.

    Raises:
        InputError: the file cannot be read; one sentence says what is wrong and where.

    >>> import io
    >>> ratings = read_ratings(io.BytesIO(b"user;film;stars\nNA;x;3,5\n007;x;4,0\n"))
    >>> ratings.users.tolist(), ratings.value.tolist(), ratings.report.separator
    (['NA', '007'], [3.5, 4.0], 'semicolon')
    """
    opened = open_ratings(source)
    name = name or stem(opened.name)
    titles = read_titles(opened.titles, opened.titles_name) if opened.titles else None
    if opened.data.startswith(PARQUET):
        rating_columns, report = read_parquet(opened.data, opened.name, columns or {})
    else:
        rating_columns, report = _read_text(opened, columns, has_header)
    report = replace(report, member=opened.member)
    del opened  # The text is the largest thing in memory, and is needed no more.
    if len(rating_columns.value) > MAX_RATINGS:
        raise InputError(
            f"The file has {len(rating_columns.value):,} ratings, more than {MAX_RATINGS:,}: "
            "take a sample of its users."
        )
    if len(rating_columns.user_labels) > MAX_USERS:
        raise InputError(
            f"The file has {len(rating_columns.user_labels):,} users, more than {MAX_USERS:,}: "
            "take a sample of them."
        )
    return Ratings.from_codes(
        rating_columns.user_labels,
        rating_columns.user,
        rating_columns.item_labels,
        rating_columns.item,
        rating_columns.value,
        name=name,
        title=title,
        report=report,
        item_titles=titles,
    )


def stem(name: str) -> str:
    """Return the name of a file without folders and endings.

    >>> stem("ml-1m.zip"), stem("my.ratings.csv.gz")
    ('ml-1m', 'my.ratings')
    """
    path = PurePath(printable(name))
    while path.suffix.lower() in SUFFIXES:
        path = path.with_suffix("")
    return path.name or "ratings"


def _read_text(
    opened: Opened, columns: Mapping[str, str | int] | None, has_header: bool | None
) -> tuple[Columns, LoadReport]:
    data, encoding = to_utf8(opened.data)
    check_is_table(data)
    data, preamble = without_preamble(data)
    layout = find_layout(data, columns, has_header)
    data, delimiter = fields.unify(data, layout.separator)
    if layout.matrix:
        rating_columns = read_matrix(data, delimiter, layout)
    else:
        rating_columns = read_at_once(data, delimiter, layout) or read_line_by_line(
            data, delimiter, layout
        )
    report = LoadReport(
        file=opened.name,
        encoding=encoding,
        separator=fields.NAMES[layout.separator],
        decimal={".": "point", ",": "comma"}[rating_columns.decimal],
        header=layout.header is not None,
        columns=layout.names,
        blank_lines=max(0, rating_columns.blank_lines - len(preamble)),
        notes=preamble + rating_columns.notes,
        warnings=layout.warnings + rating_columns.warnings,
    )
    if not encoding.startswith("UTF"):
        report = report.warning(f"The file is not UTF-8: it was read as {encoding}.")
    if not layout.matrix and not _names_users(layout) and _all_differ(rating_columns):
        finding = (
            f"Each user has one rating: is {report.columns['user']} the number of the row, or of "
            "the rating? If so, "
        )
        report = report.warning(Advice(finding, ChooseColumns()))
    return rating_columns, report


def _names_users(layout: Layout) -> bool:
    return "user" in named_columns([layout.names["user"]])


def _all_differ(rating_columns: Columns) -> bool:
    """Return whether no user comes twice, and this looks wrong.

    It does if the users are numbers that count up, or more than a short list has.
    """
    labels = rating_columns.user_labels
    if len(labels) < len(rating_columns.value):
        return False
    return len(labels) > SHORT_LIST or counts_up(labels)
