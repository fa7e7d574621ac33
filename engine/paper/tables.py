"""Reads the paper's table of datasets and its tables of figures, CSV beside this file.

The figures are copied from the paper: tau, mean absolute error, privacy risk, the share of
vulnerable users, PP-Corr and coverage at k = 10 (sections 4.5, 5.1 and 5.2). Those of
appendix C come from its figure and from the published code.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.datasets import Ratings
from engine.datasets.known import KNOWN
from engine.settings import Setting

#: Whose figures these are.
CITATION = (
    "P. Müllner, E. Lex, M. Schedl, D. Kowald: ReuseKNN: Neighborhood Reuse for "
    "Differentially Private KNN-Based Recommendations. ACM Transactions on Intelligent Systems and "
    "Technology 14(5), article 80, 2023. https://doi.org/10.1145/3608481"
)

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class PaperDataset:
    """A dataset as the paper used it (section 4.3)."""

    name: str
    domain: str
    rating_min: float
    rating_max: float
    users: int
    items: int
    ratings: int

    def has_counts_of(self, ratings: Ratings) -> bool:
        """Whether these ratings are as many, by as many users, of as many items."""
        counts = (ratings.n_users, ratings.n_items, ratings.n_ratings)
        return (self.users, self.items, self.ratings) == counts


@dataclass(frozen=True)
class PaperFigure:
    """One figure of a table of the paper.

    `metric` is its name in the table, `value` is as printed there. `stars` says how the paper marks
    a significant difference to UserKNN with protection of the vulnerable users; "" for none.
    """

    metric: str
    dataset: str
    strategy: str
    protection: str
    k: int
    value: float
    stars: str = ""

    @property
    def setting(self) -> Setting:
        """The setting under which it was published."""
        return Setting(self.strategy, self.k, "published", self.protection)


@dataclass(frozen=True)
class PaperTables:
    """The datasets and the figures of the paper."""

    datasets: tuple[PaperDataset, ...]
    figures: tuple[PaperFigure, ...]

    def figures_of(self, dataset: str) -> list[PaperFigure]:
        """Return the figures of a dataset, in the order of the tables.

        >>> paper_tables().figures_of("ml-1m")[0].value
        92.89
        """
        return [figure for figure in self.figures if figure.dataset == dataset]

    def with_counts(self, ratings: Ratings) -> PaperDataset | None:
        """Return the dataset that has as many users, items and ratings; None if there is none."""
        return next((data for data in self.datasets if data.has_counts_of(ratings)), None)

    def with_name(self, name: str) -> PaperDataset | None:
        """Return the dataset of a name; None if there is none.

        >>> paper_tables().with_name("ciao").users
        7375
        """
        return next((data for data in self.datasets if data.name == name), None)


@cache
def paper_tables() -> PaperTables:
    """Return the tables of the paper.

    >>> [data.name for data in paper_tables().datasets]
    ['ml-1m', 'douban', 'lastfm', 'ciao', 'goodreads']
    """
    datasets = tuple(
        PaperDataset(
            row["dataset"],
            row["domain"],
            float(row["rating_min"]),
            float(row["rating_max"]),
            int(row["users"]),
            int(row["items"]),
            int(row["ratings"]),
        )
        for row in _rows("datasets.csv")
    )
    return PaperTables(datasets, _figures("results.csv"))


@cache
def embedding_figures() -> tuple[PaperFigure, ...]:
    """Return what appendix C comes to with the published code; errors are read off its figure.

    >>> {figure.strategy for figure in embedding_figures()} == {"neuknn", "neuknn+reuse"}
    True
    """
    return _figures("embeddings.csv")


def embedding_figures_of(ratings: Ratings) -> list[PaperFigure]:
    """Return what appendix C comes to on these ratings, which their counts tell.

    >>> from engine.datasets import generate
    >>> embedding_figures_of(generate(users=40, items=60, ratings=900))
    []
    """
    counts = (ratings.n_users, ratings.n_items, ratings.n_ratings)
    known = {name: (data.users, data.items, data.ratings) for name, data in KNOWN.items()}
    return [figure for figure in embedding_figures() if known[figure.dataset] == counts]


def _figures(name: str) -> tuple[PaperFigure, ...]:
    return tuple(
        PaperFigure(
            row["metric"],
            row["dataset"],
            row["strategy"],
            row["protection"],
            int(row["k"]),
            float(row["value"]),
            row["significant_vs_userknn_dp"],
        )
        for row in _rows(name)
    )


def _rows(name: str) -> list[dict[str, str]]:
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
