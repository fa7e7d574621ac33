"""`front` and `users`, as a user calls them: in each format, and as the engine says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from engine.analysis_tables import front, users
from engine.cli import main
from engine.datasets import Ratings, load
from engine.experiment import Experiment
from engine.exposure import tabulate_users
from engine.pareto_front import find_front
from engine.settings import Settings
from tests.examples import csv_ratings

pytestmark = pytest.mark.usefixtures("own_folders")

FRONT_KEYS = ["strategy", "k", "tau", "privacy_risk", "mae"]
USERS_KEYS = [
    "user",
    "ratings",
    "data_usage",
    "vulnerable_folds",
    "protected",
    "privacy_risk",
    "epsilon_paper",
    "epsilon_strict_sum",
]
RATINGS = csv_ratings(users=25, items=14)

Printed = tuple[str, str]
Run = Callable[..., Printed]
Rows = list[dict[str, Any]]


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "mine.csv"
    path.write_text(RATINGS)
    return str(path)


@pytest.fixture
def ratings(source: str) -> Ratings:
    return load(source)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*arguments: str, status: int = 0) -> Printed:
        assert main(arguments) == status
        captured = capsys.readouterr()
        return captured.out, captured.err

    return run_command


def cells(row: dict[str, Any]) -> list[str]:
    """A row of JSON as its cells in CSV: what is missing is empty."""
    return ["" if value is None else str(value) for value in row.values()]


# --- front ---------------------------------------------------------------------------------------


def test_front_in_json_is_that_of_the_engine(run: Run, source: str, ratings: Ratings) -> None:
    out, err = run("front", source, "--k", "2", "5", "--format", "json")
    rows: Rows = json.loads(out)
    assert [list(row) for row in rows] == [FRONT_KEYS] * len(rows)
    points = find_front(Experiment(ratings), Settings().strategies, (2, 5))
    assert rows == [asdict(point) for point in points]
    assert rows == front(ratings, Settings(ks=(2, 5))).to_dict("records")
    assert len(rows) > 3
    assert "warning" not in err


def test_front_in_csv_and_as_a_table_has_the_same_rows(
    run: Run, source: str, tmp_path: Path
) -> None:
    arguments = ["front", source, "--strategies", "gain", "--k", "3"]
    rows: Rows = json.loads(run(*arguments, "--format", "json")[0])
    header, *lines = csv.reader(io.StringIO(run(*arguments, "--format", "csv")[0]))
    assert header == FRONT_KEYS
    for line, row in zip(lines, rows, strict=True):
        assert line[:3] == ["gain", "3", str(row["tau"])]
        assert [float(cell) for cell in line[3:]] == pytest.approx(
            [row["privacy_risk"], row["mae"]]
        )
    title, *table = run(*arguments, "--format", "table")[0].strip().splitlines()
    assert title.split() == FRONT_KEYS
    assert len([line for line in table if "gain" in line]) == len(rows)
    out = tmp_path / "front.csv"
    assert run(*arguments, "--format", "csv", "--out", str(out))[0] == ""
    assert len(out.read_text().splitlines()) == 1 + len(rows)


def test_front_of_one_fold(run: Run, source: str, ratings: Ratings) -> None:
    arguments = ["front", source, "--only-fold", "3", "--strategies", "expect", "--format", "json"]
    rows: Rows = json.loads(run(*arguments)[0])
    points = find_front(Experiment(ratings), ["expect"], [10], [3])
    assert rows == [asdict(point) for point in points]


def test_front_takes_no_tau(run: Run, source: str) -> None:
    """It is over every tau."""
    _, err = run("front", source, "--tau", "5", status=2)
    assert "--tau" in err
    assert err.count("\n") == 1


# --- users ---------------------------------------------------------------------------------------


def test_users_in_json_are_those_of_the_engine(run: Run, source: str, ratings: Ratings) -> None:
    arguments = ["users", source, "--strategies", "gain", "--k", "4", "--tau", "9.5"]
    rows: Rows = json.loads(run(*arguments, "--format", "json")[0])
    assert [list(row) for row in rows] == [USERS_KEYS] * 25
    table = tabulate_users(Experiment(ratings), "gain", 4, 9.5)
    expected = table.astype(object).where(table.notna(), None).to_dict("records")
    for row, wanted in zip(rows, expected, strict=True):
        assert row == {
            name: pytest.approx(value) if isinstance(value, float) else value
            for name, value in wanted.items()
        }
    settings = Settings(ks=(4,), strategies=("gain",), tau=9.5)
    assert users(ratings, settings).equals(table)
    assert [row["data_usage"] for row in rows] == sorted(
        (row["data_usage"] for row in rows), reverse=True
    )
    assert all((row["epsilon_paper"] is None) == (row["vulnerable_folds"] == 0) for row in rows)
    assert {row["vulnerable_folds"] > 0 for row in rows} == {True, False}


def test_users_are_those_of_userknn_by_default(run: Run, source: str, ratings: Ratings) -> None:
    rows: Rows = json.loads(run("users", source, "--format", "json")[0])
    table = tabulate_users(Experiment(ratings), "userknn", 10, "published")
    assert [row["user"] for row in rows] == table.user.tolist()
    assert [row["data_usage"] for row in rows] == pytest.approx(table.data_usage)


def test_users_in_csv_have_every_user_and_the_table_the_most_used(run: Run, source: str) -> None:
    arguments = ["users", source, "--strategies", "gain", "--k", "4", "--tau", "6"]
    rows: Rows = json.loads(run(*arguments, "--format", "json")[0])
    header, *lines = csv.reader(io.StringIO(run(*arguments, "--format", "csv")[0]))
    assert header == USERS_KEYS
    assert [line[0] for line in lines] == [row["user"] for row in rows]
    for line, row in zip(lines, rows, strict=True):
        assert (line[6] == "") == (row["epsilon_paper"] is None)
        assert float(line[2]) == pytest.approx(row["data_usage"])
    out, err = run(*arguments, "--format", "table")
    first_words = [
        line.split()[0] for line in out.strip().splitlines() if line.lstrip().startswith("u")
    ]
    assert first_words == ["user", *(row["user"] for row in rows[:20])]
    assert "20 users used most" in err
    assert "all 25" in err


def test_users_where_a_row_has_no_meaning(run: Run, source: str) -> None:
    for options in (["--strategies", "gain", "expect"], ["--k", "5", "10"]):
        _, err = run("users", source, *options, status=2)
        assert "one strategy and one k" in err
        assert err.count("\n") == 1


def test_named_twice_is_named_once(run: Run, source: str) -> None:
    once = run("users", source, "--k", "5", "--format", "json")[0]
    twice = ["--k", "5", "5", "--strategies", "userknn", "UserKNN"]
    assert run("users", source, *twice, "--format", "json")[0] == once


def test_strict_epsilons_where_no_finite_one_holds(run: Run, source: str) -> None:
    arguments = ["users", source, "--tau", "2", "--mechanism", "continuous", "--format", "json"]
    rows: Rows = json.loads(run(*arguments)[0])
    assert any(row["protected"] > 0 for row in rows)
    assert {row["epsilon_strict_sum"] for row in rows} == {None}


def test_memoised_answers_reveal_no_more_than_fresh_ones(run: Run, source: str) -> None:
    arguments = ["users", source, "--tau", "2", "--k", "4", "--format", "json"]
    fresh, memoised = (
        {row["user"]: row for row in json.loads(run(*arguments, *options)[0])}
        for options in ([], ["--memoised"])
    )
    for user, row in memoised.items():
        assert row["protected"] == fresh[user]["protected"]
        assert row["epsilon_strict_sum"] <= fresh[user]["epsilon_strict_sum"] + 1e-9


@pytest.mark.parametrize("command", ["front", "users"])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--k", "0"], "k must be"),
        (["--strategies", "magic"], "magic"),
        (["--similarity", "likeness"], "likeness"),
        (["--prediction", "guess"], "guess"),
        (["--only-fold", "7"], "fold must be"),
        (["--jobs", "0"], "jobs"),
        (["--nonsense"], "nonsense"),
    ],
)
def test_bad_options_are_one_sentence(
    run: Run, source: str, command: str, options: list[str], words: str
) -> None:
    out, err = run(command, source, *options, status=2)
    assert out == ""
    assert err.startswith("error: ")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("tau", ["-4", "often", "nan"])
def test_a_tau_that_makes_no_sense(run: Run, source: str, tau: str) -> None:
    _, err = run("users", source, "--tau", tau, status=2)
    assert err.startswith("error: tau must be")
    assert err.count("\n") == 1


def test_one_user_alone_is_never_used(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "alone.csv"
    path.write_text("user,item,rating\n" + "".join(f"a,i{n},{n % 5}\n" for n in range(10)))
    (row,) = json.loads(run("users", str(path), "--format", "json")[0])
    assert (row["user"], row["data_usage"], row["epsilon_paper"]) == ("a", 0, None)
    (point,) = json.loads(run("front", str(path), "--strategies", "gain", "--format", "json")[0])
    assert (point["tau"], point["privacy_risk"]) == (0, 0)
