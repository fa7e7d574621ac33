"""The attack itself: one victim after the other, each in a world of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.attack.accounts import (
    Target,
    after_queries,
    choose_target,
    choose_victims,
    open_accounts,
)
from engine.attack.inference import nearest, possible_values
from engine.attack.plan import AttackPlan
from engine.attack.probes import Probes
from engine.errors import Cancelled, InputError
from engine.experiment import Experiment
from engine.folds import Fold
from engine.neighborhoods import choose_neighbors
from engine.predictions import DEFAULT_PREDICTION, Predictor, make_predictor
from engine.privacy import Mechanism
from engine.side_by_side import results_of
from engine.strategies import STRATEGIES
from engine.usage import count_usage

#: Columns of `Probes` with one entry for each probe.
_COLUMNS = ("victim", "item", "rating", "raters", "item_mean", "most_common", "data_usage")


def attack(
    experiment: Experiment,
    number: int,
    strategy: str,
    k: int,
    plan: AttackPlan | None = None,
    *,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Probes:
    """Attack victims of a fold and return what the adversary hears, for every protection and tau.

    See `engine.attack` for the adversary. The result is kept in the experiment's store. `progress`
    is called with the share that is done, `cancelled` is asked after each victim. Raises
    `Cancelled` when asked to stop; `InputError` for an unknown fold or strategy, one that learns
    embeddings, a k below 1, a prediction rule other than the paper's, and where nobody can be
    attacked.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=60, items=50, ratings=1500))
    >>> probes = attack(experiment, 0, "gain", 5, AttackPlan(victims=20))
    >>> round(probes.outcome("none", 0).everybody.exact.value, 2)
    1.0
    """
    plan = plan or AttackPlan()
    if experiment.prediction.name != DEFAULT_PREDICTION:
        raise InputError(
            f"The attack reads predictions of the rule {DEFAULT_PREDICTION!r}, "
            f"not of {experiment.prediction.name!r}."
        )
    if experiment.needs_embeddings(strategy):
        raise InputError(
            f"The attack is not made for {STRATEGIES.named(strategy).title}: with the new accounts "
            "all vectors would have to be learned anew; choose a strategy without embeddings."
        )
    usage = experiment.usage(number, strategy, k)
    fold = after_queries(experiment.fold(number))
    values = possible_values(experiment.ratings.scale)
    planted = float(values[nearest(values, (values[0] + values[-1]) / 2)])
    world = _World(
        fold, usage, strategy, k, experiment.similarity, experiment.mechanism, plan, planted
    )

    def arrays() -> dict[str, np.ndarray]:
        from joblib import delayed  # a fifteenth of a second most starts can do without

        targets = [
            choose_target(fold, int(victim), plan.knowledge, plan.probes)
            for victim in choose_victims(fold, plan.victims, plan.min_ratings)
        ]
        if not targets:
            raise InputError(
                f"Nobody can be attacked: no user has {plan.min_ratings or 2} ratings."
            )

        parts = []
        tasks = (delayed(world.attack)(target) for target in targets)
        with results_of(tasks, n_jobs=experiment.jobs, backend="threading") as results:
            for part in results:
                parts.append(part)
                if cancelled is not None and cancelled():
                    raise Cancelled
                if progress is not None:
                    progress(len(parts) / len(targets))
        return _join(parts)

    key = experiment.predicted_key(
        number,
        "attack",
        strategy=strategy,
        k=k,
        knowledge=plan.knowledge,
        accounts=plan.fake_accounts(k),
        repeats=plan.repeats,
        victims=plan.victims,
        probes=plan.probes,
        min_ratings=plan.min_ratings,
    )
    stored = dict(experiment.store.get_or_compute(key, arrays))
    described = {name: stored.pop(name) for name in (*_COLUMNS, "ordinal")}
    return Probes(
        plan=plan,
        k=k,
        memoised=experiment.mechanism.memoised,
        values=values,
        planted=planted,
        predictor=Predictor(fold, **stored),
        **described,
    )


@dataclass(frozen=True, eq=False)
class _World:
    """The system that every victim is attacked in, as it is before the adversary comes."""

    fold: Fold
    usage: np.ndarray  # (n_users,) uses by the queries of everybody
    strategy: str
    k: int
    similarity: str
    mechanism: Mechanism
    plan: AttackPlan
    planted: float

    def attack(self, target: Target) -> dict[str, np.ndarray]:
        """Return the columns of `Probes` and the arrays of its predictor for one victim."""
        plan, n_probes = self.plan, target.probed.size
        accounts = plan.fake_accounts(self.k)
        attacked = open_accounts(self.fold, target, accounts, self.planted, plan.repeats)
        cell = (self.strategy, self.k)
        neighborhoods = choose_neighbors(attacked, [cell], jobs=1, similarity=self.similarity)[cell]
        # New accounts have not been used yet; everybody else has, by the queries of the fold.
        before = np.append(self.usage, np.zeros(accounts + 1, dtype=self.usage.dtype))
        usage = count_usage(attacked, neighborhoods, before)
        predictor = make_predictor(attacked, neighborhoods, usage, self.mechanism)
        query = np.repeat(np.arange(attacked.n_queries), neighborhoods.stop - neighborhoods.start)
        is_victim = attacked.by_item.indices[neighborhoods.place] == target.victim
        ordinal = np.zeros(attacked.n_queries, dtype=np.int64)
        ordinal[query[is_victim]] = usage.ordinal[is_victim]
        raters, item_mean, most_common = _public_knowledge(self.fold, target)
        return {
            **predictor.to_arrays(),
            "victim": np.full(n_probes, target.victim),
            "item": target.probed.astype(np.int64),
            "rating": target.probed_ratings,
            "raters": raters,
            "item_mean": item_mean,
            "most_common": most_common,
            "data_usage": np.full(n_probes, before[target.victim]),
            "ordinal": ordinal.reshape(plan.repeats, n_probes),
        }


def _public_knowledge(fold: Fold, target: Target) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each probed item the number of its ratings, their mean, and others' most common.

    Where nobody else rated the item, the most common rating of all items stands for the last.
    """
    n_probes = target.probed.size
    raters = np.empty(n_probes, dtype=np.int64)
    item_mean, most_common = np.empty(n_probes), np.empty(n_probes)
    for probe, item in enumerate(target.probed):
        ratings = fold.by_item.data[fold.by_item.indptr[item] : fold.by_item.indptr[item + 1]]
        values, counts = np.unique(ratings, return_counts=True)
        counts[values == target.probed_ratings[probe]] -= 1
        if not counts.any():
            values, counts = np.unique(fold.by_item.data, return_counts=True)
        raters[probe], item_mean[probe] = ratings.size, ratings.mean()
        most_common[probe] = values[counts.argmax()]
    return raters, item_mean, most_common


def _join(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Put the victims side by side: first the first ask of all probes, then the second, ..."""
    joined = {name: np.concatenate([part[name] for part in parts]) for name in _COLUMNS}
    joined["ordinal"] = np.concatenate([part["ordinal"] for part in parts], axis=1)
    repeats, n_probes = joined["ordinal"].shape
    for name in ("weight", "real"):
        by_ask = [part[name].reshape(repeats, -1) for part in parts]
        joined[name] = np.concatenate(by_ask, axis=1).ravel()
    query = []
    first = 0
    for part in parts:
        ask, probe = np.divmod(part["changed_query"], part["item"].size)
        query.append(ask * n_probes + first + probe)
        first += part["item"].size
    joined["changed_query"] = np.concatenate(query)
    for name in ("changed_ordinal", "change"):
        joined[name] = np.concatenate([part[name] for part in parts])
    return joined
