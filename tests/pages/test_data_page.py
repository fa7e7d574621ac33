"""The Data page without a browser: upload, data folder and catalog."""

from __future__ import annotations

import hashlib
import http.server
import io
import threading
import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.datasets import load
from pages.parts.upload_name import UploadName
from tests.engine.datasets.handed_out import SHARED, read_cases
from tests.engine.datasets.uploads import zipped
from tests.pages.driving import APP, control, texts

pytestmark = pytest.mark.usefixtures("folders")

GOOD = b"user,item,rating\n" + b"".join(
    b"%d,%d,%d\n" % (u, i, 1 + (u * i + u) % 5) for u in range(12) for i in range(9)
)


#: What GOOD is called as a dataset.
MINE = str(replace(UploadName.of(load(io.BytesIO(GOOD))), file="mine.csv"))


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
    assert (shown["Header"], shown["Column of the ratings"]) == ("yes", "stars")
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
    # At once, without another click.
    assert "The dashboard shows these ratings now" in app.main.success[0].value
    assert control(app, "choose_dataset").value == MINE
    assert "Your file: mine" in control(app, "choose_dataset").options
    app.session_state["link"] = True
    app.run()
    assert f"dataset=upload%3A{MINE.split(':')[1]}%3A108%3Amine.csv" in app.code[0].value
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
    assert control(app, "choose_dataset").value == "sample"
    assert "Your file: mine" not in control(app, "choose_dataset").options


def test_two_visits_do_not_see_each_other_s_file():
    first, second = data_page(), data_page()
    upload(first, GOOD, "secret.csv")
    for app in (second.run(), data_page(dataset="upload")):
        assert not app.main.table
        assert not any("secret" in option for option in control(app, "choose_dataset").options)
    assert control(second, "choose_dataset").value == "sample"
    upload(second, b"1,2,3\n4,5,6\n", "other.csv")
    assert understood(first.run())["Rows"] == "108"
    assert understood(second)["Rows"] == "2"


