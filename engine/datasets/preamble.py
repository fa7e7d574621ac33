"""The lines above the table in a text: comments, and Excel's line about its separator."""

from __future__ import annotations

import re

from engine.datasets.naming import named_columns

SEP_LINE = re.compile(rb"\"?sep=[^\r\n]{1,2}\"?[ ,;\t]*(?=[\r\n])", re.IGNORECASE)
COMMENT_LINE = re.compile(rb"[#%][ \t][^\r\n]*|[#%](?=[\r\n])")
LINE_END = re.compile(rb"\r\n|\n|\r")
MOST_COMMENTS = 100
LOOKED_AT = 4096


def without_preamble(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    r"""Return the text without Excel's ``sep=;`` and comments, and notes on them.

    Their lines become empty, so that all other lines keep their numbers. Each gets a note.

    A comment is a leading line that begins with "#" or "%" and a space. A comment that names
    columns is the header.

    >>> without_preamble(b"sep=;\na;b;3\n")
    (b'\na;b;3\n', ('The line "sep=" above the table was skipped.',))
    >>> without_preamble(b"# user item rating\n1 2 3\n")
    (b'user item rating\n1 2 3\n', ())
    """
    sep = SEP_LINE.match(data[:LOOKED_AT])
    if sep:
        return data[sep.end() :], ('The line "sep=" above the table was skipped.',)
    start, comments = 0, 0
    while comments < MOST_COMMENTS and (comment := COMMENT_LINE.match(data, start)):
        names = comment.group()[1:].strip()
        if len(named_columns(re.split(r"[\s,;|]+", names.decode("utf-8", "replace")))) >= 2:
            data = data[:start] + names + data[comment.end() :]
            break
        end = LINE_END.match(data, comment.end())
        if end is None:
            return b"", ()
        data = data[:start] + data[comment.end() :]
        start += len(end.group())
        comments += 1
    return data, ("A line of comment above the table was skipped.",) * comments
