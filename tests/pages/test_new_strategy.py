"""A strategy that is registered in the engine, and has a look, is on every page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from engine.datasets import generate
from pages.parts.frame import ALONE, TITLES
from pages.parts.looks import STRATEGY_LOOKS, StrategyLook
from pages.parts.runs import plan, results
from tests.pages.driving import open_numbers, open_page, texts
from tests.toys import TOYS, registered_toys

#: Marks that no strategy of the dashboard has.
MARKS = (("hexagram", "✡"), ("cross", "✚"), ("hexagon", "⬢"), ("pentagon", "⬟"))


@pytest.fixture
def toys(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy strategies with their looks, and a dataset that only this test has, at one k."""
    for module in (plan, results):
        monkeypatch.setattr(module, "PAPER_KS", (10,))
    few = generate(users=40, items=60, ratings=900, seed=17)
    labels = {"user": few.users[few.user], "item": few.items[few.item], "rating": few.value}
    pd.DataFrame(labels).to_csv(folders[0] / "toys.csv", index=False)
    with registered_toys():
        for toy, (symbol, glyph) in zip(TOYS, MARKS, strict=True):
            look = StrategyLook("A toy.", "#CC79A7", symbol, glyph)
            monkeypatch.setitem(STRATEGY_LOOKS, toy.name, look)
        yield
    (folders[0] / "toys.csv").unlink()


def test_a_strategy_that_is_registered_is_on_every_page(toys: None):
    app = open_page("overview", dataset="toys", strategy="busy", tau=10)
    for name in TITLES:
        app.switch_page(f"pages/{name}.py").run()
        assert not app.exception, name
        assert not app.error, name
        assert {toy.title for toy in TOYS} <= set(app.sidebar.selectbox[1].options), name
        if name in (*ALONE, "paper"):  # no results, or those of the paper's strategies alone
            continue
        everything = written(app)
        for toy in TOYS:
            assert toy.title in everything, (name, toy.title)


def written(app: AppTest) -> str:
    """Return all that stands in the figures, tables, texts and choices of a page."""
    open_numbers(app)
    drawn = [chart.proto.spec for chart in app.get("plotly_chart")]
    tables = [table.value.to_csv() for table in (*app.main.table, *app.main.dataframe)]
    choices = [str(choice.options) for choice in (*app.main.selectbox, *app.main.get("pills"))]
    return "\n".join([*drawn, *tables, *choices, texts(app)])
