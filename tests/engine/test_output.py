"""Tables as text: CSV that opens right in a spreadsheet, JSON that has no NaN."""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
from pathlib import Path

import pandas as pd
import pytest

from engine.output import csv_for_download, table_as_csv, write_table

TABLE = pd.DataFrame(
    {
        "user": ["=HYPERLINK(1)", "+cmd", "-2+3", "@sum", "\tx", "-5", "+7.5e1", "ann", "a=b"],
        "risk": [-1.5, math.inf, math.nan, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        "list": [[1, None], *[[]] * 8],
    }
)


def test_what_a_spreadsheet_would_run_is_marked_as_text() -> None:
    rows = list(csv.DictReader(io.StringIO(table_as_csv(TABLE))))
    assert [row["user"] for row in rows] == [
        *("'=HYPERLINK(1)", "'+cmd", "'-2+3", "'@sum", "'\tx", "-5", "+7.5e1", "ann", "a=b")
    ]
    assert [row["risk"] for row in rows[:4]] == ["-1.5", "", "", "0.0"]
    assert json.loads(rows[0]["list"]) == [1, None]


def test_heads_are_texts_as_well() -> None:
    assert table_as_csv(pd.DataFrame({"=1+1": [1]})).startswith("'=1+1\n")


@pytest.mark.parametrize(("name", "marked"), [("zoë", True), ("zoe", False)])
def test_letters_beyond_ascii_come_with_a_mark_in_a_file(
    tmp_path: Path, name: str, marked: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pd.DataFrame({"user": [name]})
    out = tmp_path / "rows.csv"
    write_table(table, "csv", out)
    assert out.read_bytes().startswith(codecs.BOM_UTF8) == marked
    assert csv_for_download(table).startswith(codecs.BOM_UTF8) == marked
    assert pd.read_csv(out)["user"].tolist() == [name]
    write_table(table, "csv", None)
    assert capsys.readouterr().out == f"user\n{name}\n"


def test_json_has_null_for_what_is_undefined_or_infinite(tmp_path: Path) -> None:
    write_table(TABLE, "json", tmp_path / "rows.json")
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [row["risk"] for row in rows[:4]] == [-1.5, None, None, 0.0]
    assert rows[0]["user"] == "=HYPERLINK(1)"


def test_a_table_for_the_eye_shows_no_mark_that_turns_its_lines(capsys):
    table = pd.DataFrame({"user": ["ann\u202ebob"], "uses": [3]})
    write_table(table, "table", None)
    assert "ann�bob" in capsys.readouterr().out
    write_table(table, "csv", None)
    assert "ann\u202ebob" in capsys.readouterr().out
