"""Who is vulnerable, what that risks, and the mechanism that protects (paper, sections 3.3, 4.2.3).

What is strictly true stands beside the paper's epsilon: see `strict_epsilon`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.extending import register_jitable

from engine.datasets import Scale
from engine.errors import InputError
from engine.input_checks import check_data_usage, check_threshold
from engine.metrics import Metrics

PROTECTIONS = ("none", "vulnerable", "full")
MECHANISMS = ("discrete", "continuous")
#: Two fair coins, one of which must show heads for the real rating (paper, section 3.3).
REAL_PROBABILITY = 0.75


def check_protection(protection: str) -> None:
    """Raise `InputError` for an unknown protection."""
    if protection not in PROTECTIONS:
        raise InputError(
            f"There is no protection {protection!r}; choose from {', '.join(PROTECTIONS)}."
        )


def is_vulnerable(data_usage: np.ndarray, tau: float) -> np.ndarray:
    """V = {u : DataUsage@k(u) > tau} (paper, section 4.2.3), as a mask.

    >>> is_vulnerable(np.array([0, 5, 6]), 5.0).tolist()
    [False, False, True]
    """
    check_threshold(tau)
    return check_data_usage(data_usage) > tau


def unprotected_uses(protection: str, tau: float) -> float:
    """Return up to which ordinal the uses of each user are answered with the real rating.

    Without protection that is infinity, where vulnerable users are protected it is tau, and under
    full protection 0.

    >>> [unprotected_uses(p, 20.0) for p in PROTECTIONS]
    [inf, 20.0, 0.0]
    """
    check_protection(protection)
    check_threshold(tau)
    return {"none": math.inf, "vulnerable": tau, "full": 0.0}[protection]


@register_jitable
def is_protected(ordinal: Any, unprotected: float) -> Any:
    """A use is protected iff its ordinal is above `unprotected` (see `unprotected_uses`).

    A mask for an array of ordinals. The kernels of other modules call it, too.

    >>> is_protected(np.array([1, 2, 3]), unprotected_uses("vulnerable", 2.5)).tolist()
    [False, False, True]
    """
    return ordinal > unprotected


def whole_uses(tau: float) -> int:
    """Return how many uses of a vulnerable user are real: floor(tau), as uses are whole.

    It is also the most that a secure user can have.

    >>> whole_uses(92.89), whole_uses(0.4)
    (92, 0)
    """
    return math.floor(tau)


def privacy_risk(data_usage: np.ndarray, protection: str, tau: float) -> np.ndarray:
    """PrivacyRisk@k(u) = min(tau, DataUsage@k(u)) (paper, section 4.2.3); (n_users,) float64.

    Without protection it is the data usage itself, under full protection 0.

    >>> privacy_risk(np.array([2, 90]), "vulnerable", 10).tolist()
    [2.0, 10.0]
    """
    uses = check_data_usage(data_usage).astype(np.float64)
    return np.minimum(uses, unprotected_uses(protection, tau))


def protected_uses(data_usage: np.ndarray, protection: str, tau: float) -> np.ndarray:
    """Return the uses of each user that are protected: (n_users,) float64.

    The ordinals go from 1 to DataUsage, so where vulnerable users are protected each user has
    max(DataUsage - floor(tau), 0) protected uses.

    >>> protected_uses(np.array([2, 90]), "vulnerable", 10.5).tolist()
    [0.0, 80.0]
    >>> protected_uses(np.array([2, 90]), "none", 10.5).tolist()
    [0.0, 0.0]
    """
    unprotected = unprotected_uses(protection, tau)
    data_usage = check_data_usage(data_usage)
    if math.isinf(unprotected):
        return np.zeros(data_usage.shape)
    return np.maximum(data_usage - whole_uses(unprotected), 0.0)


def secure_risk(data_usage: np.ndarray, tau: float) -> float | None:
    """Return the mean data usage of the secure users, those not vulnerable; None without any.

    >>> secure_risk(np.array([2, 4, 90]), 10)
    3.0
    """
    vulnerable = is_vulnerable(data_usage, tau)
    secure = np.asarray(data_usage)[~vulnerable]
    return float(secure.mean()) if secure.size else None


def usage_metrics(data_usage: np.ndarray, protection: str, tau: float) -> Metrics:
    """Return the metrics that follow from the data usage alone: means over all users.

    >>> usage_metrics(np.array([0, 2, 4]), "vulnerable", 2)["privacy_risk"]
    1.3333333333333333
    """
    data_usage = check_data_usage(data_usage)
    protected = float(protected_uses(data_usage, protection, tau).sum())
    uses = int(data_usage.sum())
    return {
        "data_usage": float(data_usage.mean()),
        "vulnerable_share": float(is_vulnerable(data_usage, tau).mean()),
        "privacy_risk": float(privacy_risk(data_usage, protection, tau).mean()),
        "secure_risk": secure_risk(data_usage, tau),
        "protected_uses": protected / uses if uses else 0.0,
        "epsilon_paper": paper_epsilon(data_usage, protection, tau),
    }


def paper_epsilon(data_usage: np.ndarray, protection: str, tau: float) -> float | None:
    """Return the paper's epsilon, averaged over the vulnerable users (section 3.3, appendix).

    epsilon(u) = ln(3 + 4 * risk / (usage - risk)) for a vulnerable user; ln 3 under full
    protection, which leaves no risk. None where nobody is vulnerable, and without protection, where
    it is infinite.

    >>> round(paper_epsilon(np.array([4, 20]), "vulnerable", 10), 4)  # ln(3 + 4 * 10 / 10)
    1.9459
    """
    check_protection(protection)
    vulnerable = is_vulnerable(data_usage, tau)
    if protection == "none" or not vulnerable.any():
        return None
    if protection == "full":
        return math.log(3)
    return float(paper_epsilon_of_each(data_usage, tau)[vulnerable].mean())


def paper_epsilon_of_each(data_usage: np.ndarray, tau: float) -> np.ndarray:
    """Return the paper's epsilon of every user: (n_users,) float64, NaN for secure users.

    epsilon(u) = ln(3 + 4 * risk / (usage - risk)), where protection leaves a risk of tau.

    >>> paper_epsilon_of_each(np.array([4, 20]), 10)
    array([   nan, 1.9459])
    """
    vulnerable = is_vulnerable(data_usage, tau)
    epsilon = np.full(vulnerable.size, np.nan)
    epsilon[vulnerable] = np.log(3 + 4 * tau / (np.asarray(data_usage)[vulnerable] - tau))
    return epsilon


def strict_epsilon(mechanism: Mechanism) -> float:
    """Return the epsilon of local differential privacy that one protected answer satisfies.

    With m equally likely values, the true one is answered with probability 3/4 + 1/(4m), any other
    with 1/(4m): epsilon = ln(1 + 3m). Noise from a continuous range never equals a value of the
    scale, so a whole star is certainly real, and epsilon is infinite.

    >>> five_stars = Scale(1.0, 5.0, 1.0)
    >>> round(strict_epsilon(Mechanism.for_scale(five_stars)), 2)  # ln 16
    2.77
    >>> strict_epsilon(Mechanism.for_scale(five_stars, "continuous"))
    inf
    """
    return math.inf if mechanism.name == "continuous" else math.log(1 + 3 * mechanism.levels.size)


@dataclass(frozen=True, eq=False)
class Mechanism:
    """m_DP, randomized response: two fair coins; both tails answer with a random rating.

    The real rating is answered with probability 3/4 (paper, section 3.3). `discrete` draws the
    random rating uniformly from the scale's values, `continuous` from [minimum, maximum] (the
    published code). Coins are tossed anew for each use, or with `memoised` once for each
    (neighbor, item) and kept.
    """

    name: str
    memoised: bool
    minimum: float
    maximum: float
    levels: np.ndarray  # (m,) float64, the scale's values; empty where the noise is continuous

    @classmethod
    def for_scale(cls, scale: Scale, name: str | None = None, memoised: bool = False) -> Mechanism:
        """Return the mechanism for a rating scale; by default discrete where the scale has steps.

        Raises `InputError` for an unknown name, or for discrete noise on a continuous scale.

        >>> Mechanism.for_scale(Scale(0.5, 2.0, 0.5)).levels.tolist()
        [0.5, 1.0, 1.5, 2.0]
        """
        levels = scale.levels
        if name is None:
            name = "continuous" if levels is None else "discrete"
        if name not in MECHANISMS:
            raise InputError(
                f"There is no mechanism {name!r}; choose from {', '.join(MECHANISMS)}."
            )
        if name == "continuous":
            levels = np.empty(0)
        elif levels is None:
            raise InputError(
                "The ratings have no steps, so discrete noise is not defined; "
                "choose the mechanism 'continuous'."
            )
        return cls(name, memoised, scale.minimum, scale.maximum, levels)
