"""The numbers that stand on the pages: how each is called, and how it and its differences read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.outcome import Outcome
from pages.parts.screen import Screen
from pages.parts.wording import comparison, number, order_as_read, percent, points, signed

Text = Callable[[float], str]


#: Metrics that are a share, which reads as percent.
_SHARES: Final = ("vulnerable_share", "protected_uses", "predicted_share", "coverage")
#: How many decimals others have, where it is not by their size.
_DECIMALS: Final = {"mae": 3, "mae_users": 3, "ndcg": 3, "ndcg_published": 3, "pp_corr": 4}


@dataclass(frozen=True)
class Measure:
    """A metric under a protection that stands on a page."""

    label: str
    metric: str
    protection: str = "vulnerable"
    help: str = ""

    def text(self, value: float) -> str:
        """Return a value of the metric to read."""
        return metric_text(self.metric, value)

    def difference_text(self, value: float) -> str:
        """Return a difference of the metric to read."""
        return difference_text(self.metric, value)

    def outcome(self, screen: Screen) -> Outcome:
        """Return the outcome of the screen that has this measure."""
        return screen.outcome(protection=self.protection, metrics=[self.metric])


def metric_text(metric: str, value: float, *, finer: bool = False) -> str:
    r"""Return a metric to read; `finer` has a fourth decimal where three are usual.

    >>> metric_text("mae", 0.80123), metric_text("coverage", 0.8141), metric_text("data_usage", 208)
    ('0.801', '81\xa0%', '208')
    >>> metric_text("mae", 0.82401, finer=True)
    '0.8240'
    """
    if metric in _SHARES:
        return percent(value)
    decimals = _DECIMALS.get(metric)
    return number(value, 4 if finer and decimals else decimals)


def difference_text(metric: str, value: float) -> str:
    r"""Return a difference of a metric to read.

    >>> difference_text("mae", -0.0213), difference_text("vulnerable_share", 0.5)
    ('−0.021', '+50\xa0% points')
    """
    return points(value) if metric in _SHARES else signed(value, _DECIMALS.get(metric))


def value_text(outcome: Outcome, metric: str) -> str:
    """Return a metric of an outcome to read."""
    return metric_text(metric, outcome.value(metric))


def real_uses_text(outcome: Outcome) -> str:
    """Return how often a person's real ratings are used on average, to read: "1 time"."""
    uses = value_text(outcome, "privacy_risk")
    return f"{uses} time" if uses == "1" else f"{uses} times"


def less_or_more(outcome: Outcome, other: Outcome, metric: str, *words: str) -> str:
    """Return the first, second or third word: less than the other, more, or the same once rounded.

    `words` are those for less, more and the same.
    """
    values = outcome.value(metric), other.value(metric)
    return comparison(*values, partial(metric_text, metric), *words)


def outcome_order(outcome: Outcome, other: Outcome, metric: str) -> int:
    """Return -1 for less of a metric than the other, 1 for more, 0 for the same once rounded."""
    return order_as_read(outcome.value(metric), other.value(metric), partial(metric_text, metric))


VULNERABLE: Final = Measure(
    "Vulnerable users", "vulnerable_share", help="Users whose data is used more than τ times."
)
RISK: Final = Measure(
    "Mean privacy risk",
    "privacy_risk",
    help="How often a person's real ratings are used on average: every use, up to the first τ.",
)
RISK_WITHOUT: Final = Measure("Mean privacy risk without DP", "privacy_risk", "none")
SECURE: Final = Measure(
    "Uses per secure user",
    "secure_risk",
    help="How often a person who is used at most τ times is used, on average.",
)
PROTECTED: Final = Measure("Uses that are protected", "protected_uses")
MAE_WITH: Final = Measure(
    "MAE with DP", "mae", help="How far predicted ratings are off, in points of the rating scale."
)
MAE_WITHOUT: Final = Measure("MAE without DP", "mae", "none")
NEIGHBORS_20: Final = Measure("Neighbors after 20 queries", "neighbors_at_20")
NEIGHBORS_100: Final = Measure("Neighbors after 100 queries", "neighbors_at_100")
CO_RATINGS_20: Final = Measure("Items in common, after 20 queries", "coratings_at_20")
CO_RATINGS_100: Final = Measure("Items in common, after 100 queries", "coratings_at_100")
PP_CORR_WITH: Final = Measure("PP-Corr", "pp_corr")
COVERAGE: Final = Measure("Coverage", "coverage")
#: What the overview compares: none of it takes longer than a table look-up.
OVERVIEW: Final = (
    VULNERABLE, RISK, SECURE, PROTECTED, MAE_WITH, MAE_WITHOUT, NEIGHBORS_20, CO_RATINGS_20,
)  # fmt: skip
