"""From a path, an upload or an archive to the bytes of one ratings file.

Archives are read as streams, never unpacked to disk, and never beyond the named limits.
"""

from __future__ import annotations

import gzip
import io
import os
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from engine.datasets.formats import HEAD_BYTES, check_is_readable
from engine.datasets.limits import GROWTH_CHECKED_ABOVE, MAX_GROWTH, MAX_TEXT_BYTES
from engine.datasets.wording import printable, quoted
from engine.errors import InputError

# In archives with more than ratings these names tell the file of the ratings.
RATING_FILES = ("ratings.dat", "u.data", "ratings.csv")
TITLE_FILES = ("movies.dat", "u.item", "movies.csv")
TABLE_SUFFIXES = (".csv", ".tsv", ".dat", ".data", ".inter", ".parquet")
TEXT_SUFFIXES = (".txt", "")
NOT_RATINGS = ("readme", "license", "licence", "copying", "notice", "checksums", "md5sum")

ZIP, GZIP, PARQUET = b"PK\x03\x04", b"\x1f\x8b", b"PAR1"
OFFICE_PARTS = {"[content_types].xml", "content.xml"}  # Microsoft's, and OpenDocument's
BLOCK = 1 << 20
# zipfile raises these, depending on where an archive is damaged.
ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(ValueError, RuntimeError, LookupError, OverflowError),
)


@dataclass(frozen=True)
class Opened:
    """The content of a ratings file, its name, and the file with its items' titles.

    `member` is the path of what was read in an archive.
    """

    data: bytes
    name: str
    titles: bytes | None = None
    titles_name: str = ""
    member: str = ""


def open_ratings(source: str | os.PathLike[str] | IO[bytes]) -> Opened:
    """Read the one ratings file in a plain file, a .gz or a .zip, in memory.

    The first bytes tell what a file is: its name may be wrong.

    Raises:
        InputError: there is no file, it cannot be read, or it is an archive that is damaged, is
            encrypted, has several rating files, climbs out of its folder, or unpacks to too much.
    """
    is_path = isinstance(source, (str, os.PathLike))
    if not is_path and not hasattr(source, "read"):
        raise InputError(f"A path or an open file is needed, not {source!r}.")
    called = str(source if is_path else getattr(source, "name", "upload"))
    name = printable(Path(called).name)
    try:
        if isinstance(source, (str, os.PathLike)):
            return _open_path(Path(source), name)
        return _open(source, name)
    except FileNotFoundError:
        raise InputError(f"There is no file {quoted(called)}.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{quoted(called)} cannot be read: {reason}.") from None


def _open_path(path: Path, name: str) -> Opened:
    if path.is_dir():
        raise InputError(f"{quoted(path.resolve().name)} is a folder: name the file in it.")
    if path.is_char_device() or path.is_block_device():
        raise InputError(f"{quoted(str(path))} is a device, not a file of ratings.")
    with path.open("rb") as file:
        return _open(file, name)


def _open(file: IO[bytes], name: str) -> Opened:
    if not file.seekable():
        file = io.BytesIO(_bounded(file, name, packed=None))
    file.seek(0)
    start = file.read(HEAD_BYTES)
    if not isinstance(start, bytes):
        raise InputError(f"{quoted(name)} must be opened for reading bytes, not text.")
    file.seek(0)
    if start.startswith(ZIP):
        return _open_zip(file, name)
    return Opened(_unpacked(file, start, name, _size(file)), name)


def _size(file: IO[bytes]) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


def _unpacked(file: IO[bytes], start: bytes, name: str, size: int) -> bytes:
    """Return the bytes of a file that is no archive, through gzip if it is packed so."""
    check_is_readable(start, name)
    if not start.startswith(GZIP):
        # A file that is not packed is read in one piece: that saves a copy.
        return _bounded(file, name, packed=None, block_bytes=min(size, MAX_TEXT_BYTES) + 1)
    try:
        data = _bounded(cast(IO[bytes], gzip.GzipFile(fileobj=file)), name, packed=size)
    except (EOFError, gzip.BadGzipFile, zlib.error, OSError):
        raise InputError(
            f"{quoted(name)} is a damaged or incomplete .gz file: get it again."
        ) from None
    if data.startswith((GZIP, ZIP)):
        raise InputError(f"{quoted(name)} is packed twice: unpack it once.")
    check_is_readable(data[:HEAD_BYTES], name)
    return data


