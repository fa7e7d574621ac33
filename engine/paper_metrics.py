"""The metrics of the paper's tables: what each is here, and how far it may be off."""

from __future__ import annotations

from dataclasses import dataclass

from engine.outcome import METRICS


@dataclass(frozen=True)
class PaperMetric:
    """How a metric of the paper's tables is measured here, and how far it may be off.

    `name` is that of `METRICS`, or "tau". The paper's unit is `scale` times ours: it prints shares
    in percent. The tolerance is `absolute` + `relative` * the paper's figure, in the paper's unit.
    The paper prints `decimals` decimals.
    """

    name: str
    scale: float
    absolute: float
    relative: float
    decimals: int

    @property
    def rounding(self) -> float:
        """How far a printed figure may be from the one that was computed."""
        return float(0.5 * 10.0**-self.decimals)

    @property
    def depends_on_noise(self) -> bool:
        """Whether the metric follows from predictions, and so from the draws of the mechanism."""
        return self.name != "tau" and METRICS[self.name].source in ("predictions", "lists")


#: The metrics of the paper's tables, by their names there.
PAPER_METRICS = {
    "tau": PaperMetric("tau", 1, 1.5, 0, 2),
    "vulnerable_percent": PaperMetric("vulnerable_share", 100, 0.6, 0, 2),
    "mae": PaperMetric("mae", 1, 0.0061, 0, 2),
    "privacy_risk": PaperMetric("privacy_risk", 1, 0.3, 0.02, 2),
    "secure_privacy_risk": PaperMetric("secure_risk", 1, 0.3, 0.02, 2),
    "pp_corr": PaperMetric("pp_corr", 1, 0.004, 0, 4),
    "coverage_percent": PaperMetric("coverage", 100, 1.0, 0, 2),
}

#: The metrics of an outcome that the comparison needs.
NEEDED_METRICS = tuple(sorted({metric.name for metric in PAPER_METRICS.values()} - {"tau"}))
