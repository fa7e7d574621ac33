"""Colors, line styles and markers: Okabe-Ito, readable on the light and the dark theme.

Each strategy keeps its color and its marker everywhere; sky blue and orange are too light to stand
alone on white, so a marker or a label always goes with them. The dash shows the protection, as in
the paper: without DP dashed, full DP dotted.
"""

from __future__ import annotations

from typing import Final

COLOR: Final = {
    "userknn": "#7F7F7F",
    "userknn+reuse": "#56B4E9",
    "expect": "#E69F00",
    "gain": "#009E73",
    "expect+reuse": "#E69F00",
    "gain+reuse": "#009E73",
}
SYMBOL: Final = {
    "userknn": "circle",
    "userknn+reuse": "square",
    "expect": "triangle-up",
    "gain": "diamond",
    "expect+reuse": "triangle-up-open",
    "gain+reuse": "diamond-open",
}
#: The marker as a letter, for labels.
GLYPH: Final = {
    "userknn": "●",
    "userknn+reuse": "■",
    "expect": "▲",
    "gain": "◆",
    "expect+reuse": "△",
    "gain+reuse": "◇",
}
#: Dash of a line that shows a protection.
DASH: Final = {"none": "dash", "vulnerable": "solid", "full": "dot"}
#: The dash before the marker in labels; the solid line needs none.
GLYPH_DASH: Final = {"none": "╌", "vulnerable": "", "full": "┈"}

SECURE: Final = "#0072B2"
VULNERABLE: Final = "#D55E00"
#: Of what is vulnerable or protected, beside the color.
HATCH: Final = {"shape": "/", "fillmode": "overlay", "fgcolor": "white", "size": 6}
#: A legend below a figure, at its right end.
LEGEND_BELOW: Final = {
    "orientation": "h",
    "x": 1,
    "xanchor": "right",
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
    "traceorder": "normal",
}
#: For lines and marks that belong to no strategy; 4.3 : 1 on white, 4.2 : 1 on the dark theme.
INK: Final = "#7A7A7A"


def symbol(strategy: str, protection: str) -> str:
    """Return the marker of a strategy under a protection: filled only with DP.

    >>> symbol("expect", "vulnerable"), symbol("userknn", "none"), symbol("userknn", "full")
    ('triangle-up', 'circle-open', 'circle-cross-open')
    """
    return {
        "none": f"{SYMBOL[strategy].removesuffix('-open')}-open",
        "vulnerable": SYMBOL[strategy],
        "full": f"{SYMBOL[strategy].removesuffix('-open')}-cross-open",
    }[protection]
