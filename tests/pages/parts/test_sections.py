"""What holds for the sections of all pages: numbers with their units, figures that fit a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import wrapped
from pages.report.contents import report_pages

#: Letters below a figure on a phone; one with names at its right keeps the width of 620 pixels.
ROOM_ON_A_PHONE = 46
ROOM_BESIDE_NAMES = 75


@pytest.fixture(scope="module", params=[0, 33])
def sections(results: Results, request: pytest.FixtureRequest) -> list[Section]:
    view = View(dataset="small", tau=request.param, strategy="gain")
    screen = Screen(view, request.param, "small", results)
    return [section for page in report_pages(screen) for section in page.sections]


def exhibits(sections: list[Section]) -> Iterator[Exhibit]:
    for section in sections:
        yield from section.exhibits


def test_a_number_keeps_its_percent_sign_at_the_end_of_a_line(sections: list[Section]):
    texts = [
        text
        for section in sections
        for text in [*section.finding, *section.points, section.caption, section.hint]
    ]
    texts += [text for exhibit in exhibits(sections) for text in (exhibit.title, exhibit.caption)]
    texts += [
        cell
        for exhibit in exhibits(sections)
        for cell in exhibit.readable_rows.select_dtypes(exclude="number").to_numpy().ravel()
        if isinstance(cell, str)
    ]
    assert any("\xa0%" in text for text in texts)
    assert [text for text in texts if re.search(r"\d %", text)] == []


def test_titles_of_axes_fit_a_phone(sections: list[Section]):
    figures = [
        (exhibit.name, exhibit.figure.layout) for exhibit in exhibits(sections) if exhibit.figure
    ]
    assert len(figures) > 5
    for name, layout in figures:
        room = ROOM_BESIDE_NAMES if (layout.margin.r or 0) >= 150 else ROOM_ON_A_PHONE
        axes = [layout[axis] for axis in layout if axis.startswith("xaxis")]
        for title in (axis.title.text or "" for axis in axes):
            assert len(title) <= room, (name, title)


def test_a_name_keeps_its_value_in_a_title():
    for longest in range(12, 30):
        lines = wrapped("Expect ranks items worse at k = 10 and τ = 93", longest).split("<br>")
        assert not [line for line in lines if line.endswith(("k", "τ", "="))]
