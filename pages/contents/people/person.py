"""Every use of one user, and the table of all users."""

from __future__ import annotations

from typing import Final

import pandas as pd

from engine.exposure import UsesOverFolds, tabulate_users, uses_over_folds
from pages.parts.runs.results import Results

#: Rows of a table that go to the browser; a download has them all.
MOST_ROWS: Final = 1000
#: The columns of the table of all users, with what the engine calls them.
_USER_COLUMNS: Final = {
    "user": "user",
    "ratings": "ratings",
    "data_usage": "uses per fold",
    "vulnerable_folds": "folds vulnerable",
    "protected": "protected uses",
    "privacy_risk": "privacy risk",
    "epsilon_paper": "paper's ε",
}


def uses_in_results(results: Results, strategy: str, k: int, user: int) -> UsesOverFolds:
    """Return every use of a user in the folds that are finished; neither needs nor knows tau."""
    folds = results.folds(k)
    return results.remembered(
        ("uses", strategy, k, folds, user),
        lambda: uses_over_folds(results.experiment, strategy, k, user, folds),
    )


def users_table(results: Results, strategy: str, k: int, tau: float) -> pd.DataFrame:
    """Return all users, most used first: means over folds, as for one user."""
    table = tabulate_users(results.experiment, strategy, k, tau, results.folds(k))
    return table[list(_USER_COLUMNS)].rename(columns=_USER_COLUMNS)
