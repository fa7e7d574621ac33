"""The report on a file: what was understood of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engine.datasets.remedies import Advice


@dataclass(frozen=True)
class LoadReport:
    """What was understood of a file, and what was done to it, for the user to check.

    Everything is optional: generated ratings were never read from anywhere.
    ``columns`` says which columns were taken for the user, item and rating. ``rows`` counts ratings
    before duplicates were dropped. ``options`` are the options of the command line that read and
    prepare the file in the same way, without their dashes; one without a value has "".
    A warning that ends with what to do has it apart from the words.
    ``member`` is the path of the file that was read where ``file`` is an archive.
    """

    file: str | None = None
    member: str = ""
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    header: bool | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    rows: int | None = None
    blank_lines: int = 0
    duplicates: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str | Advice, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values that JSON can hold."""
        values = asdict(self)
        values["file"] = self.path
        del values["member"]
        values["columns"], values["options"] = dict(self.columns), dict(self.options)
        values["notes"] = list(self.notes)
        values["warnings"] = [str(warning) for warning in self.warnings]
        return values

    @property
    def path(self) -> str | None:
        """The file, and where in it the ratings lie if it is an archive.

        >>> LoadReport("ml-1m.zip", "ml-1m/ratings.dat").path
        'ml-1m.zip: ml-1m/ratings.dat'
        """
        return f"{self.file}: {self.member}" if self.member else self.file

    def arguments(self) -> list[str]:
        """Return the options as the command line takes them.

        >>> LoadReport(options={"scale": "max=5", "counts": ""}).arguments()
        ['--scale', 'max=5', '--counts']
        """
        return [
            word for name, value in self.options.items() for word in (f"--{name}", value) if word
        ]

    def reading_with(self, options: Mapping[str, str]) -> LoadReport:
        """Return the report with more options."""
        return replace(self, options={**self.options, **options})

    def noting(self, *notes: str) -> LoadReport:
        return replace(self, notes=self.notes + notes)

    def warning(self, *warnings: str | Advice) -> LoadReport:
        return replace(self, warnings=self.warnings + warnings)
