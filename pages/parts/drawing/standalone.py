"""Files of HTML that need nothing else: no server, no network, no other file.

They are rendered from templates that escape every text. Sentences of the pages are Markdown.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import plotly.graph_objects as go
import plotly.io as pio
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from pages.parts.drawing.layout import SHARED

#: Pixels: a margin wider than this holds names.
_LABELS: Final = 100
#: What the templates of several pages are made of.
_TEMPLATES: Final = Path(__file__).with_name("templates")


def slug(name: str) -> str:
    """Return a name with nothing but letters, digits and hyphens, for files and anchors.

    >>> slug("Trade-off"), slug("<my data>.csv")
    ('Trade-off', '-my-data--csv')
    """
    return "".join(letter if letter.isalnum() else "-" for letter in name)


def inline(markdown: str) -> Markup:
    r"""Return a sentence of the pages as HTML: text, with bold parts.

    >>> print(inline(r"**8** of \<b\>5 & 6"))
    <strong>8</strong> of &lt;b&gt;5 &amp; 6
    """
    return Markup(_markdown()(markdown))


@cache
def _markdown() -> Callable[[str], str]:
    """Return what renders the Markdown of sentences: bold parts, and escaped letters."""
    # A twentieth of a second that the start can do without: only files are rendered with it.
    from markdown_it import MarkdownIt

    return MarkdownIt("zero").enable(["emphasis", "escape"]).renderInline


def render(
    template: Path, filters: Mapping[str, Callable[..., object]] | None = None, **values: Any
) -> str:
    """Return a page with Plotly in it, from a template. What is no `Markup` is escaped.

    A template may include others that lie beside it, or in `drawing/templates`.
    """
    # A fiftieth of a second that the start can do without: only files are rendered with it.
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([template.parent, _TEMPLATES]),
        autoescape=lambda name: not (name or "").endswith(".md"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters or {}, inline=inline, slug=slug, figure=figure_in_page)
    return environment.get_template(template.name).render(
        plotly=Markup(_packed_plotly()),
        figure_template=_in_script(_paper_template().to_plotly_json()),
        **values,
    )


def _in_script(content: object) -> Markup:
    """Return a value for a script of a page, which no text in it can end."""
    return Markup(json.dumps(content, ensure_ascii=False).replace("<", "\\u003c"))


@cache
def _paper_template() -> go.layout.Template:
    """Return the template of figures in a file: those of a page wait for Streamlit's theme."""
    # To merge the two takes a tenth of a second, which a page need not wait for.
    return pio.templates.merge_templates("plotly_white", SHARED)


@cache
def _packed_plotly() -> str:
    """Return Plotly's script, packed with gzip, as letters: 2 MB instead of 5."""
    packed = gzip.compress(get_plotlyjs().encode(), mtime=0)
    return base64.b64encode(packed).decode()


def figure_in_page(figure: go.Figure, name: str, alt: str, format: str = "svg") -> Markup:
    """Return the HTML of a figure for a page that has Plotly; its camera saves it under a name."""
    drawn = go.Figure(figure)
    if (figure.layout.margin.r or 0) > _LABELS:
        # Names at the ends of lines: the fonts of another machine may be wider.
        drawn.update_layout(margin_r=figure.layout.margin.r + 40)
    drawn.update_traces(selectedpoints=None)
    content = json.loads(pio.to_json(drawn, validate=False, remove_uids=True))
    del content["layout"]["template"]  # the page has it once
    content["config"] = figure_config(figure, name, format)
    return Markup(
        '<div role="figure" aria-label="{}"><div id="{id}" class="drawn" style="height: {}px">'
        '</div><script type="application/json" data-figure="{id}">{}</script></div>'
    ).format(
        alt,
        figure.layout.height or 500,
        _in_script(content),
        id=f"figure-{slug(name)}",
    )


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
    drawn = figure_in_page(figure, name, alt, format)
    return render(_TEMPLATES / "figure.html", title=alt, figure=drawn, caption=caption)
