"""A pin in the address, and what is downloaded: opened in a browser that has no network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.pages.browsing import Visit, menu_link, open_fold

pytestmark = pytest.mark.browser

VIEW = "dataset=small&k=10&tau=30&strategy=gain"


@pytest.fixture
def offline(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page without a network, and what goes wrong on it or is asked for."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("file:", "data:", "blob:"))
            else heard.append(request.url)
        ),
    )
    yield page, heard
    context.close()


def download(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as event:
        page.get_by_role("button", name=button).first.click()
    path = folder / event.value.suggested_filename
    event.value.save_as(path)
    return path


def test_the_report_opens_without_a_network(
    server: str, visit: Visit, offline: tuple[Page, list[str]], tmp_path: Path
):
    page = visit.open(f"{server}/tradeoff?{VIEW}&pin=small_20_12_userknn")
    open_fold(page, "Link to this view")
    link = page.get_by_test_id("stCode").first.text_content() or ""
    open_fold(page, "Export")
    report = download(page, "Report of these settings", tmp_path)
    assert report.name == "report-small-k10-tau30.html"
    opened, heard = offline
    opened.goto(report.as_uri())
    expect(opened.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    opened.wait_for_timeout(1000)
    drawings = opened.locator(".js-plotly-plot").all()
    assert opened.get_by_role("figure").count() == len(drawings) >= 9
    for drawn in drawings:
        assert drawn.locator(".main-svg").count() >= 2
    expect(opened.get_by_role("heading", name="A and B")).to_be_visible()
    assert opened.locator("#link").get_attribute("href") == link
    assert opened.evaluate("document.documentElement.scrollWidth") <= 1280
    opened.locator(".js-plotly-plot").first.hover()
    picture = download(opened, "Download plot", tmp_path)
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert not heard
    visit.is_clean()


def test_a_figure_is_saved_as_html_and_as_png(
    server: str, visit: Visit, offline: tuple[Page, list[str]], tmp_path: Path
):
    page = visit.open(f"{server}/overview?{VIEW}")
    open_fold(page, "Export")
    page.get_by_role("radio", name="PNG").click()
    visit.rest()
    page.get_by_role("figure").first.hover()
    picture = download(page, "Download plot", tmp_path)
    assert picture.read_bytes().startswith(b"\x89PNG")
    open_fold(page, "The numbers behind the figure")
    alone = download(page, "Download the figure as HTML", tmp_path)
    opened, heard = offline
    opened.goto(alone.as_uri())
    expect(opened.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(opened.get_by_text("small, k = 10, τ = 30, mean of 5 folds.")).to_be_visible()
    assert not heard
    visit.is_clean()


def test_a_download_right_after_a_change_is_of_the_changed_settings(
    server: str, visit: Visit, tmp_path: Path
):
    page = visit.open(f"{server}/overview?{VIEW}")
    open_fold(page, "The numbers behind the figure")
    open_fold(page, "Export")
    for wait in (0, 50, 200):  # milliseconds; a run takes about 200
        for format in ("PNG", "SVG"):
            page.get_by_role("radio", name=format).click()
            page.wait_for_timeout(wait)
            alone = download(page, "Download the figure as HTML", tmp_path)
            assert f'"format": "{format.lower()}"' in alone.read_text(encoding="utf-8")
    visit.is_clean()


def test_a_file_stays_until_it_is_fetched_also_when_others_work_meanwhile(
    server: str, browser: Browser, visit: Visit, tmp_path: Path
):
    page = visit.open(f"{server}/overview?{VIEW}")
    other = Visit(browser)
    other.open(f"{server}/overview?{VIEW}")
    open_fold(page, "The numbers behind the figure")
    fetches: list[Route] = []
    page.route("**/media/*", lambda route: fetches.append(route))
    with page.expect_download() as saved:
        with page.expect_request("**/media/*"):
            page.get_by_role("button", name="Download the figure as HTML").click()
        for k in ("5", "10", "5"):
            other.page.get_by_role("radio", name=k, exact=True).click()
            expect(other.page.get_by_text(f"small, k = {k}, τ = 30").first).to_be_visible()
            other.rest()
        for fetch in fetches:
            fetch.continue_()
    saved.value.save_as(tmp_path / "figure.html")
    assert "small, k = 10, τ = 30" in (tmp_path / "figure.html").read_text(encoding="utf-8")
    other.is_clean()
    other.context.close()
    visit.is_clean()


def test_a_pin_is_in_the_address_and_a_link_brings_it_back(
    server: str, browser: Browser, visit: Visit
):
    page = visit.open(f"{server}/overview?{VIEW}")
    page.get_by_role("button", name="Pin as A").click()
    expect(page.get_by_text("They are the same settings")).to_be_visible()
    assert visit.address()["pin"] == "small_10_30_gain"
    page.get_by_role("radio", name="20").click()
    expect(page.get_by_text("B: small, k = 20, τ = 30, Gain.")).to_be_visible()
    menu_link(page, "Trade-off").click()
    expect(page.get_by_role("heading", name="Trade-off", level=1)).to_be_visible()
    expect(page.get_by_text("A: small, k = 10, τ = 30, Gain.")).to_be_visible()
    link = page.evaluate("location.href")
    other = Visit(browser)
    copied = other.open(link)
    expect(copied.get_by_text("A: small, k = 10, τ = 30, Gain.")).to_be_visible()
    expect(copied.get_by_text("B: small, k = 20, τ = 30, Gain.")).to_be_visible()
    copied.get_by_role("button", name="Unpin").click()
    expect(copied.get_by_text("A: small")).to_have_count(0)
    other.rest()
    assert "pin" not in other.address()
    other.is_clean()
    other.context.close()
    visit.is_clean()
