"""The first lines of a file, for those who must say what its columns hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

import pyarrow as pa

from engine.datasets.decoding import to_utf8
from engine.datasets.formats import check_is_table
from engine.datasets.layout import find_table
from engine.datasets.opening import PARQUET, open_ratings
from engine.datasets.parquet import column_names
from engine.datasets.preamble import without_preamble
from engine.datasets.wording import printable, quoted
from engine.errors import InputError

ROWS = 8


@dataclass(frozen=True)
class Preview:
    """Names of the columns in their order, and the first rows below them as text.

    A matrix of users by items has no columns to choose from. Of a Parquet file only the names are
    read.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()


def preview(source: str | os.PathLike[str] | IO[bytes], has_header: bool | None = None) -> Preview:
    r"""Return the first lines of a ratings file as they are.

    Args:
        source: a path, or a file object open for reading bytes.
        has_header: whether the first line names the columns; None means that the text tells.

    Raises:
        InputError: the file is no table; `load` raises the same.

    >>> import io
    >>> preview(io.BytesIO(b"who;what;stars\na;x;3,5\n"))
    Preview(columns=('who', 'what', 'stars'), rows=(('a', 'x', '3,5'),))
    >>> preview(io.BytesIO(b"1\t2\t3\t9\n")).columns
    ('column 1', 'column 2', 'column 3', 'column 4')
    """
    opened = open_ratings(source)
    if opened.data.startswith(PARQUET):
        try:
            return Preview(_names(column_names(opened.data)))
        except (pa.ArrowException, OSError, ValueError):
            raise InputError(f"{quoted(opened.name)} is a damaged Parquet file.") from None
    data, _ = to_utf8(opened.data)
    check_is_table(data)
    table = find_table(without_preamble(data)[0], has_header)
    if table.matrix:
        return Preview(())
    names = table.header or [f"column {number}" for number in range(1, table.width + 1)]
    rows = tuple(
        tuple(printable(field) for field in (row + [""] * table.width)[: table.width])
        for row in table.body[:ROWS]
    )
    return Preview(_names(names), rows)


def _names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names fit to be shown, each once."""
    unique_names: list[str] = []
    for number, name in enumerate(names, start=1):
        name = printable(name, 60) or f"column {number}"
        unique_names.append(f"{name} (column {number})" if name in unique_names else name)
    return tuple(unique_names)
