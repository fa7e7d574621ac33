"""What "Forget this file" promises: nothing of the file is left in session, store or folders."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from cache import Store
from cache.entry import read_key
from engine.datasets import Ratings, generate
from tests.pages.driving import wait_for_runs
from tests.pages.test_data_page import button, data_page, upload

pytestmark = pytest.mark.usefixtures("folders")

LIMITS = "max_vulnerable:20%;min_coverage:10%;max_pp_corr:1"


def file_of(ratings: Ratings) -> bytes:
    lines = ["user,item,rating"]
    for user, item, value in zip(ratings.user, ratings.item, ratings.value, strict=True):
        lines.append(f"whoever{user},thing{item},{value:g}")
    return "\n".join(lines).encode()


def entries_of(fingerprint: str) -> list[Path]:
    """Return the entries of the store that came of these ratings."""
    return [
        path
        for path in Store().folder.glob("*")
        if path.is_file() and json.loads(read_key(path)).get("ratings") == fingerprint
    ]


def visit_all(app: AppTest) -> None:
    """Look at what computes something, and let it compute all."""
    app.switch_page("pages/choose_tau.py").run()
    wait_for_runs(app)
    app.toggle(key="over_time").set_value(True)
    app.toggle(key="coin_band").set_value(True).run()
    wait_for_runs(app)
    app.session_state["lab_tab"] = "Adversary"
    app.switch_page("pages/privacy_lab.py").run()
    app.button(key="lab_attack").click().run()
    wait_for_runs(app)
    app.switch_page("pages/paper.py").run()
    wait_for_runs(app)
    app.button(key="neural_begin").click().run()
    wait_for_runs(app)
    for page in ("people", "neighborhoods", "popularity_bias", "privacy_lab", "overview"):
        app.switch_page(f"pages/{page}.py").run()
    assert not app.exception


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files, in place of the system's."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_nothing_of_a_file_is_left_once_it_is_forgotten(temporary: Path):
    content = file_of(generate(users=40, items=50, ratings=700, seed=11))
    app = upload(data_page(dataset="upload", limits=LIMITS), content)
    fingerprint = app.session_state["own_file"].explored.fingerprint
    visit_all(app)
    assert len(entries_of(fingerprint)) > 50
    app.switch_page("pages/data.py").run()
    button(app, "Forget this file").click().run()
    assert not app.exception
    assert entries_of(fingerprint) == []
    assert list(temporary.rglob("*")) == []
    state = dict(app.session_state._state.filtered_state)
    del state["uploaded"]  # the box, which the page asks to empty, too
    remaining = {
        key: text
        for key, value in state.items()
        for text in ("whoever", "thing", "mine.csv")
        if text in repr(value)
    }
    assert not remaining
