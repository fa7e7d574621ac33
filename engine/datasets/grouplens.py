"""The archives that GroupLens offers, and the conditions for their use."""

from __future__ import annotations

from dataclasses import dataclass

ADDRESS = "https://files.grouplens.org/datasets/movielens"

_BEFORE = (
    "You may not state or imply any endorsement from the University of Minnesota or the GroupLens "
    "Research Group.",
    "You must acknowledge the use of the data set in publications resulting from it.",
)
_COMMERCE = (
    "You may not use it for any commercial or revenue-bearing purposes without first obtaining "
    "permission from a faculty member of the GroupLens Research Project."
)
_NO_WARRANTY = (
    "Neither the University of Minnesota nor any of the researchers involved can guarantee the "
    "correctness of the data, its suitability for any particular purpose, or the validity of "
    "results based on it."
)
#: In the words of the READMEs of the benchmark sets, addressed to the user.
CONDITIONS = (
    *_BEFORE,
    "You may not redistribute the data without separate permission.",
    _COMMERCE,
    _NO_WARRANTY,
)
CONDITIONS_OF_LATEST = (
    *_BEFORE,
    "You may redistribute the data set, including transformations, under these same conditions.",
    _COMMERCE,
    _NO_WARRANTY,
)


@dataclass(frozen=True)
class Archive:
    """An archive that may be downloaded; ``md5`` as published, where the set never changes."""

    file: str
    size: int
    md5: str | None
    conditions: tuple[str, ...]


ARCHIVES = {
    "ml-1m": Archive("ml-1m.zip", 5_917_549, "c4d9eecfca2ab87c1945afe126590906", CONDITIONS),
    "ml-100k": Archive("ml-100k.zip", 4_924_029, "0e33842e24a9c977be4e0107933c0723", CONDITIONS),
    "ml-latest-small": Archive("ml-latest-small.zip", 978_202, None, CONDITIONS_OF_LATEST),
}
