"""A list in the right margin of a figure that names its marks or lines, with their numbers.

For figures whose marks crowd together: names beside them would cover each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go

#: Pixels from one entry to the next.
_STEP: Final = 22


@dataclass(frozen=True)
class Entry:
    """A name with its numbers, behind the mark it is for; the one looked at is strong."""

    glyph: str
    color: str
    text: str
    strong: bool = False


def add_margin_list(figure: go.Figure, heading: str, entries: Sequence[Entry]) -> None:
    """Write the entries below a heading into the right margin, which must be wide enough."""
    texts = [heading]
    for entry in entries:
        text = f'<span style="color:{entry.color}">{entry.glyph}</span> {entry.text}'
        texts.append(f"<b>{text}</b>" if entry.strong else text)
    # All at once: one after the other, Plotly would check those before again each time.
    figure.layout.annotations += tuple(
        {
            "text": text,
            "x": 1,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 10,
            "y": 1,
            "yref": "paper",
            "yanchor": "top",
            "yshift": -_STEP * place,
            "showarrow": False,
            "font": {"size": 13},
        }
        for place, text in enumerate(texts)
    )
