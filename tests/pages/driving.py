"""The dashboard without a browser: opening a page by its address, and reading what it shows."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.parts.drawing.standalone import slug

APP = Path(__file__).parents[2] / "app.py"
#: Seconds that a run of small data may take on a busy machine.
PATIENCE = 240
PAGES = ("overview", "data_usage", "neighborhoods", "tradeoff", "popularity_bias", "people")


class SessionState(dict[str, Any]):
    """The state of a session, which can be read as one."""

    def to_dict(self) -> dict[str, Any]:
        return dict(self)


def open_page(name: str = "data_usage", **address: object) -> AppTest:
    """Open a page and wait until its run has finished."""
    app = AppTest.from_file(APP, default_timeout=60)
    for part, value in address.items():
        app.query_params[part] = str(value)
    app.run()
    wait_for_runs(app)
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def wait_for_runs(app: AppTest) -> None:
    """Wait until no run in the background is at work for the page."""
    deadline = time.monotonic() + PATIENCE
    while app.get("progress") and time.monotonic() < deadline:
        time.sleep(0.5)  # drawing a page takes time from the run
        app.run()
    assert not app.exception


def open_fold(app: AppTest, heading: str) -> None:
    """Open what the page folds away under a heading."""
    app.session_state[f"fold-{slug(heading)}"] = True
    app.run()
    assert not app.exception


def open_numbers(app: AppTest) -> None:
    """Open the numbers behind every figure on the page."""
    for fold in app.main.expander:
        if fold.label.startswith("The numbers behind"):
            app.session_state[fold.key] = True
    app.run()
    assert not app.exception


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
    elements = [*app.main.markdown, *app.main.caption, *app.main.warning, *app.main.error]
    return "\n".join(str(element.value) for element in elements)


def control(app: AppTest, name: str) -> Any:
    """Return the control of this name; its key changes as it is replaced."""
    return app.get_by_key(app.session_state[f"{name}-control"].key)
