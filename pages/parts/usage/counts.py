"""How many users are used how often: the bins of an axis of data usage, and counts over folds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd

from pages.parts.wording import number

#: How the bins of an axis are cut.
SCALES: Final = ("logarithmic", "linear")
#: Steps of a decade, as engineers' preferred numbers have them: bars of nearly equal width on a
#: logarithmic axis, whose edges are numbers one can read.
_DECADE: Final = (10, 12.5, 16, 20, 25, 31.5, 40, 50, 63, 80)
#: Bars of a linear axis are at most this many.
_MOST_BARS: Final = 60
#: The share of the users that a linear axis has in bars of equal width.
_OF_LINEAR: Final = 0.95
#: A curve has at most so many points in a bin, and one more at its end.
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
        edges = [0, 1, 2, 3, 4, 5, 6, 8]
        factor = 1
        while edges[-1] <= largest:
            edges += [int(step * factor + 0.5) for step in _DECADE]
            factor *= 10
        while edges[-2] > largest and len(edges) > 2:
            edges.pop()
        return cls(np.array(edges))

    @classmethod
    def linear(cls, largest: int, upto: int) -> Bins:
        """Return bins of equal width up to a usage, and a last one for all above.

        A few users are used so much more than the others that without it all others would share
        the first bin.
        """
        width = _round_step((upto + 1) / _MOST_BARS)
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
    def lowest(self) -> np.ndarray:
        """The least usage in each bin."""
        return self.edges[:-1]

    @property
    def highest(self) -> np.ndarray:
        """The largest usage in each bin."""
        return self.edges[1:] - 1

    def bounds(self, tau: float) -> np.ndarray:
        """Return the whole numbers at which a curve over the axis counts, among them tau's.

        Several a bin, and more where usage is small, so that the curve is right also between the
        edges; none in the last bin of an axis that is cut.

        >>> Bins.logarithmic(70).bounds(64.5)[-6:]
        array([63, 64, 67, 71, 75, 79])
        """
        edges = self.edges[:-1] if self.cut else self.edges
        parts = np.arange(_PARTS) / _PARTS
        inside = (edges[:-1, None] + parts * np.diff(edges)[:, None]).astype(np.int64)
        fine = Bins.logarithmic(int(edges[-1])).edges
        last = edges[-1] - 1
        bounds = np.concatenate([inside.ravel(), fine, [np.floor(tau), last]])
        return np.unique(np.minimum(bounds, last)).astype(np.int64)

    def place(self, usage: np.ndarray | float) -> np.ndarray:
        """Return where a usage itself lies on the axis: 1 at the number 1.

        >>> Bins.logarithmic(14).place(np.array([1, 9, 500]))
        array([ 1. ,  7.5, 10. ])
        """
        return np.asarray(np.interp(usage, self.edges, np.arange(self.edges.size)))

    def position(self, tau: float) -> float:
        """Return where tau lies on the axis; users above tau are to its right.

        They begin at floor(tau) + 1, as usage is a whole number.

        >>> bins = Bins(np.array([0, 1, 80, 100]))
        >>> bins.position(92.89), bins.position(500)
        (2.65, 3.0)
        """
        start = np.floor(tau) + 1
        if start >= self.edges[-1]:
            return float(self.edges.size - 1)
        bar = int(np.searchsorted(self.edges, start, side="right")) - 1
        low, high = self.edges[bar : bar + 2]
        return float(bar + (start - low) / (high - low))

    def ticks(self, every: int = 1) -> dict[str, list[Any]]:
        """Return the numbers of the axis, as Plotly wants them, or only one of so many."""
        if self.scale == "linear":
            step = _round_step(self.edges[-2] / _MOST_LABELS)
            bars = [bar for bar, edge in enumerate(self.edges[:-1]) if edge % step == 0]
        else:
            starts = ("", "1", "2", "5")
            bars = [bar for bar, edge in enumerate(self.edges) if str(edge).rstrip("0") in starts]
        bars = bars[::every]
        return {"tickvals": bars, "ticktext": [number(self.edges[bar]) for bar in bars]}


def _round_step(least: float) -> int:
    """Return the first of 1, 2, 5, 10, 20, 50, ... that is not below a number.

    >>> _round_step(0.3), _round_step(2.2), _round_step(171)
    (1, 5, 200)
    """
    step = 1
    while True:
        for factor in (1, 2, 5):
            if factor * step >= least:
                return factor * step
        step *= 10


@dataclass(frozen=True, eq=False)
class UsagePanel:
    """The data usage under one strategy: an array (n_users,) a fold."""

    name: str
    usages: Sequence[np.ndarray]
    strategy: str = ""

    @cached_property
    def _sorted(self) -> list[np.ndarray]:
        return [np.sort(usage) for usage in self.usages]

    @property
    def largest(self) -> int:
        """The largest data usage in any fold."""
        return max(int(usage[-1]) if usage.size else 0 for usage in self._sorted)

    def at_most(self, bounds: np.ndarray) -> np.ndarray:
        """Return how many users have DataUsage <= each bound, mean over folds.

        >>> panel = UsagePanel("Gain", [np.array([0, 4, 9]), np.array([4, 4, 9])])
        >>> panel.at_most(np.array([3, 4, 100]))
        array([0.5, 2. , 3. ])
        """
        counts = [np.searchsorted(usage, bounds, side="right") for usage in self._sorted]
        return np.asarray(np.mean(counts, axis=0))

    def share_at_most(self, bounds: np.ndarray) -> np.ndarray:
        """Return the share of users with DataUsage <= each bound, mean over folds."""
        return self.at_most(bounds) / self.usages[0].size

    def vulnerable_share(self, tau: float) -> float:
        """Return the share of users with DataUsage > tau, mean over folds."""
        # The mean of shares: one minus the share of the others would be off in the last digit.
        return float(np.mean([(usage > tau).mean() for usage in self.usages]))

    def quantile(self, share: float) -> int:
        """Return the usage that this share of the users has at most, all folds together."""
        return int(np.quantile(np.concatenate(self._sorted), share, method="lower"))

    def load(self, part: float) -> float:
        """Return the share of all uses that falls on this part of the users, those used most.

        The mean over those folds in which anybody is used; NaN if there is none.

        >>> UsagePanel("", [np.array([90, 5, 5, 0, 0, 0, 0, 0, 0, 0])]).load(0.1)
        0.9
        """
        users = max(1, round(part * self.usages[0].size))
        shares = [usage[-users:].sum() / usage.sum() for usage in self._sorted if usage[-1]]
        return float(np.mean(shares)) if shares else math.nan

    def mean_above(self, tau: float) -> float:
        """Return how often a vulnerable user is used, mean over folds; NaN if nobody is.

        >>> UsagePanel("", [np.array([1, 6, 8]), np.array([0, 0, 9])]).mean_above(5)
        8.0
        """
        means = [usage[usage > tau].mean() for usage in self._sorted if usage[-1] > tau]
        return float(np.mean(means)) if means else math.nan

    def unused(self) -> float:
        """Return the share of users who are never used, mean over folds."""
        return float(self.share_at_most(np.array([0]))[0])

    def in_bins(self, bins: Bins, tau: float) -> tuple[np.ndarray, np.ndarray]:
        """Return secure and vulnerable users by bin, mean over folds: (bins,) float64 each."""
        below, top = bins.lowest - 1, bins.highest
        everybody = self.at_most(top) - self.at_most(below)
        secure = self.at_most(np.minimum(top, tau)) - self.at_most(np.minimum(below, tau))
        return secure, everybody - secure


def side_by_side(chosen: UsagePanel, other: UsagePanel) -> list[UsagePanel]:
    """Return the strategy looked at and what it is compared with, UserKNN first."""
    return sorted((chosen, other), key=lambda panel: panel.strategy != "userknn")


def usage_table(panels: Sequence[UsagePanel], bins: Bins, tau: float) -> pd.DataFrame:
    """Return users by data usage and strategy, secure and vulnerable, mean over folds."""
    table = pd.DataFrame({"used at least": bins.lowest, "used at most": bins.highest})
    for panel in panels:
        secure, vulnerable = panel.in_bins(bins, tau)
        table[f"{panel.name}, secure users"] = secure
        table[f"{panel.name}, vulnerable users"] = vulnerable
    return table


def cumulative_table(panels: Sequence[UsagePanel], bins: Bins, tau: float) -> pd.DataFrame:
    """Return the share of users that are used at most so often, a column a strategy."""
    bounds = bins.bounds(tau)
    columns = {panel.name: panel.share_at_most(bounds) for panel in panels}
    return pd.DataFrame({"used at most": bounds, **columns})


def load_table(panels: Sequence[UsagePanel]) -> pd.DataFrame:
    """Return by strategy which share of all uses falls on the users who are used most."""
    return pd.DataFrame(
        {
            "strategy": [panel.name for panel in panels],
            **{
                f"uses that fall on the top {percent} %": [
                    panel.load(percent / 100) for panel in panels
                ]
                for percent in (1, 5, 10)
            },
            "users never used": [panel.unused() for panel in panels],
        }
    )
