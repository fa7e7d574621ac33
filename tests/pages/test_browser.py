"""What only a browser shows: deep links on a fresh server, the address, keys, a run and Cancel."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, expect

from engine.datasets import generate
from tests.pages.browsing import Visit, serving, type_tau

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("data_usage", "Data usage"),
        ("tradeoff", "Trade-off"),
        ("popularity_bias", "Popularity bias"),
    ],
)
def test_a_deep_link_works_on_a_server_just_started(
    path: str, heading: str, folders: tuple[Path, Path], visit: Visit
):
    with serving(*folders) as server:
        page = visit.open(
            f"{server.address}/{path}?dataset=small&k=20&tau=42&strategy=userknn%2Breuse"
        )
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        expect(page.get_by_role("spinbutton", name="Threshold τ")).to_have_value("42")
        expect(page.get_by_role("combobox", name="Strategy")).to_have_value("UserKNN+Reuse")
        expect(page.get_by_test_id("stSidebarNav")).to_contain_text("Neighborhoods")
        assert visit.address() == {
            "dataset": "small",
            "k": "20",
            "tau": "42",
            "strategy": "userknn+reuse",
        }
        visit.is_clean()


def test_tau_typed_or_moved_is_in_the_address_and_stays_across_pages(server: str, visit: Visit):
    page = visit.open(f"{server}/?dataset=small&strategy=gain")
    type_tau(page, "17.5")
    expect(page.get_by_text("more than 17.5 times").first).to_be_visible()
    assert visit.address()["tau"] == "17.5"
    slider = page.get_by_role("slider", name="Move τ")
    slider.press("ArrowRight")
    expect(page.get_by_text("more than 19 times").first).to_be_visible()
    assert visit.address()["tau"] == "19"
    for name in ("Neighborhoods", "Trade-off", "Popularity bias", "Data usage"):
        page.get_by_test_id("stSidebarNav").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        visit.charts()
        expect(page.get_by_role("spinbutton", name="Threshold τ")).to_have_value("19")
        assert visit.address() == {"dataset": "small", "strategy": "gain", "tau": "19"}
    page.reload()
    visit.charts()
    expect(page.get_by_text("more than 19 times").first).to_be_visible()
    visit.is_clean()


def test_back_returns_to_what_was_seen_before(server: str, visit: Visit):
    page = visit.open(f"{server}/?dataset=small&tau=10")
    page.get_by_role("radio", name="20").click()
    visit.rest()
    assert visit.address()["k"] == "20"
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Trade-off").click()
    expect(page.get_by_role("heading", name="Trade-off", level=1)).to_be_visible()
    visit.charts()
    page.go_back()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    visit.charts()
    assert visit.address() == {"dataset": "small", "tau": "10", "k": "20"}
    visit.is_clean()


def test_misfits_in_a_deep_link_are_said(server: str, visit: Visit):
    page = visit.open(f"{server}/tradeoff?dataset=small&k=7&tau=abc&strategy=foo")
    expect(page.get_by_text("The address asks for k = 7")).to_be_visible()
    expect(page.get_by_text("The address asks for tau = abc")).to_be_visible()
    expect(page.get_by_text("The address asks for strategy = foo")).to_be_visible()
    type_tau(page, "12")
    expect(page.get_by_text("The address asks for").first).not_to_be_visible()
    visit.rest()
    assert visit.address() == {"dataset": "small", "tau": "12"}
    visit.is_clean()


def test_a_tau_that_cannot_be_leaves_the_box_with_a_word(server: str, visit: Visit):
    page = visit.open(f"{server}/data_usage?dataset=small&tau=17.5")
    box = page.get_by_role("spinbutton", name="Threshold τ")
    for typed in ("-5", "99999999999999999999"):
        type_tau(page, typed)
        expect(page.get_by_text("τ is still 17.5")).to_be_visible()
        expect(box).to_have_value("17.5")
        assert visit.address()["tau"] == "17.5"
        page.get_by_role("slider", name="Move τ").press("Home")
        expect(box).to_have_value("0")
        expect(page.get_by_text("τ is still")).to_be_hidden()
        type_tau(page, "17.5")
        visit.rest()
        expect(box).to_have_value("17.5")
    type_tau(page, "")
    expect(page.get_by_role("radio", name="Published rule")).to_be_checked()
    expect(box).not_to_have_value("")
    assert "tau" not in visit.address()
    visit.is_clean()


def test_an_unknown_page_leads_to_the_first(server: str, visit: Visit):
    page = visit.page
    page.goto(f"{server}/nowhere?dataset=small")
    expect(page.get_by_text("Page not found")).to_be_visible()
    visit.charts()


def test_tables_download_as_shown(server: str, visit: Visit):
    page = visit.open(f"{server}/neighborhoods?dataset=small&strategy=gain&tau=30")
    page.get_by_text("The numbers behind the figure").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the numbers as CSV").first.click()
    assert download.value.suggested_filename == "neighbors-small-k10-tau30.csv"
    table = pd.read_csv(download.value.path())
    assert {"q", "UserKNN", "Gain"} <= set(table.columns)
    assert table["q"].iloc[0] == 1
    page.get_by_role("figure").first.hover()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download plot").first.click()
    assert download.value.suggested_filename == "neighbors-small-k10-tau30.svg"
    assert "After" in download.value.path().read_text(encoding="utf-8")
    visit.is_clean()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (768, "dark")])
def test_nothing_scrolls_sideways(server: str, browser: Browser, width: int, scheme: str):
    visit = Visit(browser, width, scheme)
    for name in ("data_usage", "neighborhoods", "tradeoff", "popularity_bias"):
        page = visit.open(f"{server}/{name}?dataset=small")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    visit.is_clean()
    visit.context.close()


def test_a_run_shows_its_first_fold_and_can_be_cancelled_and_go_on(
    browser: Browser, tmp_path: Path
):
    data, cache = tmp_path / "data", tmp_path / "cache"
    data.mkdir()
    large = generate(users=2500, items=1500, ratings=290_000, seed=5)
    columns = {"user": large.users[large.user], "item": large.items[large.item]}
    pd.DataFrame({**columns, "rating": large.value}).to_csv(data / "large.csv", index=False)
    with serving(data, cache) as server:
        first, second = Visit(browser), Visit(browser)
        page, other = first.page, second.page
        page.goto(f"{server.address}/?dataset=large")
        expect(page.get_by_text("so far").first).to_be_visible()
        other.goto(f"{server.address}/tradeoff?dataset=large")
        expect(other.get_by_role("button", name="Cancel")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("What was finished is kept.")).to_be_visible()
        expect(other.get_by_text("What was finished is kept.")).to_be_visible()
        expect(page.get_by_test_id("stMetricValue").first).to_be_visible()
        type_tau(page, "50")
        expect(page.get_by_text("more than 50 times").first).to_be_visible()
        page.get_by_role("button", name="Start again").click()
        expect(page.get_by_role("button", name="Cancel")).to_be_visible()
        # The other session sees that the run goes on.
        expect(other.get_by_role("button", name="Cancel")).to_be_visible()
        first.is_clean()
        second.is_clean()
        for visit in (first, second):
            visit.context.close()
