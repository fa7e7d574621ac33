"""The dashboard without a browser: opening a page by its address, and reading what it shows."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "app.py"
PAGES = ("overview", "data_usage", "neighborhoods", "tradeoff", "popularity_bias", "people")


def open_page(name: str = "data_usage", **address: object) -> AppTest:
    """Open a page and wait until its run has finished."""
    app = AppTest.from_file(APP, default_timeout=60)
    for part, value in address.items():
        app.query_params[part] = str(value)
    app.run()
    deadline = time.monotonic() + 60
    while app.get("progress") and time.monotonic() < deadline:
        time.sleep(0.1)
        app.run()
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def figures(app: AppTest) -> list[dict[str, Any]]:
    """Return the figures on the page as the browser gets them."""
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def array(values: Any) -> np.ndarray:
    """Return numbers of a figure; NumPy arrays arrive as base64."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return np.asarray(values)


def texts(app: AppTest) -> str:
    """Return all that the page says."""
    shown = [*app.main.markdown, *app.main.caption, *app.main.warning, *app.main.error]
    return "\n".join(str(element.value) for element in shown)
