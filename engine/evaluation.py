"""The tables of `evaluate` and `sweep`: a row per strategy, protection, k and fold, and means."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from cache import Store
from engine.datasets import Ratings
from engine.experiment import Experiment
from engine.results import Evaluation, Sweep
from engine.settings import Settings
from engine.tau import rule_name

Row = dict[str, Any]

#: The columns of `evaluate`, in their order.
COLUMNS = (
    "dataset", "fingerprint", "strategy", "protection", "mechanism", "memoised", "k", "tau",
    "tau_rule", "fold", "mae", "mae_users", "predicted_share", "data_usage", "vulnerable_share",
    "privacy_risk", "secure_risk", "epsilon_paper", "ndcg", "users_without_relevant",
    "ndcg_published", "pp_corr", "pp_corr_all", "coverage", "neighbors_at_20", "neighbors_at_100",
    "coratings_at_20", "coratings_at_100", "seed", "seconds",
)  # fmt: skip
CURVES = ("neighbors_at_q", "coratings_at_q")


def make_experiment(ratings: Ratings, settings: Settings, store: Store | None) -> Experiment:
    """Return the experiment that these settings ask for."""
    return Experiment(
        ratings,
        folds=settings.folds,
        seed=settings.seed,
        mechanism=settings.mechanism,
        memoised=settings.memoised,
        store=store,
        jobs=settings.jobs,
        predictors=1,  # the tables below need each of them once
    )


def evaluate(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    store: Store | None = None,
    curves: bool = False,
    progress: Callable[[float, str], None] | None = None,
) -> pd.DataFrame:
    """Evaluate the strategies and return a table with the columns `COLUMNS`.

    One row per (strategy, protection, k, fold) and one with fold "mean": the mean over the folds
    run, with PP-Corr and coverage from their summed top lists. What is undefined or infinite is
    missing. `seconds` is the time spent on the row, with an equal share of its fold's choice of
    neighbors. `curves` adds the lists `neighbors_at_q` and `coratings_at_q`, q = 1 to 100.

    >>> from engine.datasets import generate
    >>> table = evaluate(generate(users=40, items=60, ratings=900), Settings(ks=(5,), tau=20))
    >>> len(table)  # nine ways to run the paper's four strategies, five folds and the mean
    54
    """
    settings = settings or Settings()
    experiment = make_experiment(ratings, settings, store)
    by_cell: dict[tuple[str, str, int], list[tuple[Row, Evaluation]]] = {}
    for number, choosing in _choose_by_fold(experiment, settings, progress):
        share = choosing / len(_cells(settings))
        for strategy in settings.strategies:
            for k in settings.ks:
                for protection in settings.protections_of(strategy):
                    started = time.perf_counter()
                    tau = experiment.tau(settings.tau, number, k)
                    evaluation = experiment.evaluate(number, strategy, protection, k, tau)
                    row: Row = {"tau": tau, "fold": number, **evaluation.metrics}
                    row["users_without_relevant"] = int(row["users_without_relevant"])
                    if curves:
                        row |= _curves(experiment, [number], strategy, k)
                    row["seconds"] = share + time.perf_counter() - started
                    by_cell.setdefault((strategy, protection, k), []).append((row, evaluation))

    rows = []
    for strategy, protection, k in _cells(settings):
        folds = by_cell[strategy, protection, k]
        pooled = experiment.pooled([evaluation for _, evaluation in folds])
        mean: Row = {
            "tau": float(np.mean([row["tau"] for row, _ in folds])),
            "fold": "mean",
            **pooled.metrics,
            "seconds": float(np.mean([row["seconds"] for row, _ in folds])),
        }
        if curves:
            mean |= _curves(experiment, settings.fold_numbers, strategy, k)
        with_noise = protection != "none"
        for row in [*(row for row, _ in folds), mean]:
            rows.append(
                {
                    "dataset": ratings.name,
                    "fingerprint": ratings.fingerprint,
                    "strategy": strategy,
                    "protection": protection,
                    "mechanism": experiment.mechanism.name if with_noise else None,
                    "memoised": experiment.mechanism.memoised if with_noise else None,
                    "k": k,
                    "tau_rule": rule_name(settings.tau),
                    "seed": settings.seed,
                    **row,
                }
            )
    columns = [*COLUMNS, *(CURVES if curves else ())]
    return pd.DataFrame(rows, columns=columns)


def sweep(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    store: Store | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> pd.DataFrame:
    """Return what every whole tau costs and protects, exactly, from 0 to the largest data usage.

    Columns: strategy, k, fold (and "mean"), tau, mae, privacy_risk, vulnerable_share, secure_risk,
    protected_uses. At tau 0 every use is protected, from the largest usage on none is; a fold whose
    largest usage is smaller enters the mean with its last values.

    >>> from engine.datasets import generate
    >>> table = sweep(generate(users=40, items=60, ratings=900), Settings(strategies=("gain",)))
    >>> table.query("fold == 'mean'").protected_uses.iloc[[0, -1]].tolist()
    [1.0, 0.0]
    """
    settings = settings or Settings()
    experiment = make_experiment(ratings, settings, store)
    sweeps: dict[tuple[str, int], list[tuple[int, Sweep]]] = {}
    for number, _ in _choose_by_fold(experiment, settings, progress):
        for strategy in settings.strategies:
            for k in settings.ks:
                found = experiment.sweep(number, strategy, k)
                sweeps.setdefault((strategy, k), []).append((number, found))
    parts = []
    for (strategy, k), folds in sweeps.items():
        largest = max(found.largest for _, found in folds)
        tables: list[tuple[int | str, dict[str, np.ndarray]]] = [
            (number, _sweep_columns(found, found.largest)) for number, found in folds
        ]
        padded = [_sweep_columns(found, largest) for _, found in folds]
        means = {name: mean_where_defined([table[name] for table in padded]) for name in padded[0]}
        means["tau"] = padded[0]["tau"]
        for fold, table in [*tables, ("mean", means)]:
            cell = {"strategy": strategy, "k": k, "fold": fold}
            part = pd.DataFrame({**cell, **table}).astype({"fold": object})
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _choose_by_fold(
    experiment: Experiment,
    settings: Settings,
    progress: Callable[[float, str], None] | None,
) -> Iterator[tuple[int, float]]:
    """Choose the neighbors fold by fold; yield each fold and the seconds that took."""
    cells = [(strategy, k) for strategy in settings.strategies for k in settings.ks]
    if rule_name(settings.tau) != "number":
        cells += [("userknn", k) for k in settings.ks]
    folds = settings.fold_numbers
    for done, number in enumerate(folds):
        text = f"fold {done + 1} of {len(folds)}"

        def report(share: float, done: int = done, text: str = text) -> None:
            if progress is not None:
                progress((done + 0.8 * share) / len(folds), text)

        started = time.perf_counter()
        experiment.choose(number, cells, progress=report)
        yield number, time.perf_counter() - started
        report(1.25)


def _cells(settings: Settings) -> list[tuple[str, str, int]]:
    """Return every (strategy, protection, k) in the order of the table."""
    return [
        (strategy, protection, k)
        for strategy in settings.strategies
        for protection in settings.protections_of(strategy)
        for k in settings.ks
    ]


def _curves(
    experiment: Experiment, folds: list[int] | tuple[int, ...], strategy: str, k: int
) -> Row:
    """Return the mean curves over some folds as lists, None where nobody has that many queries."""
    curves: Row = {}
    for name, curve_of in zip(
        CURVES, (experiment.neighbors_at_q, experiment.co_ratings_at_q), strict=True
    ):
        curve = mean_where_defined([curve_of(number, strategy, k) for number in folds])
        curves[name] = [None if np.isnan(value) else float(value) for value in curve]
    return curves


def mean_where_defined(curves: list[np.ndarray]) -> np.ndarray:
    """Return the mean of several curves, at each place over those that are defined there.

    >>> mean_where_defined([np.array([1.0, np.nan]), np.array([3.0, np.nan])]).tolist()
    [2.0, nan]
    """
    stacked = np.array(curves)
    counts = (~np.isnan(stacked)).sum(axis=0)
    sums = np.nansum(stacked, axis=0)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def _sweep_columns(found: Sweep, largest: int) -> dict[str, np.ndarray]:
    tau = np.arange(largest + 1)
    at = np.minimum(tau, found.largest)
    names = ("mae", "privacy_risk", "vulnerable_share", "secure_risk", "protected_uses")
    return {"tau": tau, **{name: getattr(found, name)[at] for name in names}}
