"""What a choice of tau must keep to: the limits, what each is a limit on, and how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from numbers import Real
from typing import Literal

import numpy as np

from engine.errors import InputError
from engine.input_checks import check_whole

#: By the criterion of a choice: the metric that is to be lowest.
CRITERIA: dict[str, str] = {
    "mae": "mae",
    "vulnerable": "vulnerable_share",
    "risk": "privacy_risk",
}
#: By the name of a baseline: what the error is compared with.
BASELINES: dict[str, str] = {
    "userknn-none": "UserKNN without protection at the same k",
    "same-none": "the same strategy and k without protection",
}
#: The rule that a choice protects somebody. It is not a number, so it is none of `LIMITS`.
PROTECTS_SOMEBODY = "allow_unprotected"


@dataclass(frozen=True)
class Limit:
    """One limit that can be set: a field of `Limits`, and a quantity that has a value at every tau.

    `form` says how it is written: a share (`20%` or `0.2`), a number, or a whole number.
    """

    name: str
    quantity: str
    words: str
    form: Literal["share", "number", "whole"]
    lowest: float
    highest: float = np.inf
    at_least: bool = False
    decimals: int = 2

    def check(self, value: object, called: str | None = None) -> float:
        """Return a value of this limit as a float. Raises `InputError` if it cannot be one.

        `called` is what the error calls the limit, by default its name.

        >>> LIMITS["max_vulnerable"].check(20)
        Traceback (most recent call last):
        ...
        engine.errors.InputError: max_vulnerable must be between 0 % and 100 %, not 2000 %.
        """
        called = called or self.name
        if self.form == "whole":
            return float(check_whole(called, value, least=int(self.lowest)))
        if not isinstance(value, Real) or isinstance(value, bool):
            raise InputError(f"{called} must be a number, not {value!r}.")
        number = float(value)
        if not (self.lowest <= number <= self.highest and np.isfinite(number)):
            raise InputError(f"{called} must be {self._range()}, not {self._shown(number)}.")
        return number

    def read(self, text: str, called: str | None = None) -> float:
        """Return the value that a user has written. Raises `InputError` if it is not clear.

        A share is a percentage, or a decimal number of at most 1: a bare `20` could mean both.

        >>> LIMITS["max_vulnerable"].read("20%"), LIMITS["max_vulnerable"].read("0.2")
        (0.2, 0.2)
        >>> LIMITS["max_vulnerable"].read("20")
        Traceback (most recent call last):
        ...
        engine.errors.InputError: max_vulnerable must be written as 20% or 0.2, not '20'.
        """
        called = called or self.name
        written = _NUMBER.fullmatch(text.strip())
        if written is None or (written["percent"] and self.form != "share"):
            raise InputError(f"{called} must be {_WRITTEN[self.form]}, not {text!r}.")
        if self.form == "whole":
            if not written["number"].isdigit():
                raise InputError(f"{called} must be {_WRITTEN[self.form]}, not {text!r}.")
            return self.check(int(written["number"]), called)
        number = float(written["number"])
        if self.form == "share" and not written["percent"] and abs(number) > 1:
            raise InputError(f"{called} must be {_WRITTEN[self.form]}, not {text!r}.")
        # 2 / 100 is the double nearest to 0.02; 2 * 0.01 need not be.
        return self.check(number / 100 if written["percent"] else number, called)

    def text(self, value: float) -> str:
        """Return a value as a user writes it, with few decimals; what met it meets the text, too.

        >>> LIMITS["max_vulnerable"].text(0.230341), LIMITS["min_coverage"].text(0.230341)
        ('23.04%', '23.03%')
        >>> LIMITS["max_risk"].text(40.0)
        '40'
        """
        if not np.isfinite(value):
            return f"{value:g}"
        scale = 10**self.decimals * (100 if self.form == "share" else 1)
        towards = np.floor if self.at_least else np.ceil
        # Rounded first: a sum may miss a whole number by its last digits.
        rounded = float(towards(np.round(value * scale, 4))) / 10**self.decimals
        return f"{rounded:.10g}%" if self.form == "share" else f"{rounded:.10g}"

    def _shown(self, value: float) -> str:
        """Return a value to read, with a percentage as everywhere; `text` is for typing."""
        return self.text(value).replace("%", " %")

    def _range(self) -> str:
        if np.isinf(self.lowest):
            return "a finite number"
        if np.isinf(self.highest):
            return f"a finite number of at least {self._shown(self.lowest)}"
        return f"between {self._shown(self.lowest)} and {self._shown(self.highest)}"


#: By the form of a limit: how it is written.
_WRITTEN = {
    "share": "written as 20% or 0.2",
    "number": "a number such as 0.5",
    "whole": "a whole number such as 100",
}
_NUMBER = re.compile(r"(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<percent>%?)")

#: Every limit by its name, in the order in which they are shown.
LIMITS: dict[str, Limit] = {
    limit.name: limit
    for limit in (
        Limit(
            "max_error_increase",
            "error_increase",
            "how much the MAE grows over the baseline, as a share of it",
            "share",
            lowest=-1.0,
        ),
        Limit(
            "max_error_points",
            "error_points",
            "how much the MAE grows over the baseline, in points of the rating scale",
            "number",
            lowest=-np.inf,
            decimals=4,
        ),
        Limit(
            "max_vulnerable",
            "vulnerable_share",
            "the share of the users whose data is used more than τ times",
            "share",
            lowest=0.0,
            highest=1.0,
        ),
        Limit("max_risk", "privacy_risk", "the mean privacy risk", "number", lowest=0.0),
        Limit(
            "max_real_uses",
            "real_uses",
            "how often the real ratings of one user are used, for the user and fold with the most",
            "whole",
            lowest=0.0,
        ),
        Limit(
            "max_protected",
            "protected_uses",
            "the share of all uses that are answered with noise",
            "share",
            lowest=0.0,
            highest=1.0,
        ),
        Limit(
            "min_coverage",
            "coverage",
            "the share of the items that are on some top list",
            "share",
            lowest=0.0,
            highest=1.0,
            at_least=True,
        ),
        Limit(
            "max_pp_corr",
            "pp_corr",
            "how closely being on top lists follows popularity (PP-Corr)",
            "number",
            lowest=-1.0,
            highest=1.0,
            decimals=4,
        ),
    )
}


@dataclass(frozen=True)
class Limits:
    """What a choice must keep to, and by which criterion the best is named; None is no limit.

    Shares are in 0..1. An error increase of 0.02 is 2 % more than the `baseline`; a negative one
    asks for less error than that. Real uses are those of one fold. All are judged on means over the
    folds at the same whole tau in every fold, except `max_real_uses`, which no fold may pass.

    Without `allow_unprotected` a tau at or above the largest usage meets nothing: it protects
    nobody.

    Raises `InputError` for a value that makes no sense.

    >>> limits = Limits(max_error_increase=0.02, max_vulnerable=0.2)
    >>> limits.stated
    {'max_error_increase': 0.02, 'max_vulnerable': 0.2}
    >>> Limits(criterion="cost")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: There is no criterion 'cost'; choose from mae, vulnerable, risk.
    """

    max_error_increase: float | None = None
    max_error_points: float | None = None
    max_vulnerable: float | None = None
    max_risk: float | None = None
    max_real_uses: int | None = None
    max_protected: float | None = None
    min_coverage: float | None = None
    max_pp_corr: float | None = None
    baseline: str = "userknn-none"
    criterion: str = "mae"
    allow_unprotected: bool = False

    def __post_init__(self) -> None:
        for name, limit in LIMITS.items():
            value = getattr(self, name)
            if value is not None:
                checked = limit.check(value)
                whole = limit.form == "whole"
                object.__setattr__(self, name, int(checked) if whole else checked)
        for name, known in (("baseline", BASELINES), ("criterion", CRITERIA)):
            if getattr(self, name) not in known:
                raise InputError(
                    f"There is no {name} {getattr(self, name)!r}; choose from {', '.join(known)}."
                )

    @property
    def stated(self) -> dict[str, float]:
        """The limits that are set, by name."""
        values = {name: getattr(self, name) for name in LIMITS}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def criterion_metric(self) -> str:
        """The metric that is to be lowest."""
        return CRITERIA[self.criterion]

    @property
    def needs_top_lists(self) -> bool:
        """Whether a limit is about the top lists: they have to be followed over every tau."""
        return self != self.without_top_lists

    @property
    def without_top_lists(self) -> Limits:
        """The same without the limits that are about the top lists.

        >>> Limits(min_coverage=0.7, max_risk=40).without_top_lists == Limits(max_risk=40)
        True
        """
        return replace(self, min_coverage=None, max_pp_corr=None)

    @property
    def asks_for_protection(self) -> bool:
        """Whether a limit or the criterion gets worse where a higher tau protects less.

        A higher tau also counts fewer users as vulnerable, and it needs less noise and costs less
        error. Only limits on the risk and on the real uses, and the least risk as the criterion,
        ask for protection.

        >>> Limits(max_vulnerable=0.2).asks_for_protection, Limits(max_risk=40).asks_for_protection
        (False, True)
        """
        limited = self.max_risk is not None or self.max_real_uses is not None
        return limited or self.criterion == "risk"
