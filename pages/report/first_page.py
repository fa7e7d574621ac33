"""The first page of the report: what was found, what it costs, and what is not promised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.outcome import Outcome
from pages.contents.overview.headline import (
    error_sentence,
    everybody_sentence,
    people_sentence,
    worse_off_sentence,
)
from pages.contents.overview.words import overview_numbers
from pages.parts.drawing.layout import NOISY_USE, REAL_USE
from pages.parts.looks import name_of
from pages.parts.measures import outcome_order, real_uses_text, value_text
from pages.parts.outcomes import outcome_name
from pages.parts.promises import promises_section
from pages.parts.screen import Screen
from pages.parts.sections import KeyNumber
from pages.parts.wording import agreeing, exactly, first_uses, listed, number

#: The strong numbers of a first page.
_MOST_NUMBERS: Final = 3
#: The metrics of the drawing.
_DRAWN: Final = ("mae", "privacy_risk", "data_usage")
#: Pixels of the drawing: its width, the names at its left, the errors at its right, a row.
_WIDTH: Final = 680
_NAMES: Final = 200
_ERRORS: Final = 150
_ROW: Final = 26
#: Pixels that a number needs within a bar.
_NUMBER: Final = 30


@dataclass(frozen=True)
class Bar:
    """A row of the drawing: the uses of a person on average, and how far predictions miss."""

    name: str
    error: str
    real: str
    noisy: str
    real_width: float
    noisy_width: float
    strong: bool

    @property
    def real_fits(self) -> bool:
        """Whether the number of real uses has room in its part of the bar."""
        return self.real_width >= _NUMBER

    @property
    def noisy_fits(self) -> bool:
        """Whether the number of noisy uses has room in its part of the bar."""
        return self.noisy_width >= _NUMBER


@dataclass(frozen=True)
class UsesDrawing:
    """Real and noisy uses of a person under each strategy, beside the baseline."""

    title: str
    bars: Sequence[Bar]
    real_color: str = REAL_USE
    noisy_color: str = NOISY_USE
    width: int = _WIDTH
    names: int = _NAMES
    row: int = _ROW

    @property
    def height(self) -> int:
        """The height of the drawing in pixels."""
        return 40 + _ROW * len(self.bars)


@dataclass(frozen=True)
class FirstPage:
    """What somebody reads who reads one page. Sentences are Markdown."""

    decision: str  # what is to be decided, in one sentence
    finding: Sequence[str]  # three sentences, or as many as there are
    key_numbers: Sequence[KeyNumber]
    drawing: UsesDrawing
    promises: Sequence[str]
    questions: Sequence[str]  # with room for an answer


def first_page(screen: Screen) -> FirstPage:
    """Return the first page of the report on what is on the screen."""
    baseline = screen.outcome("userknn", "none")
    third = worse_off_sentence(screen) or everybody_sentence(screen, baseline)
    return FirstPage(
        decision=decision_sentence(screen),
        finding=[
            sentence
            for sentence in (
                people_sentence(screen, baseline),
                error_sentence(screen.outcome(), baseline),
                third,
            )
            if sentence
        ],
        key_numbers=overview_numbers(screen)[:_MOST_NUMBERS],
        drawing=draw_uses(
            [
                screen.outcome(strategy, protection, _DRAWN)
                for strategy, protection in [
                    ("userknn", "none"),
                    *((strategy, "vulnerable") for strategy in screen.strategies),
                ]
            ],
            screen.strategy,
            screen.tau,
        ),
        promises=promises_section(screen).points,
        questions=("Decision and rationale", "Open questions", "Decided by, on"),
    )


def decision_sentence(screen: Screen) -> str:
    """Return what somebody who says yes to these settings decides."""
    tau = exactly(screen.tau)
    if screen.protects_nobody:
        protection = f"protect nobody: τ = {tau}, and no person is used more often"
    elif screen.tau == 0:
        protection = "answer every use with noise (τ = 0)"
    else:
        protection = (
            f"answer a person’s {first_uses(screen.tau)} in a test run (a fold) with the real "
            f"rating and every later one with noise (τ = {tau})"
        )
    return (
        f"Choose neighbors by **{name_of(screen.strategy)}**, k = {screen.k} for each query, and "
        f"**{protection}**."
    )


def draw_uses(outcomes: Sequence[Outcome], chosen: str, tau: int) -> UsesDrawing:
    """Return the drawing of some outcomes, the baseline first.

    They must have the mean absolute error, the privacy risk and the data usage.
    """
    uses = [(o.value("privacy_risk"), o.value("data_usage")) for o in outcomes]
    largest = max((both for _, both in uses), default=0.0) or 1.0
    scale = (_WIDTH - _NAMES - _ERRORS) / largest
    bars = [
        Bar(
            name=outcome_name(outcome),
            error=f"misses by {value_text(outcome, 'mae')}",
            real=number(real),
            noisy=number(both - real),
            real_width=round(real * scale, 1),
            noisy_width=round((both - real) * scale, 1),
            strong=(outcome.setting.strategy, outcome.setting.protection) == (chosen, "vulnerable"),
        )
        for outcome, (real, both) in zip(outcomes, uses, strict=True)
    ]
    fewest = min(outcomes, key=lambda outcome: outcome.value("privacy_risk"))
    names = [
        name_of(outcome.setting.strategy)
        for outcome in outcomes
        if outcome_order(outcome, fewest, "privacy_risk") == 0
    ]
    title = (
        f"At τ = {exactly(tau)}, {listed(list(dict.fromkeys(names)))} "
        f"{agreeing(len(set(names)), 'uses', 'use')} people’s real ratings least: "
        f"{real_uses_text(fewest)} per person"
    )
    return UsesDrawing(title, bars)
