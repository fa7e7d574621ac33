"""The notebook's lines in the README print what stands below them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.cli import main

README = Path(__file__).parents[1] / "README.md"


def test_the_notebook_prints_what_the_readme_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path))
    chapter = README.read_text(encoding="utf-8").split("## In a notebook")[1]
    lines, printed = re.findall(r"```(?:python)?\n(.*?)```", chapter, re.DOTALL)[:2]
    exec(lines, {})
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("command", ["evaluate", "choose"])
def test_a_command_on_the_sample_prints_what_the_readme_says(
    command: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A line of the README that ends with "..." is the beginning of the line that is printed."""
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path))
    example = rf"python -m engine ({command} sample.*)\n```\n\n```\n((?:.+\n)+)```"
    arguments, lines = re.findall(example, README.read_text(encoding="utf-8"))[0]
    assert main(arguments.split()) == 0
    said = capsys.readouterr()
    printed = [*said.out.splitlines(), *re.split(r"[\r\n]", said.err)]
    for line in lines.splitlines():
        start = line.removesuffix("...").rstrip()
        assert any(whole.startswith(start) for whole in printed), line
