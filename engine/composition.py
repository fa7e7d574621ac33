"""What many protected answers reveal together: strict accounting of epsilon, rating by rating.

One protected answer about a rating satisfies local differential privacy with epsilon_0 = ln(1 + 3m)
(`privacy.strict_epsilon`). Whoever sees n fresh answers about the same rating is bounded by

* basic composition: n * epsilon_0, whatever the answers are,
* optimal composition: a smaller epsilon, which fails with a probability of at most delta,
* memoised answers: epsilon_0, however large n is, because there is one answer only.

An answer without noise reveals the rating: nothing bounds that. The account is about the answers of
neighbors, as if each of them were seen; a prediction shows only their weighted mean. The choice of
neighbors is not part of it: similarities and ranks are computed from real ratings, without noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numba import njit

from engine.errors import InputError
from engine.experiment import Experiment
from engine.folds import Fold
from engine.input_checks import check_whole
from engine.neighborhoods import Neighborhoods
from engine.privacy import Mechanism, is_protected, strict_epsilon, unprotected_uses
from engine.settings import Setting
from engine.usage import Usage, count_usage

#: How likely optimal composition may fail, by default: once in a million.
DELTA = 1e-6


def compose_basic(epsilon: float, answers: int) -> float:
    """Return the epsilon of several answers together: their sum (Dwork and Roth, theorem 3.16).

    >>> compose_basic(2.0, 3)
    6.0
    """
    return epsilon * check_whole("answers", answers, least=0) if answers else 0.0


def compose_optimal(epsilon: float, answers: int, delta: float = DELTA) -> float:
    """Return the smallest epsilon that holds for all mechanisms of this kind, except for delta.

    The answers together are (epsilon', delta)-differentially private. This is the optimal
    composition of equal mechanisms (Kairouz, Oh and Viswanath, "The Composition Theorem for
    Differential Privacy", 2015, theorem 3.3): see `composition_delta`, of which it is the inverse.
    For few answers it is hardly below the sum.

    Raises `InputError` if delta is not between 0 and 1, or epsilon is negative.

    >>> round(compose_optimal(math.log(16), 1), 3), round(compose_optimal(math.log(16), 10), 1)
    (2.773, 27.7)
    >>> compose_optimal(0.1, 1000), compose_basic(0.1, 1000)
    (20..., 100.0)
    """
    if not 0 <= delta < 1:
        raise InputError(f"delta must be at least 0 and below 1, not {delta}.")
    total = compose_basic(epsilon, answers)
    if delta == 0 or total == 0 or math.isinf(total):
        return total
    if composition_delta(0.0, epsilon, answers) <= delta:
        return 0.0
    from scipy.optimize import brentq  # a third of a second that most starts can do without

    return float(
        brentq(lambda e: composition_delta(e, epsilon, answers) - delta, 0.0, total, xtol=1e-14)
    )


def composition_delta(total: float, epsilon: float, answers: int) -> float:
    """Return the smallest delta with which the answers together satisfy epsilon = `total`.

    The worst mechanism that satisfies `epsilon` tells one of two ratings, and is right with
    probability p = e^epsilon / (1 + e^epsilon). Of n answers l are wrong with probability
    P_l = C(n, l) p^(n-l) (1-p)^l, which is e^((n-2l) epsilon) times as likely as under the other
    rating. So

        delta = sum over l with (n-2l) epsilon > total of  P_l * (1 - e^(total - (n-2l) epsilon)).

    >>> round(composition_delta(0.0, math.log(3), 1), 3)  # 3/4 - 1/4
    0.5
    >>> composition_delta(2 * math.log(3), math.log(3), 2)
    0.0
    """
    from scipy.stats import binom  # half a second that most starts can do without

    wrong = np.arange(answers + 1)
    loss = (answers - 2 * wrong) * epsilon
    probability = binom.pmf(wrong, answers, 1 / (1 + math.exp(epsilon)))
    larger = loss > total
    return float((probability[larger] * -np.expm1(total - loss[larger])).sum())


@dataclass(frozen=True, eq=False)
class AnswersByRating:
    """How often each training rating was answered; ratings stand as in `fold.by_item`."""

    user: np.ndarray  # (n_ratings,) int32: whose rating it is
    item: np.ndarray  # (n_ratings,) int32
    real: np.ndarray  # (n_ratings,) int64: answers without noise
    protected: np.ndarray  # (n_ratings,) int64: answers by the mechanism

    def protected_ratings(self, n_users: int) -> np.ndarray:
        """Return how many ratings of each user have a protected answer: (n_users,) int64.

        A rating counts once, however often it is answered: a memoised answer about it reveals
        nothing new after the first time.

        >>> answers = AnswersByRating(
        ...     np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1, 0, 4]), np.array([5, 2, 0]))
        >>> answers.protected_ratings(2).tolist()
        [2, 0]
        """
        return np.bincount(self.user[self.protected > 0], minlength=n_users)


@njit(nogil=True, cache=True)
def _count_answers(start, stop, place, ordinal, unprotected, real, protected):
    use = 0
    for q in range(start.size):
        for index in range(start[q], stop[q]):
            if is_protected(ordinal[use], unprotected):
                protected[place[index]] += 1
            else:
                real[place[index]] += 1
            use += 1


def count_answers_by_rating(
    fold: Fold, neighborhoods: Neighborhoods, usage: Usage, unprotected: float
) -> AnswersByRating:
    """Count the answers about each rating, where the first `unprotected` uses of a user are real.

    >>> from engine.splits import split
    >>> from engine.datasets import generate
    >>> from engine.neighborhoods import choose_neighbors
    >>> fold = split(generate(users=40, items=60, ratings=900), 0)
    >>> neighborhoods = choose_neighbors(fold, [("gain", 5)])["gain", 5]
    >>> usage = count_usage(fold, neighborhoods)
    >>> answers = count_answers_by_rating(fold, neighborhoods, usage, unprotected=20)
    >>> int(answers.real.sum() + answers.protected.sum()) == usage.ordinal.size
    True
    """
    real = np.zeros(fold.by_item.nnz, dtype=np.int64)
    protected = np.zeros(fold.by_item.nnz, dtype=np.int64)
    _count_answers(
        neighborhoods.start,
        neighborhoods.stop,
        neighborhoods.place,
        usage.ordinal,
        unprotected,
        real,
        protected,
    )
    item = np.repeat(np.arange(fold.n_items, dtype=np.int32), np.diff(fold.by_item.indptr))
    return AnswersByRating(fold.by_item.indices, item, real, protected)


@dataclass(frozen=True, eq=False)
class StrictAccount:
    """What is strictly true for each user: arrays of shape (n_users,).

    The epsilons are those of the user's worst rating among the ratings that were answered with
    noise only: the most answers about one rating. They are 0 where there is no such rating, and
    infinite for continuous noise. They say nothing about the `unprotected` ratings.
    """

    ratings: np.ndarray  # int64: training ratings
    answered: np.ndarray  # int64: ratings with any answer
    unprotected: np.ndarray  # int64: ratings with an answer without noise
    most_answers: np.ndarray  # int64: the most answers about a rating answered with noise only
    epsilon_basic: np.ndarray  # float64
    epsilon_optimal: np.ndarray  # float64, except with probability delta
    epsilon_memoised: np.ndarray  # float64: if the answers were memoised
    delta: float

    @property
    def protected_only(self) -> np.ndarray:
        """(n_users,) int64: ratings that were answered, and with noise only."""
        return self.answered - self.unprotected


def tabulate_worst_ratings(account: StrictAccount) -> pd.DataFrame:
    """Return a row for each number of answers about a user's worst rating, fewest first.

    Columns: most_answers, users, epsilon_basic, epsilon_optimal, epsilon_memoised. Users without a
    rating that was answered with noise only are left out.

    >>> from engine.datasets import Scale
    >>> answers = AnswersByRating(
    ...     np.array([0, 1, 2]), np.array([0, 0, 0]), np.array([0, 0, 0]), np.array([3, 1, 3]))
    >>> account = keep_account(answers, 3, Mechanism.for_scale(Scale(1.0, 5.0, 1.0)))
    >>> tabulate_worst_ratings(account)[["most_answers", "users"]].values.tolist()
    [[1, 1], [3, 2]]
    """
    columns = ("epsilon_basic", "epsilon_optimal", "epsilon_memoised")
    users = pd.DataFrame({name: getattr(account, name) for name in ("most_answers", *columns)})
    groups = users[users["most_answers"] > 0].groupby("most_answers")
    table = groups.first()
    table.insert(0, "users", groups.size())
    return table.reset_index()


def keep_account(
    answers: AnswersByRating, n_users: int, mechanism: Mechanism, delta: float = DELTA
) -> StrictAccount:
    """Add up the answers about each user's ratings.

    With a memoised mechanism the basic and the optimal epsilon are those of one answer.

    >>> from engine.datasets import Scale
    >>> answers = AnswersByRating(
    ...     np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1, 0, 0]), np.array([5, 2, 3]))
    >>> mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> account = keep_account(answers, 2, mechanism)
    >>> account.unprotected.tolist(), account.most_answers.tolist()
    ([1, 0], [2, 3])
    >>> (account.epsilon_basic / math.log(16)).round(9).tolist()
    [2.0, 3.0]
    """

    def count(which: np.ndarray) -> np.ndarray:
        return np.bincount(answers.user[which], minlength=n_users)

    is_real = answers.real > 0
    noisy_only = ~is_real & (answers.protected > 0)
    most = np.zeros(n_users, dtype=np.int64)
    np.maximum.at(most, answers.user[noisy_only], answers.protected[noisy_only])
    epsilon = strict_epsilon(mechanism)
    one = np.where(most > 0, epsilon, 0.0)
    revealing = np.minimum(most, 1) if mechanism.memoised else most
    optimal = {int(n): compose_optimal(epsilon, int(n), delta) for n in np.unique(revealing)}
    return StrictAccount(
        ratings=np.bincount(answers.user, minlength=n_users),
        answered=count(is_real | noisy_only),
        unprotected=count(is_real),
        most_answers=most,
        epsilon_basic=np.where(revealing > 0, epsilon * np.maximum(revealing, 1), 0.0),
        epsilon_optimal=np.array([optimal[int(n)] for n in revealing]),
        epsilon_memoised=one,
        delta=delta,
    )


def answers_by_rating(experiment: Experiment, number: int, setting: Setting) -> AnswersByRating:
    """Return how often each training rating of a fold is answered under a setting."""
    fold = experiment.fold(number, setting.strategy)
    neighborhoods = experiment.neighborhoods(number, setting.strategy, setting.k)
    tau = experiment.tau(setting.tau, number, setting.k, setting.strategy)
    real_uses = unprotected_uses(setting.protection, tau)
    return count_answers_by_rating(fold, neighborhoods, count_usage(fold, neighborhoods), real_uses)


def strict_account(
    experiment: Experiment, number: int, setting: Setting, delta: float = DELTA
) -> StrictAccount:
    """Return what is strictly true for each user in a fold under a setting.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> account = strict_account(experiment, 0, Setting("gain", 5, tau=20))
    >>> bool((account.unprotected[experiment.usage(0, "gain", 5) > 0] > 0).all())
    True
    >>> full = strict_account(experiment, 0, Setting("gain", 5, tau=20, protection="full"))
    >>> int(full.unprotected.sum())
    0
    """
    answers = answers_by_rating(experiment, number, setting)
    return keep_account(answers, experiment.ratings.n_users, experiment.mechanism, delta)