def open_link(page: str, **address: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for part, value in address.items():
        app.query_params[part] = value
    return app.switch_page(f"pages/{page}.py").run()


def test_a_link_to_an_uploaded_file_asks_for_it_and_then_shows_its_settings():
    link = {"dataset": MINE, "k": "5", "tau": "7", "strategy": "gain", "pin": f"{MINE}_5_3_expect"}
    app = open_link("data_usage", **link)
    (request,) = app.main.info
    assert f"**mine\\.csv** (108 ratings, fingerprint {MINE.split(':')[1]}…)" in request.value
    assert not app.get("plotly_chart")  # of no other ratings
    assert not app.metric
    assert "Not here: mine.csv" in control(app, "choose_dataset").options
    upload(app, b"1,2,3\n4,5,6\n", "other.csv")
    (sentence,) = app.main.warning
    assert "What you uploaded is not that file, but **other\\.csv**" in sentence.value
    assert not app.get("plotly_chart")
    upload(app, b"user,item,rating\n1,2,four\n", "bad.csv")
    assert 'Line 2 has the rating "four"' in app.main.error[0].value.replace("\\", "")
    upload(app, GOOD, "a copy.csv")
    while app.get("progress"):
        time.sleep(0.1)
        app.run()
    assert not app.exception
    assert app.get("plotly_chart")
    assert not any("Not here" in option for option in control(app, "choose_dataset").options)
    view = app.session_state["memory"].view
    assert (view.k, view.tau, view.strategy) == (5, 7, "gain")
    assert view.dataset.endswith("a copy.csv")
    assert (view.pin.dataset, view.pin.tau) == (view.dataset, 3)
    assert any("**A**, pinned" in entry.value for entry in app.sidebar.markdown)


def test_another_file_than_that_of_a_link_can_be_shown_with_its_settings():
    app = upload(open_link("overview", dataset=MINE, k="5"), GOOD.replace(b"1,1,", b"1,99,"))
    assert "is not that file" in app.main.warning[0].value
    button(app, "Show your file with these settings").click().run()
    assert not any("is not here" in info.value for info in app.main.info)
    view = app.session_state["memory"].view
    assert view.k == 5
    assert view.dataset.startswith("upload:")
    assert view.dataset != MINE


def test_a_file_that_is_prepared_as_for_a_link_is_shown():
    app = upload(data_page(), GOOD)
    key = app.session_state["own_file"].version
    app.number_input(key=f"sample-{key}").set_value(5).run()
    button(app, "Explore these ratings").click().run()
    link = app.session_state["memory"].view.dataset
    assert ":--sample-users 5 --sample-seed 42:" in link
    elsewhere = data_page(dataset=link)
    assert "read with \\-\\-sample\\-users 5" in elsewhere.main.info[0].value
    upload(elsewhere, GOOD)
    assert elsewhere.session_state["memory"].view.dataset == link
    assert "The dashboard shows these ratings now" in elsewhere.main.success[0].value
    key = elsewhere.session_state["own_file"].version
    assert elsewhere.number_input(key=f"sample-{key}").value == 5
    # The sample is drawn again as the visitor says, and the link's is there when asked for.
    elsewhere.number_input(key=f"sample-{key}").set_value(7).run()
    assert elsewhere.session_state["own_file"].prepared.n_users == 7


def test_a_file_that_a_link_corrects_is_corrected_by_hand_where_the_link_lost_it():
    app = upload(data_page(), GOOD)
    app.get_by_key("maximum-draft-1").set_value(9.0)
    button(app, "Read the file again").click().run()
    link = app.session_state["memory"].view.dataset
    assert ":--columns user=1,item=2,rating=3 --scale max=9:" in link
    lost = link.replace("max=9", "max=8")
    elsewhere = upload(data_page(dataset=lost), GOOD)
    said = elsewhere.main.warning[0].value
    assert "is not that file, but **mine\\.csv** (108 ratings" in said
    assert "Read as the link says, it does not give the ratings of the link." in said
    assert understood(elsewhere)["Scale"] == "1 to 5 in steps of 1"
    elsewhere.get_by_key("maximum-draft-1").set_value(9.0)
    button(elsewhere, "Read the file again").click().run()
    assert elsewhere.session_state["memory"].view.dataset == link
    assert not elsewhere.main.warning


def test_what_was_prepared_stays_while_another_page_is_open():
    app = upload(data_page(), GOOD)
    key = app.session_state["own_file"].version
    app.number_input(key=f"sample-{key}").set_value(5).run()
    button(app, "Explore these ratings").click().run()
    app.switch_page("pages/learn.py").run()
    app.switch_page("pages/data.py").run()
    assert app.number_input(key=f"sample-{key}").value == 5
    assert app.session_state["own_file"].prepared.n_users == 5
    assert "The dashboard shows these ratings now" in app.main.success[0].value


def test_a_link_to_a_file_that_nobody_knows_more_about_takes_any():
    app = open_link("overview", dataset="upload", tau="4")
    assert "a file of its sender's own" in app.main.info[0].value
    upload(app, GOOD)
    assert not any("is not here" in info.value for info in app.main.info)
    assert app.session_state["memory"].view.dataset == MINE
    assert app.session_state["memory"].view.tau == 4


def test_a_refused_file_leaves_the_one_before():
    app = upload(upload(data_page(), GOOD), b"user,item,rating\n1,2,four\n", "bad.csv")
    assert 'Line 2 has the rating "four"' in app.main.error[0].value.replace("\\", "")
    assert understood(app)["Rows"] == "108"
    app.file_uploader[0].set_value(None).run()
    assert not app.main.error
    assert understood(app)["Rows"] == "108"


@pytest.mark.skipif(not read_cases(), reason="needs shared/cases beside the repository")
def test_the_handed_out_cases_through_the_page():
    app = data_page()
    for case in read_cases():
        upload(app, case.path.read_bytes(), case.name)
        if case.figures is None:
            assert case.said in app.main.error[0].value.replace("\\", ""), case.name
            continue
        assert not app.main.error, case.name
        figures = statistics(app).iloc[0]
        assert tuple(figures[["Users", "Items", "Ratings"]]) == case.figures[:3], case.name
        warnings = [warning.value.replace("\\", "") for warning in app.main.warning]
        # The page has a form where the command line has options.
        assert case.said.partition(" --")[0] in " ".join(warnings), case.name
        assert bool(warnings) == bool(case.said), case.name


def test_columns_and_scale_are_corrected_on_the_page():
    app = upload(data_page(), b"user,item,mood,rating\na,x,1,3\nb,y,2,4\n")
    app.get_by_key("column-rating-draft-1").set_value(3)
    app.get_by_key("maximum-draft-1").set_value(5.0)
    button(app, "Read the file again").click().run()
    assert understood(app)["Column of the ratings"] == "mood"
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
    assert understood(app)["Column of the items"] == "what"


COUNTS = "user,item,plays\n" + "".join(f"u{n % 7},i{n},{(1, 2, 900)[n % 3]}\n" for n in range(21))


@pytest.mark.parametrize(
    ("text", "finding", "act"),
    [
        (COUNTS, "look like counts", 'tick "These are listening counts"'),
        (
            "ann,x,3,4,1\nann,y,5,2,3\nbob,x,1,1,2\n",
            "may be",
            "choose the column of the rating",
        ),
        (
            "user,item,rating,rating\na,x,1,5\na,y,2,4\nb,x,1,3\n",
            "Two columns are named",
            'choose "rating" (column 4) as the rating',
        ),
        (
            "a;b;c;d\n0;u1;i1;4\n1;u1;i2;3\n2;u2;i1;4\n",
            "number of the row",
            'choose "a" as the user',
        ),
        ("user,when,what,how\na,9,x,3\nb,8,y,4\n", "names no item", "choose the columns"),
        ("a,x,3,30\na,y,2,11\nb,x,5,12\n", "may be meant", "choose column 4 as the rating"),
    ],
)
def test_what_is_said_of_a_file_names_what_the_page_has(text: str, finding: str, act: str):
    """And not the options of the command line."""
    app = upload(data_page(), text.encode())
    said = [entry.value.replace("\\", "") for entry in (*app.main.warning, *app.main.error)]
    (about,) = [sentence for sentence in said if finding in sentence]
    assert f"{act} below, under" in about
    assert about.split("under ")[1].split('"')[1] in [fold.label for fold in app.main.expander]
    assert "--" not in " ".join(said)
    if app.main.error:
        return
    app.switch_page("pages/overview.py").run()
    in_sidebar = " ".join(caption.value for caption in app.sidebar.caption).replace("\\", "")
    assert f"{act} on the page Data" in in_sidebar
    assert "--" not in in_sidebar


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
    ciao = SHARED / "data" / "ciao.csv.gz"
    if not ciao.is_file():
        pytest.skip("needs shared/data beside the repository")
    app = upload(data_page(), ciao.read_bytes(), ciao.name)
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
    elements = [*app.main.markdown, *app.main.error, *app.main.warning, *app.main.header]
    elements += [*app.main.caption]
    for element in elements:
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
    assert "MovieLens 100K" in control(app, "choose_dataset").options
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
    assert control(app, "choose_dataset").value == "sample"


def test_the_catalog_names_size_license_citation_and_the_way(mirror: Path):
    said = texts(data_page("Known datasets"))
    for text in (
        "1,000,209 ratings",
        "License: Research use",
        "Harper",
        "douban.tsv",
        "in the paper",
    ):
        assert text in said
