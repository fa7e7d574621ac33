"""`reproduce`, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import reproduction
from engine.cli import main
from engine.datasets import load
from engine.paper import PaperDataset, PaperFigure, PaperTables
from tests.examples import csv_ratings

pytestmark = pytest.mark.usefixtures("own_folders")

RATINGS = csv_ratings(users=20, items=12)


def write_ratings(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text(RATINGS)
    return str(path)


def test_figures_that_are_met_end_with_0(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_ratings(tmp_path, "mine.csv")
    ratings = load(source)
    counts = (ratings.n_users, ratings.n_items, ratings.n_ratings)
    figures = (PaperFigure("privacy_risk", "made", "userknn", "full", 3, 0.0),)
    tables = PaperTables((PaperDataset("made", "stars", 1, 5, *counts),), figures)
    monkeypatch.setattr(reproduction, "paper_tables", lambda: tables)
    assert main(["reproduce", source, "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == [
        {
            "metric": "privacy_risk", "strategy": "userknn", "protection": "full", "k": 3,
            "paper": 0.0, "here": 0.0, "difference": 0.0, "tolerance": 0.3, "within": True,
            "spread": 0.0, "cause": None, "stars_paper": None, "stars_here": None,
            "p_one_tailed": None, "p_two_tailed": None, "effect": None,
        }
    ]  # fmt: skip
    assert "1 of 1 figures" in printed.err


def test_figures_that_are_not_met_end_with_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A file that is called like a dataset of the paper, with other ratings."""
    source = write_ratings(tmp_path, "ciao.csv")
    assert main(["reproduce", source, "--format", "json"]) == 1
    printed = capsys.readouterr()
    rows = json.loads(printed.out)
    assert len(rows) == 31
    assert {row["within"] for row in rows} == {True, False}  # a risk of 0 is met everywhere
    assert "7,375 users" in printed.err
    assert "of 10 marks of significance" in printed.err
    assert "Gain: significantly fewer neighbors than UserKNN at " in printed.err


def test_ratings_that_the_paper_does_not_have(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["reproduce", write_ratings(tmp_path, "mine.csv")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert "no dataset of the paper" in printed.err
    assert printed.err.count("\n") == 1
