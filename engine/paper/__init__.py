"""The tables of the paper as data: the datasets and the published figures."""

from __future__ import annotations

from engine.paper.tables import (
    CITATION,
    PaperDataset,
    PaperFigure,
    PaperTables,
    embedding_figures,
    embedding_figures_of,
    paper_tables,
)

__all__ = [
    "CITATION",
    "PaperDataset",
    "PaperFigure",
    "PaperTables",
    "embedding_figures",
    "embedding_figures_of",
    "paper_tables",
]
