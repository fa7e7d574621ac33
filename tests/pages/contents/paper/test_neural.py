"""NeuKNN on the page The paper, without a browser."""

from __future__ import annotations

import pytest

from engine.datasets.known import KNOWN
from engine.paper import embedding_figures
from pages.contents.paper.neural import neural_sections
from pages.contents.paper.neural_runs import Neural, carry_out
from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen
from pages.parts.wording import PERCENT
from tests.pages.driving import open_page, texts

pytestmark = pytest.mark.usefixtures("folders")


@pytest.fixture(scope="module")
def neural(results: Results) -> Neural:
    run = Run(Neural(results.experiment, 10), carry_out)
    carry_out(run)
    return run.result


def test_what_the_engine_measures_is_shown(results: Results, neural: Neural):
    screen = Screen(View(dataset="small", k=10), 20, "small", results)
    (section,) = neural_sections(screen, neural)
    table = section.exhibits[0].table.set_index("setting")
    assert list(table.index) == [
        "NeuKNN without DP", "NeuKNN with DP", "NeuKNN full DP", "NeuKNN+Reuse with DP"
    ]  # fmt: skip
    for setting, row in zip(neural.settings, table.itertuples(), strict=True):
        outcome = results.experiment.outcome(setting, metrics=["mae", "vulnerable_share"])
        assert row[2] == pytest.approx(outcome.value("mae"))
        assert row[3] == pytest.approx(100 * outcome.value("vulnerable_share"))
    assert "appendix C" not in table
    assert "Appendix C has no figures" in section.exhibits[0].caption
    loss = section.exhibits[1]
    assert loss.figure is not None
    assert len(loss.figure.data) == 2 * results.planned_folds
    first = results.experiment.embeddings(0)
    assert list(loss.figure.data[1].y) == first.validation_error.tolist()


def test_the_appendix_stands_beside_its_datasets(
    results: Results, neural: Neural, monkeypatch: pytest.MonkeyPatch
):
    ratings = results.experiment.ratings
    counts = {"users": ratings.n_users, "items": ratings.n_items, "ratings": ratings.n_ratings}
    known = type(KNOWN["ml-1m"])(**{**vars(KNOWN["ml-1m"]), **counts})
    monkeypatch.setitem(KNOWN, "ml-1m", known)
    screen = Screen(View(dataset="small", k=10), 20, "small", results)
    words = neural_sections(screen, neural)[0].exhibits[0].table["appendix C"].tolist()
    assert words == [
        "MAE 0.714", f"vulnerable 40.7{PERCENT}", "MAE 0.76", f"vulnerable 37.9{PERCENT}, MAE 0.74"
    ]  # fmt: skip
    assert {figure.dataset for figure in embedding_figures()} <= KNOWN.keys()


def test_the_page_offers_to_learn_and_says_why_it_stands_apart():
    app = open_page("paper", dataset="small", k=15)
    assert "all strategies answer the same half" in texts(app)
    assert app.button(key="neural_begin").label == "Learn and measure at k = 15"
