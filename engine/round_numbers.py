"""Round numbers, evenly apart on a logarithmic scale: 1, 2, 5, 10, 20, 50, ..."""

from __future__ import annotations

import math


def round_numbers(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten between two numbers above 0.

    >>> round_numbers(3, 120), round_numbers(0.2, 1)
    ([5.0, 10.0, 20.0, 50.0, 100.0], [0.2, 0.5, 1.0])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    return [step for step in steps if low <= step <= high]
