"""Outcomes with values that a test chooses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.outcome import FoldOutcome, Outcome
from engine.settings import Setting


def make_outcome(
    strategy: str, protection: str = "vulnerable", **metrics: float | Sequence[float] | np.ndarray
) -> Outcome:
    """Return an outcome with these metrics: a value for each fold, or one value for one fold.

    All outcomes made here are of the same folds.
    """
    values = {name: np.atleast_1d(value).tolist() for name, value in metrics.items()}
    (n_folds,) = {len(in_folds) for in_folds in values.values()}
    folds = [
        FoldOutcome(fold, 10.0, {name: in_folds[fold] for name, in_folds in values.items()})
        for fold in range(n_folds)
    ]
    return Outcome(Setting(strategy, 10, 10, protection), folds, origin=("made", 5, 0))
