"""Files made in memory, and what is read from them in a form that is easily compared."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from engine.datasets import Ratings, load

Row = tuple[str, str, float]


def upload(content: bytes | str, name: str = "mine.csv", **options: Any) -> Ratings:
    """Read bytes or text as an upload of that name."""
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = name
    return load(file, **options)


def rows(ratings: Ratings) -> list[Row]:
    """The ratings as (user, item, value), in order."""
    return [
        (ratings.users[u], ratings.items[i], float(value))
        for u, i, value in zip(ratings.user, ratings.item, ratings.value, strict=True)
    ]


def zipped(files: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def warnings(ratings: Ratings) -> str:
    """All warnings of a file."""
    return " ".join(map(str, ratings.report.warnings))
