"""The outcomes that stand side by side on the pages, by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.candidates import TauOutcome
from engine.outcome import Outcome
from engine.pareto_front import FrontPoint
from pages.parts.looks import name_of, named
from pages.parts.wording import exactly


def outcome_name(outcome: Outcome) -> str:
    """Return the name of an outcome's strategy and protection."""
    return named(outcome.setting.strategy, outcome.setting.protection)


def setting_words(outcome: TauOutcome | FrontPoint) -> str:
    """Return a setting in words.

    >>> setting_words(FrontPoint("gain", 10, 40, 12.0, 0.8))
    'Gain, k = 10, τ = 40'
    """
    return f"{name_of(outcome.strategy)}, k = {outcome.k}, τ = {exactly(outcome.tau)}"


def find(outcomes: Iterable[Outcome], strategy: str, protection: str = "vulnerable") -> Outcome:
    """Return the outcome of a strategy under a protection."""
    return next(
        outcome
        for outcome in outcomes
        if (outcome.setting.strategy, outcome.setting.protection) == (strategy, protection)
    )


def protected_first(strategies: Sequence[str]) -> list[tuple[str, str]]:
    """Return UserKNN without DP and with full DP, then each strategy with DP, as in the paper.

    >>> protected_first(["gain"])
    [('userknn', 'none'), ('userknn', 'full'), ('gain', 'vulnerable')]
    """
    return [("userknn", "none"), ("userknn", "full"), *((s, "vulnerable") for s in strategies)]
