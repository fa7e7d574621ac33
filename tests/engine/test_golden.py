"""Against figures of the published code on MovieLens 100K, where they and the ratings are at hand.

They may not be redistributed, so they stand beside the repository, in `shared`, or nowhere.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import main
from tests import oracle

SHARED = Path(__file__).resolve().parents[3] / "shared"
RATINGS = SHARED / "data" / "ml-100k.zip"
FIGURES = SHARED / "golden" / "ml-100k-k10.csv"
COMPARE = SHARED / "golden" / "compare.py"

MISSING = [path for path in (RATINGS, FIGURES, COMPARE) if not path.exists()]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(MISSING),
        reason=f"needs {', '.join(path.name for path in MISSING)} in the folder {SHARED.name} "
        "beside the repository",
    ),
]


@pytest.fixture(scope="module")
def rows_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows as the command line writes them: noise as in the published code, k = 10."""
    out = tmp_path_factory.mktemp("golden") / "rows.json"
    strategies = ["--strategies", *oracle.STRATEGIES]
    options = ["--mechanism", "continuous", "--no-cache", "--format", "json", "--out", str(out)]
    assert main(["evaluate", str(RATINGS), *strategies, *options]) == 0
    return out


def test_figures_of_the_published_code(rows_file: Path) -> None:
    compared = subprocess.run(
        [sys.executable, str(COMPARE), "golden", str(rows_file), str(FIGURES)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert compared.returncode == 0, compared.stdout + compared.stderr


def test_a_figure_that_is_off_is_seen(rows_file: Path, tmp_path: Path) -> None:
    """The comparison compares: one mean moved by twice its tolerance fails it."""
    rows = json.loads(rows_file.read_text())
    for row in rows:
        if (row["strategy"], row["protection"], row["fold"]) == ("gain", "vulnerable", "mean"):
            row["privacy_risk"] += 2
    spoiled = tmp_path / "spoiled.json"
    spoiled.write_text(json.dumps(rows))
    compared = subprocess.run(
        [sys.executable, str(COMPARE), "golden", str(spoiled), str(FIGURES)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert compared.returncode == 1
    assert "privacy_risk" in compared.stdout
