"""The sections of the page Overview."""

from __future__ import annotations

from typing import Final

from pages.contents.overview.figure import (
    make_overview_figure,
    overview_outcomes,
    overview_table,
    overview_title,
)
from pages.contents.overview.headline import headline
from pages.contents.overview.words import (
    alternatives_sentence,
    exposure_sentence,
    overview_numbers,
)
from pages.parts.formulas import FORMULAS
from pages.parts.measures import OVERVIEW
from pages.parts.promises import promises_section
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section

QUESTION: Final = (
    "Whose ratings are used as they really are, what does protecting people cost, and what would "
    "another strategy do?"
)


def make_sections(screen: Screen) -> list[Section]:
    """Return who is exposed, what protection costs, and what another strategy would do."""
    outcomes = overview_outcomes(screen)
    title = overview_title(outcomes, *screen.compared)
    figure = Exhibit(
        name="overview",
        alt="Vulnerable users, mean privacy risk and error of each strategy",
        title=title,
        table=overview_table(outcomes),
        figure=make_overview_figure(outcomes, screen.strategy),
        formula=FORMULAS["privacy_risk"],
    )
    return [
        Section(
            finding=[
                *headline(screen),
                f"{exposure_sentence(screen, outcomes)} {alternatives_sentence(screen, outcomes)}",
            ],
            key_numbers=overview_numbers(screen),
            compared=OVERVIEW,
            exhibits=[figure],
            caption=f"{screen.title}, k = {screen.k}, {screen.folds_phrase}. With DP (differential "
            "privacy) every use of a user's ratings beyond the first τ may be answered with a "
            "random rating.",
        ),
        promises_section(screen),
    ]
