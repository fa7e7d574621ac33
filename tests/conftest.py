"""Fixtures that several test files share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from cache import Store
from engine.datasets import Ratings
from tests.examples import SIX_USERS, random_rows, ratings_of

# Derandomized: a test that fails here fails everywhere, and a test that passes does not flicker.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what needs the browser last."""
    items.sort(key=lambda item: needs_browser(item.nodeid))


def needs_browser(nodeid: str) -> bool:
    return "_in_browser.py" in nodeid


class BrowserTestsTogether(LoadScopeScheduling):
    """Gives the tests with a browser to two of the processes, first of all, as they take longest.

    Each opens one browser at a time. With the rules of accessibility apart, both processes end at
    about the same time.
    """

    def _split_scope(self, nodeid: str) -> str:
        if not needs_browser(nodeid):
            return nodeid
        return "accessibility" if "test_accessibility" in nodeid else "browser"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return BrowserTestsTogether(config, log)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name content that is no text by its length: a packed file holds the time it was packed at.

    Processes that run the tests together must call them alike.
    """
    return f"{len(val)} bytes" if isinstance(val, bytes) and not val.isascii() else None


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store in a folder of its own."""
    return Store(tmp_path / "store")


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a store and a data folder of the test's own."""
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REUSEKNN_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def six_users() -> Ratings:
    """The example that is worked out by hand in test_oracle.py."""
    return ratings_of(SIX_USERS)


@pytest.fixture(scope="session")
def small() -> Ratings:
    """40 users, 30 items, five stars: small enough for the oracle, large enough for ties."""
    return ratings_of(random_rows(7, users=40, items=30, share=0.4, values=[1, 2, 3, 4, 5]))
