"""The page The paper, without a browser."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from engine.errors import Cancelled
from engine.paper import PaperDataset, PaperFigure, PaperTables, paper_tables
from engine.settings import Setting
from pages.contents.paper import sections
from pages.contents.paper.measured import Measured, carry_out, ranking_settings
from pages.contents.paper.sections import make_sections
from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen
from tests.pages.driving import PATIENCE, array, figures, open_page, texts

pytestmark = pytest.mark.usefixtures("folders")


@pytest.fixture
def screen(results: Results) -> Screen:
    return Screen(View(dataset="small", k=10, strategy="gain"), 20, "small", results)


@pytest.fixture(scope="module")
def measured(results: Results) -> Measured:
    """What the page measures, with four figures as if they were the paper's of Ciao."""
    run = Run(Measured(results.experiment, made_figures(results), (5, 10)), carry_out)
    carry_out(run)
    return run.result


def made_figures(results: Results) -> tuple[PaperFigure, ...]:
    usage = float(np.mean(results.usages("userknn", 10)))
    return (
        PaperFigure("privacy_risk", "ciao", "userknn", "none", 10, round(usage, 2)),
        PaperFigure("privacy_risk", "ciao", "userknn", "full", 10, 0.0),
        PaperFigure("mae", "ciao", "userknn", "full", 10, 9.0),
        PaperFigure("privacy_risk", "ciao", "userknn", "vulnerable", 10, 500.0),
        PaperFigure("privacy_risk", "ciao", "gain", "vulnerable", 10, 500.0, "**"),
    )


