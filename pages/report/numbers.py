"""The numbers of a report: those that `evaluate` gives, of every strategy, protection and fold."""

from __future__ import annotations

from typing import Final

from engine.outcome import Outcome
from engine.settings import Settings
from pages.parts.screen import Screen
from pages.parts.wording import number, percent

#: The columns: metrics named as on the command line.
COLUMNS: Final = (
    "mae", "mae_users", "predicted_share", "data_usage", "vulnerable_share", "privacy_risk",
    "secure_risk", "epsilon_paper", "ndcg", "pp_corr", "coverage", "neighbors_at_20",
    "neighbors_at_100", "coratings_at_20", "coratings_at_100",
)  # fmt: skip
_SHARES: Final = ("predicted_share", "vulnerable_share", "coverage")


def report_outcomes(screen: Screen) -> list[Outcome]:
    """Return the outcome of each strategy and protection, with all metrics of a report."""
    protections_of = Settings().protections_of
    return [
        screen.outcome(strategy, protection, COLUMNS)
        for strategy in screen.strategies
        for protection in protections_of(strategy)
    ]


def precise_metric_text(metric: str, value: float) -> str:
    r"""Return a metric as a report shows it.

    >>> precise_metric_text("mae", 0.82401), precise_metric_text("coverage", 0.8141)
    ('0.8240', '81\xa0%')
    """
    if metric in _SHARES:
        return percent(value)
    return number(value, 4 if metric in ("mae", "mae_users", "ndcg", "pp_corr") else None)
