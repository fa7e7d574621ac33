"""The report: a decision paper on one page, then the figures of the pages, then an appendix."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.outcome import METRICS, Outcome
from pages.parts.drawing.layout import add_settings
from pages.parts.drawing.standalone import render
from pages.parts.looks import name_of
from pages.parts.measures import metric_text
from pages.parts.outcomes import outcome_name
from pages.parts.reproduce import command_line, deep_link, settings, source_note
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit
from pages.parts.wording import exactly, number
from pages.report.contents import Page, report_pages
from pages.report.first_page import first_page
from pages.report.numbers import COLUMNS, report_outcomes

_PAGE: Final = Path(__file__).with_name("report.html")
#: Rows of a table: a curve over every τ has thousands, and would take megabytes.
_MOST_ROWS: Final = 250


@dataclass(frozen=True)
class TableEntry:
    """A value of a table as a text, and the exact number it stands for."""

    text: str
    exact: float | None = None

    @classmethod
    def of(cls, value: float, text: str) -> TableEntry:
        """Return a cell; what is undefined or infinite is a text alone."""
        return cls(text, float(value) if math.isfinite(value) else None)


def make_report(screen: Screen, url: str, format: str = "svg") -> str:
    """Return the report as a page of HTML. `url` is the address of the dashboard's page."""
    outcomes = report_outcomes(screen)
    dataset = screen.ratings.title
    chosen = f"k = {screen.k}, τ = {exactly(screen.tau)}, {name_of(screen.strategy)}"
    return render(
        _PAGE,
        filters={"rows": table_cells, "labels": table_labels, "left_out": rows_left_out},
        title=f"ReuseKNN: {dataset}, {chosen}",
        first=first_page(screen),
        dataset=dataset,
        chosen=chosen,
        folds=screen.folds_phrase,
        fold_sentence=screen.fold_sentence,
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        settings=settings(screen),
        command=command_line(screen),
        pinned_command=command_line(screen.pinned) if screen.pinned else "",
        source_note=source_note(screen),
        link=deep_link(url, screen),
        columns={name: METRICS[name].words for name in COLUMNS},
        strategy=screen.strategy,
        means=[
            _row(outcome, "mean", {name: outcome.value(name) for name in COLUMNS})
            for outcome in outcomes
        ],
        each_fold=[
            _row(outcome, fold, {name: outcome.in_folds(name)[place] for name in COLUMNS})
            for outcome in outcomes
            for place, fold in enumerate(outcome.fold_numbers)
        ],
        pages=_with_settings(report_pages(screen), screen),
        format=format,
    )


def _with_settings(pages: Sequence[Page], screen: Screen) -> Sequence[Page]:
    """Write on every figure which data and settings it is of: it may be copied from the report."""
    for page in pages:
        for section in page.sections:
            for exhibit in section.exhibits:
                if exhibit.figure is not None:
                    add_settings(exhibit.figure, screen.settings_line)
    return pages


def _row(outcome: Outcome, fold: int | str, values: Mapping[str, float]) -> dict[str, Any]:
    """Return a row of the table of all numbers."""
    return {
        "strategy": outcome.setting.strategy,
        "protection": outcome.setting.protection,
        "fold": fold,
        "name": outcome_name(outcome),
        "cells": {
            name: TableEntry.of(value, metric_text(name, value, finer=True))
            for name, value in values.items()
        },
    }


def table_labels(exhibit: Exhibit) -> list[str]:
    """Return the names of the columns of a table."""
    if exhibit.columns is None:
        return [str(name) for name in exhibit.readable_rows]
    return [column.label or name for name, column in exhibit.columns.items()]


def rows_left_out(exhibit: Exhibit) -> int:
    """Return how many rows of a table a report has no room for."""
    return max(0, len(exhibit.readable_rows) - _MOST_ROWS)


def table_cells(exhibit: Exhibit) -> list[list[TableEntry]]:
    """Return the cells of a table, row by row; of a long one, rows at even distances."""
    table = exhibit.readable_rows
    if rows_left_out(exhibit):
        table = table.iloc[np.linspace(0, len(table) - 1, _MOST_ROWS).round().astype(int)]
    if exhibit.columns is None:
        return [[_cell(value) for value in row] for row in table.itertuples(index=False)]
    formats = list(exhibit.columns.values())
    return [
        [TableEntry(column.text(value)) for column, value in zip(formats, row, strict=True)]
        for row in table[list(exhibit.columns)].itertuples(index=False)
    ]


def _cell(value: object) -> TableEntry:
    if not isinstance(value, float):
        return TableEntry(str(value))
    return TableEntry.of(value, number(value, 4 if abs(value) < 10 and value % 1 else None))
