from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.attack.table import COLUMNS, DETAILS
from engine.cli import main
from tests.examples import random_rows


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path / "cache"))
    rows = random_rows(2, users=25, items=20, share=0.6, values=[1, 2, 3, 4, 5])
    path = tmp_path / "mine.csv"
    path.write_text("user,item,rating\n" + "".join(f"{u},{i},{v}\n" for u, i, v in rows))
    return str(path)


def attack(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict]:
    assert main(["attack", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_row_for_each_strategy_k_knowledge_and_protection(
    capsys: pytest.CaptureFixture[str], source: str
) -> None:
    table = attack(capsys, source, "--k", "3", "5", "--victims", "8", "--tau", "40")
    assert len(table) == 4 * 2 * 2 * 3
    assert all(tuple(row) == COLUMNS for row in table)
    assert [(row["tau"], row["mechanism"]) for row in table[:3]] == [
        (None, None), (40, "discrete"), (0, "discrete")
    ]  # fmt: skip
    for row in table:
        assert row["victims"] == 8
        assert row["exact_low"] <= row["exact"] <= row["exact_high"]
        if row["strategy"] == "gain" and row["mechanism"] is None:
            assert row["exact"] == 1
    assert attack(capsys, source, "--k", "3", "5", "--victims", "8", "--tau", "40") == table


def test_details_add_columns_and_the_groups(
    capsys: pytest.CaptureFixture[str], source: str
) -> None:
    arguments = ["--details", "--strategies", "gain", "--knowledge", "0.4", "--accounts", "2"]
    arguments += ["--repeats", "3", "--memoised", "--protection", "vulnerable", "--tau", "q50"]
    table = attack(capsys, source, *arguments, "--k", "4", "--victim-ratings", "2", "--probes", "3")
    assert all(tuple(row) == (*COLUMNS, *DETAILS) for row in table)
    everybody, secure, vulnerable = table
    assert [row["group"] for row in table] == ["all", "secure", "vulnerable"]
    assert everybody["victims"] == secure["victims"] + vulnerable["victims"] == 25
    assert everybody["probes"] == secure["probes"] + vulnerable["probes"]
    assert (everybody["accounts"], everybody["repeats"], everybody["memoised"]) == (2, 3, True)


def test_one_fold_is_attacked(capsys: pytest.CaptureFixture[str], source: str) -> None:
    arguments = [source, "--strategies", "userknn", "--victims", "5", "--k", "3"]
    first = attack(capsys, *arguments)
    assert attack(capsys, *arguments, "--only-fold", "0") == first
    assert attack(capsys, *arguments, "--only-fold", "2") != first


def test_the_table_says_what_its_columns_are(
    capsys: pytest.CaptureFixture[str], source: str
) -> None:
    assert main(["attack", source, "--strategies", "expect", "--victims", "3"]) == 0
    printed = capsys.readouterr()
    assert printed.out.split()[: len(COLUMNS)] == list(COLUMNS)
    assert "exact: share of the asked ratings" in printed.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--knowledge", "1"], "knowledge"),
        (["--knowledge", "half"], "half"),
        (["--accounts", "-2"], "accounts"),
        (["--repeats", "0"], "repeats"),
        (["--victims", "0"], "victims"),
        (["--probes", "0"], "probes"),
        (["--victim-ratings", "1000"], "no user has 1000 ratings"),
        (["--strategies", "magic"], "magic"),
        (["--protection", "some"], "some"),
    ],
)
def test_bad_options_are_one_sentence(
    capsys: pytest.CaptureFixture[str], source: str, arguments: list[str], words: str
) -> None:
    assert main(["attack", source, *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = [line for line in printed.err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    assert words in lines[0]
