"""Makes text from files fit for a sentence: bounded, on one line, without control characters."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from engine.datasets.limits import QUOTED_CHARACTERS

# Characters that turn the direction of this text or of the next, and those that no font draws.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)


def harmless(text: str) -> str:
    r"""Return a name without what would change how the text around it is read.

    >>> harmless("ann\u202egnp.exe")
    'ann�gnp.exe'
    """
    return _UNSEEN.sub("�", text)


def harmless_texts(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table to look at, whose texts are harmless."""
    texts = {
        name: table[name].map(lambda value: harmless(value) if isinstance(value, str) else value)
        for name in table.columns
        if not pd.api.types.is_numeric_dtype(table[name])
    }
    return table.assign(**texts)


def printable(text: str, limit: int = 200) -> str:
    r"""Return text with everything unprintable replaced, and not longer than the limit.

    >>> printable("a\nb\x00")
    'a�b�'
    """
    text = "".join(c if c.isprintable() else "�" for c in text[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def quoted(text: str) -> str:
    """Return the text in quotation marks, cut where it is long.

    >>> quoted("four")
    '"four"'
    """
    return f'"{printable(text, QUOTED_CHARACTERS)}"'


def agreeing(count: int, singular: str, plural: str) -> str:
    """Return the word that agrees with a number of things.

    >>> agreeing(1, "is", "are"), agreeing(0, "is", "are")
    ('is', 'are')
    """
    return singular if count == 1 else plural


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a number of things in words.

    >>> counted(1, "user"), counted(1200, "item"), counted(2, "person", "people")
    ('1 user', '1,200 items', '2 people')
    """
    return f"{count:,} {agreeing(count, noun, plural or noun + 's')}"


def listed(things: Sequence[object], limit: int | None = None) -> str:
    """Return things as a list in a sentence; those beyond the limit are counted.

    >>> listed(["Expect", "Gain", "UserKNN"]), listed(range(1, 9), 5)
    ('Expect, Gain and UserKNN', '1, 2, 3, 4, 5 and 3 more')
    """
    if limit is not None and len(things) > limit:
        return ", ".join(map(str, things[:limit])) + f" and {len(things) - limit} more"
    *most, last = map(str, things)
    return f"{', '.join(most)} and {last}" if most else last
