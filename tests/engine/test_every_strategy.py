"""The suite that every registered strategy must pass."""

from __future__ import annotations

import pytest

from engine.strategies import STRATEGIES
from tests.strategy_suite import SUITE


@pytest.mark.parametrize("check", SUITE)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_suite(strategy: str, check: str) -> None:
    SUITE[check](strategy)


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=lambda strategy: strategy.name)
def test_a_strategy_has_a_title_of_its_own_and_a_name_for_the_command_line(strategy) -> None:
    assert strategy.name == strategy.name.lower().strip()
    assert STRATEGIES.named(strategy.name) is strategy
    titles = [other.title for other in STRATEGIES.values()]
    assert titles.count(strategy.title) == 1
