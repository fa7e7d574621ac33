"""The table of `choose`: from ratings, settings and limits to a decision, and to rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from cache import Store
from engine.candidates import gather_candidates
from engine.choice import Decision, choose_tau
from engine.datasets import Ratings
from engine.evaluation import choose_by_fold, make_experiment
from engine.limits import Limits
from engine.settings import Settings

#: The columns of `choose`, in their order.
CHOICE_COLUMNS = (
    "strategy", "k", "meets", "tau_low", "tau_high", "tau", "mae", "vulnerable_share",
    "privacy_risk", "protected_uses", "binds", "best",
)  # fmt: skip


def decide(
    ratings: Ratings,
    settings: Settings | None = None,
    limits: Limits | None = None,
    *,
    store: Store | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Decision:
    """Return which strategy, k and whole tau of these settings meet the limits; see `choose_tau`.

    >>> from engine.datasets import generate
    >>> ratings = generate(users=40, items=60, ratings=900)
    >>> decision = decide(ratings, Settings(ks=(5, 10)), Limits(max_risk=8))
    >>> len(decision.choices), decision.best.outcome.privacy_risk <= 8
    (8, True)
    """
    settings, limits = settings or Settings(), limits or Limits()
    experiment = make_experiment(ratings, settings, store)
    lists = limits.needs_top_lists

    def report(share: float, text: str) -> None:
        if progress is not None:
            progress(share * (0.6 if lists else 1.0), text)

    # UserKNN's error without protection is a baseline also where UserKNN was not asked for.
    needed = dict.fromkeys((*settings.strategies, "userknn"))
    for _ in choose_by_fold(experiment, replace(settings, strategies=tuple(needed)), report):
        pass
    if lists:
        cells = [(strategy, k) for strategy in settings.strategies for k in settings.ks]
        for done, (strategy, k) in enumerate(cells):
            if progress is not None:
                progress(0.6 + 0.4 * done / len(cells), f"top lists of {strategy}, k = {k}")
            experiment.popularity_sweep(strategy, k, settings.fold_numbers)
    candidates = gather_candidates(
        experiment,
        settings.strategies,
        settings.ks,
        settings.fold_numbers,
        top_lists=lists,
    )
    return choose_tau(candidates, limits)


def tabulate_choices(decision: Decision) -> pd.DataFrame:
    """Return a row for each strategy and k with the columns `CHOICE_COLUMNS`.

    `tau_low` and `tau_high` are the lowest and the highest whole tau that meet all limits, `tau` is
    the best of them by the criterion, and the metrics are what it comes to: missing where none
    meets them. `binds` lists the limits that end the range. `best` is true in one row or in none.
    Where a limit needs the top lists, the columns coverage and pp_corr stand before `binds`.
    """
    lists = ("coverage", "pp_corr") if decision.limits.needs_top_lists else ()
    metrics = ("mae", "vulnerable_share", "privacy_risk", "protected_uses", *lists)
    rows = [
        {
            "strategy": choice.candidate.strategy,
            "k": choice.candidate.k,
            "meets": choice.tau is not None,
            "tau_low": choice.tau_low,
            "tau_high": choice.tau_high,
            "tau": choice.tau,
            **{name: getattr(choice.outcome, name, None) for name in metrics},
            "binds": list(choice.binds),
            "best": choice is decision.best,
        }
        for choice in decision.choices
    ]
    columns = [*CHOICE_COLUMNS[:-2], *lists, *CHOICE_COLUMNS[-2:]]
    # Objects, so that a whole number beside a missing one stays whole.
    return pd.DataFrame(rows, columns=columns, dtype=object)


def choose(
    ratings: Ratings,
    settings: Settings | None = None,
    limits: Limits | None = None,
    *,
    store: Store | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> pd.DataFrame:
    """Return what the limits leave of each strategy and k as a table; see `tabulate_choices`.

    >>> from engine.datasets import generate
    >>> table = choose(generate(users=40, items=60, ratings=900), limits=Limits(max_risk=8))
    >>> table.strategy.tolist(), int(table.best.sum())
    (['userknn', 'userknn+reuse', 'expect', 'gain'], 1)
    """
    return tabulate_choices(decide(ratings, settings, limits, store=store, progress=progress))
