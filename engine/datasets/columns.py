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
