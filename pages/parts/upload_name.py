"""What a visitor's own file is called as a dataset, so that a link says which file it shows.

The file itself is only in the visit that uploaded it. Whoever opens the link elsewhere is asked for
the file. The name says how it was read and prepared, and the fingerprint tells whether the ratings
are the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.datasets import Ratings
from pages.parts.wording import counted, verbatim

#: What the name begins with; alone it is a file that nobody knows more about.
UPLOAD: Final = "upload"
_DIGITS: Final = 12
_LONGEST: Final = 80
_NAME: Final = re.compile(
    rf"{UPLOAD}:([0-9a-f]{{{_DIGITS}}}):([1-9][0-9]{{0,11}}):(?:(--[^:]{{0,300}}):)?(.*)"
)


@dataclass(frozen=True)
class UploadName:
    """The first digits of the fingerprint of ratings, their number, and the name of their file.

    `options` are those of the command line that read and prepare the file in the same way.

    >>> str(UploadName("0123456789ab", 108, "mine.csv"))
    'upload:0123456789ab:108:mine.csv'
    >>> str(UploadName("0123456789ab", 99, "mine.csv", "--scale max=5 --k-core 3"))
    'upload:0123456789ab:99:--scale max=5 --k-core 3:mine.csv'
    """

    fingerprint: str = ""
    ratings: int = 0
    file: str = ""
    options: str = ""

    def __str__(self) -> str:
        if not self.fingerprint:
            return UPLOAD
        # If a link names no options, the name of a file may still begin as options do.
        options = self.options or ("--" if self.file.startswith("--") else "")
        parts = (UPLOAD, self.fingerprint, str(self.ratings), *filter(None, [options]), self.file)
        return ":".join(parts)

    @classmethod
    def of(cls, ratings: Ratings) -> UploadName:
        """Return the name of ratings that were uploaded."""
        file = " ".join((ratings.report.path or ratings.name).split())[:_LONGEST].strip()
        options = " ".join(ratings.report.arguments())
        return cls(ratings.fingerprint[:_DIGITS], ratings.n_ratings, file, options)

    @classmethod
    def parse(cls, dataset: str) -> UploadName | None:
        """Return the name in the name of a dataset; None if that is no upload.

        >>> UploadName.parse("upload:0123456789ab:108:a:b.csv").file
        'a:b.csv'
        >>> UploadName.parse("upload:x"), UploadName.parse("sample")
        (None, None)
        """
        if dataset == UPLOAD:
            return cls()
        if parts := _NAME.fullmatch(dataset):
            file = " ".join(parts[4].split())[:_LONGEST].strip()
            options = " ".join((parts[3] or "").split())
            return cls(parts[1], int(parts[2]), file, "" if options == "--" else options)
        return None

    def fits(self, ratings: Ratings) -> bool:
        """Return whether these are the ratings; a name without a fingerprint fits all."""
        return ratings.fingerprint.startswith(self.fingerprint)

    @property
    def description(self) -> str:
        """Which file it is, in words (Markdown)."""
        if not self.fingerprint:
            return "a file of its sender's own"
        read = f", read with {verbatim(self.options, longest=300)}" if self.options else ""
        return (
            f"**{verbatim(self.file or 'a file')}** ({counted(self.ratings, 'rating')}, "
            f"fingerprint {self.fingerprint}…{read})"
        )
