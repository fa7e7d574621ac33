"""One entry of the store: named arrays in one file, written whole, checked when read.

Layout of the file, little-endian::

    8 bytes   magic, with the version of this layout
    4 bytes   CRC-32 of everything that follows
    4 bytes   length of the header
    header    JSON: the key, and name, dtype, shape and place of every array
    arrays    raw bytes in C order, each at a multiple of 64

Nothing is pickled, so a foreign file can be wrong but cannot run code.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

MAGIC = b"ARRAYS\x00\x01"
PREAMBLE = struct.Struct("<8sII")
CHECKED_FROM = 12
"""Bytes. The checksum begins here: it covers the length of the header, too."""

ALIGN = 64
"""Bytes. A cache line: arrays start where compiled kernels like them."""

MAP_FROM = 256 * 1024
"""Bytes. Entries at least this large are memory-mapped. Below it reading costs less than a tenth of
a millisecond, and the operating system limits the number of mappings a process may hold (Linux:
65,530)."""


class DamagedEntry(Exception):
    """The file is there, but it is not what was written under this key."""


class Entry(NamedTuple):
    """What was read, and the stamp of the file it was read from."""

    arrays: dict[str, np.ndarray]
    stamp: tuple[int, int, int]
    """Inode, size in bytes, time of writing in nanoseconds."""


def storable(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays as an entry gives them back: base class, C order, aligned, writeable.

    An array that is so already is returned itself, without a copy. Compiled kernels are specialized
    on exactly these properties, so results just computed and results read back run the same code.

    Raises:
        TypeError: for object and structured arrays, which have no raw bytes to keep.

    >>> read_only = np.arange(3); read_only.flags.writeable = False
    >>> storable({"x": read_only})["x"].flags.writeable
    True
    """
    result = {}
    for name, array in arrays.items():
        array = np.require(array, requirements=["C", "A", "W", "E"])
        if array.dtype.hasobject or array.dtype.names is not None:
            raise TypeError(
                f"Array {name!r} has dtype {array.dtype}; the store keeps plain dtypes only."
            )
        result[name] = array
    return result


def write_entry(file: BinaryIO, key: str, arrays: Mapping[str, np.ndarray]) -> int:
    """Write `storable` arrays as one entry; returns its size in bytes."""
    places: list[list[Any]] = []
    end = 0  # relative to the end of the header, whose length depends on these numbers
    for name, array in arrays.items():
        start = _aligned(end)
        places.append([name, array.dtype.str, array.shape, start])
        end = start + array.nbytes
    header = json.dumps({"key": key, "arrays": places}).encode()
    header += b" " * (_aligned(PREAMBLE.size + len(header)) - PREAMBLE.size - len(header))

    file.write(PREAMBLE.pack(MAGIC, 0, len(header)))
    checksum = zlib.crc32(header, zlib.crc32(struct.pack("<I", len(header))))
    file.write(header)
    written = 0
    for (_, _, _, start), array in zip(places, arrays.values(), strict=True):
        raw = array.reshape(-1).view(np.uint8) if array.nbytes else np.empty(0, np.uint8)
        for piece in (bytes(start - written), raw.data):
            checksum = zlib.crc32(piece, checksum)
            file.write(piece)
        written = start + array.nbytes
    file.seek(0)
    file.write(PREAMBLE.pack(MAGIC, checksum, len(header)))
    return PREAMBLE.size + len(header) + end


def read_entry(path: Path, key: str, trusted: tuple[int, ...] | None = None) -> Entry:
    """Read the entry of `key`.

    Args:
        path: the file.
        key: what it must have been written under.
        trusted: the `stamp` of an earlier reading. A large file that still bears it is mapped
            without reading it through again; a small one is always checked.

    Raises:
        FileNotFoundError: there is none.
        DamagedEntry: it is truncated, altered or something else.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
        if status.st_size < PREAMBLE.size:
            raise DamagedEntry("too short")
        buffer: bytearray | mmap.mmap
        if status.st_size < MAP_FROM:
            buffer = bytearray(file.read())
            trusted = None
        else:
            # Copy on write: the arrays are writeable, the file is not.
            buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    magic, checksum, length = PREAMBLE.unpack_from(buffer)
    if magic != MAGIC:
        raise DamagedEntry("not an entry of this version")
    if trusted != stamp:
        with memoryview(buffer) as view, view[CHECKED_FROM:] as body:
            if zlib.crc32(body) != checksum:
                raise DamagedEntry("the checksum does not fit")
    base = PREAMBLE.size + length
    header = json.loads(buffer[PREAMBLE.size : base])
    if header["key"] != key:
        raise DamagedEntry("written under another key")
    arrays = {
        name: np.ndarray(tuple(shape), np.dtype(dtype), buffer, base + start)
        for name, dtype, shape, start in header["arrays"]
    }
    return Entry(arrays, stamp)


def read_key(path: Path) -> str:
    """Return the key that an entry was written under, without reading its arrays.

    Raises:
        FileNotFoundError: there is none.
        DamagedEntry: it is no entry, or its header cannot be read.
    """
    with path.open("rb") as file:
        preamble = file.read(PREAMBLE.size)
        if len(preamble) < PREAMBLE.size:
            raise DamagedEntry("too short")
        magic, _, length = PREAMBLE.unpack(preamble)
        if magic != MAGIC:
            raise DamagedEntry("not an entry of this version")
        try:
            return str(json.loads(file.read(length))["key"])
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedEntry("its header cannot be read") from error


def _aligned(size: int) -> int:
    return -(-size // ALIGN) * ALIGN
