"""Finds the sums and means at the edge of a table of users by items; pivot tables have them."""

from __future__ import annotations

import numpy as np

# The last column is judged by at least this many rows, each with several ratings that differ.
FEWEST_ROWS = 3
# A mean is written with one decimal at least.
MEAN_TOLERANCE = 0.0501
SUM_TOLERANCE = 1e-6


def last_column(row: np.ndarray, column: np.ndarray, value: np.ndarray, last: int) -> str:
    """Return what the last column holds of a row's other cells: "the sum", "the mean", or "".

    Args:
        row, column, value: the cells that are not empty, in any order.
        last: the number of the column.

    >>> row, column = np.indices((3, 4)).reshape(2, -1)
    >>> last_column(row, column, np.array([5, 1, 3, 9, 2, 1, 4, 7, 1, 3, 5, 9.0]), 3)
    'the sum'
    """
    is_last = column == last
    rows = int(row.max()) + 1 if len(row) else 0
    totals = np.full(rows, np.nan)
    totals[row[is_last]] = value[is_last]
    row, value = row[~is_last], value[~is_last]
    count = np.bincount(row, minlength=rows)
    total = np.bincount(row, weights=value, minlength=rows)
    lowest, highest = np.full(rows, np.inf), np.full(rows, -np.inf)
    np.minimum.at(lowest, row, value)
    np.maximum.at(highest, row, value)
    filled = count > 0
    if np.isnan(totals[filled]).any() or int((lowest < highest).sum()) < FEWEST_ROWS:
        return ""
    totals, total, count = totals[filled], total[filled], count[filled]
    if np.allclose(totals, total, rtol=SUM_TOLERANCE, atol=SUM_TOLERANCE):
        return "the sum"
    # A column of whole numbers alone is an item that everybody rates as the others.
    are_means = np.abs(totals - total / count) < MEAN_TOLERANCE
    return "the mean" if are_means.all() and (totals % 1).any() else ""
