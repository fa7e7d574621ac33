"""The tab on the audit: what many answers of the implemented mechanism prove about its ε."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from engine.audit import SAMPLES, Audit, audit_all
from pages.parts.drawing.layout import INK, SECURE_COLOR, lay_out
from pages.parts.drawing.page import draw_sections
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import PERCENT, listed, percent

_INTRODUCTION = (
    "An ε on paper proves nothing about a program. The audit asks the mechanism of this program "
    f"{SAMPLES:,} times about every rating, counts the answers, and computes how large ε must be "
    f"at least. The bound is right with 95{PERCENT} confidence. A bound above the stated ε would "
    "refute that ε. A bound far below it would say little."
)


@st.cache_data(show_spinner="Asking the mechanism", max_entries=4)
def _audits(seed: int, memoised: bool) -> list[Audit]:
    return audit_all(seed=seed, memoised=memoised)


def draw_audit(screen: Screen) -> None:
    """Draw the audit of both kinds of noise on four scales."""
    experiment = screen.experiment
    audits = _audits(experiment.seed, experiment.mechanism.memoised)
    draw_sections(audit_sections(audits), screen)


def audit_sections(audits: Sequence[Audit]) -> list[Section]:
    """Return what the audit found."""
    finite = [audit for audit in audits if audit.finite]
    return [
        Section(
            finding=[_INTRODUCTION, discrete_sentence(finite), continuous_audit_sentence(audits)],
            exhibits=[
                Exhibit(
                    name="lab-audit",
                    alt="Stated epsilon and its lower bound, for four scales",
                    title=audit_title(finite),
                    table=audit_table(audits),
                    figure=make_audit_figure(finite),
                    caption="The same numbers: `python -m engine audit`. By chance, one audit in "
                    "twenty proves too much.",
                )
            ],
        )
    ]


def audit_title(finite: Sequence[Audit]) -> str:
    """Return whether an audit refutes what is stated."""
    refuted = [str(audit.levels) for audit in finite if audit.refuted]
    if refuted:
        return f"The audit refutes the stated ε for {listed(refuted)} values on the scale"
    return "The audit does not refute the stated ε = ln(1 + 3m) on any of the scales"


def discrete_sentence(finite: Sequence[Audit]) -> str:
    """Return how near the bounds come to what is stated."""
    nearest = min(audit.epsilon_lower_bound / audit.epsilon_stated for audit in finite)
    return (
        "**Discrete noise:** the proven bound reaches at least "
        f"{percent(nearest)} of the stated ε on every scale. So the stated ε is hardly larger than "
        "it has to be."
        if nearest <= 1
        else "**Discrete noise:** the proven bound is above the stated ε on every scale."
    )


def continuous_audit_sentence(audits: Sequence[Audit]) -> str:
    """Return what the audit found about continuous noise on whole stars."""
    certain = [audit.certain_share for audit in audits if not audit.finite]
    if not certain:
        return ""
    return (
        f"**Continuous noise:** {percent(min(certain))} of the answers came about one rating only, "
        "and so give it away. No finite ε holds, and none is stated."
    )


def audit_table(audits: Sequence[Audit]) -> pd.DataFrame:
    """Return a row for each mechanism and scale."""
    return pd.DataFrame(
        [
            {
                "noise": audit.mechanism.name,
                "values on the scale": audit.levels,
                "stated ε": audit.epsilon_stated if audit.finite else None,
                "at least": audit.epsilon_lower_bound,
                "answers about each rating": audit.samples,
                "answers that give the rating away": audit.certain_share,
            }
            for audit in audits
        ]
    )


def make_audit_figure(finite: Sequence[Audit]) -> go.Figure:
    """Return the stated ε and the proven bound for each number of values on the scale."""
    labels = [str(audit.levels) for audit in finite]
    figure = go.Figure(
        [
            go.Bar(
                x=labels,
                y=[audit.epsilon_lower_bound for audit in finite],
                name="proven: at least",
                marker_color=SECURE_COLOR,
                hovertemplate="at least %{y:.3f}<extra></extra>",
            ),
            go.Scatter(
                x=labels,
                y=[audit.epsilon_stated for audit in finite],
                mode="markers",
                marker={"symbol": "line-ew-open", "size": 34, "color": INK, "line_width": 3},
                name="stated: ln(1 + 3m)",
                hovertemplate="stated %{y:.3f}<extra></extra>",
            ),
        ]
    )
    largest = max(math.ceil(audit.epsilon_stated) for audit in finite)
    return lay_out(
        figure,
        height=360,
        xaxis={"title": "values on the scale, m", "type": "category"},
        yaxis={"title": "ε", "range": [0, largest]},
    )
