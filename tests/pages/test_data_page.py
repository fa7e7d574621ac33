"""The Data page without a browser: upload, data folder and catalog."""

from __future__ import annotations

import hashlib
import http.server
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.datasets import load
from tests.engine.datasets.test_cases import CASES, REASONS, read_cases
from tests.engine.datasets.uploads import zipped
from tests.pages.driving import APP, texts

pytestmark = pytest.mark.usefixtures("folders")

GOOD = b"user,item,rating\n" + b"".join(
    b"%d,%d,%d\n" % (u, i, 1 + (u * i + u) % 5) for u in range(12) for i in range(9)
)


def data_page(tab: str | None = None, **address: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for part, value in address.items():
        app.query_params[part] = value
    if tab:
        app.session_state["data_tab"] = tab
    app.run()
    app.switch_page("pages/data.py").run()
    assert not app.exception
    return app


def upload(app: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    app.file_uploader[0].set_value((name, content, "text/csv")).run()
    assert not app.exception
    return app


def button(app: AppTest, label: str) -> Any:
    return next(entry for entry in app.main.button if entry.label.startswith(label))


def understood(app: AppTest) -> dict[str, str]:
    table = app.main.table[0].value
    return dict(zip(table.index, table.iloc[:, 0], strict=True))


def statistics(app: AppTest) -> Any:
    return next(f.value for f in app.main.dataframe if "Density, %" in f.value)


def test_what_was_understood_is_shown_and_nothing_is_computed():
    app = upload(data_page(), b"\xef\xbb\xbfwho;what;stars\n01;x;3,5\n02;x;1,0\n02;x;2,5\n")
    shown = understood(app)
    assert shown["Encoding"] == "UTF-8 with byte order mark"
    assert (shown["Separator"], shown["Decimals"]) == ("semicolon", "with a comma")
    assert (shown["Header"], shown["The ratings"]) == ("yes", "column stars")
    assert shown["Scale"] == "2.5 to 3.5 in steps of 1"
    assert (shown["Rows"], shown["Duplicates dropped"]) == ("3", "1")
    assert "1 duplicate" in app.main.warning[-1].value
    assert "Nothing has been computed yet" in texts(app)
    first = app.main.dataframe[0].value
    assert first.values.tolist() == [["01", "x", 3.5], ["02", "x", 2.5]]
    assert statistics(app)["Ratings per user"].tolist() == [1.0]
    assert not app.get("progress")


def test_ratings_become_the_dataset_of_the_dashboard_and_can_be_forgotten():
    app = upload(data_page(), GOOD)
    assert "Your file: mine" not in app.selectbox(key="choose_dataset").options
    button(app, "Explore these ratings").click().run()
    assert app.selectbox(key="choose_dataset").value == "upload"
    assert "dataset=upload" in app.code[0].value
    app.switch_page("pages/data_usage.py").run()
    while app.get("progress"):
        time.sleep(0.1)
        app.run()
    assert not app.exception
    assert app.get("plotly_chart")
    assert "mine, k = 10" in texts(app)
    app.switch_page("pages/data.py").run()
    assert understood(app)["Rows"] == "108"
    button(app, "Forget this file").click().run()
    assert not app.main.table
    assert app.selectbox(key="choose_dataset").value == "sample"
    assert "Your file: mine" not in app.selectbox(key="choose_dataset").options


def test_two_visits_do_not_see_each_other_s_file():
    first, second = data_page(), data_page()
    upload(first, GOOD, "secret.csv")
    button(first, "Explore these ratings").click().run()
    for app in (second.run(), data_page(dataset="upload")):
        assert not app.main.table
        assert not any("secret" in option for option in app.selectbox(key="choose_dataset").options)
        assert app.selectbox(key="choose_dataset").value == "sample"
    upload(second, b"1,2,3\n4,5,6\n", "other.csv")
    assert understood(first.run())["Rows"] == "108"
    assert understood(second)["Rows"] == "2"


def test_a_link_to_an_uploaded_file_says_that_it_is_not_here():
    (warning,) = data_page(dataset="upload").warning
    assert "uploaded in another visit and is not here" in warning.value
    assert "Showing sample" in warning.value


def test_a_refused_file_leaves_the_one_before():
    app = upload(upload(data_page(), GOOD), b"user,item,rating\n1,2,four\n", "bad.csv")
    assert 'Line 2 has the rating "four"' in app.main.error[0].value.replace("\\", "")
    assert understood(app)["Rows"] == "108"
    app.file_uploader[0].set_value(None).run()
    assert not app.main.error
    assert understood(app)["Rows"] == "108"


@pytest.mark.skipif(not CASES.is_dir(), reason="needs shared/cases beside the repository")
def test_the_handed_out_cases_through_the_page():
    app = data_page()
    for case in read_cases():
        upload(app, (CASES / case["file"]).read_bytes(), case["file"])
        if case["outcome"] == "error":
            assert REASONS[case["file"]] in app.main.error[0].value.replace("\\", ""), case["file"]
            continue
        assert not app.main.error, case["file"]
        figures = statistics(app).iloc[0]
        for name in ("users", "items", "ratings"):
            assert figures[name.capitalize()] == int(case[name]), case["file"]
        if case["outcome"].startswith("warning"):
            assert "1 duplicate" in app.main.warning[0].value


def test_columns_and_scale_are_corrected_on_the_page():
    app = upload(data_page(), b"user,item,mood,rating\na,x,1,3\nb,y,2,4\n")
    app.get_by_key("column-rating-draft-1").set_value(3)
    app.get_by_key("maximum-draft-1").set_value(5.0)
    button(app, "Read the file again").click().run()
    assert understood(app)["The ratings"] == "column mood"
    assert understood(app)["Scale"] == "1 to 5 in steps of 1"
    app.get_by_key("maximum-draft-2").set_value(1.0)
    button(app, "Read the file again").click().run()
    assert "outside of it" in app.main.error[0].value
    assert understood(app)["Scale"] == "1 to 5 in steps of 1"


def test_columns_of_a_refused_file_are_chosen_on_the_page():
    app = upload(data_page(), b"user,when,what,how\na,9,x,3\nb,8,y,4\n")
    assert "choose the columns" in app.main.error[0].value
    app.get_by_key("column-item-refused-0").set_value(3)
    app.get_by_key("column-rating-refused-0").set_value(4)
    button(app, "Read the file again").click().run()
    assert not app.main.error
    assert understood(app)["The items"] == "column what"


def test_preparing_is_shown_and_explored():
    app = upload(data_page(), GOOD + b"99,1,3\n")
    app.get_by_key("min-1").set_value(5).run()
    assert "dropped 1 user, 0 items and 1 rating" in texts(app).replace("\\", "")
    assert statistics(app)["Ratings"].tolist() == [109, 108]
    button(app, "Explore these ratings").click().run()
    prepared = app.session_state["own_file"].explored
    assert prepared.n_ratings == 108
    app.get_by_key("core-1").set_value(9).run()
    app.get_by_key("min-1").set_value(9).run()
    assert not app.main.error


def test_the_rows_of_the_paper_stand_beside_its_datasets():
    if not CASES.is_dir():
        pytest.skip("needs shared/data beside the repository")
    app = upload(data_page(), (CASES.parent / "data" / "ciao.csv.gz").read_bytes(), "ciao.csv.gz")
    table = statistics(app)
    assert table["Ratings of"].tolist() == ["As read", "Ciao in the paper"]
    assert table["Users"].tolist() == [7375, 7375]


def test_the_limit_that_is_stated_is_the_one_that_holds():
    config = tomllib.loads((APP.parent / ".streamlit" / "config.toml").read_text())
    assert st.get_option("server.maxUploadSize") == config["server"]["maxUploadSize"]
    (uploader,) = data_page().file_uploader
    assert f"at most {config['server']['maxUploadSize']} MB" in uploader.label
    assert uploader.proto.max_upload_size_mb == config["server"]["maxUploadSize"]


def test_texts_of_the_visitor_are_texts():
    evil = "<img src=x onerror=alert(1)>"
    content = f'{evil},"[a](javascript:b)",*r*\nu,{evil},3\n'.encode()
    app = upload(data_page(), content, f"{evil}.csv")
    shown = [*app.main.markdown, *app.main.error, *app.main.warning, *app.main.header]
    shown += [*app.main.caption]
    for element in shown:
        assert "<img" not in str(element.value).replace("\\<", "")
        assert not getattr(element, "allow_html", False)
    assert "<img" not in str(understood(app)).replace("\\\\<", "").replace("\\<", "")


def test_the_data_folder_is_listed_with_figures_and_reasons(folders: tuple[Path, Path]):
    app = data_page("On this computer")
    assert app.main.code[0].value == str(folders[0])
    table = statistics(app).set_index("File")
    small = load(folders[0] / "small.csv")
    assert table.loc["small.csv", "Users"] == small.n_users
    assert table.loc["small.csv", "Ratings"] == small.n_ratings
    said = texts(app).replace("\\", "")
    assert "empty.csv**: There are no ratings in the file" in said
    assert "odd*.csv**: Line 2" in said


@pytest.fixture
def mirror(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A folder that a server offers as GroupLens would, and a data folder of its own."""
    archive = zipped({"ml-100k/u.data": "1\t2\t3\t9\n1\t3\t4\t9\n2\t3\t5\t9\n"})
    site, data = tmp_path / "site", tmp_path / "data"
    site.mkdir()
    data.mkdir()
    (site / "ml-100k.zip").write_bytes(archive)
    (site / "ml-100k.zip.md5").write_text(hashlib.md5(archive).hexdigest())

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(site))

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("REUSEKNN_DATA_DIR", str(data))
    monkeypatch.setenv("REUSEKNN_DOWNLOAD_URL", f"http://127.0.0.1:{server.server_port}")
    st.cache_resource.clear()
    yield data
    server.shutdown()
    server.server_close()


def wait_for_download(app: AppTest) -> None:
    deadline = time.monotonic() + 20
    while app.main.get("progress") and time.monotonic() < deadline:
        time.sleep(0.1)
        app.run()
    assert not app.exception


def test_an_archive_is_got_once_its_license_is_accepted(mirror: Path):
    app = data_page("Known datasets")
    assert "may not redistribute" in texts(app)
    get = button(app, "Get MovieLens 100K")
    assert get.disabled
    assert list(mirror.iterdir()) == []
    app.checkbox(key="accept-ml-100k").check().run()
    button(app, "Get MovieLens 100K").click().run()
    wait_for_download(app)
    app.run()
    assert [path.name for path in mirror.iterdir()] == ["ml-100k.zip"]
    assert "MovieLens 100K" in app.selectbox(key="choose_dataset").options
    assert "In the data folder" in app.main.success[0].value
    assert load("ml-100k").n_ratings == 3


def test_without_a_network_the_page_says_so_and_goes_on(
    mirror: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("REUSEKNN_DOWNLOAD_URL", "http://127.0.0.1:9")
    app = data_page("Known datasets")
    app.checkbox(key="accept-ml-1m").check().run()
    button(app, "Get MovieLens 1M").click().run()
    wait_for_download(app)
    assert "cannot be reached" in app.main.error[0].value
    assert button(app, "Get MovieLens 1M")
    assert app.selectbox(key="choose_dataset").value == "sample"


def test_the_catalog_names_size_license_citation_and_the_way(mirror: Path):
    said = texts(data_page("Known datasets"))
    for text in (
        "1,000,209 ratings",
        "License: Research use",
        "Harper",
        "douban.csv",
        "in the paper",
    ):
        assert text in said
