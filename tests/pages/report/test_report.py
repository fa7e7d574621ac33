"""The report: every number as the command gives it, nothing from outside, no text as HTML."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from cache import Store
from engine import Settings, evaluate, load
from engine.cli import main
from engine.datasets import Ratings
from engine.experiment import Experiment
from engine.strategies import PAPER_STRATEGIES
from pages.parts.address import View
from pages.parts.drawing.standalone import figure_page, inline
from pages.parts.reproduce import command_line
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.report.contents import report_pages
from pages.report.document import make_report
from pages.report.numbers import COLUMNS

URL = "http://127.0.0.1:8501/overview"


class Reader(HTMLParser):
    """Reads the numbers, the texts and what a page would ask for."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: dict[tuple[str, str, str, str], float] = {}
        self.texts: dict[str, str] = {}
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.values = 0
        self._row: tuple[str, str, str] | None = None
        self._column = ""
        self._id = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self._id = attributes.get("id", "")
        if tag == "tr":
            self._row = None
            if "data-strategy" in attributes:
                parts = [attributes[f"data-{part}"] for part in ("strategy", "protection", "fold")]
                self._row = (parts[0], parts[1], parts[2])
        if tag == "td":
            self._column = attributes.get("data-column", "")
        if tag == "data":
            self.values += 1
            if self._row and self._column:
                self.cells[*self._row, self._column] = float(attributes["value"])
        if tag != "a" and "data:" not in (
            loaded := attributes.get("src", attributes.get("href", "data:"))
        ):
            self.loads.append(loaded)

    def handle_data(self, data: str) -> None:
        if self._id:
            self.texts[self._id] = self.texts.get(self._id, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._id = ""


@pytest.fixture(scope="module")
def screen(results: Results) -> Screen:
    return Screen(View(dataset="small", tau=33, strategy="gain"), 33, "small", results)


@pytest.fixture(scope="module")
def report(screen: Screen) -> Reader:
    return Reader(make_report(screen, URL))


def settings_of(command: str) -> tuple[str, Settings]:
    """Return the source and the settings of a command as a shell would read it."""
    words = shlex.split(command)
    assert words[:4] == ["python", "-m", "engine", "evaluate"]
    options: dict[str, list[str]] = {}
    for word in words[5:]:
        if word.startswith("--"):
            options[word] = []
        else:
            options[list(options)[-1]].append(word)
    assert options["--format"] == ["json"]
    return words[4], Settings(
        ks=tuple(map(int, options["--k"])),
        strategies=tuple(options["--strategies"]),
        tau=options["--tau"][0],
        mechanism=options["--mechanism"][0],
        folds=int(options["--folds"][0]),
        seed=int(options["--seed"][0]),
    )


def numbers_of(table: pd.DataFrame) -> dict[tuple[str, str, str, str], float]:
    """Return the defined numbers of an evaluation by strategy, protection, fold and column."""
    return {
        (row["strategy"], row["protection"], str(row["fold"]), column): row[column]
        for row in table.to_dict("records")
        for column in COLUMNS
        if row[column] == row[column] and row[column] is not None
    }


def test_every_number_is_what_the_printed_command_gives(report: Reader, ratings: Ratings):
    source, settings = settings_of(report.texts["command"])
    assert source == "small"
    wanted = numbers_of(evaluate(ratings, settings))
    assert len(wanted) > 800
    assert report.cells == wanted


@pytest.mark.slow
def test_on_the_sample_too(tmp_path: Path):
    sample, store = load("sample"), Store(tmp_path)
    experiment = Experiment(sample, store=store)
    experiment.run(PAPER_STRATEGIES, (10,))
    cells = {
        (fold, strategy, 10) for fold in experiment.fold_numbers for strategy in PAPER_STRATEGIES
    }
    results = Results(experiment).with_done(cells)
    tau = round(results.suggested_tau("published", 10))
    screen = Screen(View(), tau, sample.title, results)
    report = Reader(make_report(screen, URL))
    source, settings = settings_of(report.texts["command"])
    table = evaluate(load(source), settings, store=store)
    assert report.cells == numbers_of(table)
    # Without DP there is no epsilon; all other numbers are defined here.
    assert len(report.cells) == 9 * 6 * len(COLUMNS) - 4 * 6


def test_the_command_runs_as_printed(
    screen: Screen, report: Reader, capsys: pytest.CaptureFixture[str], folders: tuple[Path, Path]
):
    command = report.texts["command"]
    assert command == command_line(screen)
    assert main(shlex.split(command)[3:]) == 0
    assert f'"fingerprint": "{screen.results.experiment.ratings.fingerprint}"' in (
        capsys.readouterr().out
    )


def test_what_is_shown_is_the_number(screen: Screen):
    page = make_report(screen, URL)
    means = page[page.index('<table id="means"') : page.index('<table id="folds"')]
    numbers = re.findall(r'<data value="([^"]+)">([^<]+)</data>', means)
    assert len(numbers) > 100
    for exact, words in numbers:
        if words.endswith("%"):
            assert float(words.removesuffix("\xa0%")) == pytest.approx(100 * float(exact), abs=0.51)
        else:
            text = words.replace(",", "")
            last = 10.0 ** -len(text.partition(".")[2])
            assert float(text) == pytest.approx(float(exact), abs=0.501 * last)


def test_a_figure_that_is_copied_says_which_view_it_is_of(screen: Screen):
    figures = re.findall(r'data-figure="[^"]+">(.*?)</script>', make_report(screen, URL))
    assert len(figures) > 5
    # A figure over k is there only if another test has had the rankings worked out.
    over_k = "small, for each k with τ by the published rule"
    for figure in figures:
        settings = json.loads(figure)["layout"]["title"]["subtitle"]["text"]
        assert settings in ("small, k = 10, τ = 33", over_k)


def test_it_has_all_figures_tables_and_settings(report: Reader, screen: Screen):
    fingerprint = screen.results.experiment.ratings.fingerprint
    page = make_report(screen, URL)
    exhibits = [e for page in report_pages(screen) for s in page.sections for e in s.exhibits]
    assert page.count('role="figure"') == sum(e.figure is not None for e in exhibits) > 11
    for said in (fingerprint, "Seed", "Folds", "NumPy", "Numba", "Python", "Engine", "33.5"):
        assert said in page
    for section in (
        "overview",
        "data-usage",
        "neighborhoods",
        "trade-off",
        "popularity-bias",
        "people",
    ):
        assert section in report.texts
    assert page.count("/*! For license information") <= 1
    # Those of the exhibits, the settings, and the numbers of the means and of the folds.
    assert page.count("<table") == len(exhibits) + 3


def test_the_link_leads_back_to_the_view(report: Reader):
    link = urlparse(report.texts["link"])
    assert f"{link.scheme}://{link.netloc}{link.path}" == URL
    parts = {name: values[0] for name, values in parse_qs(link.query).items()}
    assert parts == {"dataset": "small", "k": "10", "tau": "33", "strategy": "gain"}


def test_it_asks_for_nothing(report: Reader):
    assert not report.loads


def test_a_pinned_side_comes_with_its_command_and_the_differences(screen: Screen):
    a = Screen(View(dataset="small", k=20, tau=12, strategy="userknn"), 12, "small", screen.results)
    view = replace(screen.view, pin=a.view)
    report = Reader(make_report(replace(screen, view=view, pinned=a), URL))
    assert settings_of(report.texts["command-a"])[1].ks == (20,)
    assert "a-and-b" in report.texts
    assert "pin=small_20_12_userknn" in report.texts["link"]


@pytest.fixture(scope="module")
def odd(ratings: Ratings) -> Screen:
    name = "<script>alert(1)</script>'&\""
    users = np.array([f"person-{user}" for user in ratings.users], dtype=object)
    named = replace(ratings, name=name, title=name, users=users)
    experiment = Experiment(named)
    experiment.run(PAPER_STRATEGIES, (5,))
    cells = {
        (fold, strategy, 5) for fold in experiment.fold_numbers for strategy in PAPER_STRATEGIES
    }
    results = Results(experiment).with_done(cells)
    return Screen(View(dataset=name, k=5, tau=0), 0, name, results)


def test_text_of_the_user_is_never_html(odd: Screen):
    page = make_report(odd, URL)
    assert "alert(1)</script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    report = Reader(page)
    assert report.tags.count("script") == 1 + page.count('role="figure"')
    assert shlex.split(report.texts["command"])[4] == odd.view.dataset
    assert "--tau 0 " in report.texts["command"]


def test_no_user_is_listed(odd: Screen):
    page = make_report(odd, URL)
    assert "lists no individual user" in page
    assert "person-" not in page


def test_a_figure_alone_is_a_whole_page():
    figure = go.Figure(go.Bar(x=["<b>"], y=[1]))
    page = figure_page(figure, "a-b", "An <odd> title", "A <caption>", "png")
    reader = Reader(page)
    assert not reader.loads
    assert "An &lt;odd&gt; title" in page
    assert "A &lt;caption&gt;" in page
    assert '"format": "png"' in page


def test_sentences_become_text():
    assert inline("a <i> & **b**") == "a &lt;i&gt; &amp; <strong>b</strong>"
    assert inline(r"\*\*a\*\* \[x\]\(y\) \&amp\;") == "**a** [x](y) &amp;amp;"
