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
from engine.metrics import mean_where_defined
from engine.outcome import FoldOutcome, Outcome, none_if_nan
from engine.settings import Setting, Settings
from engine.sweep import SWEPT
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
        similarity=settings.similarity,
        prediction=settings.prediction,
        embedding_model=settings.embedding_model,
        queries=settings.queries,
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
    neighbors, but without the learning of embeddings. `curves` adds the lists `neighbors_at_q` and
    `coratings_at_q`, q = 1 to 100.

    >>> from engine.datasets import generate
    >>> table = evaluate(generate(users=40, items=60, ratings=900), Settings(ks=(5,), tau=20))
    >>> len(table)  # nine ways to run the paper's four strategies, five folds and the mean
    54
    """
    settings = settings or Settings()
    experiment = make_experiment(ratings, settings, store)
    outcomes: dict[Setting, list[FoldOutcome]] = {setting: [] for setting in settings.settings}
    seconds: dict[Setting, list[float]] = {setting: [] for setting in settings.settings}
    for number, choosing in choose_by_fold(experiment, settings, progress):
        share = choosing / len(outcomes)
        for setting in outcomes:
            started = time.perf_counter()
            outcomes[setting].append(experiment.fold_outcome(number, setting))
            seconds[setting].append(share + time.perf_counter() - started)
    rows = []
    for setting, folds in outcomes.items():
        outcome = Outcome(setting, folds, experiment.popularity)
        for row in _rows(outcome, seconds[setting]):
            if curves:
                row |= _curves(experiment, setting, row["fold"], outcome.fold_numbers)
            rows.append({**_asked(experiment, settings, setting), **row})
    columns = [*COLUMNS, *(CURVES if curves else ())]
    return pd.DataFrame(rows, columns=columns)


def _asked(experiment: Experiment, settings: Settings, setting: Setting) -> Row:
    """Return the columns that say what was asked."""
    with_noise = setting.protection != "none"
    return {
        "dataset": experiment.ratings.name,
        "fingerprint": experiment.ratings.fingerprint,
        "strategy": setting.strategy,
        "protection": setting.protection,
        "mechanism": experiment.mechanism.name if with_noise else None,
        "memoised": experiment.mechanism.memoised if with_noise else None,
        "k": setting.k,
        "tau_rule": rule_name(setting.tau),
        "seed": settings.seed,
    }


def _rows(outcome: Outcome, seconds: list[float]) -> list[Row]:
    """Return a row for each fold and one for all of them."""
    rows: list[Row] = []
    for fold, duration in zip(outcome.folds, seconds, strict=True):
        row: Row = {"tau": fold.tau, "fold": fold.fold, **fold.metrics, "seconds": duration}
        row["users_without_relevant"] = int(row["users_without_relevant"])
        rows.append(row)
    means = {name: none_if_nan(outcome.value(name)) for name in outcome.metrics}
    rows.append({"tau": outcome.tau, "fold": "mean", **means, "seconds": float(np.mean(seconds))})
    return rows


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
    for _ in choose_by_fold(experiment, settings, progress):
        pass
    parts = []
    for strategy in settings.strategies:
        for k in settings.ks:
            whole = experiment.sweep_over_folds(strategy, k, settings.fold_numbers)
            tables: list[tuple[int | str, dict[str, np.ndarray]]] = []
            for number in settings.fold_numbers:
                swept = experiment.sweep(number, strategy, k)
                taus = np.arange(swept.largest + 1)
                curves = {name: swept.curve(name, taus) for name in SWEPT}
                tables.append((number, {"tau": taus, **curves}))
            means = {name: whole.mean(name) for name in SWEPT}
            tables.append(("mean", {"tau": whole.taus, **means}))
            for fold, table in tables:
                cell = {"strategy": strategy, "k": k, "fold": fold}
                parts.append(pd.DataFrame({**cell, **table}).astype({"fold": object}))
    return pd.concat(parts, ignore_index=True)


def choose_by_fold(
    experiment: Experiment,
    settings: Settings,
    progress: Callable[[float, str], None] | None,
) -> Iterator[tuple[int, float]]:
    """Choose the neighbors fold by fold; yield each fold and the seconds that this took."""
    folds = settings.fold_numbers
    unlearned = experiment.unlearned(settings.strategies, folds)
    learning = 0.5 if unlearned else 0.0  # the share of the work

    experiment.learn(
        unlearned, progress=lambda share: progress and progress(learning * share, "learning")
    )
    for done, number in enumerate(folds):
        text = f"fold {done + 1} of {len(folds)}"

        def report(share: float, done: int = done, text: str = text) -> None:
            if progress is not None:
                chosen = (done + 0.8 * share) / len(folds)
                progress(learning + (1 - learning) * chosen, text)

        started = time.perf_counter()
        experiment.choose(number, settings.selections, progress=report)
        yield number, time.perf_counter() - started
        report(1.25)


def _curves(
    experiment: Experiment, setting: Setting, fold: int | str, numbers: tuple[int, ...]
) -> Row:
    """Return the curves of a fold, or of "mean" over all, as lists; None where nobody has q."""
    folds = numbers if isinstance(fold, str) else (fold,)
    curves: Row = {}
    for name, curve_of in zip(
        CURVES, (experiment.neighbors_at_q, experiment.co_ratings_at_q), strict=True
    ):
        curve = mean_where_defined(
            [curve_of(number, setting.strategy, setting.k) for number in folds]
        )
        curves[name] = [none_if_nan(value) for value in curve]
    return curves
