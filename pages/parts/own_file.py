"""A file of the visitor's own: read, corrected, prepared, and then explored.

What is here lives in one visit. Nothing is lost by a file that is refused or a correction that does
not fit: what was understood before stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.datasets import Dropped, Preparation, Ratings, Scale
    from engine.datasets.preview import Preview

ROLES: Final = ("user", "item", "rating")
#: Stands for a scale without steps where None stands for the step that was found.
CONTINUOUS: Final = 0.0


@dataclass(frozen=True)
class Choices:
    """How a file is to be read where it is not as found; None leaves it as found."""

    columns: tuple[int, int, int] | None = None  # of user, item and rating, counted from 1
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    counts: bool = False

    def scale(self, found: Scale) -> Scale | None:
        """Return the scale that was chosen, the rest of it as found; None if nothing was."""
        from engine.datasets import Scale

        if self.minimum is None and self.maximum is None and self.step is None:
            return None
        step = found.step if self.step is None else self.step
        return Scale(
            found.minimum if self.minimum is None else self.minimum,
            found.maximum if self.maximum is None else self.maximum,
            step or None,
        )


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
    reason: str
    preview: Preview | None = None


def understand(file: IO[bytes], choices: Choices, preview: Preview | None = None) -> Understood:
    """Read a file as chosen. Raises `InputError`."""
    from engine.datasets import load
    from engine.datasets.preview import preview as look
    from engine.errors import InputError

    try:
        seen = preview or look(file)
        columns = dict(zip(ROLES, choices.columns, strict=True)) if choices.columns else None
        ratings = load(file, columns=columns, counts=choices.counts)
        if not choices.counts and (scale := choices.scale(ratings.scale)):
            ratings = ratings.derive(scale=scale, note=f"The scale was set to {scale}.")
    except MemoryError:
        raise InputError(
            "The file needs more memory than there is: take a sample of its users."
        ) from None
    return Understood(file, seen, choices, ratings)


@dataclass(eq=False)
class OwnFile:
    """What a visit keeps: the file that was understood last, and the ratings it explores."""

    draft: Understood | None = None
    prepared: Ratings | None = None
    dropped: Sequence[Dropped] = ()
    preparation: Preparation | None = None
    refused: Refused | None = None
    problem: str = ""  # of the last correction or preparation, which did not fit
    explored: Ratings | None = None
    version: int = 0  # grows with every file, so that its controls start afresh

    def take(self, file: IO[bytes]) -> None:
        """Read a new file; if it is refused, the one before stays."""
        from engine.datasets.preview import preview
        from engine.errors import InputError

        seen = None
        self.refused, self.problem = None, ""
        try:
            seen = preview(file)
            self._keep(understand(file, Choices(), seen))
        except InputError as error:
            name = str(getattr(file, "name", "the file"))
            self.refused = Refused(file, name, str(error), seen)

    def correct(self, of: Understood | Refused, choices: Choices) -> None:
        """Read the draft, or the file that was refused, again as chosen."""
        from engine.errors import InputError

        try:
            self._keep(understand(of.file, choices, of.preview))
        except InputError as error:
            if isinstance(of, Refused):
                self.refused = replace(of, reason=str(error))
            else:
                self.problem = str(error)
        else:
            self.problem = ""
            if of is self.refused:
                self.refused = None

    def prepare(self, preparation: Preparation) -> None:
        """Drop ratings as chosen, from all that were read."""
        from engine.datasets import prepare
        from engine.errors import InputError

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
        self.dropped, self.problem = (), ""
        self.version += 1
        return before

    def _keep(self, understood: Understood) -> None:
        self.draft, self.prepared = understood, understood.ratings
        self.dropped, self.preparation = (), None
        self.version += 1
