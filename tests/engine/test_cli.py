"""The command line, as a user calls it."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.cli import main
from engine.cli.program import _make_parser
from engine.datasets import LoadReport
from engine.evaluation import COLUMNS
from engine.limits import LIMITS
from tests.examples import csv_ratings

pytestmark = pytest.mark.usefixtures("own_folders")

ROOT = Path(__file__).parents[2]
RATINGS = csv_ratings(users=12, items=14)


@pytest.fixture
def source(tmp_path) -> str:
    path = tmp_path / "mine.csv"
    path.write_text(RATINGS)
    return str(path)


#: Values that an option can take.
ALLOWED = {
    ("--max-error-increase", "-5%"),
    ("--max-error-points", "-1e3"),
}


def subparsers() -> dict[str, argparse.ArgumentParser]:
    choices = next(action.choices for action in _make_parser()._actions if action.choices)
    assert isinstance(choices, dict)
    return choices


def run(capsys, *arguments: str):
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def rows(capsys, *arguments: str) -> list[dict]:
    status, out, _ = run(capsys, *arguments, "--format", "json")
    assert status == 0
    return json.loads(out)


def without_seconds(table: list[dict]) -> list[dict]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in table]


def test_evaluate_gives_a_row_per_cell_and_fold_with_the_promised_keys(capsys, source):
    table = rows(capsys, "evaluate", source, "--k", "2", "5")
    assert len(table) == 9 * 2 * 6  # ways to run the four strategies, k, folds and the mean
    assert all(tuple(row) == COLUMNS for row in table)
    assert [row["fold"] for row in table[:6]] == [0, 1, 2, 3, 4, "mean"]
    for row in table:
        assert (row["mechanism"] is None) == (row["protection"] == "none")
        assert row["tau_rule"] == "published"
        assert row["dataset"] == "mine"
        if row["protection"] == "none":
            assert row["privacy_risk"] == row["data_usage"]
            assert row["epsilon_paper"] is None
        if row["protection"] == "full":
            assert row["strategy"] == "userknn"
            assert row["privacy_risk"] == 0


def test_the_mean_row_is_the_mean_over_the_folds(capsys, source):
    table = rows(capsys, "evaluate", source, "--strategies", "gain", "--protection", "none")
    *folds, mean = table
    for name in ("mae", "data_usage", "vulnerable_share", "ndcg_published"):
        expected = sum(row[name] for row in folds) / len(folds)
        assert mean[name] == pytest.approx(expected, rel=1e-12)


def test_one_fold_a_number_as_tau_and_curves(capsys, source):
    table = rows(
        capsys, "evaluate", source, "--only-fold", "3", "--tau", "1.5", "--curves",
        "--strategies", "expect",
    )  # fmt: skip
    assert [row["fold"] for row in table] == [3, "mean", 3, "mean"]
    assert {row["tau"] for row in table} == {1.5}
    assert {row["tau_rule"] for row in table} == {"number"}
    for row in table:
        assert len(row["neighbors_at_q"]) == len(row["coratings_at_q"]) == 100
        assert row["neighbors_at_q"][99] is None  # nobody has 100 queries


def test_every_source_of_speed_gives_the_same_figures(capsys, source):
    first = rows(capsys, "evaluate", source, "--jobs", "1")
    stored = rows(capsys, "evaluate", source, "--jobs", "2")
    fresh = rows(capsys, "evaluate", source, "--jobs", "2", "--no-cache")
    assert without_seconds(first) == without_seconds(stored) == without_seconds(fresh)


def test_sweep_meets_evaluate_at_every_tau(capsys, source):
    swept = rows(capsys, "sweep", source, "--strategies", "userknn", "--k", "3")
    for tau in (0, 2, 5, 1000):
        evaluated = rows(
            capsys, "evaluate", source, "--strategies", "userknn", "--k", "3", "--tau", str(tau),
            "--protection", "vulnerable", "--only-fold", "1",
        )[0]  # fmt: skip
        last_row = [row for row in swept if row["fold"] == 1 and row["tau"] <= tau][-1]
        for name in ("mae", "vulnerable_share", "privacy_risk", "secure_risk"):
            if evaluated[name] is None:  # no user is secure
                assert last_row[name] is None
            else:
                assert last_row[name] == pytest.approx(evaluated[name], rel=1e-12), (tau, name)


def test_csv_to_a_file_leaves_the_screen_alone(capsys, source, tmp_path):
    out = tmp_path / "rows.csv"
    status, printed, _ = run(capsys, "evaluate", source, "--format", "csv", "--out", str(out))
    assert (status, printed) == (0, "")
    assert out.read_text().splitlines()[0].split(",") == list(COLUMNS)


def test_describe_and_datasets(capsys, source):
    described = json.loads(run(capsys, "describe", source, "--format", "json")[1])
    assert described["users"] == 12
    assert described["rating_max"] == 5
    assert described["step"] == 1
    assert set(described["report"])
    listed = rows(capsys, "datasets")
    assert listed[0]["name"] == "sample"
    assert {"name", "title", "users", "items", "ratings", "licence", "where_from"} <= set(listed[0])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--k", "0"], "k must be"),
        (["--k", "few"], "few"),
        (["--tau", "-1"], "tau must be"),
        (["--tau", "nan"], "tau must be"),
        (["--tau", "often"], "often"),
        (["--strategies", "magic"], "magic"),
        (["--protection", "some"], "some"),
        (["--mechanism", "loud"], "loud"),
        (["--folds", "1"], "folds"),
        (["--folds", "100000"], "100000"),
        (["--only-fold", "5"], "fold"),
        (["--seed", "-1"], "seed"),
        (["--jobs", "0"], "jobs"),
        (["--format", "xml"], "xml"),
        (["--out", "/no/such/folder/rows.csv"], "/no/such/folder/rows.csv"),
        (["--nonsense"], "nonsense"),
    ],
)
def test_bad_options_are_one_sentence_and_exit_2(capsys, source, arguments, words):
    status, out, err = run(capsys, "evaluate", source, *arguments)
    assert status == 2
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    assert words in lines[0]
    assert "Traceback" not in err


def numeric_options() -> list[tuple[str, str]]:
    """Return every command with each of its options that takes a number."""
    return [
        (command, action.option_strings[0])
        for command, parser in subparsers().items()
        for action in parser._actions
        if action.type in (int, float) or action.dest in {*LIMITS, "tau"}
    ]


@pytest.mark.parametrize("value", ["-5%", "-1e3"])
@pytest.mark.parametrize(("command", "option"), numeric_options())
def test_a_negative_value_is_a_value_and_no_option(capsys, source, command, option, value):
    where = [] if command == "audit" else [source]
    if (option, value) in ALLOWED:
        _make_parser().parse_args([command, *where, option, value])
        return
    status, out, err = run(capsys, command, *where, option, value)
    assert (status, out) == (2, "")
    assert "expected" not in err
    assert "nrecognized" not in err
    assert len(err.strip().splitlines()) == 1
    assert repr(value) in err or "must be" in err


@pytest.mark.parametrize("value", ["-5%", "-5e-2", "-.05"])
def test_less_error_than_the_baseline_may_be_asked_for(capsys, source, value):
    status, _, _ = run(capsys, "choose", source, "--k", "2", "--max-error-increase", value)
    assert status == 0


@pytest.mark.parametrize(
    "twice",
    [
        ["choose", "--max-vulnerable", "20%", "--max-vulnerable", "30%"],
        ["evaluate", "--k", "5", "--k", "10"],
        ["evaluate", "--seed", "1", "--tau", "q90", "--seed", "1"],
    ],
)
def test_an_option_given_twice_is_refused(capsys, source, twice):
    command, option, *rest = twice
    status, out, err = run(capsys, command, source, option, *rest)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: Argument {option}: given twice; give it once.")


@pytest.mark.parametrize("name", ["nothing-of-that-name", "missing.csv", ""])
def test_an_unknown_source_says_what_there_is(capsys, name):
    status, _, err = run(capsys, "evaluate", name)
    assert status == 2
    assert err.count("\n") == 1


def test_an_empty_file_is_refused(capsys, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("")
    status, _, err = run(capsys, "describe", str(path))
    assert status == 2
    assert "empty" in err


def test_one_user_is_told_that_there_are_no_neighbors(capsys, tmp_path):
    path = tmp_path / "alone.csv"
    path.write_text("user,item,rating\n" + "".join(f"a,i{n},{n % 5}\n" for n in range(10)))
    status, out, err = run(capsys, "evaluate", str(path), "--format", "json")
    assert status == 0
    assert "No query has a neighbor" in err
    assert {row["predicted_share"] for row in json.loads(out)} == {0}


def test_interrupted_work_is_kept_and_exit_status_is_130(tmp_path):
    command = [sys.executable, "-m", "engine", "evaluate", "sample", "--k", "5", "10", "20", "30"]
    command += ["--format", "json"]
    environment = {**os.environ, "REUSEKNN_CACHE_DIR": str(tmp_path / "store")}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not list((tmp_path / "store").glob("*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == b""
    assert b"Traceback" not in err
    resumed = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    fresh = subprocess.run(
        [*command, "--no-cache"], cwd=ROOT, env=environment, check=True, capture_output=True
    )
    assert without_seconds(json.loads(resumed.stdout)) == without_seconds(json.loads(fresh.stdout))


def test_out_never_replaces_the_ratings(capsys, source):
    before = Path(source).read_text()
    status, _, err = run(capsys, "evaluate", source, "--out", source)
    assert status == 2
    assert "another file" in err
    assert Path(source).read_text() == before


def test_a_place_that_cannot_be_written_is_told_before_any_work(capsys, source, tmp_path):
    for out in (str(tmp_path), str(tmp_path / "none" / "rows.csv"), ""):
        status, _, err = run(capsys, "evaluate", source, "--out", out)
        assert status == 2, out
        assert err.count("\n") == 1
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("k", ["13", "2147483648", str(10**20)])
def test_k_above_the_raters_works_with_the_raters_there_are(capsys, source, k):
    table = rows(capsys, "evaluate", source, "--strategies", "gain", "gain+reuse", "--k", "12", k)
    cell = ("strategy", "protection", "fold")
    at_12 = {tuple(row[name] for name in cell): row["mae"] for row in table if row["k"] == 12}
    assert len(table) == 2 * len(at_12)
    for row in table:
        assert row["mae"] == at_12[tuple(row[name] for name in cell)]


@pytest.mark.parametrize("value", ["1e308", "1e-300"])
def test_ratings_beyond_arithmetic_are_refused(capsys, tmp_path, value):
    path = tmp_path / "extreme.csv"
    path.write_text("user,item,rating\n" + "".join(f"u{n % 3},i{n},{value}\n" for n in range(9)))
    status, _, err = run(capsys, "evaluate", str(path))
    assert status == 2
    assert "rescale" in err


@pytest.mark.parametrize("target", ["/dev/full", None])
def test_an_output_that_takes_nothing_is_one_sentence(target, source):
    if target and not Path(target).exists():
        pytest.skip("this system has no /dev/full")
    redirect = f">{target}" if target else ">&-"
    done = subprocess.run(
        f"{sys.executable} -m engine describe {source} {redirect}",
        shell=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("error: The output cannot be written")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_termination_without_cache_leaves_no_temporary_files(tmp_path, name):
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip(f"this system has no {name}")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "engine", "evaluate", "sample", "--no-cache", "--k", "5", "30"],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("reuseknn-*/*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert not list(tmp_path.glob("reuseknn-*"))


def test_ctrl_c_while_modules_load_is_one_line_and_130(tmp_path):
    # A module that stands in the way of a real one, so that the signal comes while it loads.
    (tmp_path / "pandas.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "engine", "datasets"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Interrupted; nothing was started.\n"


def test_capitals_do_not_matter_in_the_values_of_options(capsys, source):
    lower = [
        *("--strategies", "gain", "userknn+reuse", "--protection", "vulnerable"),
        *("--mechanism", "continuous", "--tau", "tail", "--format", "json"),
    ]
    upper = [word if word.startswith("--") else word.upper() for word in lower]
    assert without_seconds(json.loads(run(capsys, "evaluate", source, *lower)[1])) == (
        without_seconds(json.loads(run(capsys, "evaluate", source, *upper)[1]))
    )


@pytest.mark.parametrize("command", ["evaluate", "sweep", "describe", "datasets", "front"])
def test_an_error_names_the_help_of_its_command(capsys, source, command):
    words = [command] if command == "datasets" else [command, source]
    for wrong in (["--nonsense"], ["--format", "xml"], ["--format"]):
        status, _, err = run(capsys, *words, *wrong)
        assert status == 2
        assert f"See `python -m engine {command} --help`." in err


def test_columns_header_and_scale_are_said_as_on_the_page(capsys, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("1,2,3,4\n5,2,3,1\n5,4,3,2\n")
    status, out, err = run(
        capsys, "describe", str(path), "--columns", "USER=3,item=2,rating=4", "--header", "no",
        "--scale", "max=5,step=0.5", "--format", "json",
    )  # fmt: skip
    assert (status, err.count("warning")) == (0, 1)  # a duplicate
    described = json.loads(out)
    assert described["report"]["columns"] == {
        "user": "column 3", "item": "column 2", "rating": "column 4",
    }  # fmt: skip
    assert (described["users"], described["items"], described["step"]) == (1, 2, 0.5)
    again = run(
        capsys, "describe", str(path), "--format", "json",
        *LoadReport(options=described["report"]["options"]).arguments(),
    )[1]  # fmt: skip
    assert json.loads(again)["fingerprint"] == described["fingerprint"]


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--columns", "1,2,3", "user=1,item=2,rating=3"),
        ("--columns", "user=1,user=2", "user=1,item=2,rating=3"),
        ("--columns", "who=1", "user=1,item=2,rating=3"),
        ("--columns", "user=nobody", "no column"),
        ("--scale", "1..5", "min=1,max=5,step=0.5"),
        ("--scale", "max=high", "min=1,max=5,step=0.5"),
        ("--scale", "max=2", "outside of it"),
        ("--header", "maybe", "maybe"),
    ],
)
def test_a_wrong_way_to_read_a_file_is_one_sentence(capsys, source, option, value, words):
    status, _, err = run(capsys, "describe", source, option, value)
    assert status == 2
    assert err.count("\n") == 1
    assert words in err


def test_the_sample_has_no_columns_to_choose(capsys):
    status, _, err = run(capsys, "describe", "sample", "--columns", "user=2")
    assert (status, "leave out --columns" in err) == (2, True)


def test_a_fault_while_reading_is_not_told_of_the_output(capsys, source, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error", source)

    monkeypatch.setattr("engine.cli.source_options.load", fail)
    status, _, err = run(capsys, "describe", source)
    assert (status, err) == (2, f"error: {source}: Input/output error.\n")


def test_preparing_is_said_and_changes_the_fingerprint(capsys, source):
    whole = json.loads(run(capsys, "describe", source, "--format", "json")[1])
    status, out, err = run(capsys, "describe", source, "--sample-users", "5", "--format", "json")
    assert status == 0
    assert "dropped 7 users" in err
    part = json.loads(out)
    assert part["users"] == 5
    assert part["fingerprint"] != whole["fingerprint"]
    assert run(capsys, "describe", source, "--k-core", "1000")[0] == 2


def test_counts_become_ratings_up_to_1000(capsys, tmp_path):
    path = tmp_path / "plays.csv"
    path.write_text("user,item,count\n" + "".join(f"u{n % 4},i{n},{n + 1}\n" for n in range(20)))
    described = json.loads(run(capsys, "describe", str(path), "--counts", "--format", "json")[1])
    assert (described["rating_min"], described["rating_max"]) == (1, 1000)
