"""Numbers on which an axis is cut or labeled: round ones, which one can read."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from engine.round_numbers import round_numbers as round_numbers
from pages.parts.wording import number

#: Steps of a decade, as engineers' preferred numbers have them: of nearly equal width on a
#: logarithmic axis.
_DECADE: Final = (10, 12.5, 16, 20, 25, 31.5, 40, 50, 63, 80)


def log_axis(low: float, high: float) -> dict[str, Any]:
    """Return a logarithmic axis with round numbers between two numbers above 0.

    >>> log_axis(3, 20)["ticktext"]
    ['5', '10', '20']
    """
    ticks = round_numbers(low, high)
    return {"type": "log", "tickvals": ticks, "ticktext": [number(tick) for tick in ticks]}


def share_ticks(highest: float) -> dict[str, Any]:
    """Return the ticks of an axis of shares from 0 on, as percentages, six at most.

    Plotly's own format has no space before the sign, as all other percentages here have.

    >>> share_ticks(1.02)["ticktext"], share_ticks(0.004)["ticktext"][-1]
    (['0 %', '20 %', '40 %', '60 %', '80 %', '100 %'], '0.4 %')
    """
    least = max(highest, 1e-6) / 5.2
    step = round_numbers(least, 10 * least)[0]
    ticks = [step * number for number in range(math.floor(highest / step + 1e-9) + 1)]
    return {"tickvals": ticks, "ticktext": [f"{100 * tick:.10g} %" for tick in ticks]}


def round_step(least: float) -> int:
    """Return the first of 1, 2, 5, 10, 20, 50, ... that is not below a number.

    >>> round_step(0.3), round_step(2.2), round_step(171)
    (1, 5, 200)
    """
    least = max(1.0, least)
    return round(round_numbers(least, 10 * least)[0])


def log_edges(largest: int) -> np.ndarray:
    """Return the edges of bins of whole numbers that grow like a logarithm's, from 0.

    Bin i holds edges[i] to edges[i + 1] - 1. The last one holds the largest number.

    >>> log_edges(14)
    array([ 0,  1,  2,  3,  4,  5,  6,  8, 10, 13, 16])
    """
    edges = [0, 1, 2, 3, 4, 5, 6, 8]
    factor = 1
    while edges[-1] <= largest:
        edges += [int(step * factor + 0.5) for step in _DECADE]
        factor *= 10
    while edges[-2] > largest and len(edges) > 2:
        edges.pop()
    return np.array(edges)
