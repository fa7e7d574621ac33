from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data and cases beside the repository, which is not part of it."""
    folder = Path(__file__).resolve().parents[4] / "shared"
    if not folder.is_dir():
        pytest.skip("needs the folder shared/ beside the repository, which is not part of it")
    return folder
