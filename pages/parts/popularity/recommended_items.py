"""Which items the top lists have more often, and less often, than their popularity suggests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from pages.parts.wording import number, plain

if TYPE_CHECKING:
    from engine.datasets import Ratings

MOST_ITEMS: Final = 10


@dataclass(frozen=True, eq=False)
class Gaps:
    """How far the share of each item on the top lists is from its share of the ratings."""

    ratings: np.ndarray  # (n_items,) float64, sums to 1
    lists: np.ndarray  # (n_items,) float64, sums to 1

    @classmethod
    def of(cls, popularity: np.ndarray, frequency: np.ndarray) -> Gaps:
        """Return the gaps from the counts of ratings and of places on lists, (n_items,) each."""
        return cls(popularity / max(1, popularity.sum()), frequency / max(1, frequency.sum()))

    @property
    def places(self) -> np.ndarray:
        """(n_items,) share of the lists less share of the ratings."""
        gaps: np.ndarray = self.lists - self.ratings
        return gaps

    def most(self, over: bool) -> np.ndarray:
        """Return the items with the largest gaps above or below 0, at most ten.

        By the difference of the shares: by their ratio, items that one user rated would come first.

        >>> gaps = Gaps.of(np.array([5, 3, 2]), np.array([2, 3, 5]))
        >>> gaps.most(over=True).tolist(), gaps.most(over=False).tolist()
        ([2], [0])
        """
        gaps = self.places if over else -self.places
        order = np.argsort(-gaps, kind="stable")[:MOST_ITEMS]
        return order[gaps[order] > 1e-12]


def item_names(ratings: Ratings) -> np.ndarray:
    """Return the titles of the items, their ids where there are no titles."""
    return ratings.items if ratings.item_titles is None else ratings.item_titles


def items_heading(over: bool) -> str:
    """Return what a table of these items shows.

    >>> items_heading(over=True)
    'On the lists more often than their ratings suggest'
    """
    return f"On the lists {'more' if over else 'less'} often than their ratings suggest"


def items_table(gaps: Gaps, titles: np.ndarray, over: bool) -> pd.DataFrame:
    """Return the items whose gaps are the largest, by title."""
    items = gaps.most(over)
    return pd.DataFrame(
        {
            "item": [str(titles[item]) for item in items],
            "share of the ratings, %": 100 * gaps.ratings[items],
            "share of the lists, %": 100 * gaps.lists[items],
            "ratio": gaps.lists[items] / gaps.ratings[items],
        }
    )


def items_sentence(gaps: Gaps, titles: np.ndarray, name: str) -> str:
    """Return the items with the largest gap up and down, in words (Markdown)."""
    over, under = gaps.most(over=True), gaps.most(over=False)
    if not over.size or not under.size:
        return f"Under {name} each item is on the lists as often as its ratings suggest."

    def share(item: int) -> str:
        return (
            f"**{plain(str(titles[item]))}**, with {100 * gaps.lists[item]:.2f} % of the places "
            f"on lists against {100 * gaps.ratings[item]:.2f} % of the ratings "
            f"({number(gaps.lists[item] / gaps.ratings[item])} times its share)"
        )

    return (
        f"Under {name} the item most over-recommended is {share(int(over[0]))}; the most "
        f"under-recommended is {share(int(under[0]))}."
    )
