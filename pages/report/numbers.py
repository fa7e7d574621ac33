"""The numbers of a report: those that `evaluate` gives, of every strategy, protection and fold."""

from __future__ import annotations

from typing import Final

from engine.outcome import Outcome
from engine.settings import Settings
from pages.parts.screen import Screen

#: The columns: metrics named as on the command line.
COLUMNS: Final = (
    "mae", "mae_users", "predicted_share", "data_usage", "vulnerable_share", "privacy_risk",
    "secure_risk", "epsilon_paper", "ndcg", "pp_corr", "coverage", "neighbors_at_20",
    "neighbors_at_100", "coratings_at_20", "coratings_at_100",
)  # fmt: skip


def report_outcomes(screen: Screen) -> list[Outcome]:
    """Return the outcome of each strategy and protection, with all metrics of a report."""
    protections_of = Settings().protections_of
    return [
        screen.outcome(strategy, protection, COLUMNS)
        for strategy in screen.strategies
        for protection in protections_of(strategy)
    ]
