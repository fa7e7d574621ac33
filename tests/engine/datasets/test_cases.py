"""The handed-out cases: each small file gives what its row in cases.csv says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engine.datasets import describe, load
from engine.errors import InputError

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases"


def read_cases() -> list[dict[str, str]]:
    try:
        with (CASES / "cases.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        return []


REASONS = {
    "empty.csv": "no ratings in the file",
    "header_only.csv": "no ratings in the file",
    "two_columns.csv": "tab, semicolon, comma",
    "bad_rating.csv": 'Line 3 has the rating "four"',
    "nan_inf.csv": "Ratings must be finite: lines 3 and 4",
    "blank_id.csv": "Line 3 has no user",
    "extra_field.csv": "Line 3 has 5 fields where 3 were expected",
    "path_traversal.zip": "refused",
}


@pytest.mark.skipif(not CASES.is_dir(), reason="needs shared/cases beside the repository")
@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case["file"])
def test_case_gives_what_it_says(case: dict[str, str]) -> None:
    path = CASES / case["file"]
    if case["outcome"] == "error":
        with pytest.raises(InputError) as error:
            load(path)
        assert REASONS[case["file"]] in str(error.value)
        assert "\n" not in str(error.value)
        return
    ratings = load(path)
    described = describe(ratings)
    for key in ("users", "items", "ratings", "rating_min", "rating_max"):
        assert described[key] == float(case[key]), key
    if case["outcome"].startswith("warning"):
        assert described["report"]["duplicates"] == 1
        assert described["report"]["warnings"][0].startswith("1 duplicate")
    if case["file"] == "latin1.csv":
        assert described["report"]["encoding"] == "Latin-1"
        assert "Latin-1" in described["report"]["warnings"][0]
