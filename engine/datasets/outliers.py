"""Values that stand apart from all others: they may mean "not rated"."""

from __future__ import annotations

import numpy as np

from engine.datasets.scale import Scale

#: A gap says something only if more values than these lie beside it.
FEW_LEVELS = 3
#: The highest rating of most scales, and the widest range of a scale: wider ones are of counts.
USUAL_HIGHEST = 10.0
WIDEST = 100.0
#: This many values show the levels.
LOOKED_AT = 100_000
#: The least share of a mark for "not rated" among all values.
OFTEN = 0.05
#: Surveys have marks for "does not know", "no answer" and "was not asked".
MOST_MARKS = 3


def values_apart(values: np.ndarray) -> tuple[float, ...]:
    """Return the whole values that stand apart from all others, ascending; usually one or none.

    A single value stands apart if one of these is true: it is the only one below 0; it lies farther
    from the others than twice their range, or once if it comes often; it is 9, 99, ... above a
    scale that ends before; it is 0 below a scale that begins farther off than it is wide. Two or
    three stand apart if they are the only ones below 0, or a survey's codes above the scale.

    >>> values_apart(np.array([-1, 6, 8, 7.0, 10])), values_apart(np.array([99, -9.5, 3.25, 99]))
    ((-1.0,), (99.0,))
    >>> values_apart(np.array([-1, 0, 1.0])), values_apart(np.array([0, 1, 5.0]))
    ((), ())
    >>> values_apart(np.array([1, 5, 98, 2, 3, 99.0])), values_apart(np.array([-2, 0, 3, -1, 5, 4]))
    ((98.0, 99.0), (-2.0, -1.0))
    """
    if not len(values):
        return ()
    for one in (_above(values), _below(values)):
        if one is not None:
            return (one,)
    return _several(values)


def _several(values: np.ndarray) -> tuple[float, ...]:
    levels = np.unique(values[:LOOKED_AT])
    for count in range(2, min(MOST_MARKS, len(levels) - FEW_LEVELS) + 1):
        low, high = levels[:count], levels[-count:]
        above, below = levels[count:], levels[:-count]
        if low[-1] < 0 <= above[0] and above[-1] > -2 * low[0] and not (low % 1).any():
            return tuple(map(float, low))
        is_far = high[0] - below[-1] > 2 * np.ptp(below) and np.ptp(below) <= WIDEST
        if is_far and all(map(_is_code, high)):
            return tuple(map(float, high))
    return ()


def _is_code(value: float) -> bool:
    """Return whether it is 77, 88, 97, 99, 996, ...: surveys mark a missing answer so."""
    digits = f"{value:g}"
    return digits.isdecimal() and len(digits) > 1 and set(digits[:-1]) <= {"7", "8", "9"}


def _above(values: np.ndarray) -> float | None:
    highest = float(values.max())
    others = values < highest
    if highest % 1 or highest <= USUAL_HIGHEST - 2 or not others.any():
        return None
    low = float(values.min())
    high = float(values.max(where=others, initial=low))
    gap, span = highest - high, high - low
    if not 0 < span <= WIDEST:
        return None
    if gap > 2 * span and highest > USUAL_HIGHEST:
        return highest
    is_often = gap > span and highest > USUAL_HIGHEST and float(np.mean(~others)) >= OFTEN
    is_nines = set(f"{highest:g}") == {"9"}
    if not is_often and not is_nines:
        return None
    return highest if _is_wide(gap, values[:LOOKED_AT][others[:LOOKED_AT]]) else None


def _below(values: np.ndarray) -> float | None:
    lowest = float(values.min())
    others = values > lowest
    if lowest % 1 or lowest > 0 or not others.any():
        return None
    high = float(values.max())
    low = float(values.min(where=others, initial=high))
    gap, span = low - lowest, high - low
    if not 0 < span <= WIDEST:
        return None
    if lowest < 0:
        is_only_negative = low >= 0 and -lowest != high
        return lowest if is_only_negative or gap > 2 * span else None
    return lowest if gap > span and _is_wide(gap, values[:LOOKED_AT][others[:LOOKED_AT]]) else None


def _is_wide(gap: float, others: np.ndarray) -> bool:
    """Return whether a gap is wider than any between the others, which have several levels."""
    levels = np.unique(others)
    step = Scale.of(levels).step if len(levels) else None
    if step is None or len(levels) <= FEW_LEVELS:
        return False
    return gap > 1.5 * step and float(np.diff(levels).max()) < gap
