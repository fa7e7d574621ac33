"""Choosing tau in a browser: a link with limits, limits by keyboard alone, the record on paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pages.parts.runs.results import Results
from tests.pages.browsing import Visit, serving, tau_box

pytestmark = pytest.mark.browser

VIEW = "dataset=small&k=10&tau=20&strategy=gain"
LIMITS = "max_vulnerable:40%;max_risk:30"
LONG_REASON = "We looked at every strategy, and at what each costs those who are used most. " * 4
#: CSS pixels: an A4 page between the margins of the record.
A4_BETWEEN_MARGINS = round((210 - 2 * 14) / 25.4 * 96)


def tab_to(page: Page, control: Locator) -> None:
    """Go on with the Tab key until the control has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if control.count() and control.evaluate("it => it === document.activeElement"):
            return
    raise AssertionError("the Tab key does not lead there")


def test_from_a_link_to_the_record_on_paper(
    browser: Browser, folders: tuple[Path, Path], results: Results, tmp_path: Path
):
    """A link with limits on a fresh server, a limit by keyboard, the answer taken, the record."""
    del results  # they are in the store
    visit = Visit(browser)
    with serving(*folders) as fresh:
        page = visit.open(f"{fresh.address}/choose_tau?{VIEW}&limits={LIMITS}")
        expect(page.get_by_text("Best (least error)")).to_be_visible()
        assert visit.address()["limits"] == LIMITS

        page.get_by_text("Your limits", exact=True).first.click()
        tab_to(page, page.get_by_role("switch", name="at most … above the baseline"))
        page.keyboard.press("Space")
        box = page.get_by_role("textbox", name="% above the baseline")
        expect(box).to_have_value("2 %")
        visit.rest()
        tab_to(page, box)
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type("50")
        page.keyboard.press("Enter")
        expect(page.get_by_text("at most 50 % above the baseline").first).to_be_visible()
        expect(box).to_have_value("50")
        visit.rest()
        assert visit.address()["limits"] == f"max_error_increase:50%;{LIMITS}"
        best = page.get_by_text("Best (least error)").text_content() or ""
        tab_to(page, page.get_by_role("button", name="Take the best setting"))
        page.keyboard.press("Enter")
        expect(page.get_by_text("These settings keep to all your limits.")).to_be_visible()
        visit.rest()
        taken = re.search(r"k = (\d+), τ = ([\d,]+)", best)
        assert taken
        assert (visit.address()["k"], tau_box(page).input_value()) == taken.groups()

        for field in ("Why this choice?", "Open questions"):
            page.get_by_role("textbox", name=field).fill(LONG_REASON)
        page.get_by_role("textbox", name="Decided by, on").fill("A. Smith, B. Jones")
        page.keyboard.press("Tab")
        visit.rest()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download as HTML, to print").click()
        record = tmp_path / download.value.suggested_filename
        download.value.save_as(record)
        visit.is_clean()
        page.goto(record.as_uri())
        expect(page.get_by_text("A. Smith, B. Jones")).to_be_visible()
        assert page.locator(".field").first.inner_text().strip() == LONG_REASON.strip()
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
        page.emulate_media(media="print")
        page.set_viewport_size({"width": A4_BETWEEN_MARGINS, "height": 1000})
        assert page.evaluate("document.documentElement.scrollWidth") <= A4_BETWEEN_MARGINS
        visit.context.close()
