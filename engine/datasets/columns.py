"""The three columns of a file with coded ids: the result of both ways of reading."""

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
    warnings: tuple[str, ...] = ()


def tidy(labels: Sequence[str]) -> tuple[list[str], np.ndarray | None]:
    """Return the labels without spaces around them, and new numbers if some are equal then.

    The numbers say for each old label which new one it became; None if no two became equal.

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


def recode(labels: Sequence[str], codes: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Return the labels without spaces around them, each once, and the codes that go with them.

    >>> recode(["a ", "b", "a"], np.array([2, 1, 0]))
    (['a', 'b'], array([0, 1, 0], dtype=int32))
    """
    stripped, number = tidy(labels)
    return stripped, codes if number is None else number[codes]
