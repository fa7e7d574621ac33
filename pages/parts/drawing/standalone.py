"""Files of HTML that need nothing else: no server, no network, no other file."""

from __future__ import annotations

import html
import re
from typing import Final

import plotly.graph_objects as go

#: The browser enforces it: such a file asks for nothing.
POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
_FONTS: Final = '"Source Sans 3", "Segoe UI", "Helvetica Neue", Arial, sans-serif'
#: Pixels: a margin wider than this holds names.
_LABELS: Final = 100
_STYLE: Final = f"""
:root {{ color-scheme: light; font: 16px/1.55 {_FONTS}; color: #262730; }}"""
_RULES: Final = """
body { max-width: 62rem; margin: 2rem auto; padding: 0 1.25rem; background: #fff; }
h1 { font-size: 2rem; line-height: 1.2; } h2 { margin-top: 3rem; }
h2, header { border-bottom: 1px solid #d5d6d9; padding-bottom: .4rem; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .65rem; border-bottom: 1px solid #e4e5e8; text-align: left; }
thead th { vertical-align: bottom; background: #f6f6f7; }
.scroll { overflow-x: auto; margin: .75rem 0; }
pre { background: #f6f6f7; padding: .8rem; overflow-x: auto; }
td, dd, a { overflow-wrap: anywhere; }
.scroll td, .scroll th { overflow-wrap: normal; white-space: nowrap; }
dt { font-family: monospace; margin-top: .4rem; }
summary { cursor: pointer; color: #005A8C; margin: .5rem 0; }
nav a { margin-right: 1rem; } a { color: #005A8C; } .quiet { color: #555867; }
tr.chosen { background: #fff6e3; }
@media print { details > summary { display: none; } h2 { break-after: avoid; } }
"""


def page(title: str, body: str) -> str:
    """Return a page with Plotly in it. The title is text, the body HTML."""
    from plotly.offline import get_plotlyjs

    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Without an icon of its own the browser would ask the server for one.
        f'<link rel="icon" href="data:,">\n<title>{html.escape(title)}</title>\n'
        f"<style>{_STYLE}{_RULES}</style>\n<script>{get_plotlyjs()}</script>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def figure_in_page(figure: go.Figure, name: str, alt: str, format: str = "svg") -> str:
    """Return the HTML of a figure for a page that has Plotly; its camera saves it under a name."""
    import plotly.io as pio

    drawn = go.Figure(figure)
    drawn.update_layout(
        template="plotly_white",
        font_family=_FONTS,
        font_color="#262730",
        title_font={"weight": 600, "size": 17},
    )
    if (figure.layout.margin.r or 0) > _LABELS:
        # Names at the ends of lines: the fonts of another machine may be wider.
        drawn.update_layout(margin_r=figure.layout.margin.r + 40)
    drawn.update_traces(selectedpoints=None)
    made = pio.to_html(
        drawn,
        full_html=False,
        include_plotlyjs=False,
        div_id="figure-" + re.sub(r"[^\w-]", "-", name),
        default_height=f"{figure.layout.height or 500}px",
        config={**figure_config(figure, name, format), "responsive": True},
    )
    return f'<div role="figure" aria-label="{html.escape(alt)}">{made}</div>'


def figure_config(figure: go.Figure, file: str, format: str) -> dict[str, object]:
    """Return the buttons of a figure; the camera saves it as SVG or PNG."""
    return {
        "displaylogo": False,
        "responsive": True,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
        "toImageButtonOptions": {
            "format": format,
            "filename": file,
            "width": 1000,
            "height": figure.layout.height or 500,
            # Pixels of a PNG: enough for a projector.
            "scale": 2 if format == "png" else 1,
        },
    }


def figure_page(figure: go.Figure, name: str, alt: str, caption: str, format: str) -> str:
    """Return a page with one figure. The caption is text."""
    return page(
        alt,
        f'{figure_in_page(figure, name, alt, format)}<p class="quiet">{html.escape(caption)}</p>',
    )


def inline(markdown: str) -> str:
    r"""Return a sentence of the pages as HTML: text, with bold parts.

    >>> inline(r"**8** of \<b\>5 & 6")
    '<strong>8</strong> of &lt;b&gt;5 &amp; 6'
    """
    text = html.escape(markdown)
    text = re.sub(r"(?<!\\)\*\*(.+?)(?<!\\)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"\\(&#?\w+;|[!-/:-@\[-`{-~])", r"\1", text)
