"""What the pages show, for a report: their sections at the same settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages.contents.choose_tau import sections as choose_tau
from pages.contents.data_usage import sections as usage
from pages.contents.neighborhoods import sections as neighborhoods
from pages.contents.overview import sections as overview
from pages.contents.paper import neural
from pages.contents.paper import sections as paper
from pages.contents.people import sections as people
from pages.contents.popularity_bias import sections as popularity
from pages.contents.privacy_lab import sections as privacy_lab
from pages.contents.tradeoff import sections as tradeoff
from pages.parts.comparison.sides import comparison_section
from pages.parts.frame import TITLES
from pages.parts.screen import Screen
from pages.parts.sections import Section, unfolded


@dataclass(frozen=True, eq=False)
class Page:
    """A page of the dashboard in a report."""

    title: str
    question: str
    sections: Sequence[Section]


#: The pages by their place in the address.
PAGES = {
    "overview": overview,
    "choose_tau": choose_tau,
    "data_usage": usage,
    "neighborhoods": neighborhoods,
    "tradeoff": tradeoff,
    "popularity_bias": popularity,
    "privacy_lab": privacy_lab,
    "people": people,
}


def report_pages(screen: Screen) -> list[Page]:
    """Return what the pages show of this screen, and the comparison if something is pinned."""
    pages = [
        Page(TITLES[name], page.QUESTION, unfolded(page.make_sections(screen)))
        for name, page in PAGES.items()
    ]
    # What it measures takes long on large data: the report has what somebody has looked at.
    if measured := [*paper.report_sections(screen), *neural.report_sections(screen)]:
        pages.append(Page(TITLES["paper"], paper.QUESTION, measured))
    if screen.pinned is None:
        return pages
    # All that the pages compare, in one table.
    measures = dict.fromkeys(
        measure for page in pages for section in page.sections for measure in section.compared
    )
    compared = Page("A and B", "", [comparison_section(screen, list(measures))])
    return [pages[0], compared, *pages[1:]]