@pytest.fixture
def small_is_ciao(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the paper's Ciao had as many ratings as these, with five figures of them."""
    ratings = results.experiment.ratings
    counts = (ratings.n_users, ratings.n_items, ratings.n_ratings)
    tables = PaperTables((PaperDataset("ciao", "movies", 1, 5, *counts),), made_figures(results))
    monkeypatch.setattr(sections, "paper_tables", lambda: tables)


def test_without_the_data_the_figures_of_the_paper_and_how_to_get_it():
    app = open_page("paper", dataset="small")
    said = texts(app)
    assert "1,000,209 ratings" in said
    assert "Download ml-1m.zip" in said
    table = app.dataframe[0].value
    assert len(table) == len(paper_tables().figures_of("ml-1m"))
    assert list(table.columns) == ["metric", "strategy", "paper"]
    assert table["paper"].tolist() == [f.value for f in paper_tables().figures_of("ml-1m")]
    app.segmented_control(key="choose_paper_dataset_").set_value("goodreads").run()
    assert not app.exception
    assert "2,569,177 ratings" in texts(app)
    assert app.dataframe[0].value["paper"].iloc[0] == 94.9


@pytest.mark.usefixtures("small_is_ciao")
def test_measured_beside_the_paper(screen: Screen, measured: Measured):
    compared, growth, _ = make_sections(screen, "ciao", measured)
    table = compared.exhibits[0].table
    assert table["within"].tolist() == ["yes", "yes", "no", "no", "no"]
    assert table["here"][1] == 0
    outcome = screen.results.outcome("userknn", 10, 0, "full")
    assert table["here"][2] == pytest.approx(outcome.value("mae"))
    assert table["why"].tolist() == [
        "equal as printed", "equal as printed", "discrete noise here, continuous there",
        "not known", "not known",
    ]  # fmt: skip
    assert "**2 of 5**" in compared.finding[0]
    assert "1 figure with DP differs" in compared.finding[1]
    assert len(compared.points) == 3
    assert len(growth.finding) == 2


@pytest.mark.usefixtures("small_is_ciao")
def test_marks_of_significance(screen: Screen, measured: Measured):
    compared = make_sections(screen, "ciao", measured)[0]
    table = compared.exhibits[0].table
    assert table["paper’s mark"].tolist() == ["", "", "", "", "**"]
    assert table["p, one-tailed"].notna().tolist() == [False, False, False, False, True]
    marked = table["mark here"][4] == "**"
    assert marked == (table["p, one-tailed"][4] < 0.01)
    alike = "1 of 1" if marked else "0 of 1"
    assert f"{alike} marks of significance are those of the paper" in compared.finding[0]


@pytest.mark.usefixtures("small_is_ciao")
def test_other_ratings_of_a_name_in_the_paper(
    screen: Screen, measured: Measured, monkeypatch: pytest.MonkeyPatch
):
    other = PaperDataset("small", "movies", 1, 5, 7, 8, 9)
    tables = PaperTables((other,), sections.paper_tables().figures)
    monkeypatch.setattr(sections, "paper_tables", lambda: tables)
    monkeypatch.setattr(PaperTables, "figures_of", lambda self, name: list(self.figures))
    monkeypatch.setitem(sections.KNOWN, "small", sections.KNOWN["ciao"])
    compared = make_sections(screen, "small", measured)[0]
    assert "7 users" in compared.finding[1]
    assert "these are other ratings" in compared.finding[1]


@pytest.mark.usefixtures("small_is_ciao")
def test_until_it_is_measured_the_paper_stands_alone(screen: Screen, measured: Measured):
    nothing = Measured(measured.experiment, measured.figures, measured.ks)
    alone, ranking = make_sections(screen, "ciao", nothing)
    assert "here" not in alone.exhibits[0].table
    assert "being measured" in alone.finding[0]
    assert not ranking.exhibits
    assert "compute k = 10" in make_sections(screen, "ciao", None)[0].finding[0]


def test_ranking_over_k_in_both_definitions(screen: Screen, measured: Measured):
    screen = replace(screen, title=r"small\: ratings")
    ranking = make_sections(screen, "ml-1m", measured)[-1]
    for exhibit, metric in zip(ranking.exhibits, ("ndcg", "ndcg_published"), strict=True):
        for words, protection in (("with DP", "vulnerable"), ("without DP", "none")):
            setting = Setting("gain", 10, "published", protection)
            outcome = screen.results.experiment.outcome(setting, metrics=[metric])
            row = exhibit.table.set_index("k").loc[10]
            assert row[f"Gain {words}"] == pytest.approx(outcome.value(metric))
            assert row[f"Gain {words}, lowest fold"] == pytest.approx(outcome.lowest(metric))
            assert row[f"Gain {words}, highest fold"] == pytest.approx(outcome.highest(metric))
        # A figure shows no Markdown: a backslash before a colon would be seen.
        shown = exhibit.figure.layout.title.subtitle.text
        assert shown.startswith(f"{screen.ratings.title}, ")
    strict, published = (exhibit.table for exhibit in ranking.exhibits)
    assert not np.allclose(strict["Gain without DP"], published["Gain without DP"])


def test_a_run_that_is_stopped_goes_on_where_it_was(results: Results):
    run = Run(Measured(results.experiment, (), (5,)), carry_out)
    progress, asked = run.progress, []

    def stop_later(share: float, text: str) -> None:
        asked.append(text)
        if len(asked) > results.planned_folds:
            run.stop.set()
        progress(share, text)

    run.progress = stop_later  # type: ignore[method-assign]
    with pytest.raises(Cancelled):
        carry_out(run)
    assert set(run.result.outcomes) == set(ranking_settings(5)[:1])
    assert not run.result.has_ranking
    again = Run(run.result, carry_out)
    carry_out(again)
    assert again.result.has_ranking


def test_the_figures_reach_the_page():
    app = open_page("paper", dataset="small", strategy="expect")
    deadline = time.monotonic() + PATIENCE
    while len(figures(app)) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
        app.run()
    assert not app.exception
    drawn = figures(app)
    assert len(drawn) == 2
    names = {trace.get("name") for trace in drawn[0]["data"]}
    assert {"UserKNN without DP", "UserKNN full DP", "Expect with DP"} <= names
    (line,) = [t for t in drawn[0]["data"] if t.get("name") == "Expect with DP"]
    assert array(line["x"]).tolist() == [5, 10, 15, 20, 25, 30]
