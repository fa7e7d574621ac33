"""The first lines of a file as it is, for whoever must say which column is what."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from engine.datasets.decoding import to_utf8
from engine.datasets.jester import is_jester
from engine.datasets.layout import find_table
from engine.datasets.opening import PARQUET, open_ratings
from engine.datasets.preamble import check_is_table, without_preamble
from engine.datasets.wording import plain, quoted
from engine.errors import InputError

ROWS = 8


@dataclass(frozen=True)
class Preview:
    """Names of the columns in their order, and the first rows below them as text.

    Where the file is a matrix of users by items there are no columns to choose from. Of Parquet
    only the names are looked at.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()


def preview(source: str | os.PathLike[str] | IO[bytes]) -> Preview:
    r"""Look at the first lines of a ratings file.

    Raises:
        InputError: as `load`, for what makes the file no table.

    >>> import io
    >>> preview(io.BytesIO(b"who;what;stars\na;x;3,5\n"))
    Preview(columns=('who', 'what', 'stars'), rows=(('a', 'x', '3,5'),))
    >>> preview(io.BytesIO(b"1\t2\t3\t9\n")).columns
    ('column 1', 'column 2', 'column 3', 'column 4')
    """
    opened = open_ratings(source)
    if opened.data.startswith(PARQUET):
        try:
            return Preview(_names(pq.read_schema(pa.BufferReader(opened.data)).names))
        except (pa.ArrowException, OSError, ValueError):
            raise InputError(f"{quoted(opened.name)} is a damaged Parquet file.") from None
    data, _ = to_utf8(opened.data)
    check_is_table(data)
    table = find_table(without_preamble(data)[0])
    if table.header is None and is_jester(table.body):
        return Preview(())
    names = table.header or [f"column {number}" for number in range(1, table.width + 1)]
    rows = tuple(
        tuple(plain(field) for field in (row + [""] * table.width)[: table.width])
        for row in table.body[:ROWS]
    )
    return Preview(_names(names), rows)


def _names(names: Sequence[str]) -> tuple[str, ...]:
    """Names fit to be shown, each once."""
    shown: list[str] = []
    for number, name in enumerate(names, start=1):
        name = plain(name, 60) or f"column {number}"
        shown.append(f"{name} (column {number})" if name in shown else name)
    return tuple(shown)
