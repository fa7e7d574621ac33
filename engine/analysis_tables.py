"""The tables of `front` and `users`: from ratings and settings to rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import pandas as pd

from cache import Store
from engine.datasets import Ratings
from engine.evaluation import choose_by_fold, make_experiment
from engine.experiment import Experiment
from engine.exposure import tabulate_users
from engine.pareto_front import FrontPoint, find_front
from engine.settings import Settings

_Progress = Callable[[float, str], None]


def front(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    store: Store | None = None,
    progress: _Progress | None = None,
) -> pd.DataFrame:
    """Return the Pareto front over all strategies and k of the settings, and every whole tau.

    Columns: strategy, k, tau, privacy_risk, mae; by growing privacy risk. See `find_front`.

    >>> from engine.datasets import generate
    >>> table = front(generate(users=40, items=60, ratings=900), Settings(ks=(5, 10)))
    >>> bool(table.mae.is_monotonic_decreasing), float(table.privacy_risk.iloc[0])
    (True, 0.0)
    """
    settings = settings or Settings()
    experiment = _run(ratings, settings, store, progress)
    points = find_front(experiment, settings.strategies, settings.ks, settings.fold_numbers)
    columns = list(FrontPoint.__dataclass_fields__)
    return pd.DataFrame([asdict(point) for point in points], columns=columns)


def users(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    store: Store | None = None,
    progress: _Progress | None = None,
) -> pd.DataFrame:
    """Return what each user is exposed to under the first strategy and k of the settings.

    See `engine.exposure.tabulate_users` for the columns.

    >>> from engine.datasets import generate
    >>> table = users(generate(users=40, items=60, ratings=900), Settings(tau=20))
    >>> len(table)
    40
    """
    settings = settings or Settings()
    experiment = _run(ratings, settings, store, progress)
    strategy, k = settings.strategies[0], settings.ks[0]
    return tabulate_users(experiment, strategy, k, settings.tau, settings.fold_numbers)


def _run(
    ratings: Ratings, settings: Settings, store: Store | None, progress: _Progress | None
) -> Experiment:
    """Return the experiment of the settings, its neighbors chosen."""
    experiment = make_experiment(ratings, settings, store)
    for _ in choose_by_fold(experiment, settings, progress):
        pass
    return experiment
