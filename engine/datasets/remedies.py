"""What to do about a file that was read wrongly, or not at all.

It is kept apart from the words for it: the command line has options, a page has a form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ChooseColumn:
    """Another column is to be chosen for a role: its number from 1, and what a sentence calls it.

    >>> print(ChooseColumn("rating", 4, '"stars"'))
    say --columns rating=4
    """

    role: str
    number: int
    name: str

    def __str__(self) -> str:
        return f"say --columns {self.role}={self.number}"


@dataclass(frozen=True)
class ChooseColumns:
    """The columns of some roles are to be chosen, with an example for each.

    >>> print(ChooseColumns())
    choose the columns, as in --columns user=1,item=2,rating=3
    >>> print(ChooseColumns({"rating": 4}))
    say which, as in --columns rating=4
    """

    example: Mapping[str, int] = field(default_factory=lambda: {"user": 1, "item": 2, "rating": 3})

    def __str__(self) -> str:
        example = ",".join(f"{role}={number}" for role, number in self.example.items())
        which = "say which" if len(self.example) == 1 else "choose the columns"
        return f"{which}, as in --columns {example}"


@dataclass(frozen=True)
class ReadCounts:
    """Ratings are to be made of counts."""

    def __str__(self) -> str:
        return "--counts makes ratings of them"


Remedy = ChooseColumn | ChooseColumns | ReadCounts


@dataclass(frozen=True)
class Advice:
    """A sentence on a file that ends with what to do, and perhaps one more after it.

    As a text it says what to do on the command line.

    >>> advice = Advice("It looks like counts: ", ReadCounts())
    >>> print(advice)
    It looks like counts: --counts makes ratings of them.
    >>> advice.worded(lambda remedy: "tick the box")
    'It looks like counts: tick the box.'
    """

    finding: str
    remedy: Remedy
    hint: str = ""

    def worded(self, words: Callable[[Remedy], str]) -> str:
        """Return the sentence with other words for what to do."""
        return f"{self.finding}{words(self.remedy)}.{self.hint}"

    def __str__(self) -> str:
        return self.worded(str)
