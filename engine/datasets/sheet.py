"""The first rows of a table by column: they show what its columns hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.datasets.profiles import Profile, profile
from engine.datasets.wording import listed, printable, quoted


@dataclass(frozen=True)
class Sheet:
    """The fields, the profile and the name of each column."""

    header: tuple[str, ...] | None
    width: int
    columns: list[list[str]]
    profiles: list[Profile]

    @classmethod
    def of(cls, header: tuple[str, ...] | None, width: int, body: Sequence[Sequence[str]]) -> Sheet:
        """Return the sheet of the rows that have the width of the table."""
        rows = [row[:width] for row in body if len(row) >= width]
        columns = [[row[column] for row in rows] for column in range(width)]
        return cls(header, width, columns, [profile(column) for column in columns])

    def name_of(self, column: int) -> str:
        """Return what the header calls a column; "" if it has no name."""
        return self.header[column] if self.header else ""

    def name(self, column: int) -> str:
        """Return what a sentence calls a column."""
        name = self.name_of(column)
        return quoted(name) if name else f"column {column + 1}"

    def all_differ(self, column: int) -> bool:
        """Return whether no value of a column comes twice in the first rows."""
        return len(set(self.columns[column])) == len(self.columns[column])

    def names(self, columns: Sequence[int]) -> str:
        """Return what a sentence calls several columns."""
        if not self.header and len(columns) > 1:
            return f"columns {listed([column + 1 for column in columns], 5)}"
        return listed([self.name(column) for column in columns], 5)

    def role_names(self, roles: Mapping[str, int]) -> dict[str, str]:
        """Return what the column of each role is called, for the report."""
        return {
            role: printable(self.name_of(column)) or f"column {column + 1}"
            for role, column in roles.items()
        }
