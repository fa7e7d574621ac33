"""How many users are used how often: the bins of an axis of data usage, and counts over folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from engine.privacy import whole_uses
from engine.usage_distribution import UsageDistribution
from pages.parts.drawing.scales import log_edges, round_numbers, round_step
from pages.parts.looks import name_of
from pages.parts.wording import number

#: How the bins of an axis are cut.
SCALES: Final = ("logarithmic", "linear")
#: Bars of a linear axis are at most this many.
_MOST_BARS: Final = 60
#: The share of the users that a linear axis has in bars of equal width.
_OF_LINEAR: Final = 0.95
#: A curve has at most this many points in a bin, and one more at its end.
_PARTS: Final = 4
#: Labels on a linear axis are at most this many.
_MOST_LABELS: Final = 8


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of an axis on which bin i reaches from i to i + 1.

    Usage is a whole number: bin i holds edges[i] to edges[i + 1] - 1.

    >>> Bins.logarithmic(14).edges
    array([ 0,  1,  2,  3,  4,  5,  6,  8, 10, 13, 16])
    >>> Bins.linear(7000, 11).edges
    array([   0,    1,    2,    3,    4,    5,    6,    7,    8,    9,   10,
             11,   12, 7001])
    """

    edges: np.ndarray  # (bins + 1,) int64, from 0 to above the largest usage
    scale: str = SCALES[0]

    @classmethod
    def logarithmic(cls, largest: int) -> Bins:
        """Return bins that grow like a logarithm's, up to the largest usage."""
        return cls(log_edges(largest))

    @classmethod
    def linear(cls, largest: int, upto: int) -> Bins:
        """Return bins of equal width up to a usage, and a last one for all above.

        A few users are used so much more than the others that without it all others would share
        the first bin.
        """
        width = round_step((upto + 1) / _MOST_BARS)
        if largest // width < _MOST_BARS:
            upto = largest
        edges = np.arange(upto // width + 2) * width
        return cls(edges if edges[-1] > largest else np.append(edges, largest + 1), "linear")

    @classmethod
    def of(cls, scale: str, panels: Sequence[UsagePanel]) -> Bins:
        """Return the bins of a scale that hold all users of these panels."""
        largest = max(panel.largest for panel in panels)
        if scale == "linear":
            return cls.linear(largest, max(panel.quantile(_OF_LINEAR) for panel in panels))
        return cls.logarithmic(largest)

    @property
    def cut(self) -> bool:
        """Whether the last bin is one for all above an axis of equal bins."""
        widths = np.diff(self.edges)
        return self.scale == "linear" and bool(widths[-1] != widths[0])

    @property
    def steps_note(self) -> str:
        """What the title of the axis says of its steps."""
        return " (steps like a logarithm)" if self.scale == "logarithmic" else ""

    @property
    def lowest(self) -> np.ndarray:
        """The least usage in each bin."""
        return self.edges[:-1]

    @property
    def highest(self) -> np.ndarray:
        """The largest usage in each bin."""
        return self.edges[1:] - 1

    def points(self, tau: float) -> np.ndarray:
        """Return the whole numbers at which a curve over the axis has a point, tau's among them.

        A bin has several, and more where usage is small, so that the curve is right between the
        edges, too. The last bin of an axis that is cut has none.

        >>> Bins.logarithmic(70).points(64.5)[-6:]
        array([63, 64, 67, 71, 75, 79])
        """
        edges = self.edges[:-1] if self.cut else self.edges
        parts = np.arange(_PARTS) / _PARTS
        inside = (edges[:-1, None] + parts * np.diff(edges)[:, None]).astype(np.int64)
        fine = Bins.logarithmic(int(edges[-1])).edges
        last = edges[-1] - 1
        bounds = np.concatenate([inside.ravel(), fine, [whole_uses(tau), last]])
        return np.unique(np.minimum(bounds, last)).astype(np.int64)

    def place(self, usage: np.ndarray | float) -> np.ndarray:
        """Return where a usage itself lies on the axis: 1 at the number 1.

        >>> Bins.logarithmic(14).place(np.array([1, 9, 500]))
        array([ 1. ,  7.5, 10. ])
        """
        return np.asarray(np.interp(usage, self.edges, np.arange(self.edges.size)))

    def position(self, tau: float) -> float:
        """Return where tau lies on the axis; users above tau are to its right.

        They begin above `whole_uses(tau)`, as usage is a whole number.

        >>> bins = Bins(np.array([0, 1, 80, 100]))
        >>> bins.position(92.89), bins.position(500)
        (2.65, 3.0)
        """
        start = whole_uses(tau) + 1
        if start >= self.edges[-1]:
            return float(self.edges.size - 1)
        bar = int(np.searchsorted(self.edges, start, side="right")) - 1
        low, high = self.edges[bar : bar + 2]
        return float(bar + (start - low) / (high - low))

    def ticks(self) -> dict[str, list[Any]]:
        """Return the numbers of the axis, as Plotly wants them.

        Every other one: more would run into each other on a phone.
        """
        if self.scale == "linear":
            step = round_step(self.edges[-2] / _MOST_LABELS)
            bars = [bar for bar, edge in enumerate(self.edges[:-1]) if edge % step == 0]
        else:
            rounded = {0.0, *round_numbers(1, float(self.edges[-1]))}
            bars = [bar for bar, edge in enumerate(self.edges) if edge in rounded]
        bars = bars[::2]
        return {"tickvals": bars, "ticktext": [number(self.edges[bar]) for bar in bars]}


@dataclass(frozen=True, eq=False)
class UsagePanel(UsageDistribution):
    """The data usage under one strategy, as a panel of a figure shows it."""

    strategy: str = "userknn"

    @property
    def name(self) -> str:
        """The name of the strategy."""
        return name_of(self.strategy)


def side_by_side(chosen: UsagePanel, other: UsagePanel) -> list[UsagePanel]:
    """Return the strategy looked at and what it is compared with, UserKNN first."""
    return sorted((chosen, other), key=lambda panel: panel.strategy != "userknn")


def usage_table(panels: Sequence[UsagePanel], bins: Bins, tau: float) -> pd.DataFrame:
    """Return users by data usage and strategy, secure and vulnerable, mean over folds."""
    table = pd.DataFrame({"used at least": bins.lowest, "used at most": bins.highest})
    for panel in panels:
        secure, vulnerable = panel.in_bins(bins.edges, tau)
        table[f"{panel.name}, secure users"] = secure
        table[f"{panel.name}, vulnerable users"] = vulnerable
    return table


def cumulative_table(panels: Sequence[UsagePanel], bins: Bins, tau: float) -> pd.DataFrame:
    """Return the share of users with at most each usage, a column for each strategy."""
    bounds = bins.points(tau)
    columns = {panel.name: panel.share_at_most(bounds) for panel in panels}
    return pd.DataFrame({"used at most": bounds, **columns})


def load_table(panels: Sequence[UsagePanel]) -> pd.DataFrame:
    """Return by strategy which share of all uses falls on the users who are used most."""
    return pd.DataFrame(
        [
            {
                "strategy": panel.name,
                **{
                    f"uses that fall on the top {n} %": panel.share_of_uses(n / 100)
                    for n in (1, 5, 10)
                },
                "users never used": panel.unused_share,
            }
            for panel in panels
        ]
    )
