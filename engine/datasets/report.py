"""What was understood of a file, for the user to check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class LoadReport:
    """What was understood of a file, and what was done to it, for the user to check.

    Everything is optional: generated ratings were never read from anywhere.
    ``columns`` says which column was taken for the user, item and rating; ``rows`` counts ratings
    before duplicates were dropped.
    """

    file: str | None = None
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    header: bool | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    rows: int | None = None
    blank_lines: int = 0
    duplicates: int = 0
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values that JSON can hold."""
        plain = asdict(self)
        plain["columns"] = dict(self.columns)
        plain["notes"], plain["warnings"] = list(self.notes), list(self.warnings)
        return plain

    def noting(self, *notes: str) -> LoadReport:
        return replace(self, notes=self.notes + notes)

    def warning(self, *warnings: str) -> LoadReport:
        return replace(self, warnings=self.warnings + warnings)
