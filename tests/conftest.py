"""Fixtures that several test files share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store in a folder of its own."""
    return Store(tmp_path / "store")


@pytest.fixture
def six_users() -> Ratings:
    """The example that is worked out by hand in test_oracle.py."""
    return ratings_of(SIX_USERS)


@pytest.fixture(scope="session")
def small() -> Ratings:
    """40 users, 30 items, five stars: small enough for the oracle, large enough for ties."""
    return ratings_of(random_rows(7, users=40, items=30, share=0.4, values=[1, 2, 3, 4, 5]))
