"""What only a browser shows: deep links on a fresh server, the address, keys, a run and Cancel."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, expect

from engine.datasets import generate
from pages.parts.frame import TITLES
from tests.pages.browsing import Visit, menu_link, open_fold, serving, tau_box, type_tau

pytestmark = pytest.mark.browser

#: Keeps the text of every link, and the name of every part of Streamlit's own menu, however short
#: it is there.
NOTE_MENUS = """window.menus = new Set();
new MutationObserver(() => {
    for (const link of document.querySelectorAll("a")) window.menus.add(link.innerText.trim());
    for (const part of document.querySelectorAll("[data-testid^=stSidebarNav]")) {
        window.menus.add(part.dataset.testid);
    }
}).observe(document, {childList: true, subtree: true});"""


def test_a_deep_link_works_on_a_server_just_started(folders: tuple[Path, Path], visit: Visit):
    visit.page.add_init_script(NOTE_MENUS)
    with serving(*folders) as server:
        page = visit.open(
            f"{server.address}/popularity_bias?dataset=small&k=20&tau=42&strategy=userknn%2Breuse"
        )
        # Until the server knows the pages it would take them for its files: "app", "data usage".
        seen = set(page.evaluate("[...window.menus]"))
        assert seen >= set(TITLES.values())
        assert not seen & {"app", *TITLES, *(name.replace("_", " ") for name in TITLES)}
        assert not any(name.startswith("stSidebarNav") for name in seen)
        expect(page.get_by_role("heading", name="Popularity bias", level=1)).to_be_visible()
        expect(tau_box(page)).to_have_value("42")
        expect(page.get_by_role("combobox", name="Strategy")).to_have_value("UserKNN+Reuse")
        expect(menu_link(page, "Neighborhoods")).to_be_visible()
        assert visit.address() == {
            "dataset": "small",
            "k": "20",
            "tau": "42",
            "strategy": "userknn+reuse",
        }
        visit.is_clean()


def test_tau_typed_or_moved_is_in_the_address_and_stays_across_pages(server: str, visit: Visit):
    page = visit.open(f"{server}/?dataset=small&strategy=gain")
    type_tau(page, "17")
    expect(page.get_by_text("more than 17 times").first).to_be_visible()
    assert visit.address()["tau"] == "17"
    slider = page.get_by_role("slider", name="Move τ")
    slider.press("ArrowRight")
    expect(page.get_by_text("more than 18 times").first).to_be_visible()
    address = {"dataset": "small", "k": "10", "tau": "18", "strategy": "gain"}
    assert visit.address() == address
    for name in ("Neighborhoods", "Trade-off", "Popularity bias", "Data usage"):
        menu_link(page, name).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        visit.charts()
        expect(tau_box(page)).to_have_value("18")
        assert visit.address() == address
    page.reload()
    visit.charts()
    expect(page.get_by_text("more than 18 times").first).to_be_visible()
    visit.is_clean()


def test_back_and_forward_lead_over_pages_and_settings(server: str, visit: Visit):
    page = visit.open(f"{server}/?dataset=small&tau=10")
    address = {"dataset": "small", "k": "20", "tau": "10", "strategy": "expect"}
    seen = [("Overview", {"dataset": "small", "tau": "10"}), ("Overview", address)]
    page.get_by_role("radio", name="20").click()
    page.wait_for_url("**k=20**")
    for name in ("Trade-off", "People", "Data usage"):
        menu_link(page, name).click()
        seen.append((name, address))
        shows(visit, *seen[-1])
    for name, there in seen[-2::-1]:
        page.go_back()
        shows(visit, name, there)
    for name, there in seen[1:]:
        page.go_forward()
        shows(visit, name, there)
    visit.is_clean()


def shows(visit: Visit, name: str, address: dict[str, str]) -> None:
    """Assert that a page is there with these settings in the address and in the controls."""
    page = visit.page
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    visit.charts()
    assert visit.address() == address
    expect(page.get_by_role("radio", name=address.get("k", "10"), exact=True)).to_be_checked()
    expect(tau_box(page)).to_have_value(address["tau"])


def test_a_link_of_the_menu_in_a_new_tab_has_the_settings(server: str, visit: Visit):
    page = visit.open(f"{server}/data_usage?dataset=small&k=20&tau=12&strategy=gain")
    with visit.context.expect_page() as opened:
        menu_link(page, "Trade-off").click(button="middle")
    tab = opened.value
    expect(tab.get_by_role("heading", name="Trade-off", level=1)).to_be_visible()
    expect(tau_box(tab)).to_have_value("12")
    assert tab.evaluate("location.search") == "?dataset=small&k=20&tau=12&strategy=gain"
    visit.is_clean()


def test_misfits_in_a_deep_link_are_said(server: str, visit: Visit):
    page = visit.open(f"{server}/tradeoff?dataset=small&k=7&tau=abc&strategy=foo")
    expect(page.get_by_text("The address asks for k = 7")).to_be_visible()
    expect(page.get_by_text("The address asks for tau = abc")).to_be_visible()
    expect(page.get_by_text("The address asks for strategy = foo")).to_be_visible()
    type_tau(page, "12")
    expect(page.get_by_text("The address asks for").first).not_to_be_visible()
    visit.rest()
    assert visit.address() == {"dataset": "small", "k": "10", "tau": "12", "strategy": "expect"}
    visit.is_clean()


def test_a_tau_that_cannot_be_leaves_the_box_with_a_word(server: str, visit: Visit):
    page = visit.open(f"{server}/data_usage?dataset=small&tau=17")
    box = tau_box(page)
    for typed in ("-5", "12,5", "99999999999999999999"):
        type_tau(page, typed)
        expect(page.get_by_text("τ is still 17")).to_be_visible()
        expect(box).to_have_value(typed)
        assert visit.address()["tau"] == "17"
        page.get_by_role("slider", name="Move τ").press("Home")
        expect(box).to_have_value("0")
        expect(page.get_by_text("τ is still")).to_be_hidden()
        type_tau(page, "17")
        visit.rest()
        expect(box).to_have_value("17")
    type_tau(page, "")
    expect(page.get_by_role("radio", name="Published rule")).to_be_checked()
    expect(box).to_have_attribute("placeholder", re.compile(r"\d+"))
    assert "tau" not in visit.address()
    visit.is_clean()


def test_an_unknown_page_leads_to_the_first(server: str, visit: Visit):
    page = visit.page
    page.goto(f"{server}/nowhere?dataset=small")
    expect(page.get_by_text("Page not found")).to_be_visible()
    visit.charts()


def test_tables_download_as_shown(server: str, visit: Visit):
    page = visit.open(f"{server}/neighborhoods?dataset=small&strategy=gain&tau=30")
    open_fold(page, "The numbers behind the figure")
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
