"""The printed command reads and prepares an upload as its visitor did."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import pytest

from engine.cli import main
from engine.datasets import Preparation, Ratings
from engine.experiment import Experiment
from engine.strategies import PAPER_STRATEGIES
from pages.parts.address import View
from pages.parts.own_file import OwnFile
from pages.parts.reading_choices import Choices
from pages.parts.reproduce import command_line
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.parts.upload_name import UPLOAD
from tests.engine.datasets.uploads import zipped

CONTENT = "".join(f"{u % 5},{u},{i},{(u * i) % 4 + 1}\n" for u in range(30) for i in range(9))


def command_for(ratings: Ratings) -> str:
    experiment = Experiment(ratings)
    cells = {
        (fold, strategy, 5) for fold in experiment.fold_numbers for strategy in PAPER_STRATEGIES
    }
    results = Results(experiment).with_done(cells)
    return command_line(
        Screen(View(dataset=UPLOAD, k=5, tau=3, strategy="gain"), 3, "mine", results)
    )


@pytest.mark.parametrize(
    ("name", "content", "choices"),
    [
        ("my file.csv", CONTENT.encode(), Choices((2, 3, 4), 0.0, 5.0, 0.5, has_header=False)),
        ("-.csv", CONTENT.encode(), Choices((2, 3, 4), counts=True)),
        ("a.zip", zipped({"a/ratings.csv": CONTENT}), Choices((3, 2, 4), step=0.0)),
    ],
)
def test_the_command_reads_a_corrected_and_prepared_upload_so(
    name: str,
    content: bytes,
    choices: Choices,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = io.BytesIO(content)
    file.name = name
    own = OwnFile()
    own.take(file)
    assert own.draft is not None
    own.correct(own.draft, choices)
    own.prepare(Preparation(min_ratings=2, sample_users=8, k_core=3, seed=7))
    assert (own.problem, own.prepared is None) == ("", False)
    assert own.prepared is not None
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command_for(own.prepared))[3:]
    assert main([*words, "--no-cache", "--only-fold", "0"]) == 0
    assert f'"fingerprint": "{own.prepared.fingerprint}"' in capsys.readouterr().out
