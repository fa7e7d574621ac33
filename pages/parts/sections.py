"""What a page shows, written once: the page draws its sections, and the report renders them.

A page has `make_sections` or functions like it. They return what is said and shown; `drawing` and
`report` bring it to a screen or into a file. Sentences are Markdown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pandas as pd
import plotly.graph_objects as go

from engine.datasets.wording import harmless_texts
from pages.parts.formulas import Formula
from pages.parts.measures import Measure, Text
from pages.parts.wording import PERCENT, number, wrapped

#: Pixels of a line of a figure's title.
_TITLE_LINE: Final = 21


@dataclass(frozen=True)
class KeyNumber:
    """A strong number. It never stands without what it is compared with."""

    label: str
    value: str
    difference: str  # to what it is compared with, signed; "n/a" where it is undefined
    direction: int | None  # 1 larger than that, -1 smaller, 0 the same once rounded; None undefined
    other_name: str
    other_value: str
    help: str
    note: str = ""  # on the difference
    lower_is_better: bool = True

    @classmethod
    def of(
        cls, label: str, value: float, other: float, text: Text, difference: Text, **more: Any
    ) -> KeyNumber:
        """Return a number with its difference to another, all as texts."""
        change = value - other
        if not math.isfinite(change):
            direction = None
        elif difference(change) == difference(0.0):
            direction = 0
        else:
            direction = 1 if change > 0 else -1
        return cls(
            label, text(value), difference(change), direction, other_value=text(other), **more
        )


@dataclass(frozen=True)
class Column:
    r"""How a column of a long table is shown: by a printf format, or by its numbers.

    The language of the browser plays no part: the texts around it are in English.

    >>> Column("%.2f %%").text(3.14159), Column().text(1234.5), Column().text("a")
    ('3.14\xa0%', '1,234', 'a')
    """

    format: str | None = None
    label: str | None = None
    bar: bool = False  # behind the number, from 0 to the largest of the column
    width: int | None = None  # pixels
    help: str | None = None

    def text(self, value: object) -> str:
        """Return a value as a text."""
        if not isinstance(value, int | float):
            return str(value)
        return (
            number(value) if self.format is None else (self.format % value).replace(" %", PERCENT)
        )


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A figure with the table behind it, or a table alone.

    `on_pick` is called with the custom data of the point, or the number of the row, that somebody
    chose.
    """

    name: str  # of its files; no two on all pages have the same
    alt: str  # what it shows, not what comes out
    table: pd.DataFrame  # all the numbers, for the download
    title: str = ""  # the finding of a figure, the heading of a table
    figure: go.Figure | None = None
    formula: Formula | None = None
    caption: str = ""
    hint: str = ""  # what one can do on the screen, after the caption; not in a report
    on_pick: Callable[[Any], None] | None = None
    rows: pd.DataFrame | None = None  # the table as shown, where it differs
    columns: Mapping[str, Column] | None = None  # of a long table, which scrolls
    folded: str = ""  # what stands on a table that is folded away

    def __post_init__(self) -> None:
        """Write the finding above the figure, which has room for two lines of it."""
        if self.figure is not None:
            title, layout = wrapped(self.title), self.figure.layout
            more = _TITLE_LINE * max(0, title.count("<br>") - 1)
            layout.title.text = title
            if more:
                layout.height += more
                layout.margin.t += more

    @property
    def readable_rows(self) -> pd.DataFrame:
        """What of the table is shown, with names of a file that harm nothing around them."""
        return harmless_texts(self.table if self.rows is None else self.rows)

    @property
    def description(self) -> str:
        """What it shows, and the finding, for those who do not see it."""
        return f"{self.alt}. {self.title}" if self.title else self.alt


@dataclass(frozen=True)
class Action:
    """A button for what the section suggests; not in a report."""

    label: str
    act: Callable[[], None]


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page, from top to bottom: the finding in words, numbers, exhibits, a caption."""

    heading: str = ""
    finding: Sequence[str] = ()  # a paragraph each
    points: Sequence[str] = ()  # a list
    action: Action | None = None
    key_numbers: Sequence[KeyNumber] = ()
    compared: Sequence[Measure] = ()  # in which B is compared with A, if something is pinned
    exhibits: Sequence[Exhibit] = ()
    widths: Sequence[int] = ()  # of exhibits that stand side by side
    caption: str = ""
    hint: str = ""  # what one can do on the screen, after the caption; not in a report
    details: Mapping[str, str] | None = None  # by heading; folded away


@dataclass(frozen=True, eq=False)
class Folded:
    """Sections that a page folds away under a heading; they are made when somebody opens it."""

    heading: str
    make: Callable[[], Sequence[Section]]


PagePart: TypeAlias = Section | Folded


def unfolded(parts: Sequence[PagePart]) -> list[Section]:
    """Return all sections one after the other, as on paper.

    >>> parts = [Section("first"), Folded("more", lambda: [Section("second")])]
    >>> [section.heading for section in unfolded(parts)]
    ['first', 'more', 'second']
    """
    sections: list[Section] = []
    for part in parts:
        if isinstance(part, Folded):
            sections += [Section(part.heading), *part.make()]
        else:
            sections.append(part)
    return sections
