"""What stands above the table, and texts that hold no table at all."""

from __future__ import annotations

import re

from engine.datasets.naming import roles_by_name
from engine.errors import InputError

SEP_LINE = re.compile(rb"\"?sep=[^\r\n]{1,2}\"?[ ,;\t]*(?=[\r\n])", re.IGNORECASE)
COMMENT_LINE = re.compile(rb"[#%][ \t][^\r\n]*|[#%](?=[\r\n])")
LINE_END = re.compile(rb"\r\n|\n|\r")
MOST_COMMENTS = 100
LOOKED_AT = 4096
MARKUP = re.compile(rb"<(!doctype|html|\?xml)", re.IGNORECASE)
JSON = re.compile(rb'(\[\s*)*(\{\s*"|\[\s*[\["\d])')


def check_is_table(data: bytes) -> None:
    """Raise InputError for the texts that are most often taken for tables."""
    start = data[:LOOKED_AT].lstrip()
    if MARKUP.match(start):
        raise InputError("The file is a web page or XML, not a table: save the ratings as CSV.")
    if JSON.match(start):
        raise InputError("The file is JSON, not a table: save the ratings as CSV or Parquet.")


def without_preamble(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    r"""The text without Excel's ``sep=;`` and comments, and notes on it.

    Their lines are emptied, so that the numbers of the others stay. One note a line.

    A comment is a leading line of "#" or "%" and a space; one that names columns is the header.

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
        if len(roles_by_name(re.split(r"[\s,;|]+", names.decode("utf-8", "replace")))) >= 2:
            data = data[:start] + names + data[comment.end() :]
            break
        end = LINE_END.match(data, comment.end())
        if end is None:
            return b"", ()
        data = data[:start] + data[comment.end() :]
        start += len(end.group())
        comments += 1
    return data, ("A line of comment above the table was skipped.",) * comments
