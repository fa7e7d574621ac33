"""What only a browser shows of the data usage: a click on a bar or a line sets tau."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browsing import Visit, tau_box

pytestmark = pytest.mark.browser


def open_when_finished(visit: Visit, address: str) -> Page:
    """Open a page whose figures no run draws again under the mouse."""
    page = visit.open(address)
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden(timeout=60_000)
    expect(page.get_by_text("mean of 5 folds").first).to_be_visible()
    visit.rest()
    return page


def click_column(page: Page, subplot: str, part: float) -> None:
    """Click high above the bars or lines, that far from the left of a panel."""
    panel = page.locator(f".js-plotly-plot .draglayer .{subplot} .nsewdrag").first
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    assert box
    x, y = box["x"] + part * box["width"], box["y"] + 0.3 * box["height"]
    page.mouse.move(x, y)
    page.wait_for_timeout(500)
    page.mouse.click(x, y)


def tau_is_set(page: Page, visit: Visit) -> float:
    """Return the tau that the address has now, once the box has it, too."""
    page.wait_for_function("new URL(location.href).searchParams.has('tau')", timeout=20_000)
    tau = visit.address()["tau"]
    expect(tau_box(page)).to_have_value(tau)
    return float(tau)


@pytest.mark.parametrize(("subplot", "scale"), [("x2y2", "Logarithmic"), ("xy", "Linear")])
def test_a_click_on_a_bar_sets_tau_to_its_upper_edge(
    server: str, visit: Visit, subplot: str, scale: str
):
    page = open_when_finished(visit, f"{server}/data_usage?dataset=small&strategy=gain")
    page.get_by_role("radio", name=scale).click()
    visit.rest()
    click_column(page, subplot, 0.35)
    first = tau_is_set(page, visit)
    assert first > 0
    expect(page.get_by_text(f"used more than {first:g} times").first).to_be_visible()
    visit.rest()
    # Another column, and the first one again: none of the clicks sticks.
    click_column(page, subplot, 0.6)
    page.wait_for_function(f"!location.href.includes('tau={first:g}')", timeout=20_000)
    assert tau_is_set(page, visit) > first
    visit.rest()
    click_column(page, subplot, 0.35)
    page.wait_for_function(f"location.href.includes('tau={first:g}')", timeout=20_000)
    visit.is_clean()


@pytest.mark.parametrize("view", ["All strategies", "Cumulative"])
def test_a_click_sets_tau_in_every_view_and_the_view_stays(server: str, visit: Visit, view: str):
    page = open_when_finished(visit, f"{server}/data_usage?dataset=small&strategy=gain")
    page.get_by_role("radio", name=view).click()
    visit.rest()
    click_column(page, "xy", 0.5)
    tau = tau_is_set(page, visit)
    assert tau > 0
    visit.rest()  # before the slider has followed, leaving would send its old place
    page.get_by_role("link", name="Trade-off").click()
    page.wait_for_url("**/tradeoff**")
    visit.charts()
    page.get_by_role("link", name="Data usage").click()
    page.wait_for_url("**/data_usage**")
    visit.charts()
    expect(page.get_by_role("radio", name=view)).to_be_checked()
    assert visit.address()["tau"] == f"{tau:g}"
    visit.is_clean()
