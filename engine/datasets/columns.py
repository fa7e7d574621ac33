"""The three columns of a file, ids coded, as both ways of reading give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Columns:
    """``user_labels[user[j]]`` gave ``item_labels[item[j]]`` the rating ``value[j]``."""

    user_labels: Sequence[str]
    user: np.ndarray
    item_labels: Sequence[str]
    item: np.ndarray
    value: np.ndarray
    blank_lines: int = 0
    decimal: str = "."
    notes: tuple[str, ...] = ()


def tidy(labels: Sequence[str]) -> tuple[list[str], np.ndarray | None]:
    """Labels stripped, and the new number of each where that makes some equal.

    >>> tidy([" a", "b", "a"])
    (['a', 'b'], array([0, 1, 0], dtype=int32))
    """
    stripped = [label.strip() for label in labels]
    numbers: dict[str, int] = {}
    for label in stripped:
        numbers.setdefault(label, len(numbers))
    if len(numbers) == len(stripped):
        return stripped, None
    return list(numbers), np.array([numbers[label] for label in stripped], dtype=np.int32)
