"""Where a text goes: the screen, a file, or whatever else the name of a file stands for."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from pathlib import Path

from engine.errors import InputError

_DESCRIPTOR = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/(self|\d+)/fd/\d+")
_STANDARD = {"stdout": 1, "stderr": 2}


class OutputError(InputError):
    """The result cannot be written."""


def check_destination(out: Path | None, source: str | None = None) -> None:
    """Raise `InputError` before any work if `out` has no place, or would replace the source.

    >>> check_destination(Path("no-such-folder/rows.csv"))
    Traceback (most recent call last):
    ...
    engine.errors.InputError: no-such-folder/rows.csv cannot be written: there is no folder ...
    """
    if out is None or _descriptor(out) is not None:
        return
    try:
        if not out.name or out.is_dir():
            raise InputError(f"{out} is a folder: name a file to write.")
        target = out.resolve()
        exists = target.exists()
        if exists and not target.is_file():
            return  # A pipe or a device. Opening a pipe would wait for its reader.
        if not target.parent.is_dir():
            raise InputError(f"{out} cannot be written: there is no folder {target.parent}.")
        if source is not None and exists and Path(source).exists() and target.samefile(source):
            raise InputError(f"{out} holds the ratings: write the results to another file.")
        _try(target, exists)
    except (OSError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
        raise InputError(f"{out} cannot be written: {_reason(error)}.") from None


def write_text(text: str, out: Path | None, encoding: str = "utf-8") -> None:
    """Write a text to the screen, or to what `out` stands for.

    A link is followed. A file appears whole or not at all. What is no ordinary file, or has several
    names, is written directly.

    Raises:
        OutputError: it cannot be written.
        BrokenPipeError: whoever read the output has gone.
    """
    try:
        if out is None:
            _write_to_screen(text)
        elif (descriptor := _descriptor(out)) is not None:
            if sys.stdout is not None:
                sys.stdout.flush()  # Earlier output comes first.
            with os.fdopen(os.dup(descriptor), "w", encoding=encoding) as file:
                file.write(text)
        else:
            _write_to_file(text.encode(encoding), out.resolve())
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as error:
        name = "The output" if out is None else str(out)
        raise OutputError(f"{name} cannot be written: {_reason(error)}.") from None


def _write_to_screen(text: str) -> None:
    if sys.stdout is None:  # The shell has closed the output: `>&-`
        raise OutputError("The output cannot be written: it is closed.")
    sys.stdout.write(text)
    sys.stdout.flush()


def _write_to_file(content: bytes, target: Path) -> None:
    if _is_written_directly(target):
        target.write_bytes(content)
        return
    try:
        file = _temporary_beside(target)
    except OSError:
        if not target.exists():
            raise
        target.write_bytes(content)  # The folder is closed, the file is not.
        return
    temporary = Path(file.name)
    try:
        with file:
            file.write(content)
        _take_over_permissions(temporary, target)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _descriptor(out: Path) -> int | None:
    """The number of an open file that a path names, as /dev/stdout names 1; else None."""
    name = os.path.normpath(out.absolute())
    if not _DESCRIPTOR.fullmatch(name):
        return None
    last = name.rpartition("/")[2]
    return _STANDARD[last] if last in _STANDARD else int(last)


def _is_written_directly(target: Path) -> bool:
    """Whether replacing it would put a file where a device, a pipe or another name was."""
    return target.exists() and (not target.is_file() or target.stat().st_nlink > 1)


def _temporary_beside(target: Path) -> tempfile._TemporaryFileWrapper[bytes]:
    return tempfile.NamedTemporaryFile(
        "wb", dir=target.parent, prefix=f".{target.name[:50]}.", delete=False
    )


def _try(target: Path, exists: bool) -> None:
    """Raise OSError if a file cannot be written, without changing it."""
    if exists:
        with target.open("ab"):
            return
    with contextlib.suppress(FileNotFoundError):
        target.lstat()  # Raises another OSError for a name that is too long.
    with _temporary_beside(target) as file:
        os.unlink(file.name)


def _take_over_permissions(temporary: Path, target: Path) -> None:
    # A temporary file is for its owner alone; the result is a file like any other.
    if not target.exists():
        temporary.chmod(0o666 & ~_umask())
        return
    status = target.stat()
    with contextlib.suppress(PermissionError):
        os.chown(temporary, status.st_uid, status.st_gid)
    temporary.chmod(status.st_mode & 0o7777)


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
