"""Which items the top lists have more often, and less often, than their popularity suggests."""

from __future__ import annotations

import numpy as np
import pandas as pd

from engine.popularity_bias import ItemShares
from pages.parts.wording import PERCENT, number, verbatim


def recommended_items_table(shares: ItemShares, titles: np.ndarray, over: bool) -> pd.DataFrame:
    """Return the items whose gaps are the largest, by title."""
    items = shares.over_recommended() if over else shares.under_recommended()
    return pd.DataFrame(
        {
            "item": [str(titles[item]) for item in items],
            "share of the ratings, %": 100 * shares.ratings[items],
            "share of the lists, %": 100 * shares.lists[items],
            "ratio": shares.ratio[items],
        }
    )


def items_sentence(shares: ItemShares, titles: np.ndarray, name: str) -> str:
    """Return the items with the largest gap up and down, in words (Markdown)."""
    over, under = shares.over_recommended(), shares.under_recommended()
    if not over.size or not under.size:
        return f"Under {name} each item is on the lists as often as its ratings suggest."

    def share(item: int) -> str:
        return (
            f"**{verbatim(str(titles[item]))}**, with {100 * shares.lists[item]:.2f}{PERCENT} "
            f"of the places on lists against {100 * shares.ratings[item]:.2f}{PERCENT} "
            f"of the ratings ({number(shares.ratio[item])} times its share)"
        )

    return (
        f"Under {name} the item most over-recommended is {share(int(over[0]))}; the most "
        f"under-recommended is {share(int(under[0]))}."
    )
