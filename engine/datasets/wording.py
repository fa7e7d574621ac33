"""Makes text from files fit for a sentence: bounded, on one line, without control characters."""

from __future__ import annotations

from collections.abc import Sequence

from engine.datasets.limits import QUOTED_CHARACTERS


def plain(text: str, limit: int = 200) -> str:
    r"""Return text with everything unprintable replaced, and not longer than the limit.

    >>> plain("a\nb\x00")
    'a�b�'
    """
    text = "".join(c if c.isprintable() else "�" for c in text[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def quoted(text: str) -> str:
    """Return the text in quotation marks, cut where it is long.

    >>> quoted("four")
    '"four"'
    """
    return f'"{plain(text, QUOTED_CHARACTERS)}"'


def counted(count: int, noun: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "user"), counted(1200, "item")
    ('1 user', '1,200 items')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(things: Sequence[object], limit: int = 5) -> str:
    """Return things in a row as one writes them; those beyond the limit are counted.

    >>> listed([3, 4]), listed(range(1, 9))
    ('3 and 4', '1, 2, 3, 4, 5 and 3 more')
    """
    if len(things) > limit:
        return ", ".join(map(str, things[:limit])) + f" and {len(things) - limit} more"
    *most, last = map(str, things)
    return f"{', '.join(most)} and {last}" if most else last
