"""Uploads as a visitor makes them: in a browser, over the network, of any size."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from engine.datasets import generate
from tests.pages.browsing import Visit, menu_link

pytestmark = pytest.mark.browser

EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    ratings = generate(users=60, items=90, ratings=1500, seed=5)
    lines = [f"{EVIL},*item*,rating"]
    for user, item, value in zip(ratings.user, ratings.item, ratings.value, strict=True):
        lines.append(f"{EVIL} {user},{item},{value:g}")
    path = tmp_path / "mine & yours.csv"
    path.write_text("\n".join(lines))
    return path


def data_page(visit: Visit, server: str, **query: str) -> Page:
    page = visit.page
    page.goto(f"{server}/data" + "".join(f"?{name}={value}" for name, value in query.items()))
    expect(page.get_by_role("heading", name="Data", level=1)).to_be_visible()
    return page


def upload(page: Page, path: Path) -> None:
    page.locator("input[type=file]").set_input_files(path)


def test_from_upload_to_figures_and_nobody_else_sees_it(
    server: str, visit: Visit, browser: Browser, mine: Path, tmp_path: Path
):
    page = data_page(visit, server)
    upload(page, mine)
    heading = page.get_by_role("heading", name="What was understood of mine & yours.csv")
    expect(heading).to_be_visible()
    bad = tmp_path / "bad.csv"
    bad.write_text("user,item,rating\n1,2,3\n1,3,four\n")
    upload(page, bad)
    expect(page.get_by_text('Line 3 has the rating "four"')).to_be_visible()
    expect(heading).to_be_visible()
    expect(page.get_by_text("The dashboard shows these ratings now")).to_be_visible()
    address = visit.address()
    assert address["dataset"].startswith("upload:")
    page.get_by_role("link", name="What comes out, on Overview").click()
    visit.charts()
    expect(page.get_by_text("mine & yours").first).to_be_visible()
    menu_link(page, "Data").click()
    expect(heading).to_be_visible()

    other = Visit(browser)
    elsewhere = other.page
    elsewhere.goto(f"{server}/tradeoff?{urlencode({**address, 'tau': '7'})}")
    expect(elsewhere.get_by_text("The file is not here")).to_be_visible()
    assert elsewhere.get_by_test_id("stPlotlyChart").count() == 0
    upload(elsewhere, mine)
    other.charts()
    assert other.address() == {**address, "tau": "7"}
    other.is_clean()
    other.context.close()

    page.get_by_role("button", name="Forget this file").click()
    expect(heading).to_have_count(0)
    upload(page, mine)
    expect(heading).to_be_visible()
    page.get_by_role("button", name="Forget this file").click()
    expect(page.get_by_text("Forgotten. Remove the file from the box above")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    visit.is_clean()


def test_a_file_of_200_mb_is_refused_with_the_limit(
    server: str, visit: Visit, mine: Path, tmp_path: Path
):
    page = data_page(visit, server)
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(200 << 20)
    upload(page, large)
    expect(page.get_by_text("must be 100.0MB or smaller")).to_be_visible()
    # The server refuses, too, whoever asks it without the page.
    puts: list[Any] = []
    page.on("request", lambda request: puts.append(request) if request.method == "PUT" else None)
    upload(page, mine)
    expect(page.get_by_role("heading", name="What was understood of")).to_be_visible()
    headers = {
        name: value
        for name, value in puts[0].all_headers().items()
        if name.startswith("x-") or name == "cookie"
    }
    with large.open("rb") as file:
        answer = requests.put(puts[0].url, headers=headers, files={"file": file}, timeout=60)
    assert answer.status_code == 413


def test_nothing_scrolls_sideways(server: str, browser: Browser, mine: Path):
    width = 768
    visit = Visit(browser, width, "dark")
    page = data_page(visit, server)
    upload(page, mine)
    expect(page.get_by_role("heading", name="What was understood of")).to_be_visible()
    for label in ("Correct the columns", "Prepare: drop"):
        page.get_by_text(label).click()
    for tab in ("Your ratings", "On this computer", "Known datasets"):
        page.get_by_role("tab", name=tab).click()
        visit.rest()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    visit.is_clean()
    visit.context.close()
