"""The dashboard in a browser: servers of the tests' own, and pages that remember what went wrong.

The fixtures `browser`, `server` and `visit` stand in conftest.py.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright, expect

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: As `python -m streamlit`, but a run does not give way to all else: on a busy machine it would
#: outlast every patience.
STREAMLIT = """import os, runpy
os.setpriority = lambda *_: None
runpy.run_module("streamlit", run_name="__main__", alter_sys=True)"""
PATIENCE = 60_000  # milliseconds; a machine may be busy
COMPUTING = 300_000  # milliseconds until all of a dataset is computed
expect.set_options(timeout=PATIENCE)


def launch(playwright: Playwright) -> Browser:
    """Start the system's Chromium."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


@dataclass(frozen=True)
class Server:
    """A running server."""

    address: str
    process: subprocess.Popen[bytes]
    log: IO[bytes]

    def said(self) -> str:
        """Return what it has written to its log so far."""
        return Path(self.log.name).read_text(encoding="utf-8", errors="replace")

    def megabytes(self) -> float:
        """Return the memory it holds (Linux only)."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def serving(data: Path, cache: Path) -> Iterator[Server]:
    """Start a server and end it; a traceback through our code in its log is a failure."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", STREAMLIT, "run", "app.py", "--server.headless", "true"]
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        process = subprocess.Popen(
            [*command, "--server.port", str(port), "--server.address", "127.0.0.1"],
            cwd=ROOT,
            env={**os.environ, "REUSEKNN_DATA_DIR": str(data), "REUSEKNN_CACHE_DIR": str(cache)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        server = Server(f"http://127.0.0.1:{port}", process, log)
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=2)
                    break
                except OSError:
                    assert time.monotonic() < deadline, f"no server:\n{server.said()}"
                    time.sleep(0.1)
            yield server
        finally:
            process.terminate()
            process.wait(timeout=20)
        # Streamlit's server has some of its own, as when a browser leaves while it connects.
        assert f'File "{ROOT}/' not in server.said(), server.said()


class Visit:
    """A page in a session of its own, that remembers what went wrong."""

    def __init__(self, browser: Browser, width: int = 1280, scheme: str = "light") -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))

    def _heard(self, message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        # Streamlit looks for its own addresses below a page's once.
        known = url.endswith(("/_stcore/health", "/_stcore/host-config")) and "404" in message.text
        if message.type == "error" and not known:
            self.errors.append(f"{message.text} ({url})")

    def _asked(self, url: str) -> None:
        if urlparse(url).hostname not in ("127.0.0.1", None) and url.startswith("http"):
            self.foreign.append(url)

    def open(self, url: str) -> Page:
        """Open a page that has charts."""
        self.page.goto(url)
        self.charts()
        return self.page

    def charts(self) -> None:
        """Wait until all is computed, and the page is drawn and at rest."""
        self.page.locator("[data-testid=stPlotlyChart] .main-svg").first.wait_for()
        self.page.get_by_role("button", name="Cancel").wait_for(state="detached", timeout=COMPUTING)
        self.rest()

    def rest(self) -> None:
        """Wait until no script runs."""
        rest(self.page)

    def address(self) -> dict[str, str]:
        """Return the parts of the query in the address."""
        href = self.page.evaluate("location.href")
        return {name: values[0] for name, values in parse_qs(urlparse(href).query).items()}

    def is_clean(self) -> None:
        """Assert that nothing went wrong and nothing was asked of another host."""
        assert not self.errors
        assert not self.foreign
        assert self.page.get_by_text("Traceback").count() == 0


def rest(page: Page) -> None:
    """Wait until no script of the page runs."""
    running = '[data-testid="stApp"][data-test-script-state="running"]'
    for _ in range(3):
        page.locator(running).wait_for(state="detached")
        page.wait_for_timeout(150)


def open_fold(page: Page, label: str) -> None:
    """Open a fold of the page, and wait until it is filled and stands still."""
    fold = page.get_by_test_id("stExpander").filter(has_text=label).first
    fold.locator("summary").click()
    rest(page)
    boxes = []
    while len(boxes) < 6 or any(box != boxes[-1] for box in boxes[-5:]):
        boxes.append(fold.bounding_box())
        page.wait_for_timeout(100)


def tau_box(page: Page) -> Locator:
    """Return the box of tau."""
    return page.get_by_role("textbox", name="Threshold τ")


def type_tau(page: Page, tau: str) -> None:
    """Type a number into the box of tau."""
    tau_box(page).fill(tau)
    tau_box(page).press("Enter")


def menu_link(page: Page, name: str) -> Locator:
    """Return the link to a page in the menu."""
    return page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True)
