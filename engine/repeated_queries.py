"""A threshold over time: what happens when the queries of a fold are put again and again.

This is a model, not a forecast. A fold asks a fifth of the ratings, once. Here the same queries
come in the same order, round after round, and coins are thrown anew (`memoised` answers stay). Real
users rate more and ask for other items; this shows what a number of uses grows into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd
from numba import njit

from engine.errors import Cancelled, InputError
from engine.experiment import Experiment
from engine.input_checks import check_whole
from engine.metrics import mean_absolute_error
from engine.privacy import is_vulnerable, privacy_risk, whole_uses
from engine.usage import count_usage

#: A threshold for all time, or one that is counted anew in every round.
Plan = Literal["fixed", "renewed"]
PLANS: tuple[Plan, ...] = ("fixed", "renewed")
#: The numbers of rounds after which a table says what has become of a threshold.
ROUNDS = (1, 2, 5, 10, 20)


@dataclass(frozen=True, eq=False)
class VulnerableOverTime:
    """When each user becomes vulnerable under a fixed tau, in rounds: 1 is all queries put once.

    Infinite for users who never are, however often the queries are put.

    >>> over_time = VulnerableOverTime([np.array([0.5, 2.0, 4.0, np.inf])])
    >>> over_time.share(np.array([0.4, 1, 2, 100])).tolist()
    [0.0, 0.25, 0.5, 0.75]
    >>> over_time.time_until(0.5), over_time.time_until(0.9)
    (2.0, inf)
    """

    times: Sequence[np.ndarray]  # (n_users,) float64 for each fold

    @cached_property
    def _ascending(self) -> list[np.ndarray]:
        return [np.sort(times) for times in self.times]

    def in_folds(self, rounds: np.ndarray) -> np.ndarray:
        """Return the share of users who are vulnerable by then: (n_folds, n_times) float64."""
        return np.array(
            [np.searchsorted(times, rounds, side="right") / times.size for times in self._ascending]
        )

    def share(self, rounds: np.ndarray) -> np.ndarray:
        """Return the share of users who are vulnerable by then, mean over folds: (n_times,)."""
        return np.asarray(self.in_folds(rounds).mean(axis=0))

    def time_until(self, share: float) -> float:
        """Return when this share of the users is vulnerable, mean over folds; infinite if never."""
        together = np.sort(np.concatenate(self._ascending))
        # Rounded before: 0.3 * 10 is a little more than 3.
        users = int(np.ceil(np.round(share * together.size, 6)))
        return float(together[max(users, 1) - 1])


@dataclass(frozen=True)
class RoundOutcome:
    """What a threshold has come to after some rounds: means over the folds.

    Under the plan `fixed`, users are vulnerable who are used more than tau times since the
    beginning; under `renewed`, those used more than tau times in the last round. `mean_real_uses`
    is the number of real uses of a user since the beginning; after one round, with a whole tau, it
    is the paper's privacy risk. `most_real_uses` is that of the user and fold with the most.
    `protected_uses` is the share of all uses since the beginning, `protected_answers` their number
    per user. The MAE is that of the last round.
    """

    plan: Plan
    rounds: int
    vulnerable_share: float
    mean_real_uses: float
    most_real_uses: int
    protected_uses: float
    protected_answers: float
    mae: float


@njit(nogil=True, cache=True)
def _queries_until(start, stop, place, item_users, needed, queries):
    """Write how many queries were put up to each user's `needed`-th use; 0 if it never came."""
    uses = np.zeros(needed.size, dtype=np.int64)
    for q in range(start.size):
        for index in range(start[q], stop[q]):
            neighbor = item_users[place[index]]
            uses[neighbor] += 1
            if uses[neighbor] == needed[neighbor]:
                queries[neighbor] = q + 1


def vulnerable_over_time(
    experiment: Experiment,
    strategy: str,
    k: int,
    tau: str | float,
    folds: Iterable[int] | None = None,
) -> VulnerableOverTime:
    """Return when each user is used for the (floor(tau) + 1)-th time, query by query.

    `tau` is a number, or a rule that gives each fold a number of its own.

    The share at time 1 is the vulnerable share of `evaluate`. Without +Reuse a user with usage c in
    a round is vulnerable from about time tau / c on, so that the share after m rounds is the one at
    tau / m today.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> over_time = vulnerable_over_time(experiment, "gain", 5, tau=40)
    >>> over_time.share(np.array([1, 2, 4])).round(3).tolist()
    [0.135, 0.355, 0.62]
    >>> today = experiment.sweep_over_folds("gain", 5).mean("vulnerable_share")
    >>> today[[40, 20, 10]].round(3).tolist()
    [0.135, 0.355, 0.62]
    """
    times = []
    for number in experiment.numbers_of(folds):
        needed = whole_uses(experiment.tau(tau, number, k, strategy)) + 1
        times.append(_times_until(experiment, number, strategy, k, needed))
    return VulnerableOverTime(times)


