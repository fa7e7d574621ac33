"""The handed-out cases: each small file gives what its row in cases.csv says."""

from __future__ import annotations

import json

import pytest

from engine.cli import main
from engine.datasets import describe, load
from engine.errors import InputError
from tests.engine.datasets.handed_out import Case, read_cases

CASES = read_cases()
pytestmark = pytest.mark.skipif(not CASES, reason="needs shared/cases beside the repository")
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@each_case
def test_a_case_gives_what_it_says(case: Case) -> None:
    if case.figures is None:
        with pytest.raises(InputError) as error:
            load(case.path)
        assert case.said in str(error.value)
        assert "\n" not in str(error.value)
        return
    described = describe(load(case.path))
    keys = ("users", "items", "ratings", "rating_min", "rating_max")
    assert tuple(float(described[key]) for key in keys) == case.figures
    warnings = described["report"]["warnings"]
    assert len(warnings) == bool(case.said)
    assert case.said in "".join(warnings)


@each_case
def test_every_command_that_reads_a_case_says_the_same(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--k", "2", "--folds", "2", "--only-fold", "0", "--no-cache"]
    for command in (
        ["describe", str(case.path)],
        ["evaluate", str(case.path), "--strategies", "gain", *options],
        ["sweep", str(case.path), "--strategies", "gain", *options],
    ):
        status = main([*command, "--format", "json"])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        assert case.said in printed.err
        if case.figures is None:
            assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
        else:
            assert status == 0
            assert json.loads(printed.out)
            assert printed.err.count("warning: ") >= bool(case.said)
