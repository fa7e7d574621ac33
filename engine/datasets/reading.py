"""Any ratings file that people have, to `Ratings`: the way through the reading modules.

opening -> bytes of one file -> decoding -> UTF-8 -> layout -> at_once, else line_by_line -> Ratings
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import IO

from engine.datasets import fields
from engine.datasets.at_once import read_at_once
from engine.datasets.columns import Columns
from engine.datasets.decoding import to_utf8
from engine.datasets.jester import read_jester
from engine.datasets.layout import find_layout
from engine.datasets.limits import MAX_RATINGS, MAX_USERS
from engine.datasets.line_by_line import read_line_by_line
from engine.datasets.opening import PARQUET, Opened, open_ratings
from engine.datasets.parquet import read_parquet
from engine.datasets.preamble import check_is_table, without_preamble
from engine.datasets.ratings import Ratings
from engine.datasets.report import LoadReport
from engine.datasets.scale import Scale
from engine.datasets.titles import read_titles
from engine.datasets.wording import plain
from engine.errors import InputError

SUFFIXES = (".gz", ".zip", ".csv", ".tsv", ".dat", ".data", ".txt", ".inter", ".parquet")


def read(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    name: str | None = None,
    title: str | None = None,
    scale: Scale | None = None,
    columns: Mapping[str, str | int] | None = None,
) -> Ratings:
    r"""Read a ratings file: text in any common layout, packed or not, or Parquet.

    Args:
        source: a path, or a file object open for reading bytes.
        name: what to call the ratings; else the name of the file without its endings.
        scale: the scale of the ratings; else it is found from them.
        columns: "user", "item", "rating" to a column's name or 1-based number, where the
            names in the file do not say it.

    Raises:
        InputError: one sentence that says what is wrong and where.

    >>> import io
    >>> ratings = read(io.BytesIO(b"user;film;stars\nNA;x;3,5\n007;x;4,0\n"))
    >>> ratings.users.tolist(), ratings.value.tolist(), ratings.report.separator
    (['NA', '007'], [3.5, 4.0], 'semicolon')
    """
    opened = open_ratings(source)
    name = name or stem(opened.name)
    titles = read_titles(opened.titles, opened.titles_name) if opened.titles else None
    if opened.data.startswith(PARQUET):
        found, report = read_parquet(opened.data, opened.name, columns or {})
    else:
        found, report = _read_text(opened, columns)
    del opened  # The text is the largest thing in memory, and has served.
    if len(found.value) > MAX_RATINGS:
        raise InputError(
            f"The file has {len(found.value):,} ratings, more than {MAX_RATINGS:,}: "
            "take a sample of its users."
        )
    if len(found.user_labels) > MAX_USERS:
        raise InputError(
            f"The file has {len(found.user_labels):,} users, more than {MAX_USERS:,}: "
            "take a sample of them."
        )
    return Ratings.from_codes(
        found.user_labels,
        found.user,
        found.item_labels,
        found.item,
        found.value,
        name=name,
        title=title,
        scale=scale,
        report=report,
        item_titles=titles,
    )


def stem(name: str) -> str:
    """The name of a file without folders and endings.

    >>> stem("ml-1m.zip: ml-1m/ratings.dat"), stem("my.ratings.csv.gz")
    ('ml-1m', 'my.ratings')
    """
    path = PurePath(plain(name.split(": ")[0]))
    while path.suffix.lower() in SUFFIXES:
        path = path.with_suffix("")
    return path.name or "ratings"


def _read_text(
    opened: Opened, columns: Mapping[str, str | int] | None
) -> tuple[Columns, LoadReport]:
    data, encoding = to_utf8(opened.data)
    check_is_table(data)
    data, preamble = without_preamble(data)
    layout = find_layout(data, columns)
    data, delimiter = fields.unify(data, layout.separator)
    if layout.is_jester:
        found = read_jester(data, delimiter)
    else:
        found = read_at_once(data, delimiter, layout) or read_line_by_line(data, delimiter, layout)
    report = LoadReport(
        file=opened.name,
        encoding=encoding,
        separator=fields.NAMES[layout.separator],
        decimal={".": "point", ",": "comma"}[found.decimal],
        header=layout.header is not None,
        columns={} if layout.is_jester else layout.column_names(),
        blank_lines=max(0, found.blank_lines - len(preamble)),
        notes=preamble + found.notes,
        warnings=layout.warnings,
    )
    if encoding in ("Latin-1", "Windows-1252"):
        report = report.warning(f"The file is not UTF-8: it was read as {encoding}.")
    if layout.header is None and _counts_up(found):
        report = report.warning(
            f"Each user has one rating, and {report.columns['user']} counts up: is it the number "
            "of the row? Choose the columns, or name them in a header."
        )
    return found, report


def _counts_up(found: Columns) -> bool:
    labels = found.user_labels
    count = len(labels)
    return count == len(found.value) > 2 and (labels[0], labels[-1]) in (
        ("0", str(count - 1)),
        ("1", str(count)),
    )
