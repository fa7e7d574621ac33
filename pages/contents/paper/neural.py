"""Neighbors by embeddings, as in the paper's appendix C: what they come to, and how they learn."""

from __future__ import annotations

from typing import Final
from weakref import ref

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from engine.outcome import Outcome
from engine.paper import PaperFigure, embedding_figures_of
from engine.paper_metrics import PAPER_METRICS
from pages.contents.paper.neural_runs import Neural, begin, neural_runs
from pages.parts.drawing.layout import INK, add_settings, lay_out
from pages.parts.drawing.page import draw_sections
from pages.parts.looks import color_of
from pages.parts.outcomes import outcome_name
from pages.parts.runs.on_demand import draw_stopped
from pages.parts.runs.progress import watch
from pages.parts.runs.runs_of_ratings import run_key
from pages.parts.screen import Screen
from pages.parts.sections import Column, Exhibit, Section
from pages.parts.wording import PERCENT, counted, number, percent

_HEADING: Final = "Neighbors by embeddings: NeuKNN"
_OTHER_QUERIES: Final = (
    "NeuKNN keeps half of each fold’s queries to say when learning stops, and answers the other "
    "half. So its uses, its vulnerable users and its errors come from other queries than those of "
    "the paper’s tables. If NeuKNN is chosen in the sidebar, all strategies answer the same half, "
    "and the other pages compare them."
)
_APPENDIX: Final = "appendix C"
_COLUMNS: Final = {
    "setting": Column(),
    "τ": Column("%.2f", help="the published rule, from NeuKNN’s own data usage; mean over folds"),
    "error (MAE)": Column("%.4f"),
    "vulnerable users (%)": Column("%.2f"),
    "mean privacy risk": Column("%.2f"),
    "of secure users": Column("%.2f"),
    "uses per user": Column("%.2f"),
    "nDCG@10": Column("%.4f"),
    "nDCG@10, published": Column("%.4f"),
    "item coverage (%)": Column("%.2f"),
    "neighbors after 20 queries": Column("%.1f"),
    _APPENDIX: Column(help="what the published code or the paper’s figure has"),
}


def draw_neural(screen: Screen) -> None:
    """Draw what NeuKNN comes to at the k on the screen, or the button that measures it."""
    experiment = screen.experiment
    run = neural_runs().known(run_key(experiment, screen.k))
    if measured := report_sections(screen):
        draw_sections(measured, screen)
        return
    draw_sections([Section(heading=_HEADING, finding=[_intro(), _OTHER_QUERIES])], screen)
    if run is not None and run.active:
        watch(run, run.version, "neural_cancel")
        return
    if run is not None:
        draw_stopped(run)
    st.button(
        f"Learn and measure at k = {screen.k}",
        key="neural_begin",
        on_click=begin,
        args=(ref(experiment), screen.k),
    )
    st.caption(
        "It goes on in the background and can be canceled. Learning takes about 20 seconds a fold "
        "for a million ratings; vectors and results are kept."
    )


def report_sections(screen: Screen) -> list[Section]:
    """Return what has been measured at the k on the screen; nothing until it has."""
    run = neural_runs().known(run_key(screen.experiment, screen.k))
    return neural_sections(screen, run.result) if run and run.result.outcomes else []


def _intro() -> str:
    return (
        "The paper’s appendix C learns 16 numbers for each user and each item, and takes as "
        "neighbors the users whose numbers point the same way. NeuKNN+Reuse prefers neighbors that "
        "served the user before, for similar items."
    )


