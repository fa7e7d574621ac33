"""A guided tour in six steps over the pages, on the sample: questions, hints, answers, links.

The numbers in the answers stand in `FACTS`, where a test finds and recomputes them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pages.parts.address import View, write_address


@dataclass(frozen=True)
class TourStep:
    """A step of the tour: a question about a page, and the settings that show it."""

    title: str
    page: str
    strategy: str
    tau: int
    question: str
    hint: str
    answer: str
    number: int
    user: str = ""
    k: int = 10

    @property
    def view(self) -> View:
        """The settings that show it."""
        return View(
            k=self.k, tau=self.tau, strategy=self.strategy, user=self.user, tour=self.number
        )

    @property
    def link(self) -> str:
        """The address of the page with these settings, relative to the page of the tour.

        >>> TOUR[1].link
        'data_usage?dataset=sample&k=10&tau=100&strategy=userknn&tour=2'
        """
        return self.link_from(View())

    def link_from(self, view: View) -> str:
        """Return the address for somebody who sees this view: what is folded away stays so."""
        return f"{self.page}?{write_address(replace(self.view, folded=view.folded))}"


_TEXTS: Final = tomllib.loads(Path(__file__).with_name("tour.toml").read_text(encoding="utf-8"))
#: What the answers say about the sample, at k = 10. Each is recomputed by a test.
FACTS: Final[dict[str, str]] = _TEXTS["facts"]
TOUR: Final = tuple(
    TourStep(number=number, **step) for number, step in enumerate(_TEXTS["step"], start=1)
)


def answer_of(step: TourStep) -> str:
    """Return the answer with its numbers."""
    return step.answer.format_map(FACTS)
