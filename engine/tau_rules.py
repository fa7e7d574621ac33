"""Rules for tau side by side: what each suggests, gives and costs for a strategy and k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from engine.candidates import Candidate, TauOutcome
from engine.experiment import Experiment
from engine.sweep import SweepOverFolds
from engine.tau import resolve_tau
from engine.tau_choice import TauChoice

#: The rules that follow from UserKNN's data usage, as on the command line.
USAGE_RULES = ("published", "tail", "q50", "q75", "q90", "q95")
#: The rule that follows from the error curve, and the one that follows from limits.
KNEE, LIMITS_RULE = "knee", "limits"


@dataclass(frozen=True)
class RuleOutcome:
    """What a rule suggests, and what the whole tau nearest to it comes to.

    `in_folds` has the exact tau of each fold, `tau` is their mean, rounded half up for the outcome:
    a use is a whole thing. Where a rule gives nothing these are empty, NaN and None.
    """

    rule: str
    tau: float
    in_folds: tuple[float, ...]
    outcome: TauOutcome | None


def knee_tau(sweep: SweepOverFolds) -> int | None:
    """Return the knee of the error curve: where a larger tau begins to gain little.

    With L the largest usage and e(t) the MAE at tau = t, mean over the folds, the knee is the t
    with the largest (e(0) - e(t)) / (e(0) - e(L)) - t / L: how much of the error that noise costs
    is won back, less the share of the range that it takes. Among equal ones it is the lowest. None
    where noise costs no error.

    It depends on L, which one heavily used user can set alone.

    >>> from engine.sweep import Sweep
    >>> errors = np.array([0.9, 0.75, 0.72, 0.71, 0.7])
    >>> knee_tau(SweepOverFolds("gain", 10, [Sweep(errors, np.array([0, 4]))]))
    1
    """
    errors, largest = sweep.mean("mae"), sweep.largest
    if largest == 0 or not errors[0] > errors[-1]:
        return None
    won_back = (errors[0] - errors) / (errors[0] - errors[-1])
    return int(np.argmax(won_back - sweep.taus / largest))


def compare_rules(
    experiment: Experiment,
    candidate: Candidate,
    folds: Iterable[int] | None = None,
    *,
    rules: Iterable[str] = USAGE_RULES,
    choice: TauChoice | None = None,
    baseline: str = "userknn-none",
) -> list[RuleOutcome]:
    """Return what the rules give for a strategy and k: those of `rules`, the knee, and the limits.

    `choice` is what limits leave of the same candidate, where there are any (see `choose_tau`).

    >>> from engine.candidates import gather_candidates
    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> [candidate] = gather_candidates(experiment, ["gain"], [5])
    >>> rows = compare_rules(experiment, candidate, rules=["q50", "q90"])
    >>> [(row.rule, row.outcome.tau) for row in rows]
    [('q50', 20), ('q90', 39), ('knee', 28)]
    """
    numbers = experiment.numbers_of(folds)
    rows = []
    for rule in rules:
        taus = tuple(
            experiment.tau(rule, number, candidate.k, candidate.strategy) for number in numbers
        )
        rows.append(_row(candidate, rule, taus, baseline))
    knee = knee_tau(candidate.sweep)
    rows.append(_row(candidate, KNEE, () if knee is None else (float(knee),), baseline))
    if choice is not None:
        taus = () if choice.tau is None else (float(choice.tau),)
        rows.append(_row(candidate, LIMITS_RULE, taus, baseline))
    return rows


def tabulate_rules(rows: Iterable[RuleOutcome]) -> pd.DataFrame:
    """Return a row for each rule: rule, exact_tau, lowest_tau, highest_tau, and the outcome.

    The columns of the outcome are those of `TauOutcome`, missing where a rule gives nothing.
    """
    table = []
    for row in rows:
        outcome = {} if row.outcome is None else asdict(row.outcome)
        table.append(
            {
                "rule": row.rule,
                "exact_tau": row.tau,
                "lowest_tau": min(row.in_folds, default=np.nan),
                "highest_tau": max(row.in_folds, default=np.nan),
                **outcome,
            }
        )
    columns = ["rule", "exact_tau", "lowest_tau", "highest_tau", *TauOutcome.__dataclass_fields__]
    return pd.DataFrame(table, columns=columns)


def tau_if_used_more(rule: str, usage: np.ndarray, times: Sequence[float]) -> np.ndarray:
    """Return what a rule would suggest if every user were used more often by each factor: (n,).

    A rule that follows the data follows the scale: a quantile grows with it. `published` hardly
    moves, because its kernel has a bandwidth of 50 whatever the data: a Gaussian bends most at
    sqrt(3) * 50 = 86.6, and the most frequent counts of its histogram are small.

    >>> usage = np.array([0] * 60 + [10] * 30 + [40] * 5 + [400])
    >>> tau_if_used_more("q90", usage, [1, 10]).tolist()
    [10.0, 100.0]
    >>> tau_if_used_more("published", usage, [1, 10]).round().tolist()
    [86.0, 88.0]
    """
    return np.array([resolve_tau(rule, usage * factor) for factor in times])


def _row(
    candidate: Candidate, rule: str, in_folds: tuple[float, ...], baseline: str
) -> RuleOutcome:
    if not in_folds:
        return RuleOutcome(rule, np.nan, (), None)
    tau = float(np.mean(in_folds))
    outcome = candidate.outcome(int(np.floor(tau + 0.5)), baseline)
    return RuleOutcome(rule, tau, in_folds, outcome)
