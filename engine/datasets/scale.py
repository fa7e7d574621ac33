"""The values that a rating can take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.datasets.limits import MAX_LEVELS
from engine.datasets.wording import quoted
from engine.errors import InputError

# The step of a scale is the largest of these that explains every rating.
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
        """All values of the scale, ascending, float64; ``None`` if it is continuous."""
        if self.step is None:
            return None
        count = round((self.maximum - self.minimum) / self.step) + 1
        # Rounded, so that a level equals the rating as written: 0.3, not 0.1 * 3.
        return np.round(self.minimum + self.step * np.arange(count), 9)

    @classmethod
    def of(cls, values: np.ndarray) -> Scale:
        """Return the scale of ratings: their range, and the largest step that explains them all.

        Steps are tried from 1 down to 0.001. A scale of more than 101 values is continuous.

        >>> Scale.of(np.array([1.0, 3.5, 5.0]))
        Scale(minimum=1.0, maximum=5.0, step=0.5)
        >>> Scale.of(np.array([1.0, 1000.0])).step is None
        True
        """
        minimum, maximum = float(values.min()) + 0.0, float(values.max()) + 0.0  # never -0.0
        for step in STEPS:
            if (maximum - minimum) / step > MAX_LEVELS - 1 + STEP_TOLERANCE:
                break
            # Most steps fail on the first few ratings, which are therefore checked before all.
            if all(_on_steps(part, minimum, step) for part in (values[:1000], values)):
                return cls(minimum, maximum, step)
        return cls(minimum, maximum, None)

    def check(self, values: np.ndarray) -> None:
        """Raise InputError if a rating lies outside this scale or between its values."""
        outside = (values < self.minimum) | (values > self.maximum)
        if outside.any():
            raise InputError(
                f"The scale was set to {self}, but {int(outside.sum()):,} of {len(values):,} "
                "ratings lie outside of it, the first of them "
                f"{values[outside.argmax()]:g}: set a scale that holds them all."
            )
        if self.step is not None and not _on_steps(values, self.minimum, self.step):
            raise InputError(
                f"The scale was set to {self}, but there are ratings between its values: "
                "set a smaller step, or none."
            )


@dataclass(frozen=True)
class ScaleChoice:
    """The parts of a rating scale that are set; the ratings tell those that are None.

    ``step`` is 0 for a scale on which every value between the ends is possible.

    >>> print(ScaleChoice.parse("max=5,step=0.5").complete(Scale(1.0, 4.0, 1.0)))
    1 to 5 in steps of 0.5
    """

    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None

    @classmethod
    def parse(cls, text: str) -> ScaleChoice:
        """Return the choice that the command line gives: "min=1,max=5,step=0.5" or a part of it.

        Raises:
            InputError: the text has another form.
        """
        parts = dict(part.lower().partition("=")[::2] for part in text.split(","))
        if parts.get("step") == "none":
            parts["step"] = "0"
        try:
            if not set(parts) <= {"min", "max", "step"}:
                raise ValueError
            numbers = {name: float(number) for name, number in parts.items()}
        except ValueError:
            raise InputError(
                f"A scale is given as min=1,max=5,step=0.5 or a part of it, with step=none for any "
                f"value between, not as {quoted(text)}."
            ) from None
        return cls(numbers.get("min"), numbers.get("max"), numbers.get("step"))

    def __str__(self) -> str:
        step = "none" if self.step == 0 else self.step
        parts = {"min": self.minimum, "max": self.maximum, "step": step}
        return ",".join(
            f"{name}={value if isinstance(value, str) else repr(value).removesuffix('.0')}"
            for name, value in parts.items()
            if value is not None
        )

    def __bool__(self) -> bool:
        return self != ScaleChoice()

    def complete(self, of_values: Scale) -> Scale:
        """Return the chosen scale, with what was not chosen from the scale that the values have.

        Raises:
            InputError: there is no such scale.
        """
        step = of_values.step if self.step is None else self.step
        return Scale(
            of_values.minimum if self.minimum is None else self.minimum,
            of_values.maximum if self.maximum is None else self.maximum,
            step or None,
        )


def _on_steps(values: np.ndarray, minimum: float, step: float) -> bool:
    places = (values - minimum) / step
    return bool(np.all(np.abs(places - np.rint(places)) <= STEP_TOLERANCE))
