"""Taking over a setting that a page has named, or a τ that was clicked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pages.parts import memory
from pages.parts.runs.conditions import Conditions


def take_setting(strategy: str, k: int, tau: int) -> None:
    """Show another strategy, k and tau under the conditions on the screen. For callbacks.

    If half of the queries are asked and the strategy alone would be asked all, the screen is
    pinned. So the numbers that led to the choice stay.
    """
    view = memory.view()
    other = replace(view, strategy=strategy, k=k, tau=tau)
    if Conditions.of(view).half and not Conditions.of(other).half:
        other = replace(other, pin=view.as_pin(tau if view.tau is None else view.tau))
    memory.show(other)


def take_tau(point: list[Any]) -> None:
    """Set tau to the custom data of a point or a bar that was clicked, its last secure usage."""
    memory.change(tau=int(point[0]))
