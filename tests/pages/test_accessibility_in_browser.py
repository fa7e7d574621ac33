"""Every page for everybody: the rules of axe-core, both themes, wide and narrow, all opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from pages.parts.frame import TITLES
from tests.pages.browsing import Visit

pytestmark = pytest.mark.browser

WIDTHS = (1280, 768)
SCHEMES = ("light", "dark")
#: A phone, where formulas, figures and tables scroll sideways in their place.
PHONE = 390
OF_SCROLLING = ("scrollable-region-focusable",)
#: The rules that another theme can break; for all others it is the same page.
OF_COLORS = ("color-contrast", "link-in-text-block")
VIEW = "dataset=small&tau=30&strategy=gain"
#: Every page as it is, side A of a comparison, and addresses that ask for what there is not.
STATES = {name: f"{name}?{VIEW}" for name in TITLES} | {
    "pinned": f"overview?{VIEW}&pin=small_20_12_userknn",
    "pinned-tradeoff": f"tradeoff?{VIEW}&pin=small_20_12_userknn",
    "misfits": "data_usage?dataset=small&k=7&tau=abc&pin=foo",
    "nobody": "people?dataset=small&user=nobody",
    "unreadable": "overview?dataset=<b>*odd*",
}
OPEN_ALL = """() => {
    for (const closed of document.querySelectorAll("details:not([open]) > summary")) closed.click();
}"""


def open_state(visit: Visit, url: str) -> Page:
    page = visit.page
    page.goto(url)
    page.locator("h1").first.wait_for()
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Cancel").wait_for(state="detached")
    visit.rest()
    page.evaluate(OPEN_ALL)
    visit.rest()
    page.wait_for_timeout(800)  # what unfolds is half transparent until it is there
    return page


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Return what axe-core finds, by some rules or by all, except for what it calls minor."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    findings: list[dict[str, Any]] = Axe().run(page, options=options).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]}\n  {node['failureSummary']}"
        for rule in findings
        if rule["impact"] != "minor"
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("state", STATES)
def test_a_page_breaks_no_rule_and_does_not_scroll_sideways(
    server: str, browser: Browser, state: str
):
    visit = Visit(browser)
    page = open_state(visit, f"{server}/{STATES[state]}")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(500)
            rules = () if scheme == SCHEMES[0] else OF_COLORS
            assert violations(page, rules) == [], f"{width} px, {scheme}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.wait_for_timeout(700)
    assert violations(page, OF_SCROLLING) == [], f"{PHONE} px"
    visit.is_clean()
    visit.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_glossary_that_opens_everywhere_breaks_no_rule(
    server: str, browser: Browser, scheme: str
):
    visit = Visit(browser, scheme=scheme)
    page = visit.open(f"{server}/tradeoff?{VIEW}")
    page.get_by_role("button", name="Glossary").click()
    page.get_by_text("MAE: How far predicted ratings are").wait_for()
    page.wait_for_timeout(500)
    assert violations(page) == []
    visit.is_clean()
    visit.context.close()


@pytest.mark.parametrize("width", [1280, 1900])
def test_a_sheet_holds_figures_and_no_controls(server: str, browser: Browser, width: int):
    visit = Visit(browser, width=width)
    page = visit.open(f"{server}/tradeoff?{VIEW}")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    drawn = page.locator("[data-testid=stPlotlyChart] .svg-container")
    zoom = drawn.first.evaluate(
        "e => e.closest('[data-testid=stElementContainer]').style.getPropertyValue('--on-paper')"
    )
    assert float(zoom) * drawn.first.evaluate("e => parseFloat(e.style.width)") <= 688  # of A4
    page.emulate_media(media="print")
    for control in ("stSidebar", "stButton", "stDownloadButton"):
        assert not page.get_by_test_id(control).locator("visible=true").count(), control
    expect(page.get_by_text("Click a point").first).to_be_hidden()  # which paper cannot do
    visit.is_clean()
    visit.context.close()


def test_a_table_that_goes_on_says_so_on_a_sheet(server: str, browser: Browser):
    visit = Visit(browser)
    page = visit.open(f"{server}/people?{VIEW}")
    page.get_by_role("tab", name="All people").click()
    table = page.locator("[data-testid=stDataFrame]:visible").first
    table.locator(".dvn-scroller").wait_for()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    said = "e => getComputedStyle(e.closest('[data-testid=stElementContainer]'), '::after').content"
    assert "Only the rows that the screen showed" in table.evaluate(said)
    visit.context.close()


def test_a_phone_shows_all_tabs_of_the_lab(server: str, browser: Browser):
    visit = Visit(browser, width=PHONE)
    page = open_state(visit, f"{server}/privacy_lab?{VIEW}")
    for tab in page.get_by_role("tab").all():
        box = tab.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE - 16
    visit.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_words_of_a_strong_button_can_be_read(server: str, browser: Browser, scheme: str):
    visit = Visit(browser, scheme=scheme)
    page = open_state(visit, f"{server}/privacy_lab?{VIEW}")
    button = page.get_by_role("button", name="Next", exact=True)
    assert button.locator("p").evaluate("e => getComputedStyle(e).color") == (
        "rgb(255, 255, 255)" if scheme == "light" else "rgb(17, 17, 17)"
    )
    visit.context.close()
