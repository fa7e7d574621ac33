"""A list in the right margin of a figure that names its marks or lines, with their numbers.

For figures whose marks crowd together: names beside them would cover each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go

from pages.parts.drawing.layout import annotation

#: Pixels from one entry to the next.
_STEP: Final = 22


@dataclass(frozen=True)
class MarginLine:
    """A text behind the mark it is for; the one looked at is strong."""

    glyph: str
    text: str
    strong: bool = False


def add_margin_list(figure: go.Figure, heading: str, entries: Sequence[MarginLine]) -> None:
    """Write the entries below a heading into the right margin, which must be wide enough."""
    lines = [(f"{entry.glyph} {entry.text}", entry.strong) for entry in entries]
    # All at once: with each single one, Plotly would check all earlier ones again.
    figure.layout.annotations += tuple(
        annotation(f"<b>{text}</b>" if strong else text, 1, 1, xshift=10, yshift=-_STEP * place)
        | {"font": {"size": 13}}
        for place, (text, strong) in enumerate([(heading, False), *lines])
    )
