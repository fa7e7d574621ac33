"""The figures of a dataset that stand in the paper's table of datasets."""

from __future__ import annotations

from dataclasses import dataclass

from engine.datasets.known import KNOWN
from engine.datasets.ratings import Ratings

#: The datasets of the paper, in its order.
PAPER_DATASETS = ("ml-1m", "douban", "lastfm", "ciao", "goodreads")


@dataclass(frozen=True)
class Statistics:
    """|U|, |I| and |R| of a dataset, and what follows from them (paper, section 4.2).

    >>> ml_1m = Statistics(6040, 3706, 1_000_209)
    >>> ml_1m.ratings_per_user, ml_1m.users_per_item, 100 * ml_1m.density
    (165.60, 1.6298, 4.47)
    """

    users: int
    items: int
    ratings: int

    @classmethod
    def of(cls, ratings: Ratings) -> Statistics:
        return cls(ratings.n_users, ratings.n_items, ratings.n_ratings)

    @property
    def ratings_per_user(self) -> float:
        """|R| / |U|."""
        return self.ratings / self.users

    @property
    def users_per_item(self) -> float:
        """|U| / |I|."""
        return self.users / self.items

    @property
    def density(self) -> float:
        """|R| / (|U| |I|), a share."""
        return self.ratings / (self.users * self.items)


def paper_statistics(name: str, statistics: Statistics) -> tuple[str, Statistics] | None:
    """Return title and figures of the paper's dataset that has this name or these figures.

    >>> paper_statistics("mine", Statistics(6040, 3706, 1_000_209))[0]
    'MovieLens 1M'
    >>> paper_statistics("mine", Statistics(6040, 3706, 1_000_208)) is None
    True
    """
    for known in map(KNOWN.__getitem__, PAPER_DATASETS):
        figures = Statistics(known.users, known.items, known.ratings)
        if name == known.name or statistics == figures:
            return known.title, figures
    return None
