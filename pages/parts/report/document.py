"""The report: one file with all numbers, figures and tables of the settings on the screen."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pandas as pd

from pages.parts.drawing.standalone import figure_in_page, inline, page
from pages.parts.report.numbers import COLUMNS, Row, report_rows, shown
from pages.parts.report.reproduce import command_line, deep_link, settings, source_note
from pages.parts.report.sections import Exhibit, Section, report_sections
from pages.parts.screen import Screen
from pages.parts.wording import STRATEGY, exactly, named, number

text = html.escape
#: Rows; a longer table is folded away.
_LONG: Final = 20


def make_report(screen: Screen, url: str, format: str = "svg") -> str:
    """Return the report as a page of HTML. `url` is the address of the dashboard's page."""
    rows, sections = report_rows(screen), report_sections(screen)
    title = screen.results.experiment.ratings.title
    chosen = f"k = {screen.k}, τ = {exactly(screen.tau)}, {STRATEGY[screen.strategy]}"
    names = ["Settings", "All numbers", *(section.title for section in sections)]
    links = " ".join(f'<a href="#{_anchor(name)}">{text(name)}</a>' for name in names)
    body = (
        f"<header><h1>ReuseKNN: {text(title)}</h1><p>{text(chosen)}, "
        f"{text(screen.folds_phrase)}. Made {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.</p></header>"
        f"<nav>{links}</nav>"
        + _settings_section(screen, url)
        + _numbers_section(rows, screen.strategy)
        + "".join(_section(section, format) for section in sections)
    )
    return page(f"ReuseKNN: {title}, {chosen}", body)


def _anchor(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def _heading(name: str) -> str:
    return f'<h2 id="{_anchor(name)}">{text(name)}</h2>'


def _settings_section(screen: Screen, url: str) -> str:
    rows = "".join(
        f'<tr><th scope="row">{text(name)}</th><td>{text(value)}</td></tr>'
        for name, value in settings(screen).items()
    )
    link = text(deep_link(url, screen))
    compared = ""
    if screen.pinned:
        compared = (
            "<p>The numbers of the pinned side A:</p>"
            f'<pre id="command-a" tabindex="0">{text(command_line(screen.pinned))}</pre>'
        )
    return (
        f"<section>{_heading('Settings')}<table>{rows}</table>"
        "<p>This command gives all numbers of the next section, as JSON:</p>"
        f'<pre id="command" tabindex="0">{text(command_line(screen))}</pre>{compared}'
        f'<p class="quiet">{text(source_note(screen))}</p>'
        f'<p>The same view in the dashboard: <a id="link" href="{link}">{link}</a></p></section>'
    )


def _numbers_section(rows: Sequence[Row], chosen: str) -> str:
    means = [row for row in rows if row.fold == "mean"]
    folds = [row for row in rows if row.fold != "mean"]
    explained = "".join(
        f"<dt>{text(name)}</dt><dd>{text(words)}</dd>" for name, words in COLUMNS.items()
    )
    return (
        f"<section>{_heading('All numbers')}"
        "<p>Means over the folds. With DP: protected are the uses of a user's ratings beyond the "
        "first τ; full DP: all uses.</p>"
        f"{_numbers_table(means, 'means', chosen)}"
        f"<details><summary>Each fold</summary>{_numbers_table(folds, 'folds', chosen)}</details>"
        f"<details><summary>What the columns are</summary><dl>{explained}</dl></details></section>"
    )


def _numbers_table(rows: Sequence[Row], name: str, chosen: str) -> str:
    head = "".join(f'<th scope="col">{text(column)}</th>' for column in ("fold", *COLUMNS))
    body = ""
    for row in rows:
        cells = "".join(
            f'<td data-column="{column}">{_exact(row.metrics[column], shown(column, value))}</td>'
            for column, value in row.metrics.items()
        )
        body += (
            f'<tr data-strategy="{row.strategy}" data-protection="{row.protection}" '
            f'data-fold="{row.fold}"{_marked(row, chosen)}><th scope="row">'
            f"{text(named(row.strategy, row.protection))}</th><td>{row.fold}</td>{cells}</tr>"
        )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{name}"><table id="{name}">'
        f'<thead><tr><th scope="col">strategy</th>{head}</tr></thead><tbody>{body}</tbody></table>'
        "</div>"
    )


def _marked(row: Row, chosen: str) -> str:
    marked = row.strategy == chosen and row.protection == "vulnerable"
    return ' class="chosen"' if marked else ""


def _exact(value: float | None, words: str) -> str:
    """Return a number to read that carries the exact one."""
    if value is None or not math.isfinite(value):
        return text(words)
    return f'<data value="{float(value)!r}">{text(words)}</data>'


def _section(section: Section, format: str) -> str:
    sentences = "".join(f"<p>{inline(sentence)}</p>" for sentence in section.sentences)
    exhibits = "".join(_exhibit(exhibit, format) for exhibit in section.exhibits)
    return f"<section>{_heading(section.title)}{sentences}{exhibits}</section>"


def _exhibit(exhibit: Exhibit, format: str) -> str:
    table = _table(exhibit.table, exhibit.title)
    if exhibit.figure is None and len(exhibit.table) > _LONG:
        return f"<details><summary>{text(exhibit.title)}</summary>{table}</details>"
    if exhibit.figure is None:
        return f"<h3>{text(exhibit.title)}</h3>{table}"
    return (
        figure_in_page(exhibit.figure, exhibit.name, exhibit.title, format)
        + f"<details><summary>The numbers behind the figure</summary>{table}</details>"
    )


def _table(table: pd.DataFrame, name: str) -> str:
    head = "".join(f'<th scope="col">{text(str(column))}</th>' for column in table.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>"
        for row in table.itertuples(index=False)
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(name)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value: object) -> str:
    if isinstance(value, float):
        return _exact(value, number(value, 4 if abs(value) < 10 and value % 1 else None))
    return text(str(value))
