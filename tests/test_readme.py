"""The notebook's lines in the README print what stands below them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_notebook_prints_what_the_readme_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path))
    chapter = README.read_text(encoding="utf-8").split("## In a notebook")[1]
    lines, printed = re.findall(r"```(?:python)?\n(.*?)```", chapter, re.DOTALL)[:2]
    exec(lines, {})
    assert capsys.readouterr().out == printed
