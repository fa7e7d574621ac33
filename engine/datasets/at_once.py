"""The fast way to read a text: all at once, with Arrow. Whatever is odd is left to `line_by_line`.

Must agree with `line_by_line` on every text it accepts.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.csv

from engine.datasets.columns import Columns, tidy
from engine.datasets.fields import check_label
from engine.datasets.layout import Layout
from engine.errors import InputError

BLOCK_BYTES = 4 << 20


def read_at_once(data: bytes, delimiter: str, layout: Layout) -> Columns | None:
    """The columns of UTF-8 text, or None if anything in it is out of the ordinary."""
    if layout.decimal == "," and delimiter == ",":
        return None  # "1,234" may be a thousand: to be looked at one by one.
    if b' "' in data:
        return None  # The two ways differ about a quotation mark behind a space.
    start = _after_header(data, layout)
    names = [str(column) for column in range(layout.width)]
    user, item, rating = (names[c] for c in (layout.user, layout.item, layout.rating))
    label = pa.dictionary(pa.int32(), pa.string())
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(pa.py_buffer(memoryview(data)[start:])),
            read_options=pa.csv.ReadOptions(column_names=names, block_size=BLOCK_BYTES),
            parse_options=pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in data),
            convert_options=pa.csv.ConvertOptions(
                include_columns=[user, item, rating],
                column_types={user: label, item: label, rating: pa.float64()},
                null_values=[""],
                strings_can_be_null=False,
                decimal_point=layout.decimal,
            ),
        )
    except (pa.ArrowException, ValueError):
        return None
    if table.num_rows == 0 or table.column(rating).null_count:
        return None
    value = table.column(rating).to_numpy()
    if not np.isfinite(value).all():
        return None
    users, items = _coded(table.column(user)), _coded(table.column(item))
    if users is None or items is None:
        return None
    lines = _count_lines(data) - layout.header_line
    return Columns(*users, *items, value, max(0, lines - len(value)), layout.decimal)


def _after_header(data: bytes, layout: Layout) -> int:
    start = 0
    for _ in range(layout.header_line):
        match = re.compile(rb"\r\n|\n|\r").search(data, start)
        if match is None:
            return len(data)
        start = match.end()
    return start


def _count_lines(data: bytes) -> int:
    ends = data.count(b"\n") or data.count(b"\r")
    return ends + (not data.endswith((b"\n", b"\r")))


def _coded(column: pa.ChunkedArray) -> tuple[list[str], np.ndarray] | None:
    chunks = column.unify_dictionaries().chunks
    labels = chunks[-1].dictionary.to_pylist()
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in chunks])
    labels, number = tidy(labels)
    if not all(labels):
        return None
    try:
        for text in labels:
            check_label(text, "label", 0)
    except InputError:
        return None
    return labels, codes if number is None else number[codes]