def neural_sections(screen: Screen, neural: Neural) -> list[Section]:
    """Return what the variants come to, beside the appendix, and the loss curve."""
    plain_dp, reuse = neural.outcomes[1], neural.outcomes[3]
    share, reuse_share = (o.value("vulnerable_share") for o in (plain_dp, reuse))
    error, reuse_error = (o.value("mae") for o in (plain_dp, reuse))
    finding = (
        f"With NeuKNN **{percent(share)}** of the users are used more than τ times, with "
        f"NeuKNN+Reuse **{percent(reuse_share)}**. With DP, predictions miss by "
        f"{number(error, 3)} and {number(reuse_error, 3)} points of the scale."
    )
    table = _table(neural)
    return [
        Section(
            heading=_HEADING,
            finding=[_intro(), finding, _OTHER_QUERIES],
            exhibits=[
                Exhibit(
                    name="neuknn",
                    alt="What NeuKNN and NeuKNN+Reuse come to",
                    title=f"{screen.title}: NeuKNN at k = {neural.k}",
                    table=table,
                    columns={name: _COLUMNS[name] for name in _COLUMNS if name in table},
                    caption=f"τ by the published rule, {neural.experiment.folds} folds: "
                    f"80{PERCENT} of the ratings train, 10{PERCENT} say when learning stops, "
                    f"10{PERCENT} are asked. Noise: "
                    f"{neural.experiment.mechanism.name}; the published code draws continuous "
                    "noise."
                    + ("" if _APPENDIX in table else " Appendix C has no figures of these data."),
                ),
                _loss_exhibit(screen, neural),
            ],
        )
    ]


def _table(neural: Neural) -> pd.DataFrame:
    published = embedding_figures_of(neural.experiment.ratings)
    table = pd.DataFrame(
        [
            {
                "setting": outcome_name(outcome),
                "τ": outcome.tau,
                "error (MAE)": outcome.value("mae"),
                "vulnerable users (%)": 100 * outcome.value("vulnerable_share"),
                "mean privacy risk": outcome.value("privacy_risk"),
                "of secure users": outcome.value("secure_risk"),
                "uses per user": outcome.value("data_usage"),
                "nDCG@10": outcome.value("ndcg"),
                "nDCG@10, published": outcome.value("ndcg_published"),
                "item coverage (%)": 100 * outcome.value("coverage"),
                "neighbors after 20 queries": outcome.value("neighbors_at_20"),
                _APPENDIX: _words(outcome, published),
            }
            for outcome in neural.outcomes
        ]
    )
    return table if table[_APPENDIX].any() else table.drop(columns=_APPENDIX)


def _words(outcome: Outcome, published: list[PaperFigure]) -> str:
    words = {"mae": "MAE {:g}", "vulnerable_percent": f"vulnerable {{:g}}{PERCENT}"}
    return ", ".join(
        words[figure.metric].format(figure.value)
        for figure in published
        if figure.setting == outcome.setting and figure.metric in PAPER_METRICS
    )


def _loss_exhibit(screen: Screen, neural: Neural) -> Exhibit:
    epochs = max(fold.validation_error.size for fold in neural.embeddings)
    columns: dict[str, list[float]] = {"epoch": list(range(1, epochs + 1))}
    figure = go.Figure()
    for place, fold in enumerate(neural.embeddings, start=1):
        for words, errors, color, dash in (
            ("while learning", fold.training_error, INK, "dot"),
            ("validation", fold.validation_error, color_of("neuknn"), "solid"),
        ):
            name = f"fold {place}, {words}"
            columns[name] = [*errors.tolist(), *[np.nan] * (epochs - errors.size)]
            figure.add_scatter(
                x=list(range(1, errors.size + 1)),
                y=errors.tolist(),
                mode="lines",
                line={"color": color, "dash": dash, "width": 2},
                name=words,
                legendgroup=words,
                showlegend=place == 1,
                hovertemplate=f"{name}: %{{y:.4f}}<extra></extra>",
            )
    lay_out(
        figure,
        height=380,
        top=85,
        bottom=105,
        right=20,
        xaxis_title="epoch",
        yaxis_title="mean absolute error",
    )
    best = float(np.mean([fold.validation_error.min() for fold in neural.embeddings]))
    best_epochs = [fold.best_epoch + 1 for fold in neural.embeddings]
    span = (
        f"{min(best_epochs)} to {max(best_epochs)}"
        if min(best_epochs) < max(best_epochs)
        else f"{best_epochs[0]}"
    )
    exhibit = Exhibit(
        name="neuknn-loss",
        alt="Training and validation error of the vectors by epoch, a line for each fold",
        title=f"The vectors are those of epoch {span}: later ones validate no better "
        f"than {number(best, 3)}",
        table=pd.DataFrame(columns),
        figure=figure,
        caption="These are the errors of the learned predictions, not of the neighbors.",
    )
    # Learning knows neither k nor τ.
    add_settings(figure, f"{screen.title_in_figure}, {counted(len(neural.embeddings), 'fold')}")
    return exhibit
