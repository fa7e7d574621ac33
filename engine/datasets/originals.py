"""Two datasets of the paper in their published form, which is larger than their ratings.

LastFM has a line for each time somebody listened, Goodreads a line for each book on a shelf. Both
are read in blocks. Only what becomes a rating stays in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from engine.datasets.prepare import draw_users
from engine.datasets.ratings import Ratings
from engine.datasets.report import LoadReport
from engine.datasets.wording import printable, quoted
from engine.errors import InputError

_BLOCK_BYTES = 16 << 20
#: The columns of LastFM User Groups, which has no header.
_EVENT_COLUMNS = ("user", "artist", "album", "track", "timestamp")
#: The header of Goodreads; a rating of 0 says that there is none.
_SHELF_COLUMNS = ("user_id", "book_id", "is_read", "rating", "is_reviewed")

#: Reads a file, under a name and a title, with the number of users to draw, None for all.
Reader = Callable[[Path, str, str, int | None], Ratings]


def reader_of(path: Path) -> Reader | None:
    """Return what reads a file in one of the two forms; None for every other form.

    A file that cannot be opened has no form, either.
    """
    try:
        with pa.input_stream(str(path), compression="detect") as stream:
            first = stream.read(1000).split(b"\n")[0].decode("ascii", "replace").strip()
    except OSError:
        return None
    if tuple(first.split(",")) == _SHELF_COLUMNS:
        return read_shelves
    fields = first.split("\t")
    if len(fields) == len(_EVENT_COLUMNS) and all(field.isdigit() for field in fields):
        return read_events
    return None


def read_events(path: Path, name: str, title: str, sample_users: int | None = None) -> Ratings:
    """Return how often each user listened to each artist, ordered by user and artist.

    The published code counts them in the same way (Kowald et al. 2020). `counts_to_ratings` makes
    ratings of the counts. Raises `InputError` for a file that cannot be read.
    """
    pairs, counts = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    events = 0
    for user, artist in _blocks(path, ("user", "artist"), _EVENT_COLUMNS, "\t"):
        events += user.size
        in_block, their_counts = np.unique(_pairs(user, artist), return_counts=True)
        pairs, place = np.unique(np.concatenate((pairs, in_block)), return_inverse=True)
        counts = np.bincount(place, np.concatenate((counts, their_counts))).astype(np.int64)
    users, artists = (pairs >> np.uint64(32)).astype(np.int64), pairs & np.uint64(0xFFFFFFFF)
    report = _report(path, "tab", user="column 1", item="column 2", rating="number of lines")
    report = report.noting(f"{events:,} events were counted for each user and artist.")
    return _ratings(users, artists.astype(np.int64), counts, name, title, report)


def read_shelves(path: Path, name: str, title: str, sample_users: int | None = None) -> Ratings:
    """Return the ratings above 0, of `sample_users` users drawn at random if that is given.

    Raises `InputError` for a file that cannot be read.
    """
    columns = ("user_id", "rating")
    users = np.empty(0, dtype=np.int64)
    unrated = 0
    for user, rating in _blocks(path, columns, None, ","):
        unrated += int((rating == 0).sum())
        # The users of ratings are numbered in order of first appearance.
        in_block, first = np.unique(user[rating > 0], return_index=True)
        in_block = in_block[np.argsort(first)]
        users = np.concatenate((users, in_block[~np.isin(in_block, users)]))
    report = _report(path, "comma", user="user_id", item="book_id", rating="rating")
    report = report.noting(f"{unrated:,} books without a rating (0) were left out.")
    if sample_users is not None and sample_users < users.size:
        report = report.noting(f"{sample_users:,} of {users.size:,} users were drawn at random.")
        users = users[draw_users(np.arange(users.size), sample_users)]
    drawn = np.sort(users)
    parts = []
    for user, book, rating in _blocks(path, ("user_id", "book_id", "rating"), None, ","):
        rows = (rating > 0) & np.isin(user, drawn)
        parts.append((user[rows], book[rows], rating[rows]))
    user, book, rating = map(np.concatenate, zip(*parts, strict=True))
    return _ratings(user, book, rating, name, title, report)


def _blocks(
    path: Path, columns: tuple[str, ...], names: tuple[str, ...] | None, delimiter: str
) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield some columns of whole numbers, block by block, (rows,) int64 each."""
    try:
        with pa.input_stream(str(path), compression="detect") as stream:
            reader = pa.csv.open_csv(
                stream,
                read_options=pa.csv.ReadOptions(
                    column_names=list(names) if names else None, block_size=_BLOCK_BYTES
                ),
                parse_options=pa.csv.ParseOptions(delimiter=delimiter),
                convert_options=pa.csv.ConvertOptions(
                    include_columns=list(columns),
                    column_types=dict.fromkeys(columns, pa.int64()),
                ),
            )
            for batch in reader:
                yield tuple(column.to_numpy() for column in batch.columns)
    except (pa.ArrowException, ValueError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{quoted(printable(path.name))} cannot be read: {reason}.") from None


def _pairs(user: np.ndarray, item: np.ndarray) -> np.ndarray:
    """Return a number for each pair, ordered by user and item; both are below 2^32."""
    return (user.astype(np.uint64) << np.uint64(32)) | item.astype(np.uint64)


def _report(path: Path, separator: str, **columns: str) -> LoadReport:
    return LoadReport(
        file=printable(path.name),
        encoding="UTF-8",
        separator=separator,
        decimal="point",
        header=separator == "comma",
        columns=columns,
    )


def _ratings(
    user: np.ndarray,
    item: np.ndarray,
    value: np.ndarray,
    name: str,
    title: str,
    report: LoadReport,
) -> Ratings:
    if value.size == 0:
        raise InputError(f"{quoted(report.file or name)} holds no ratings.")
    users, user_codes = np.unique(user, return_inverse=True)
    items, item_codes = np.unique(item, return_inverse=True)
    labels = [list(map(str, numbers.tolist())) for numbers in (users, items)]
    return Ratings.from_codes(
        labels[0],
        user_codes,
        labels[1],
        item_codes,
        value,
        name=name,
        title=title,
        report=report,
    )
