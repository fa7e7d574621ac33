"""The keyed store on disk: get or compute.

Why not `joblib.Memory`, which was the first candidate (read and tried at version 1.6)? With
memory-mapping on, a result that cannot be written, say on a full disk, is lost: the call reads back
what it failed to write and raises. A damaged entry is reported with a traceback, and changed bytes
inside an array are not noticed at all. The size is bounded only on request, by a walk over the
whole folder, in the order of access times, which most systems record once a day. Arrays come as
`numpy.memmap`, and keys are the source text and arguments of a function.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import platformdirs

from cache import entry

Key = Mapping[str, str | int | float | bool | tuple[Any, ...] | None]

MAX_BYTES = 8 * 10**9
"""Default bound of the store: room for the neighborhoods of a few complete runs on a million
ratings (1,000,000 queries, 30 neighbors each, take some hundred megabytes a strategy), and a small
part of a laptop's disk."""

EVICT_TO = 0.9
"""Share of the bound that is kept once the entries pass it. The rest is room for new entries until
the next look.
"""

LOOK_EVERY = 0.125
"""Share of the bound a process writes before it looks again at what other processes added."""

ABANDONED_AFTER = 3600.0
"""Seconds after which a file that never became an entry belongs to a process that was stopped."""

SUFFIX = ".arrays"
UNFINISHED = ".unfinished"


class StoreWarning(UserWarning):
    """An entry could not be saved or reused; the result is right all the same."""


