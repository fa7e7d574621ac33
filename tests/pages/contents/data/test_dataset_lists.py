"""The data folder on the Data page: what is odd about each file, and no file harms another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.contents.data import dataset_lists
from tests.pages.driving import APP, control, texts, wait_for_runs

GOOD = "user,item,rating\n" + "".join(f"u{n % 5},i{n},{n % 4 + 1}\n" for n in range(20))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REUSEKNN_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def list_of_files() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    app.session_state["data_tab"] = "On this computer"
    app.switch_page("pages/data.py").run()
    assert not app.exception
    return app


def test_what_is_odd_about_a_file_stands_below_the_list(folder: Path) -> None:
    (folder / "purchases.csv").write_text("user,item,rating\na,x,1\nb,x,1\nb,y,1\n")
    (folder / "good.csv").write_text(GOOD)
    text = texts(list_of_files())
    assert "**What to check in these files**" in text
    assert "**purchases\\.csv**: All ratings equal 1" in text
    assert "**good\\.csv**" not in text


def test_what_to_do_about_a_file_of_the_folder_can_be_done_on_the_page(folder: Path) -> None:
    (folder / "plays.csv").write_text("user,item,plays\na,x,1\nb,x,900\nb,y,2\n")
    (folder / "odd.csv").write_text("user,when,what,how\na,9,x,3\nb,8,y,4\n")
    text = texts(list_of_files()).replace("\\", "")
    there = "upload the file on the page Data, and"
    assert f'up to 900: {there} tick "These are listening counts" there.' in text
    assert f"names no item and no rating column: {there} choose the columns there." in text
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["dataset"] = "odd"
    app.run()
    assert f"{there} choose the columns there." in app.main.error[0].value.replace("\\", "")


def test_files_whose_name_is_taken_are_listed(folder: Path) -> None:
    for name in ("sample.csv", "upload.csv"):
        (folder / name).write_text(GOOD)
    app = list_of_files()
    assert app.main.dataframe[0].value["File"].tolist() == ["sample.csv", "upload.csv"]
    assert app.main.dataframe[0].value["Dataset"].tolist() == ["sample.csv", "upload.csv"]
    dataset = control(app, "choose_dataset")
    assert dataset.options == ["Sample: generated movie ratings", "sample.csv", "upload.csv"]
    for name in ("sample.csv", "upload.csv"):
        dataset = control(app, "choose_dataset")
        dataset.set_value(name).run()
        assert app.session_state["memory"].view.dataset == name
        by_address = AppTest.from_file(APP, default_timeout=60)
        by_address.query_params["dataset"] = name
        by_address.switch_page("pages/data_usage.py").run()
        wait_for_runs(by_address)
        assert control(by_address, "choose_dataset").value == name
        assert "5 users · 20 items" in by_address.sidebar.caption[0].value
        assert not by_address.main.warning
        assert f"{name}, k = 10".replace(".", r"\.") in texts(by_address)


def test_one_file_that_breaks_the_reader_leaves_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "good.csv").write_text(GOOD)
    (folder / "worse.csv").write_text(GOOD)
    (folder / "huge.csv").write_text(GOOD)
    real = dataset_lists.load

    def load(source: Path) -> object:
        if source.name == "worse.csv":
            raise KeyError("a fault of ours")
        if source.name == "huge.csv":
            raise MemoryError
        return real(source)

    monkeypatch.setattr(dataset_lists, "load", load)
    app = list_of_files()
    assert app.main.dataframe[0].value["File"].tolist() == ["good.csv"]
    assert "**worse\\.csv**: It cannot be read" in texts(app)
    assert "**huge\\.csv**: It needs more memory" in texts(app)
    assert "a fault of ours" not in texts(app)
    assert "a fault of ours" in caplog.text


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX only")
def test_a_name_that_is_no_text_is_shown_all_the_same(folder: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/b\xffd.csv")).write_text(GOOD)
    except OSError:
        pytest.skip("this file system takes text only")
    (folder / "good.csv").write_text(GOOD)
    app = list_of_files()
    assert app.main.dataframe[0].value["File"].tolist() == ["b�d.csv", "good.csv"]


def test_the_warnings_of_a_file_stand_beside_its_size_on_every_page(folder: Path) -> None:
    (folder / "purchases.csv").write_text(
        "user,item,rating\n" + "".join(f"u{n % 5},i{n % 6},1\n" for n in range(30))
    )
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["dataset"] = "purchases"
    app.run()
    assert "All ratings equal 1" in " ".join(caption.value for caption in app.sidebar.caption)
