"""Tables and descriptions as text: to the screen, or whole or not at all to a file."""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from engine.errors import InputError


def check_out(out: Path | None, source: str | None = None) -> None:
    """Raise `InputError` before any work if the output has no place, or would replace the source.

    >>> check_out(Path("no-such-folder/rows.csv"))
    Traceback (most recent call last):
    ...
    engine.errors.InputError: no-such-folder/rows.csv cannot be written: there is no folder ...
    """
    if out is None:
        return
    if not out.name or out.is_dir():
        raise InputError(f"{out} is a folder: name a file to write.")
    if not out.parent.is_dir():
        raise InputError(f"{out} cannot be written: there is no folder {out.parent}.")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise InputError(f"{out} cannot be written: there is no permission.")
    if source is not None and out.exists() and Path(source).exists() and out.samefile(source):
        raise InputError(f"{out} holds the ratings: write the results to another file.")


def write_table(table: pd.DataFrame, form: str, out: Path | None) -> None:
    """Write a table as `json` (one list of objects), `csv`, or a `table` for the eye."""
    if form == "json":
        records = table.to_dict("records")
        rows = [{str(name): plain(value) for name, value in row.items()} for row in records]
        write(json.dumps(rows, ensure_ascii=False), out)
    elif form == "csv":
        for name in table.columns[table.map(lambda value: isinstance(value, list)).any()]:
            table = table.assign(**{name: table[name].map(json.dumps)})
        write(table.replace([math.inf, -math.inf], None).to_csv(index=False), out)
    else:
        shown = table.astype(object).where(table.notna(), "")
        write(shown.to_string(index=False, float_format="{:.4g}".format), out)


def plain(value: Any) -> Any:
    """Return a value as JSON has it: whole numbers whole, nothing for NaN and infinity.

    >>> plain(float("inf")) is None, plain(3)
    (True, 3)
    """
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write(text: str, out: Path | None) -> None:
    """Write a text to the screen, or to a file by way of a temporary one beside it."""
    text = text if text.endswith("\n") else text + "\n"
    if out is None:
        sys.stdout.write(text)
        return
    if out.exists() and not out.is_file():  # a device or a pipe
        out.write_text(text, encoding="utf-8")
        return
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=out.parent, prefix=f".{out.name[:100]}.", delete=False
        ) as file:
            file.write(text)
        # A temporary file is for its owner alone; the result is a file like any other.
        os.chmod(file.name, out.stat().st_mode if out.exists() else 0o666 & ~_umask())
        os.replace(file.name, out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from None


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