class Store:
    """Results of long computations, kept on disk under a key.

    An entry is one file. It is written beside its place and renamed into it, so it is there whole
    or not at all, also when several processes want the same one: each computes it, and the last to
    finish leaves its file. Threads of one process compute an entry once; the others wait. Entries
    used least recently go first when the store passes its bound.

    Args:
        folder: where; by default the environment's `REUSEKNN_CACHE_DIR`, else the user's cache
            folder.
        max_bytes: bound of all entries together. The entry just written stays even if it alone is
            larger.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = Store(Path(folder.name))
    >>> key = {"what": "squares", "n": 4}
    >>> store.contains(key)
    False
    >>> store.get_or_compute(key, lambda: {"squares": np.arange(4) ** 2})["squares"]
    array([0, 1, 4, 9])
    >>> store.get_or_compute(key, lambda: 1 / 0)["squares"]
    array([0, 1, 4, 9])
    >>> folder.cleanup()
    """

    def __init__(self, folder: Path | None = None, max_bytes: int = MAX_BYTES) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()
        self.max_bytes = max_bytes
        self._stamps: dict[Path, tuple[int, ...]] = {}
        self._computing: WeakValueDictionary[Path, threading.RLock] = WeakValueDictionary()
        self._lock = threading.Lock()  # guards the two above and the number below
        self._write_before_look = 0.0  # bytes; the first entry written looks at the folder

    def get_or_compute(
        self, key: Key, compute: Callable[[], dict[str, np.ndarray]]
    ) -> dict[str, np.ndarray]:
        """Return the arrays kept under `key`, or compute, keep and return them.

        The arrays are of the base class, in C order and writeable, whether computed or read. Large
        ones are memory-mapped; writing to them changes neither the file nor what others see.

        Args:
            key: everything the result depends on, version included. 1, 1.0 and True are different.
            compute: called without arguments, at most once. What it raises passes through and
                nothing is kept.

        Raises:
            TypeError: an array has an object or structured dtype, or the key a value that is none
                of those named.

        Warns:
            StoreWarning: the entry is damaged and computed again, or the folder cannot be read or
                written.
        """
        text = _text(key)
        path = self._path(text)
        arrays = self._read(path, text)
        if arrays is not None:
            return arrays
        with self._lock:
            computing = self._computing.setdefault(path, threading.RLock())
        with computing:
            arrays = self._read(path, text)  # another thread may have computed it meanwhile
            if arrays is None:
                arrays = entry.storable(compute())
                self._write(path, text, arrays)
            return arrays

    def contains(self, key: Key) -> bool:
        """Return whether there is an entry. It is not opened, so a damaged one counts."""
        try:
            return self._path(_text(key)).exists()
        except OSError:  # no permission: reading will say so
            return False

    def remove(self, **parts: str | int | float | bool) -> int:
        """Remove all entries whose key has these parts; return how many.

        An entry that cannot be read belongs to nobody and stays: it is computed again when somebody
        wants it. What another process writes meanwhile may stay, too.

        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> store = Store(Path(folder.name))
        >>> for fold in (0, 1):
        ...     _ = store.get_or_compute({"ratings": "a", "fold": fold}, lambda: {"x": np.ones(1)})
        >>> store.remove(ratings="a"), store.contains({"ratings": "a", "fold": 0})
        (2, False)
        >>> folder.cleanup()
        """
        removed = 0
        for path in list(self.folder.glob(f"*{SUFFIX}")):
            try:
                key = json.loads(entry.read_key(path))
                if all(key.get(name) == value for name, value in parts.items()):
                    path.unlink(missing_ok=True)
                    self._stamps.pop(path, None)
                    removed += 1
            except (OSError, entry.DamagedEntry, ValueError):
                continue
        return removed

    def _path(self, text: str) -> Path:
        return self.folder / (hashlib.sha256(text.encode()).hexdigest()[:40] + SUFFIX)

    def _read(self, path: Path, text: str) -> dict[str, np.ndarray] | None:
        try:
            stored = entry.read_entry(path, text, self._stamps.get(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except entry.DamagedEntry as error:
            _warn(f"The cache entry {path.name} is damaged ({error}); it is computed again.")
            with contextlib.suppress(OSError):
                path.unlink()  # so that it is reported once
            return None
        except OSError as error:
            _warn(
                f"The cache entry {path.name} cannot be read ({_reason(error)}); "
                "it is computed again."
            )
            return None
        _, size, written = stored.stamp
        if size >= entry.MAP_FROM:
            with self._lock:
                self._stamps[path] = stored.stamp
        with contextlib.suppress(OSError):
            # The time of access orders the entries by use. Set by hand, because most systems record
            # it once a day or never. The time of writing is part of the stamp and stays.
            os.utime(path, ns=(time.time_ns(), written))
        return stored.arrays

    def _write(self, path: Path, text: str, arrays: dict[str, np.ndarray]) -> None:
        unfinished = self.folder / f"{uuid.uuid4().hex}{UNFINISHED}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                with unfinished.open("xb") as file:
                    size = entry.write_entry(file, text, arrays)
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
        except OSError as error:
            _warn(
                f"Results are not saved: the cache folder {self.folder} cannot be written "
                f"({_reason(error)})."
            )
            return
        with self._lock:
            self._write_before_look -= size
            if self._write_before_look < 0:
                self._write_before_look = self._look(path)

    def _look(self, just_written: Path) -> float:
        """Bring the folder within its bound; return how many bytes may come before the next."""
        total = 0
        entries = []
        now = time.time()
        with contextlib.suppress(OSError), os.scandir(self.folder) as listing:
            for item in listing:
                with contextlib.suppress(OSError):  # another process may have removed it
                    if item.name.endswith(SUFFIX):
                        status = item.stat()
                        total += status.st_size
                        entries.append((status.st_atime_ns, status.st_size, Path(item.path)))
                    elif (
                        item.name.endswith(UNFINISHED)
                        and now - item.stat().st_mtime > ABANDONED_AFTER
                    ):
                        os.unlink(item.path)
        if total > self.max_bytes:
            for _, size, path in sorted(entries):
                if total <= EVICT_TO * self.max_bytes:
                    break
                if path == just_written:
                    continue
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
                    self._stamps.pop(path, None)
                    total -= size
        return max(0.0, min(self.max_bytes - total, LOOK_EVERY * self.max_bytes))


def default_folder() -> Path:
    """`REUSEKNN_CACHE_DIR`, if set and not empty, else the user's cache folder for this program."""
    chosen = os.environ.get("REUSEKNN_CACHE_DIR", "").strip()
    if not chosen:
        return Path(platformdirs.user_cache_dir("reuseknn"))
    return Path(os.path.expanduser(chosen))  # "~" with an unknown user stays as it is


def _text(key: Key) -> str:
    """Return the key as text, in any order of its parts; NumPy's numbers count as Python's."""

    def number(value: object) -> object:
        if isinstance(value, np.generic):
            return value.item()
        raise TypeError(
            f"A key is made of texts, numbers, None and tuples of them, not of {value!r}."
        )

    return json.dumps(dict(key), sort_keys=True, default=number)


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _warn(message: str) -> None:
    warnings.warn(message, StoreWarning, stacklevel=4)
