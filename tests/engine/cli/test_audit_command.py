from __future__ import annotations

import json
import math

import pytest

from engine.cli import main

KEYS = ["mechanism", "levels", "epsilon_stated", "epsilon_lower_bound", "samples"]


def test_a_row_for_each_mechanism_and_scale(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--samples", "20000", "--format", "json"]) == 0
    printed = capsys.readouterr()
    table = json.loads(printed.out)
    assert [(row["mechanism"], row["levels"]) for row in table] == [
        (mechanism, levels) for mechanism in ("discrete", "continuous") for levels in (2, 3, 5, 10)
    ]
    for row in table:
        assert list(row) == KEYS
        if row["mechanism"] == "discrete":
            assert row["epsilon_stated"] == pytest.approx(math.log(1 + 3 * row["levels"]))
            assert row["epsilon_lower_bound"] < row["epsilon_stated"]
        else:
            assert row["epsilon_stated"] is None  # infinite
            assert row["epsilon_lower_bound"] > math.log(1 + 3 * row["levels"])
    assert printed.err.count("No finite epsilon holds for continuous noise") == 1


def test_one_scale_and_one_mechanism(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["audit", "--levels", "7", "7", "--mechanism", "discrete", "--memoised"]
    assert main([*arguments, "--samples", "1000", "--format", "csv"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0].split(",") == KEYS
    assert len(printed.out.splitlines()) == 2
    assert printed.err == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--levels", "1"], "2 to 101 values"),
        (["--levels", "1000"], "2 to 101 values"),
        (["--levels", "five"], "five"),
        (["--samples", "7"], "at least 100"),
        (["--mechanism", "loud"], "loud"),
        (["--seed", "-1"], "seed"),
    ],
)
def test_what_cannot_be_audited_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(["audit", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert words in printed.err
