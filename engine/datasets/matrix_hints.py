"""Messages about a list that may be meant as a table of users by items."""

from __future__ import annotations

import numpy as np

from engine.datasets.matrix_form import cell_number, is_one_scale
from engine.datasets.naming import ROLES, named_columns
from engine.datasets.sheet import Sheet
from engine.datasets.wording import quoted


def hint_at_matrix(sheet: Sheet) -> str:
    """Return what a refusal adds if each column may hold the ratings of one item; else ""."""
    cells = np.array([[cell_number(text) for text in column] for column in sheet.columns]).T
    # The first rows may be the header. The first columns may be the users and facts on them.
    parts = [cells[row:, column:] for row in (0, 1) for column in (0, 1, 2)]
    if not any(part.size and part.shape[1] >= len(ROLES) and is_one_scale(part) for part in parts):
        return ""
    return (
        " If it is a table of users by items, keep one column in front of the items, under the "
        'name "user".'
    )


def words_in_cells(sheet: Sheet) -> str:
    """Return a refusal if the first row names columns and none of them holds numbers; else "".

    >>> sheet = Sheet.of(None, 4, [["user", "A", "B", "C"], ["ann", "x", "", "x"]])
    >>> words_in_cells(sheet)[:44]
    'The first row ("user, A, B, C") names column'
    """
    first = [column[0] for column in sheet.columns if column]
    if len(first) <= len(ROLES) or not set(named_columns(first[:1])) & set(ROLES):
        return ""
    return (
        f"The first row ({quoted(', '.join(first))}) names columns, but none of them holds "
        "numbers: a table of users by items has a number, or nothing, in each cell."
    )
