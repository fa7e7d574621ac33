"""Who is vulnerable, what that risks, and the mechanism that protects (paper, sections 3.3, 4.2.3).

What is strictly true stands beside the paper's epsilon: see `strict_epsilon`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from engine.datasets import Scale
from engine.draws import COINS, MEMOISED_COINS, REPEATED_COINS, draw, stream
from engine.errors import InputError
from engine.folds import Fold
from engine.input_checks import check_threshold
from engine.metrics import Metrics
from engine.neighborhoods import Neighborhoods

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
    return data_usage > tau


def unprotected_uses(protection: str, tau: float) -> float:
    """Return how many uses of each user are answered with the real rating.

    A use is protected iff its ordinal is larger: infinitely many are real without protection, the
    first tau where vulnerable users are protected, none under full protection.

    >>> [unprotected_uses(p, 20.0) for p in PROTECTIONS]
    [inf, 20.0, 0.0]
    """
    check_protection(protection)
    check_threshold(tau)
    return {"none": math.inf, "vulnerable": tau, "full": 0.0}[protection]


def privacy_risk(data_usage: np.ndarray, protection: str, tau: float) -> np.ndarray:
    """PrivacyRisk@k(u) = min(tau, DataUsage@k(u)) (paper, section 4.2.3); (n_users,) float64.

    Without protection it is the data usage itself, under full protection 0.

    >>> privacy_risk(np.array([2, 90]), "vulnerable", 10).tolist()
    [2.0, 10.0]
    """
    return np.minimum(data_usage.astype(np.float64), unprotected_uses(protection, tau))


def protected_uses(data_usage: np.ndarray, protection: str, tau: float) -> np.ndarray:
    """Return the uses of each user that are protected: (n_users,) float64.

    A use is protected iff its ordinal is above the number of unprotected uses, so a vulnerable user
    has max(DataUsage - floor(tau), 0) protected uses.

    >>> protected_uses(np.array([2, 90]), "vulnerable", 10.5).tolist()
    [0.0, 80.0]
    >>> protected_uses(np.array([2, 90]), "none", 10.5).tolist()
    [0.0, 0.0]
    """
    return np.maximum(data_usage - np.floor(unprotected_uses(protection, tau)), 0.0)


def secure_risk(data_usage: np.ndarray, tau: float) -> float | None:
    """Return the mean data usage of the secure users, those not vulnerable; None without any.

    >>> secure_risk(np.array([2, 4, 90]), 10)
    3.0
    """
    secure = data_usage[~is_vulnerable(data_usage, tau)]
    return float(secure.mean()) if secure.size else None


def usage_metrics(data_usage: np.ndarray, protection: str, tau: float) -> Metrics:
    """Return the metrics that follow from the data usage alone: means over all users.

    >>> usage_metrics(np.array([0, 2, 4]), "vulnerable", 2)["privacy_risk"]
    1.3333333333333333
    """
    uses = int(data_usage.sum())
    protected = float(protected_uses(data_usage, protection, tau).sum())
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
    epsilon = np.full(data_usage.size, np.nan)
    vulnerable = is_vulnerable(data_usage, tau)
    epsilon[vulnerable] = np.log(3 + 4 * tau / (data_usage[vulnerable] - tau))
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


@njit(nogil=True, cache=True)
def _answer(
    seed, fold_number, query_user, query_item, query_ask, start, stop, place,
    item_users, item_values, memoised, minimum, maximum, levels, answers, coins,
):  # fmt: skip
    two_coins = np.uint64(62)
    low_bits = np.uint64(2**52 - 1)
    use = 0
    for q in range(query_user.size):
        i = query_item[q]
        if query_ask[q] == 1:
            fresh = stream(seed, fold_number, COINS, query_user[q], i)
        else:
            repeated = stream(seed, fold_number, REPEATED_COINS, query_user[q], i)
            fresh = draw(repeated, query_ask[q])
        for index in range(start[q], stop[q]):
            neighbor = item_users[place[index]]
            if memoised:
                bits = draw(stream(seed, fold_number, MEMOISED_COINS, neighbor, i), 0)
            else:
                bits = draw(fresh, neighbor)
            if coins.size:
                coins[use] = bits >> two_coins
            if bits >> two_coins != 0:
                answers[use] = item_values[place[index]]
            else:
                uniform = (bits & low_bits) / 2.0**52
                if levels.size:
                    answers[use] = levels[int(uniform * levels.size)]
                else:
                    answers[use] = minimum + uniform * (maximum - minimum)
            use += 1


@dataclass(frozen=True, eq=False)
class Coins:
    """The two coins of every use, and what they make of the rating; uses as in the neighborhoods.

    The first coin alone decides if it shows heads: the answer is the real rating. Otherwise the
    second coin decides: heads is the real rating, tails a random one.
    """

    first_heads: np.ndarray  # (n_uses,) bool
    second_heads: np.ndarray  # (n_uses,) bool; thrown also where the first coin decides
    answers: np.ndarray  # (n_uses,) float64, m_DP(r)

    @property
    def real(self) -> np.ndarray:
        """(n_uses,) bool: the coins ask for the real rating; a random one may equal it, too."""
        return self.first_heads | self.second_heads


def draw_answers(fold: Fold, neighborhoods: Neighborhoods, mechanism: Mechanism) -> np.ndarray:
    """Return m_DP(r) for every use, whether it will be protected or not: (n_uses,) float64.

    Coins are keyed by (seed, fold, query, ask, neighbor), memoised ones by (seed, fold, neighbor,
    item), so every tau and every strategy sees the same noise. The ask is 1 the first time a query
    is put, then 2, 3, ...: a query that is put again gets new coins.
    """
    return _draw(fold, neighborhoods, mechanism, np.empty(0, dtype=np.uint8))


def throw_coins(fold: Fold, neighborhoods: Neighborhoods, mechanism: Mechanism) -> Coins:
    """Return what `draw_answers` does, with the coins that it throws for it.

    >>> from engine.neighborhoods import choose_neighbors
    >>> fold = Fold.of(  # users 0 and 1 rated item 0; user 2 asks for it twice
    ...     (np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([5.0, 1.0, 3.0])),
    ...     (np.array([2, 2]), np.array([0, 0]), np.array([4.0, 4.0])), n_users=3, n_items=2)
    >>> neighborhoods = choose_neighbors(fold, [("userknn", 2)])["userknn", 2]
    >>> mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> coins = throw_coins(fold, neighborhoods, mechanism)
    >>> np.array_equal(coins.answers, draw_answers(fold, neighborhoods, mechanism))
    True
    >>> coins.real.shape
    (4,)
    """
    thrown = np.empty(_n_uses(neighborhoods), dtype=np.uint8)
    answers = _draw(fold, neighborhoods, mechanism, thrown)
    return Coins((thrown & 2) > 0, (thrown & 1) > 0, answers)


def _n_uses(neighborhoods: Neighborhoods) -> int:
    return int((neighborhoods.stop - neighborhoods.start).sum())


def _draw(
    fold: Fold, neighborhoods: Neighborhoods, mechanism: Mechanism, coins: np.ndarray
) -> np.ndarray:
    answers = np.empty(_n_uses(neighborhoods))
    _answer(
        fold.seed, fold.number, fold.query_user, fold.query_item, fold.query_ask,
        neighborhoods.start, neighborhoods.stop, neighborhoods.place,
        fold.by_item.indices, fold.by_item.data, mechanism.memoised,
        mechanism.minimum, mechanism.maximum, mechanism.levels, answers, coins,
    )  # fmt: skip
    return answers
