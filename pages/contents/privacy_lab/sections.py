"""What the privacy lab says of the settings on the screen: no coin to throw, nothing to run."""

from __future__ import annotations

from typing import Final

from pages.contents.privacy_lab.epsilon_view import accounts_of, epsilon_sections
from pages.parts.screen import Screen
from pages.parts.sections import Section

QUESTION: Final = (
    "How does noise hide a rating, what does it promise, and what does somebody learn nevertheless?"
)


def make_sections(screen: Screen) -> list[Section]:
    """Return what ε means here; the rest is there to try, or takes a run of its own."""
    return epsilon_sections(screen, accounts_of(screen))