def _times_until(
    experiment: Experiment, number: int, strategy: str, k: int, needed: int
) -> np.ndarray:
    """Return when each user of a fold has had `needed` uses, in rounds: (n_users,) float64."""
    first, later = _usages(experiment, number, strategy, k)
    left = needed - first  # uses that later rounds must bring
    full_rounds = np.where(left > 0, -(-left // np.maximum(later, 1)), 0)
    in_last_round = left - (full_rounds - 1) * later
    queries = np.zeros(first.size, dtype=np.int64)
    for neighborhoods, wanted in (
        (experiment.neighborhoods(number, strategy, k), np.where(left > 0, 0, needed)),
        (experiment.neighborhoods_again(number, strategy, k), np.where(left > 0, in_last_round, 0)),
    ):
        _queries_until(
            neighborhoods.start,
            neighborhoods.stop,
            neighborhoods.place,
            experiment.fold(number, strategy).by_item.indices,
            wanted,
            queries,
        )
    times = full_rounds + queries / experiment.fold(number, strategy).n_queries
    return np.where((left > 0) & (later == 0), np.inf, times)


def after_rounds(
    experiment: Experiment,
    strategy: str,
    k: int,
    tau: str | float,
    plan: Plan,
    rounds: int,
    folds: Iterable[int] | None = None,
) -> RoundOutcome:
    """Return what a threshold has come to when all queries have been put `rounds` times.

    After one round both plans are what `evaluate` gives with protection of vulnerable users. `tau`
    is a number, or a rule that gives each fold a number of its own. Raises `InputError` for an
    unknown plan and for a number of rounds below 1.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> fixed = after_rounds(experiment, "gain", 5, 20, "fixed", rounds=10)
    >>> renewed = after_rounds(experiment, "gain", 5, 20, "renewed", rounds=10)
    >>> fixed.most_real_uses, renewed.most_real_uses
    (20, 200)
    """
    check_whole("rounds", rounds, least=1)
    if plan not in PLANS:
        raise InputError(f"There is no plan {plan!r}; choose from {', '.join(PLANS)}.")
    rows = []
    for number in experiment.numbers_of(folds):
        threshold = experiment.tau(tau, number, k, strategy)
        whole = whole_uses(threshold)
        first, later = _usages(experiment, number, strategy, k)
        so_far = first + (rounds - 1) * later
        last = first if rounds == 1 else later
        if plan == "fixed":
            counted, before = so_far, so_far - last
            real = privacy_risk(so_far, "vulnerable", whole)
        else:
            counted, before = last, np.zeros_like(last)
            real = privacy_risk(first, "vulnerable", whole)
            real = real + (rounds - 1) * privacy_risk(later, "vulnerable", whole)
        uses = int(so_far.sum())
        rows.append(
            (
                is_vulnerable(counted, threshold).mean(),
                real.mean(),
                real.max(initial=0),
                1 - real.sum() / uses if uses else 0.0,
                (so_far - real).mean(),
                _error(experiment, number, strategy, k, threshold, rounds, before),
            )
        )
    share, risk, _, protected, answers, mae = (float(value) for value in np.mean(rows, axis=0))
    most = int(max(row[2] for row in rows))
    return RoundOutcome(plan, rounds, share, risk, most, protected, answers, mae)


def tabulate_rounds(
    experiment: Experiment,
    strategy: str,
    k: int,
    tau: str | float,
    folds: Iterable[int] | None = None,
    rounds: Iterable[int] = ROUNDS,
    *,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> pd.DataFrame:
    """Return a row for each plan and number of rounds, with the fields of `RoundOutcome`.

    `progress` is called with the share of the rows that are there; as soon as `cancelled` returns
    true, `Cancelled` is raised.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> table = tabulate_rounds(experiment, "gain", 5, 20, rounds=[1, 4])
    >>> table[["plan", "rounds", "most_real_uses"]].values.tolist()
    [['fixed', 1, 20], ['fixed', 4, 20], ['renewed', 1, 20], ['renewed', 4, 80]]
    """
    numbers = experiment.numbers_of(folds)
    wanted = list(product(PLANS, rounds))
    rows = []
    for plan, count in wanted:
        if cancelled is not None and cancelled():
            raise Cancelled
        rows.append(asdict(after_rounds(experiment, strategy, k, tau, plan, count, numbers)))
        if progress is not None:
            progress(len(rows) / len(wanted))
    return pd.DataFrame(rows, columns=list(RoundOutcome.__dataclass_fields__))


def _usages(
    experiment: Experiment, number: int, strategy: str, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the data usage in the first round, and in each later one: (n_users,) int64 each."""
    first = experiment.usage(number, strategy, k)
    again = experiment.neighborhoods_again(number, strategy, k)
    return first, count_usage(experiment.fold(number, strategy), again).data_usage


def _error(
    experiment: Experiment,
    number: int,
    strategy: str,
    k: int,
    tau: float,
    rounds: int,
    before: np.ndarray,
) -> float:
    """Return the MAE of the last round; `before` are the uses of each user that count already."""
    if rounds == 1:
        neighborhoods = experiment.neighborhoods(number, strategy, k)
    else:
        neighborhoods = experiment.neighborhoods_again(number, strategy, k)
    fold = experiment.fold(number, strategy)
    # An experiment has each query once in a fold, so that in round m it is put for the m-th time.
    fold = replace(fold, query_ask=np.full_like(fold.query_ask, rounds))
    predictor = experiment.prediction.make_predictor(
        fold, neighborhoods, count_usage(fold, neighborhoods, before), experiment.mechanism
    )
    return mean_absolute_error(fold.query_rating, predictor.predict(tau))
