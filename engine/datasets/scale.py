"""Which values a rating can take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.datasets.limits import MAX_LEVELS
from engine.errors import InputError

# A scale is one of these steps only if it explains every rating; the largest that does is taken.
STEPS = (1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
# Ratings are decimal numbers: 3.3 lies on a scale of tenths although 33 * 0.1 is not exactly 3.3.
STEP_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Scale:
    """The values a rating can take: minimum, minimum + step, ..., maximum.

    Without a step (``None``) every value between the two ends is possible.

    Raises:
        InputError: the ends are not finite or in the wrong order, or the step does not fit.

    >>> Scale(0.5, 2.0, 0.5).levels
    array([0.5, 1. , 1.5, 2. ])
    >>> print(Scale(-10.0, 10.0, None))
    -10 to 10
    """

    minimum: float
    maximum: float
    step: float | None = None

    def __post_init__(self) -> None:
        if not (np.isfinite(self.minimum) and np.isfinite(self.maximum)):
            raise InputError("The ends of a rating scale must be finite numbers.")
        if self.minimum > self.maximum:
            raise InputError(
                f"The rating scale must not start ({self.minimum:g}) above its end "
                f"({self.maximum:g})."
            )
        if self.step is None:
            return
        if not (np.isfinite(self.step) and self.step > 0):
            raise InputError(f"The step of a rating scale must be above 0, not {self.step:g}.")
        steps = (self.maximum - self.minimum) / self.step
        if abs(steps - round(steps)) > STEP_TOLERANCE or round(steps) >= MAX_LEVELS:
            raise InputError(
                f"Steps of {self.step:g} do not lead from {self.minimum:g} to {self.maximum:g} "
                f"in at most {MAX_LEVELS} values: choose another step, or none."
            )

    def __str__(self) -> str:
        steps = "" if self.step is None else f" in steps of {self.step:g}"
        return f"{self.minimum:g} to {self.maximum:g}{steps}"

    @property
    def levels(self) -> np.ndarray | None:
        """All values of the scale, ascending, float64; ``None`` where it is continuous."""
        if self.step is None:
            return None
        count = round((self.maximum - self.minimum) / self.step) + 1
        # Rounded, so that a level equals the rating as written: 0.3, not 0.1 * 3.
        return np.round(self.minimum + self.step * np.arange(count), 9)

    @classmethod
    def of(cls, values: np.ndarray) -> Scale:
        """The scale found from ratings: their range, and the largest step that explains them all.

        Steps are tried from 1 down to 0.001; a scale has at most 101 values, else it is continuous.

        >>> Scale.of(np.array([1.0, 3.5, 5.0]))
        Scale(minimum=1.0, maximum=5.0, step=0.5)
        >>> Scale.of(np.array([1.0, 1000.0])).step is None
        True
        """
        minimum, maximum = float(values.min()) + 0.0, float(values.max()) + 0.0  # never -0.0
        for step in STEPS:
            if (maximum - minimum) / step > MAX_LEVELS - 1 + STEP_TOLERANCE:
                break
            # Most steps fail on the first few ratings: look there before looking at all.
            if all(_on_steps(part, minimum, step) for part in (values[:1000], values)):
                return cls(minimum, maximum, step)
        return cls(minimum, maximum, None)

    def check(self, values: np.ndarray) -> None:
        """Raise InputError if a rating lies outside this scale or between its values."""
        outside = (values < self.minimum) | (values > self.maximum)
        if outside.any():
            raise InputError(
                f"The scale was set to {self}, but outside of it lie {int(outside.sum()):,} of "
                f"{len(values):,} ratings, the first of them {values[outside.argmax()]:g}: set a "
                "scale that holds them all."
            )
        if self.step is not None and not _on_steps(values, self.minimum, self.step):
            raise InputError(
                f"The scale was set to {self}, but there are ratings between its values: "
                "set a smaller step, or none."
            )


def _on_steps(values: np.ndarray, minimum: float, step: float) -> bool:
    places = (values - minimum) / step
    return bool(np.all(np.abs(places - np.rint(places)) <= STEP_TOLERANCE))
