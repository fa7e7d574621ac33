"""Ratings from counts of how often someone listened, made as for the paper's LastFM data."""

from __future__ import annotations

import numpy as np

from engine.datasets.ratings import Ratings
from engine.datasets.scale import Scale
from engine.errors import InputError

LOWEST, HIGHEST = 1.0, 1000.0


def counts_to_ratings(counts: Ratings) -> Ratings:
    """Return ratings from 1 to 1000, by min-max per user: a user's most played item gets 1000.

    ``rating = 1 + 999 (count - least) / (most - least)``, least and most over the user's items
    (Kowald et al. 2020, paper section 4.2). If a user played all items equally often, each is a
    favorite and gets 1000. The scale is continuous.

    Raises:
        InputError: a count below 0.

    >>> counts = Ratings.from_columns("aaab", "xyzx", [1, 3, 2, 7], name="plays")
    >>> counts_to_ratings(counts).value.tolist()
    [1.0, 1000.0, 500.5, 1000.0]
    """
    if counts.value.min() < 0:
        raise InputError(
            f"Counts must not be below 0, but there is {counts.value.min():g}: read the file as "
            "ratings."
        )
    least = np.full(counts.n_users, np.inf)
    most = np.full(counts.n_users, -np.inf)
    np.minimum.at(least, counts.user, counts.value)
    np.maximum.at(most, counts.user, counts.value)
    reach = (most - least)[counts.user]
    share = np.ones(counts.n_ratings)
    np.divide(counts.value - least[counts.user], reach, out=share, where=reach > 0)
    return counts.derive(
        value=LOWEST + (HIGHEST - LOWEST) * share,
        scale=Scale(LOWEST, HIGHEST, None),
        note="Counts became ratings from 1 to 1000, by min-max per user.",
    )
