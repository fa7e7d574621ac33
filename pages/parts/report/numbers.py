"""The numbers of a report: those that `evaluate` gives, of every strategy, protection and fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pages.parts.screen import Screen
from pages.parts.wording import number, percent

#: The columns, named as on the command line, with what they are.
COLUMNS: Final = {
    "mae": "mean absolute error of all predictions, in points of the rating scale",
    "mae_users": "the same, averaged over users first",
    "predicted_share": "share of the queries that are predicted from neighbors",
    "data_usage": "how often a user's data is used, mean over users",
    "vulnerable_share": "share of the users whose data is used more than τ times",
    "privacy_risk": "unprotected uses, mean over users",
    "secure_risk": "data usage of users who are not vulnerable, mean",
    "epsilon_paper": "the paper's ε, mean over the users with more than τ uses; n/a without DP",
    "ndcg": "ranking quality of the 10 highest predictions (nDCG@10)",
    "pp_corr": "correlation of being on top lists with popularity, all folds together",
    "coverage": "share of the items that are on some top list, all folds together",
    "neighbors_at_20": "different neighbors after 20 queries, mean over users",
    "neighbors_at_100": "the same after 100 queries",
    "coratings_at_20": "items in common with a neighbor, after 20 queries",
    "coratings_at_100": "the same after 100 queries",
}
_SHARES: Final = ("predicted_share", "vulnerable_share", "coverage")


@dataclass(frozen=True)
class Row:
    """The metrics of a strategy under a protection, in one fold or over all (`mean`)."""

    strategy: str
    protection: str
    fold: int | str
    metrics: dict[str, float | None]


def report_rows(screen: Screen) -> list[Row]:
    """Return a row for each strategy, protection and fold, and one for all folds."""
    from engine.settings import Settings

    experiment, protections_of = screen.results.experiment, Settings().protections_of
    folds = screen.results.folds(screen.k)
    rows = []
    for strategy in screen.strategies:
        for protection in protections_of(strategy):
            found = [
                experiment.evaluate(
                    fold,
                    strategy,
                    protection,
                    screen.k,
                    screen.tau,
                    # Only tau varies: what does not depend on it is in the store already.
                    keep=protection != "vulnerable",
                )
                for fold in folds
            ]
            names: list[int | str] = [*folds, "mean"]
            rows += [
                Row(strategy, protection, name, {column: one.metrics[column] for column in COLUMNS})
                for name, one in zip(names, [*found, experiment.pooled(found)], strict=True)
            ]
    return rows


def shown(column: str, value: float | None) -> str:
    """Return a metric as a report shows it.

    >>> shown("mae", 0.82401), shown("coverage", 0.8141), shown("pp_corr", None)
    ('0.8240', '81 %', 'n/a')
    """
    if value is None:
        return "n/a"
    if column in _SHARES:
        return percent(value)
    return number(value, 4 if column in ("mae", "mae_users", "ndcg", "pp_corr") else None)
