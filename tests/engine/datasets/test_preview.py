from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pytest

from engine.datasets import load
from engine.datasets.known import KNOWN
from engine.datasets.preview import ROWS, preview
from engine.datasets.statistics import PAPER_DATASETS, Statistics, paper_statistics
from engine.errors import InputError
from tests.engine.datasets.uploads import upload, zipped


def look(content: bytes | str) -> object:
    return preview(io.BytesIO(content.encode() if isinstance(content, str) else content))


def test_columns_that_nobody_could_tell_can_be_chosen_by_number() -> None:
    text = "who,when,what,how\na,9,x,3\nb,8,y,4\n"
    with pytest.raises(InputError, match="choose the columns"):
        upload("user,when,what,how\na,9,x,3\nb,8,y,4\n")
    seen = preview(io.BytesIO(text.encode()))
    assert seen.columns == ("who", "when", "what", "how")
    assert seen.rows == (("a", "9", "x", "3"), ("b", "8", "y", "4"))
    ratings = upload(text, columns={"user": 1, "item": 3, "rating": 4})
    assert ratings.items.tolist() == ["x", "y"]


def test_names_are_shown_once_and_short() -> None:
    seen = preview(io.BytesIO(f"user,item,item,,{'x' * 99}\na,b,c,d,3\n".encode()))
    assert len(set(seen.columns)) == 5
    assert seen.columns[2:4] == ("item (column 3)", "column 4")
    assert max(map(len, seen.columns)) <= 60


def test_rows_are_few_and_of_one_width() -> None:
    seen = preview(io.BytesIO(b"a,b,3\n" * 50 + b"a,b\n"))
    assert len(seen.rows) == ROWS
    assert {len(row) for row in preview(io.BytesIO(b"a,b,3\na,b,3\na,b\n")).rows} == {3}


def test_archives_encodings_and_parquet() -> None:
    assert preview(io.BytesIO(zipped({"u.data": "1\t2\t3\t4\n"}))).rows == (("1", "2", "3", "4"),)
    assert preview(io.BytesIO("utente;è;voto\n1;2;3\n".encode("utf-16"))).columns[1] == "è"
    buffer = io.BytesIO()
    pd.DataFrame({"a": ["x"], "b": ["y"], "c": [3.0]}).to_parquet(buffer)
    buffer.seek(0)
    assert preview(buffer).columns == ("a", "b", "c")


@pytest.mark.parametrize("content", ["", "<html></html>", '{"a": 1}', "a,b\n1,2\n", b"PAR1junk"])
def test_what_is_no_table_is_refused(content: bytes | str) -> None:
    with pytest.raises(InputError):
        look(content)


def test_statistics() -> None:
    statistics = Statistics.of(load("sample"))
    assert (statistics.users, statistics.items, statistics.ratings) == (943, 1700, 100_000)
    assert statistics.ratings_per_user == pytest.approx(106.04, abs=0.01)
    assert paper_statistics("sample", statistics) is None
    assert paper_statistics("ciao", statistics) == ("Ciao", Statistics(7375, 105_096, 282_619))


def test_the_paper_s_table_follows_from_three_figures(shared: Path) -> None:
    with (shared / "paper" / "datasets.csv").open(newline="") as file:
        table = {row["dataset"]: row for row in csv.DictReader(file)}
    assert tuple(sorted(table)) == tuple(sorted(PAPER_DATASETS))
    for name, row in table.items():
        known = KNOWN[name]
        figures = Statistics(known.users, known.items, known.ratings)
        assert figures == Statistics(int(row["users"]), int(row["items"]), int(row["ratings"]))
        assert figures.ratings_per_user == pytest.approx(float(row["ratings_per_user"]), abs=0.011)
        assert figures.users_per_item == pytest.approx(float(row["users_per_item"]), abs=1e-4)
        assert 100 * figures.density == pytest.approx(float(row["density_percent"]), abs=0.006)
