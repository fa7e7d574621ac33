"""What only a browser shows of People and Learn: `user=` in the address, links, a row chosen."""

from __future__ import annotations

import pandas as pd
import pytest
from playwright.sync_api import expect

from pages.contents.learn.tour import TOUR
from tests.pages.browsing import Visit, menu_link, tau_box, type_tau

pytestmark = pytest.mark.browser


def test_a_user_is_in_the_address_found_again_and_kept_when_tau_moves(server: str, visit: Visit):
    page = visit.open(f"{server}/people?dataset=small&tau=30&user=7")
    field = page.get_by_role("searchbox").or_(page.get_by_label("Find a user by id"))
    expect(field.first).to_have_value("7")
    expect(page.get_by_text("user 7 is used").first).to_be_visible()
    type_tau(page, "12")
    visit.rest()
    assert (visit.address()["tau"], visit.address()["user"]) == ("12", "7")
    field.first.fill("8")
    field.first.press("Enter")
    expect(page.get_by_text("user 8 is used").first).to_be_visible()
    assert visit.address()["user"] == "8"
    page.reload()
    visit.charts()
    expect(page.get_by_text("user 8 is used").first).to_be_visible()
    page.get_by_role("button", name="Most used").or_(
        page.get_by_role("radio", name="Most used")
    ).first.click()
    expect(page.get_by_text("the most of all").first).to_be_visible()
    assert "user" not in visit.address()
    visit.is_clean()


def test_the_user_is_kept_while_other_pages_are_looked_at(server: str, visit: Visit):
    page = visit.open(f"{server}/people?dataset=small&user=7")
    menu_link(page, "Trade-off").click()
    expect(page.get_by_role("heading", name="Trade-off", level=1)).to_be_visible()
    visit.charts()
    menu_link(page, "People").click()
    expect(page.get_by_text("user 7 is used").first).to_be_visible()
    visit.is_clean()


def test_a_row_of_the_table_opens_that_person(server: str, visit: Visit):
    page = visit.open(f"{server}/people?dataset=small&strategy=gain")
    page.get_by_role("tab", name="All people").click()
    visit.rest()
    table = page.get_by_test_id("stDataFrame").last
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box
    page.mouse.click(box["x"] + 16, box["y"] + 35 + 35 * 2 + 17)
    expect(page.get_by_label("Find a user by id")).to_be_visible()
    expect(page.get_by_text("the most of all")).to_have_count(0)
    visit.rest()
    assert visit.address()["user"]
    visit.is_clean()


def test_all_users_can_be_downloaded(server: str, visit: Visit):
    page = visit.open(f"{server}/people?dataset=small&tau=30")
    page.get_by_role("tab", name="All people").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the numbers as CSV").last.click()
    assert download.value.suggested_filename == "users-small-k10-tau30.csv"
    table = pd.read_csv(download.value.path())
    assert len(table) == 80
    assert {"user", "uses per fold", "privacy risk", "paper's ε"} <= set(table.columns)
    visit.is_clean()


def test_every_link_of_the_tour_opens_its_page_in_the_same_window(server: str, visit: Visit):
    page = visit.page
    page.goto(f"{server}/learn")
    for number, step in enumerate(TOUR, start=1):
        # The page is not drawn from top to bottom: "the first link" may be another for a moment.
        links = page.get_by_role("link", name="with these settings")
        expect(links).to_have_count(len(TOUR))
        links.nth(number - 1).click()
        visit.charts()
        expected = dict(part.split("=") for part in step.link.partition("?")[2].split("&"))
        assert visit.address() == expected
        assert page.evaluate("location.pathname") == f"/{step.page}"
        expect(tau_box(page)).to_have_value(f"{step.tau:g}")
        assert not page.get_by_text("The address asks for").count()
        expect(page.get_by_text(f"Tour, {number} of 6.")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("heading", name=f"{number}. {step.title}")).to_be_visible()
    page.go_forward()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", name="Learn", level=1)).to_be_visible()
    assert "tour" not in visit.address()
    assert len(visit.context.pages) == 1
    visit.is_clean()


def test_formulas_are_drawn_and_the_glossary_opens_everywhere(server: str, visit: Visit):
    page = visit.open(f"{server}/tradeoff?dataset=small&tau=30")
    page.get_by_role("button", name="Glossary").click()
    expect(page.get_by_text("MAE: How far predicted ratings are")).to_be_visible()
    page.get_by_role("link", name="All terms, with formulas").click()
    expect(page.get_by_role("heading", name="Glossary", exact=True)).to_be_visible()
    assert visit.address()["tau"] == "30"
    visit.rest()
    for label in page.get_by_text("The formula").all():
        label.click()
    expect(page.locator(".katex").first).to_be_visible()
    assert page.locator(".katex-error").count() == 0
    visit.is_clean()
