"""Tables and descriptions as text, in the forms of the command line and of downloads."""

from __future__ import annotations

import codecs
import json
import math
import re
from pathlib import Path
from typing import Any

import pandas as pd

from engine.datasets.wording import harmless_texts
from engine.destination import write_text

#: The forms in which a table can be written.
FORMATS = ("table", "csv", "json")

# A spreadsheet runs a cell that begins with one of these as a formula, unless it is a number.
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def write_table(table: pd.DataFrame, form: str, out: Path | None) -> None:
    """Write a table as `json` (one list of objects), `csv`, or a `table` for the eye."""
    if form == "json":
        write_json([_plain_row(row) for row in table.to_dict("records")], out)
    elif form == "csv":
        text = table_as_csv(table)
        # Without the mark a spreadsheet misreads letters beyond ASCII.
        is_marked = out is not None and not text.isascii()
        write_text(text, out, "utf-8-sig" if is_marked else "utf-8")
    else:
        texts = harmless_texts(table.astype(object).where(table.notna(), ""))
        write_text(texts.to_string(index=False, float_format="{:.4g}".format) + "\n", out)


def write_json(value: Any, out: Path | None, indent: int | None = None) -> None:
    """Write lists, dictionaries and plain values as JSON."""
    write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", out)


def table_as_csv(table: pd.DataFrame) -> str:
    r"""Return a table as CSV that is safe to open in a spreadsheet.

    Lists become JSON, what is undefined or infinite an empty cell. A text that a spreadsheet would
    run as a formula gets an apostrophe in front, which marks it as text.

    >>> table_as_csv(pd.DataFrame({"user": ["=1+1", "-5", "ann"], "risk": [-1.5, 2.0, math.inf]}))
    "user,risk\n'=1+1,-1.5\n-5,2.0\nann,\n"
    """
    cells = table.replace([math.inf, -math.inf], None)
    texts = {
        name: cells[name].map(_as_cell)
        for name in cells.columns
        if not pd.api.types.is_numeric_dtype(cells[name])
    }
    cells = cells.assign(**texts)
    return str(cells.rename(columns=_as_cell).to_csv(index=False, lineterminator="\n"))


def csv_for_download(table: pd.DataFrame) -> bytes:
    """Return a table as a file that a spreadsheet opens right: with a mark for its encoding.

    >>> csv_for_download(pd.DataFrame({"τ": [93]}))[:3] == codecs.BOM_UTF8
    True
    """
    text = table_as_csv(table).encode()
    return text if text.isascii() else codecs.BOM_UTF8 + text


def _as_cell(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value)
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def _plain_row(row: dict[Any, Any]) -> dict[str, Any]:
    return {str(name): json_value(value) for name, value in row.items()}


def json_value(value: Any) -> Any:
    """Return a value as JSON has it: whole numbers whole, nothing for NaN and infinity.

    >>> json_value(float("inf")) is None, json_value(3)
    (True, 3)
    """
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
