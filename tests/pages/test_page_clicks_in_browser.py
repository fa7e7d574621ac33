"""What a page sends to the server, and a click on a link to a page that does not arrive there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.pages.browsing import Visit, menu_link

pytestmark = pytest.mark.browser


class Lossy:
    """The connection of a page to the server, which loses the next request for another page."""

    def __init__(self, page: Page) -> None:
        self.losing = False
        self.lost = 0
        self.requests: list[BackMsg] = []
        page.route_web_socket("**/_stcore/stream", self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            request = BackMsg.FromString(message) if isinstance(message, bytes) else BackMsg()
            if request.WhichOneof("type") == "rerun_script":
                self.requests.append(request)
            if self.losing and request.WhichOneof("type") == "rerun_script":
                self.losing = False
                self.lost += 1
            else:
                server.send(message)

        browser.on_message(pass_on)


def test_a_click_that_was_lost_leads_to_its_page(server: str, visit: Visit):
    connection = Lossy(visit.page)
    page = visit.open(f"{server}/data_usage?dataset=small&k=5&tau=12")
    connection.losing = True
    menu_link(page, "Learn").click()
    expect(page.get_by_role("heading", level=1, name="Learn")).to_be_visible()
    assert connection.lost == 1
    visit.rest()
    assert {"dataset": "small", "k": "5", "tau": "12"}.items() <= visit.address().items()
    visit.is_clean()


def test_no_request_relies_on_what_a_browser_keeps(server: str, visit: Visit):
    connection = Lossy(visit.page)
    page = visit.open(f"{server}/data_usage?dataset=small&k=5&tau=12")
    for k in ("10", "5", "10"):
        page.get_by_role("radio", name=k, exact=True).click()
        visit.rest()
    assert len(connection.requests) > 3
    # What it kept when it asked, it may have dropped when the answer comes.
    assert not any(r.rerun_script.cached_message_hashes for r in connection.requests)
    visit.is_clean()


def test_back_after_a_lost_click_is_the_later_wish(server: str, visit: Visit):
    connection = Lossy(visit.page)
    page = visit.open(f"{server}/data_usage?dataset=small&tau=12")
    menu_link(page, "Trade-off").click()
    expect(page.get_by_role("heading", level=1, name="Trade-off")).to_be_visible()
    visit.rest()
    connection.losing = True
    menu_link(page, "Learn").click()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="Data usage")).to_be_visible()
    page.wait_for_timeout(8000)  # longer than a click waits until it counts as lost
    assert page.get_by_role("heading", level=1).inner_text() == "Data usage"
    assert connection.lost == 1
    visit.is_clean()
