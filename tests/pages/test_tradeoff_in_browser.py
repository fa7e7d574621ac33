"""What only a browser shows of the trade-off: a click on a point sets strategy, k and tau."""

from __future__ import annotations

import pytest

from engine.settings import PAPER_KS
from pages.parts.looks import shown_strategies
from tests.pages.browsing import Visit

pytestmark = pytest.mark.browser


def test_a_click_on_a_mark_sets_strategy_k_and_tau(server: str, visit: Visit):
    page = visit.open(f"{server}/tradeoff?dataset=small&tau=12&strategy=gain")
    # The marks are drawn last, those with DP after UserKNN without and with full DP, which stands
    # apart: at the left, where nothing is used unprotected.
    marks = page.locator(".js-plotly-plot").first.locator(".scatterlayer .trace")
    point = marks.nth(marks.count() - 7).locator(".points path").first
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.wait_for_timeout(500)
    page.mouse.click(x, y)
    page.wait_for_function("location.href.includes('tau=0')", timeout=20_000)
    address = visit.address()
    assert address["tau"] == "0"
    # Other curves begin close by.
    assert address["strategy"] in shown_strategies()
    assert int(address["k"]) in PAPER_KS
    visit.is_clean()
