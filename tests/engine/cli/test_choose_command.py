"""`choose` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.choice_table import CHOICE_COLUMNS
from engine.cli import main
from engine.datasets import load
from engine.experiment import Experiment
from engine.settings import Setting
from tests.examples import csv_ratings

pytestmark = pytest.mark.usefixtures("own_folders")

RATINGS = csv_ratings(users=14, items=20)


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "mine.csv"
    path.write_text(RATINGS)
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["choose", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_row_for_each_strategy_and_k_with_the_promised_keys(capsys, source):
    arguments = (source, "--k", "2", "4", "--strategies", "gain", "expect", "--max-risk", "3")
    status, out, _ = run(capsys, *arguments, "--format", "json")
    assert status == 0
    table = json.loads(out)
    assert [(row["strategy"], row["k"]) for row in table] == [
        ("gain", 2), ("gain", 4), ("expect", 2), ("expect", 4)
    ]  # fmt: skip
    assert all(tuple(row) == CHOICE_COLUMNS for row in table)
    assert sum(row["best"] for row in table) == 1
    experiment = Experiment(load(source))
    for row in table:
        assert row["meets"] is True
        assert row["binds"] == ["max_risk"]
        assert row["tau_low"] == 0 <= row["tau"] <= row["tau_high"]
        outcome = experiment.outcome(Setting(row["strategy"], row["k"], row["tau"]), keep=False)
        for name in ("mae", "vulnerable_share", "privacy_risk", "protected_uses"):
            assert row[name] == pytest.approx(outcome.value(name))
        assert row["privacy_risk"] <= 3
    best = next(row for row in table if row["best"])
    assert best["mae"] == min(row["mae"] for row in table)


def test_what_does_not_meet_the_limits_is_null_and_the_way_out_is_said(capsys, source):
    arguments = (source, "--max-risk", "2", "--max-protected", "10%")
    status, out, err = run(capsys, *arguments, "--format", "json")
    assert status == 0
    for row in json.loads(out):
        assert row["meets"] is row["best"] is False
        assert row["tau_low"] is row["tau_high"] is row["tau"] is row["mae"] is None
        assert row["binds"] == ["max_risk", "max_protected"]
    assert "Nothing meets all these limits." in err
    [relaxed] = [line for line in err.splitlines() if line.startswith("With --max-risk")]
    needed = relaxed.split()[2]
    status, out, _ = run(
        capsys, source, "--max-risk", needed, "--max-protected", "10%", "--format", "json"
    )
    assert any(row["meets"] for row in json.loads(out))


def test_the_answer_in_words(capsys, source):
    status, out, err = run(capsys, source, "--max-risk", "6", "--baseline", "same-none")
    assert status == 0
    assert "Best: " in err  # a progress bar may stand before it
    assert "the same strategy and k without protection" in err
    assert "None of these limits asks for protection" not in err
    assert out.splitlines()[0].split()[:3] == ["strategy", "k", "meets"]


def test_limits_that_do_not_ask_for_protection_are_told(capsys, source):
    _, _, err = run(capsys, source, "--max-vulnerable", "30%")
    assert "None of these limits asks for protection" in err
    _, _, err = run(capsys, source, "--max-vulnerable", "0%", "--allow-unprotected")
    assert "This tau protects nobody" in err
    _, _, err = run(capsys, source, "--max-vulnerable", "0%")
    assert "With --allow-unprotected," in err


def test_limits_on_top_lists_add_their_columns(capsys, source):
    status, out, _ = run(
        capsys, source, "--min-coverage", "50%", "--max-pp-corr", "0.99", "--format", "csv"
    )
    assert status == 0
    heads = out.splitlines()[0].split(",")
    assert heads == [*CHOICE_COLUMNS[:-2], "coverage", "pp_corr", *CHOICE_COLUMNS[-2:]]


def test_one_fold_alone_is_told(capsys, source):
    status, _, err = run(capsys, source, "--max-risk", "6", "--only-fold", "1")
    assert status == 0
    assert "One fold only" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--max-vulnerable", "20"], "--max-vulnerable must be written as 20% or 0.2, not '20'."),
        (["--max-real-uses", "many"], "--max-real-uses must be a whole number such as 100"),
        (["--max-risk=-1"], "--max-risk must be a finite number of at least 0, not -1."),
        (
            ["--criterion", "cost"],
            "There is no criterion 'cost'; choose from mae, vulnerable, risk.",
        ),
        (["--baseline", "mine"], "There is no baseline 'mine'"),
    ],
)
def test_bad_limits_end_with_one_sentence(capsys, source, arguments, message):
    status, out, err = run(capsys, source, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_the_error_may_be_asked_to_be_below_the_baseline(capsys, source):
    status, out, _ = run(capsys, source, "--max-error-increase=-99%", "--format", "json")
    assert status == 0
    assert not any(row["meets"] for row in json.loads(out))