def _bounded(file: IO[bytes], name: str, packed: int | None, block_bytes: int = BLOCK) -> bytes:
    """Return all of a stream; raise InputError as soon as it passes what is allowed."""
    blocks, size = [], 0
    while block := file.read(block_bytes):
        blocks.append(block)
        size += len(block)
        if size > MAX_TEXT_BYTES:
            raise InputError(
                f"{quoted(name)} holds more than {MAX_TEXT_BYTES >> 20} MB of text: "
                "take a sample of its users."
            )
        if packed is not None and size > max(GROWTH_CHECKED_ABOVE, MAX_GROWTH * packed):
            raise InputError(
                f"{quoted(name)} unpacks to more than {MAX_GROWTH} times its size, as no ratings "
                "do: unpack it yourself if you trust it."
            )
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def _open_zip(file: IO[bytes], name: str) -> Opened:
    try:
        with zipfile.ZipFile(file) as archive:
            members = _members(archive, name)
            chosen = _ratings_member(members, name)
            data = _member_bytes(archive, chosen, name)
            titles = _titles_member(members, chosen)
            return Opened(
                data,
                name,
                _member_bytes(archive, titles, name) if titles else None,
                PurePosixPath(titles.filename).name if titles else "",
                printable(chosen.filename),
            )
    except InputError:
        raise
    except ZIP_ERRORS:
        raise InputError(
            f"{quoted(name)} is a damaged or incomplete .zip file: get it again."
        ) from None


def _members(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    """Return the archive's files without those of operating systems; raise if one climbs out."""
    members = []
    for member in archive.infolist():
        path = member.orig_filename.replace("\\", "/")
        parts = path.split("/")
        if path.startswith("/") or ".." in parts or ":" in parts[0] or "\0" in path:
            raise InputError(
                f"{quoted(name)} is refused: its entry {quoted(member.orig_filename)} would lie "
                "outside of the archive's folder."
            )
        if member.is_dir() or "__MACOSX" in parts or parts[-1].startswith("."):
            continue
        members.append(member)
    return members


def _ratings_member(members: list[zipfile.ZipInfo], name: str) -> zipfile.ZipInfo:
    names = {id(member): PurePosixPath(member.filename).name.lower() for member in members}
    if OFFICE_PARTS & set(names.values()):
        raise InputError(f"{quoted(name)} is an office document: save the sheet as CSV.")
    if members and all(known.endswith(".npy") for known in names.values()):
        raise InputError(f"{quoted(name)} is a NumPy archive: save the ratings as CSV or Parquet.")
    groups = [
        *([m for m in members if names[id(m)] == known] for known in RATING_FILES),
        [m for m in members if _suffix(names[id(m)]) in TABLE_SUFFIXES],
        [
            m
            for m in members
            if _suffix(names[id(m)]) in TEXT_SUFFIXES and not names[id(m)].startswith(NOT_RATINGS)
        ],
    ]
    for group in groups:
        if len(group) == 1:
            return group[0]
        if group:
            candidates = ", ".join(quoted(m.filename) for m in group[:5])
            raise InputError(
                f"{quoted(name)} holds {len(group)} files that could be the ratings "
                f"({candidates}): keep one of them."
            )
    raise InputError(
        f"{quoted(name)} holds no ratings file: one named {', '.join(RATING_FILES)}, or a single "
        f"file ending in {', '.join(TABLE_SUFFIXES)} or .txt."
    )


def _suffix(name: str) -> str:
    return PurePosixPath(name.removesuffix(".gz")).suffix


def _titles_member(
    members: list[zipfile.ZipInfo], ratings: zipfile.ZipInfo
) -> zipfile.ZipInfo | None:
    folder = PurePosixPath(ratings.filename).parent
    for member in members:
        path = PurePosixPath(member.filename)
        if path.parent == folder and (
            path.name.lower() in TITLE_FILES
            or (path.suffix == ".item" and ratings.filename.endswith(".inter"))
        ):
            return member
    return None


def _member_bytes(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> bytes:
    label = f"{name}: {printable(member.filename)}"
    if member.flag_bits & 0x1:
        raise InputError(f"{quoted(name)} is protected by a password: pack it without one.")
    # Data of other methods can grow a million-fold within a block, before anything can check.
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{quoted(name)} is packed in an unusual way: pack it as a plain .zip.")
    if member.file_size > MAX_TEXT_BYTES:
        raise InputError(
            f"{quoted(label)} unpacks to {member.file_size >> 20:,} MB, more than the "
            f"{MAX_TEXT_BYTES >> 20} MB allowed: take a sample of its users."
        )
    with archive.open(member) as file:
        data = _bounded(file, label, packed=member.compress_size)
    if data.startswith(ZIP):
        raise InputError(f"{quoted(label)} is packed twice: unpack it once.")
    return _unpacked(io.BytesIO(data), data[:HEAD_BYTES], label, len(data))
