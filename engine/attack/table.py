"""The table of `attack`: from ratings, settings and the adversary's means to rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from cache import Store
from engine.attack.outcome import GroupOutcome
from engine.attack.plan import AttackPlan
from engine.attack.probes import Probes
from engine.attack.probing import attack
from engine.datasets import Ratings
from engine.evaluation import make_experiment
from engine.experiment import Experiment
from engine.privacy import PROTECTIONS, unprotected_uses
from engine.settings import Settings

#: The shares of a victim's ratings that are known by default.
KNOWLEDGE = (0.2, 0.5)
COLUMNS = (
    "strategy", "k", "tau", "mechanism", "knowledge", "victims", "exact", "exact_low",
    "exact_high", "baseline",
)  # fmt: skip
DETAILS = (
    "group", "protection", "memoised", "accounts", "repeats", "probes", "within_one_step",
    "within_one_step_low", "within_one_step_high", "baseline_within_one_step", "among_neighbors",
)  # fmt: skip


def attack_table(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    knowledge: Sequence[float] = KNOWLEDGE,
    plan: AttackPlan | None = None,
    details: bool = False,
    store: Store | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> pd.DataFrame:
    """Attack victims of one fold; return a row for each strategy, k, knowledge and protection.

    The fold is the settings' `only_fold`, by default the first. Protections are by default none,
    vulnerable and full. Full protection stands as tau = 0; without protection tau and the mechanism
    are missing. `exact` is the share of the probed ratings that are recovered; the ends of its 95 %
    interval stand beside it. `baseline` is the share that is recovered by guessing the most common
    rating of the item.

    With `details` there are more columns, `DETAILS`, and more rows: the column `group` tells the
    rows of all victims from those of the secure and those of the vulnerable victims.

    >>> from engine.datasets import generate
    >>> settings = Settings(strategies=("gain",), ks=(5,), tau=20)
    >>> table = attack_table(generate(60, 50, 1500), settings, plan=AttackPlan(victims=20))
    >>> table.query("mechanism.isna()").exact.tolist()
    [1.0, 1.0]
    """
    settings, plan = settings or Settings(), plan or AttackPlan()
    number = settings.only_fold or 0
    experiment = make_experiment(ratings, settings, store)
    plans = [replace(plan, knowledge=share) for share in knowledge]

    def report(share: float, activity: str) -> None:
        if progress is not None:
            progress(share, activity)

    experiment.choose(
        number, settings.selections, progress=lambda s: report(s / 2, "Choosing neighbors")
    )
    attacks = [
        (strategy, k, plan)
        for strategy in settings.strategies
        for k in settings.ks
        for plan in plans
    ]
    rows = []
    for done, (strategy, k, plan) in enumerate(attacks):

        def attacking(share: float, done: int = done) -> None:
            report(0.5 + (done + share) / len(attacks) / 2, "Attacking")

        probes = attack(experiment, number, strategy, k, plan, progress=attacking)
        tau = experiment.tau(settings.tau, number, k, strategy)
        for protection in settings.protections or PROTECTIONS:
            rows += _rows(experiment, strategy, probes, protection, tau, details)
    return pd.DataFrame(rows, columns=[*COLUMNS, *(DETAILS if details else ())])


def _rows(
    experiment: Experiment,
    strategy: str,
    probes: Probes,
    protection: str,
    tau: float,
    details: bool,
) -> list[dict[str, Any]]:
    """Return the rows of one attack under one protection: all victims, and in detail the groups."""
    outcome = probes.outcome(protection, tau)
    groups = outcome.groups if details else {"all": outcome.everybody}
    noisy, unprotected = protection != "none", unprotected_uses(protection, tau)
    plan = probes.plan
    attacked = {
        "strategy": strategy,
        "k": probes.k,
        "tau": None if math.isinf(unprotected) else unprotected,
        "mechanism": experiment.mechanism.name if noisy else None,
        "knowledge": plan.knowledge,
        "protection": protection,
        "memoised": experiment.mechanism.memoised if noisy else None,
        "accounts": plan.fake_accounts(probes.k),
        "repeats": plan.repeats,
    }
    return [{**attacked, "group": name, **_shares(group)} for name, group in groups.items()]


def _shares(group: GroupOutcome) -> dict[str, float]:
    return {
        "victims": group.victims,
        "probes": group.probes,
        "exact": group.exact.value,
        "exact_low": group.exact.low,
        "exact_high": group.exact.high,
        "within_one_step": group.within_one_step.value,
        "within_one_step_low": group.within_one_step.low,
        "within_one_step_high": group.within_one_step.high,
        "baseline": group.baseline.value,
        "baseline_within_one_step": group.baseline_within_one_step.value,
        "among_neighbors": group.among_neighbors.value,
    }
