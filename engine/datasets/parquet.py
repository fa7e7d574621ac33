"""Reads Parquet files. They carry names and types, so that nothing has to be guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from engine.datasets import fields
from engine.datasets.columns import Columns, tidy
from engine.datasets.limits import (
    GROWTH_CHECKED_ABOVE,
    MAX_COLUMNS,
    MAX_GROWTH,
    MAX_ID_CHARACTERS,
    MAX_RATINGS,
    MAX_TEXT_BYTES,
    SAMPLE_LINES,
)
from engine.datasets.matrix_form import find_matrix
from engine.datasets.report import LoadReport
from engine.datasets.roles import find_roles
from engine.datasets.sheet import Sheet
from engine.datasets.wording import listed, quoted
from engine.errors import InputError

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

BYTES_OF_A_RATING = 16


def read_parquet(
    data: bytes, file: str, columns: Mapping[str, str | int]
) -> tuple[Columns, LoadReport]:
    """Return the three columns of a Parquet file; rows count from 1.

    Raises:
        InputError: the file is damaged or too large, nothing tells which column is which, an id or
            rating is missing, or a rating is not a finite number.
    """
    try:
        return _read(data, file, columns)
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{quoted(file)} is a damaged or unusual Parquet file: write it again, or save the "
            "ratings as CSV."
        ) from None


def column_names(data: bytes) -> list[str]:
    """Return the names of the columns of a Parquet file.

    Raises what pyarrow does if the file is damaged: `ArrowException`, `OSError` or `ValueError`.
    """
    names: list[str] = _file(data).schema_arrow.names
    return names


def _file(data: bytes) -> ParquetFile:
    # It takes a sixtieth of a second, and most starts do not need it.
    from pyarrow.parquet import ParquetFile

    return ParquetFile(pa.BufferReader(data))


def _read(data: bytes, name: str, columns: Mapping[str, str | int]) -> tuple[Columns, LoadReport]:
    file = _file(data)
    meta = file.metadata
    # The index tells both numbers, so a file that is too large is refused before it is unpacked.
    if meta.num_rows > MAX_RATINGS:
        raise InputError(
            f"The file has {meta.num_rows:,} ratings, more than {MAX_RATINGS:,}: take a sample of "
            "its users."
        )
    if meta.num_rows * BYTES_OF_A_RATING > max(GROWTH_CHECKED_ABOVE, MAX_GROWTH * len(data)):
        raise InputError(
            f"{quoted(name)} unpacks to more than {MAX_GROWTH} times its size, as no ratings do."
        )
    size = sum(meta.row_group(group).total_byte_size for group in range(meta.num_row_groups))
    if size > MAX_TEXT_BYTES:
        raise InputError(
            f"The file unpacks to {size >> 20:,} MB, more than the {MAX_TEXT_BYTES >> 20} MB "
            "allowed: take a sample of its users."
        )
    header = tuple(file.schema_arrow.names)
    if not 3 <= len(header) <= MAX_COLUMNS:
        raise InputError(
            "The file needs three columns (user, item, rating), but it has "
            f"{listed([quoted(column) for column in header], 5) if header else 'none'}."
        )
    if meta.num_rows == 0:
        raise InputError("There are no ratings in the file.")
    rows = _first_rows(file)
    if not columns and find_matrix(header, rows):
        raise InputError(
            "The file is a table of users by items, a column for each, which is read from CSV "
            "only: save it so, or with a row for each rating."
        )
    sheet = Sheet.of(header, len(header), rows)
    roles, warnings = find_roles(sheet, columns)
    for column in roles.values():
        if header.count(header[column]) > 1:
            raise InputError(
                f"The file has {header.count(header[column])} columns named "
                f"{quoted(header[column])}: name them differently, or leave out all but one."
            )
    table = file.read(columns=sorted({header[column] for column in roles.values()}))
    users, user = _coded(table.column(header[roles["user"]]), "user")
    items, item = _coded(table.column(header[roles["item"]]), "item")
    value = _numbers(table.column(header[roles["rating"]]))
    report = LoadReport(
        file=name,
        encoding="Parquet",
        header=True,
        columns=sheet.role_names(roles),
        warnings=warnings,
    )
    return Columns(users, user, items, item, value), report


def _first_rows(file: ParquetFile) -> list[list[str]]:
    """Return the first rows as the text that a CSV file would have."""
    batch = next(file.iter_batches(batch_size=SAMPLE_LINES), None)
    if batch is None:
        return []
    columns = [
        ["" if value is None else str(value) for value in column.to_pylist()]
        for column in batch.columns
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _coded(column: Any, role: str) -> tuple[list[str], np.ndarray]:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_nested(column.type):
        raise InputError(f"The column of the {role} holds {column.type}, not text or numbers.")
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py() + 1
        raise InputError(f"Row {row} has no {role}.")
    if pa.types.is_floating(column.type) and (nothing := pc.is_nan(column)).to_numpy().any():
        raise InputError(f"Row {pc.index(nothing, True).as_py() + 1} has no {role}.")
    if pa.types.is_floating(column.type) and pc.all(pc.equal(pc.round(column), column)).as_py():
        column = column.cast(pa.int64())  # pandas makes 7.0 of 7 in a column with gaps.
    encoded = column.dictionary_encode().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    labels, number = tidy(encoded.dictionary.cast(pa.string()).to_pylist())
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    codes = codes if number is None else number[codes]
    if "" in labels:
        row = int(np.argmax(codes == labels.index(""))) + 1
        raise InputError(f"Row {row} has no {role}.")
    longest = max(map(len, labels))
    if longest > MAX_ID_CHARACTERS:
        raise InputError(
            f"A {role} has {longest:,} characters, more than {MAX_ID_CHARACTERS:,}: check which "
            "column was taken."
        )
    return labels, codes


def _numbers(column: Any) -> np.ndarray:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    number = pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal
    text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    if not text and not any(is_kind(column.type) for is_kind in number):
        raise InputError(f"The column of the rating holds {column.type}, not numbers.")
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py() + 1
        raise InputError(f"Row {row} has no rating.")
    try:
        value = np.array(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    except pa.ArrowInvalid:
        raise InputError("The column of the rating holds text that is not a number.") from None
    if not np.isfinite(value).all():
        rows = np.flatnonzero(~np.isfinite(value)) + 1
        raise fields.not_finite("row", rows.tolist())
    return value
