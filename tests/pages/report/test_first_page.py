"""The first page of the report: its numbers, its drawing, and what it says where nothing is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit
from pages.report.document import make_report, rows_left_out, table_cells
from pages.report.first_page import FirstPage, first_page


def screen_at(results: Results, tau: int, strategy: str = "gain") -> Screen:
    return Screen(View(dataset="small", tau=tau, strategy=strategy), tau, "small", results)


@pytest.fixture(scope="module")
def page(results: Results) -> FirstPage:
    return first_page(screen_at(results, 33))


def test_three_sentences_and_three_numbers(page: FirstPage):
    assert len(page.finding) == len(page.key_numbers) == 3
    assert "With Gain" in page.finding[0]
    assert "points of the scale" in page.finding[1]
    assert {metric.other_name for metric in page.key_numbers} == {"UserKNN without protection"}


def test_it_is_understood_by_who_has_read_nothing_else(page: FirstPage):
    assert "first 33 uses in a test run (a fold) with the real rating" in page.decision
    assert "Not everybody gains" not in " ".join(page.finding)


def test_the_drawing_has_the_uses_of_the_engine(results: Results, page: FirstPage):
    baseline, *bars = page.drawing.bars
    assert baseline.noisy_width == 0
    assert [bar.name for bar in bars if bar.strong] == ["Gain with DP"]
    usage = baseline.real_width
    for strategy, bar in zip(results.strategies(10), bars, strict=True):
        outcome = results.outcome(strategy, 10, 33, metrics=["privacy_risk", "data_usage"])
        share = outcome.value("privacy_risk") / outcome.value("data_usage")
        # Every strategy makes the same number of uses; the bars are rounded to a tenth.
        assert bar.real_width + bar.noisy_width == pytest.approx(usage, abs=0.11)
        assert bar.real_width == pytest.approx(share * usage, abs=0.11)


@pytest.mark.parametrize(("tau", "said"), [(0, "everybody who is used"), (10**6, "Nobody is prot")])
def test_at_the_ends_of_tau(results: Results, tau: int, said: str):
    page = first_page(screen_at(results, tau))
    assert said in page.finding[0]
    widths = [(bar.real_width, bar.noisy_width) for bar in page.drawing.bars[1:]]
    assert all((real == 0) if tau == 0 else (noisy == 0) for real, noisy in widths)


def test_the_baseline_itself(results: Results):
    page = first_page(screen_at(results, 33, "userknn"))
    assert len(page.finding) == 3
    assert all(page.finding)


def test_it_comes_first_and_the_rest_follows(results: Results):
    report = make_report(screen_at(results, 33), "http://localhost/overview")
    order = [
        report.index(part)
        for part in (
            'class="first-page"',
            "<svg",
            'class="field"',
            'id="overview"',
            'id="appendix"',
        )
    ]
    assert order == sorted(order)
    assert report.index('id="appendix"') < report.index('id="command"') < report.index('id="means"')
    assert len(report.encode()) < 3_000_000


def test_a_title_is_no_html(results: Results):
    screen = screen_at(results, 33)
    odd = replace(screen, title="<b>'\"&")
    assert "<b>'" not in make_report(odd, "http://localhost/overview")


def test_a_long_table_keeps_its_ends():
    table = pd.DataFrame({"tau": range(6000), "mae": np.linspace(0.8, 0.9, 6000)})
    long = Exhibit("long", "A table", table)
    cells = table_cells(long)
    assert (cells[0][0].text, cells[-1][0].text) == ("0", "5999")
    assert len(cells) + rows_left_out(long) == 6000
    short = Exhibit("short", "A table", table[:40])
    assert len(table_cells(short)) == 40
    assert not rows_left_out(short)


@pytest.mark.parametrize(
    ("tau", "said"),
    [(0, "answer every use with noise"), (33, "first 33 uses"), (10**6, "protect nobody")],
)
def test_the_decision_is_a_sentence_that_one_can_agree_to(results: Results, tau: int, said: str):
    page = first_page(screen_at(results, tau))
    assert "Choose neighbors by **Gain**, k = 10" in page.decision
    assert said in page.decision
