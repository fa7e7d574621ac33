"""The titles of a set's items, from the file that MovieLens and RecBole pack beside the ratings."""

from __future__ import annotations

from engine.datasets import fields
from engine.datasets.decoding import to_utf8
from engine.datasets.naming import bare
from engine.errors import InputError

ID_NAMES = ("movieid", "itemid", "bookid", "artistid", "productid", "id")
TITLE_NAMES = ("title", "movietitle", "name", "itemname", "booktitle")


def read_titles(data: bytes, name: str) -> dict[str, str] | None:
    r"""Return item id to title; None if the file has another form, as titles are a nicety.

    >>> read_titles(b"1::Toy Story (1995)::Comedy\n", "movies.dat")
    {'1': 'Toy Story (1995)'}
    """
    separator = {".dat": "::", ".item": "|", ".csv": ","}.get(name[name.rfind(".") :], ",")
    if name != "u.item" and name.endswith(".item"):
        separator = "\t"
    try:
        text, _ = to_utf8(data)
        unified, delimiter = fields.unify(text, separator)
        titles: dict[str, str] = {}
        id_column, title_column = 0, 1
        quotes = separator == ","
        for line, row in fields.rows(unified, delimiter, quotes=quotes):
            names = [bare(field) for field in row] if line == 1 else []
            if any(known in names for known in ID_NAMES):
                id_column = next(names.index(known) for known in ID_NAMES if known in names)
                title_column = next((names.index(k) for k in TITLE_NAMES if k in names), 1)
                continue
            if len(row) > max(id_column, title_column) and row[title_column]:
                titles[row[id_column]] = row[title_column]
    except InputError:
        return None
    return titles or None
