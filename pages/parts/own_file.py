"""A file of the visitor's own: read, corrected, prepared, and then explored.

What is here lives in one visit. Nothing is lost by a file that is refused or a correction that does
not fit: what was understood before stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import IO, Final

from engine.datasets import Dropped, Preparation, Ratings, load, prepare
from engine.datasets.preview import Preview, preview
from engine.datasets.remedies import Advice
from engine.datasets.roles import UnclearColumns
from engine.errors import InputError
from pages.parts.file_warnings import reason_of
from pages.parts.reading_choices import Choices, read_options
from pages.parts.upload_name import UploadName

ROLES: Final = ("user", "item", "rating")


@dataclass(frozen=True, eq=False)
class Understood:
    """A file, what it looks like, and the ratings in it."""

    file: IO[bytes]
    preview: Preview
    choices: Choices
    ratings: Ratings


@dataclass(frozen=True, eq=False)
class Refused:
    """A file that could not be read; with a preview its columns can be chosen."""

    file: IO[bytes]
    name: str
    reason: str | Advice
    preview: Preview | None = None
    columns_are_unclear: bool = False


def understand(file: IO[bytes], choices: Choices, first_lines: Preview | None = None) -> Understood:
    """Read a file as chosen. Raises `InputError`."""
    try:
        if first_lines is None or choices.has_header is not None:
            first_lines = preview(file, choices.has_header)
        columns = dict(zip(ROLES, choices.columns, strict=True)) if choices.columns else None
        ratings = load(
            file,
            columns=columns,
            has_header=choices.has_header,
            scale=choices.scale(),
            counts=choices.counts,
        )
    except MemoryError:
        raise InputError(
            "The file needs more memory than there is: take a sample of its users."
        ) from None
    return Understood(file, first_lines, choices, ratings)


def _are_unclear(error: InputError) -> bool:
    return isinstance(error, UnclearColumns)


@dataclass(eq=False)
class OwnFile:
    """What a visit keeps: the file that was understood last, and the ratings it explores."""

    draft: Understood | None = None
    prepared: Ratings | None = None
    dropped: Sequence[Dropped] = ()
    preparation: Preparation | None = None
    refused: Refused | None = None
    problem: str | Advice = ""  # of the last correction or preparation, which did not fit
    explored: Ratings | None = None
    version: int = 0  # grows with every file, so that its controls start afresh
    tried: tuple[UploadName, int] | None = None  # what was asked for last, of which version

    def take(self, file: IO[bytes], asked: UploadName | None = None) -> None:
        """Read a new file; if it is refused, the one before stays.

        A link may ask for a file and say how it was read. The file is read so if that gives the
        ratings of the link, and otherwise as it is found.
        """
        first_lines = None
        self.refused, self.problem = None, ""
        if asked and asked.options and self._take_as(file, asked):
            return
        try:
            first_lines = preview(file)
            self._keep(understand(file, Choices(), first_lines))
        except InputError as error:
            name = str(getattr(file, "name", "the file"))
            self.refused = Refused(file, name, reason_of(error), first_lines, _are_unclear(error))
        if asked:
            self.tried = asked, self.version

    def give(self, asked: UploadName) -> bool:
        """Read the draft as a link says; return whether that gives the ratings of the link.

        This is tried once: a second try gives nothing else.
        """
        if self.draft is None or self.tried == (asked, self.version):
            return False
        self.tried = asked, self.version
        return self._take_as(self.draft.file, asked)

    def correct(self, of: Understood | Refused, choices: Choices) -> None:
        """Read the draft, or the file that was refused, again as chosen."""
        try:
            self._keep(understand(of.file, choices, of.preview))
        except InputError as error:
            if isinstance(of, Refused):
                unclear = _are_unclear(error)
                self.refused = replace(of, reason=reason_of(error), columns_are_unclear=unclear)
            else:
                self.problem = reason_of(error)
        else:
            self.problem = ""
            if of is self.refused:
                self.refused = None

    def prepare(self, preparation: Preparation) -> None:
        """Drop ratings as chosen, from all that were read."""
        if self.draft is None or preparation == self.preparation:
            return
        self.preparation, self.problem = preparation, ""
        try:
            self.prepared, self.dropped = prepare(self.draft.ratings, preparation)
        except InputError as error:
            self.prepared, self.dropped, self.problem = None, (), str(error)

    def explore(self) -> Ratings | None:
        """Make what is prepared the dataset of the dashboard; return what it replaces, if other."""
        before, self.explored = self.explored, self.prepared or self.explored
        if before is None or self.explored is None:
            return None
        return before if before.fingerprint != self.explored.fingerprint else None

    def forget(self) -> Ratings | None:
        """Drop everything, and return what was explored."""
        before = self.explored
        self.draft = self.prepared = self.refused = self.explored = self.preparation = None
        self.tried = None
        self.dropped, self.problem = (), ""
        self.version += 1
        return before

    def _take_as(self, file: IO[bytes], asked: UploadName) -> bool:
        try:
            choices, preparation = read_options(asked.options)
            understood = understand(file, choices)
            prepared, dropped = prepare(understood.ratings, preparation)
        except InputError:
            return False
        if not asked.fits(prepared):
            return False
        self._keep(understood)
        self.prepared, self.dropped, self.preparation = prepared, dropped, preparation
        return True

    def _keep(self, understood: Understood) -> None:
        self.draft, self.prepared = understood, understood.ratings
        self.dropped, self.preparation = (), None
        self.version += 1
