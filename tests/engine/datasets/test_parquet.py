from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.errors import InputError
from tests.engine.datasets.uploads import rows, upload

READ = [("7", "x", 3.0), ("8", "y", 4.5)]


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "columns",
    [
        {"userId": ["7", "8"], "movieId": ["x", "y"], "rating": [3, 4.5]},
        {"rating": [3, 4.5], "timestamp": [1, 2], "item": [" x", "y "], "user": [7, 8]},
        {"user": [7.0, 8.0], "item": ["x", "y"], "rating": ["3", "4.5"]},
        {"foo": [7, 8], "bar": ["x", "y"], "baz": pa.array([3, 4.5], pa.float32())},
        {
            "user": pa.array(["7", "8"]).dictionary_encode(),
            "item": pa.array(["x", "y"], pa.large_string()),
            "rating": pa.array([3, 4.5]).cast(pa.decimal128(4, 2)),
        },
    ],
)
def test_read_right(columns: dict[str, Any]) -> None:
    assert rows(upload(parquet(columns), "mine.parquet")) == READ


def test_many_row_groups_and_duplicates() -> None:
    columns = {"user": [1, 1, 2, 1], "item": [1, 2, 1, 1], "rating": [1, 2, 3, 4]}
    ratings = upload(parquet(columns, row_group_size=1))
    assert rows(ratings) == [("1", "2", 2.0), ("2", "1", 3.0), ("1", "1", 4.0)]
    assert ratings.report.duplicates == 1


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"user": [1], "item": [1]}, "needs three columns"),
        ({"user": [], "item": [], "rating": []}, "no ratings in the file"),
        ({"user": [1, None], "item": [1, 2], "rating": [1, 2]}, "Row 2 has no user"),
        ({"user": ["a", " "], "item": [1, 2], "rating": [1, 2]}, "Row 2 has no user"),
        ({"user": [1, 2], "item": [1, None], "rating": [1, 2]}, "Row 2 has no item"),
        ({"user": [1, 2], "item": [1, 2], "rating": [1, None]}, "Row 2 has no rating"),
        (
            {"user": [1, 2], "item": [1, 2], "rating": [1, np.nan]},
            "must be finite: row 2 does not",
        ),
        ({"user": [1], "item": [1], "rating": ["four"]}, "not a number"),
        ({"user": [1], "item": [1], "rating": [True]}, "holds bool, not numbers"),
        ({"user": [[1]], "item": [1], "rating": [1]}, "not text or numbers"),
        ({"user": ["a" * 2000], "item": [1], "rating": [1]}, "2,000 characters"),
        ({"a": [1], "b": [1], "item": [1], "rating": [1]}, "names no user column"),
    ],
)
def test_refused(columns: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        upload(parquet(columns))


def test_damaged() -> None:
    content = parquet({"user": [1], "item": [1], "rating": [1]})
    for end in (4, 20, len(content) - 5):
        with pytest.raises(InputError, match="damaged or unusual"):
            upload(content[:end])


def test_bytes_that_are_no_text_cannot_be_an_id() -> None:
    content = parquet({"user": [b"\xff"], "item": [1], "rating": [1]})
    with pytest.raises(InputError, match="damaged or unusual"):
        upload(content)


def test_a_small_file_of_endless_rows_is_refused() -> None:
    zeros = pa.array(np.zeros(8_000_000, dtype=np.int8))
    content = parquet({"user": zeros, "item": zeros, "rating": zeros})
    assert len(content) < 100_000
    with pytest.raises(InputError, match="200 times its size"):
        upload(content)
