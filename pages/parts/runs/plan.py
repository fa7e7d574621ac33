"""In which order a run computes its cells, so that what is looked at is there first.

A cell is a fold, a strategy and a k. The engine keeps what it finished, so that a run that was
stopped, or done before, reads instead of computing.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from engine.settings import DEFAULT_K, PAPER_KS
from engine.strategies import PAPER_STRATEGIES, STRATEGIES
from pages.parts.address_values import OPENING_STRATEGY
from pages.parts.runs.results import Cell, Results
from pages.parts.runs.worker import Run

#: The share of the work that all numbers take; the tests of the curves take the rest.
_NUMBERS: Final = 0.85
#: Seconds in which a page is drawn.
_PAUSE: Final = 1.0


@dataclass(frozen=True)
class Wish:
    """What somebody looks at."""

    k: int = DEFAULT_K
    strategy: str = OPENING_STRATEGY


@dataclass(frozen=True)
class RunStep:
    """What the engine is asked for at once."""

    fold: int
    strategies: tuple[str, ...]
    ks: tuple[int, ...]

    @property
    def cells(self) -> set[Cell]:
        """The cells of the step."""
        return {(self.fold, strategy, k) for strategy in self.strategies for k in self.ks}


def next_step(
    done: Set[Cell],
    folds: tuple[int, ...],
    wish: Wish,
    core: tuple[str, ...] = PAPER_STRATEGIES,
    extras: tuple[str, ...] = (),
) -> RunStep | None:
    """Return what to compute next; None when all is done.

    First the core, and the strategy looked at, at the k looked at, fold by fold; then the core at
    the other k; then the rest.

    >>> next_step(set(), (0, 1), Wish(10, "gain"))
    RunStep(fold=0, strategies=('userknn', 'userknn+reuse', 'expect', 'gain'), ks=(10,))
    """
    looked_at = core if wish.strategy in core else (*core, wish.strategy)
    rounds = [
        (core, (wish.k,)),
        (looked_at, (wish.k,)),
        (core, PAPER_KS),
        (looked_at, PAPER_KS),
        ((*core, *extras), PAPER_KS),
    ]
    for strategies, ks in rounds:
        for fold in folds:
            missing = [
                (strategy, k)
                for strategy in strategies
                for k in ks
                if (fold, strategy, k) not in done
            ]
            if missing:
                return RunStep(
                    fold,
                    tuple(s for s in strategies if any(s == strategy for strategy, _ in missing)),
                    tuple(k for k in ks if any(k == other for _, other in missing)),
                )
    return None


def planned_steps(
    core: tuple[str, ...], extras: tuple[str, ...]
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Return the strategies and k that each fold is asked for, step after step.

    >>> steps = planned_steps(PAPER_STRATEGIES, ())
    >>> [len(strategies) * len(ks) for strategies, ks in steps]
    [4, 20]
    """
    done: set[Cell] = set()
    steps = []
    while step := next_step(done, (0,), Wish(), core, extras):
        steps.append((step.strategies, step.ks))
        done |= step.cells
    return steps


def _cost(cell: Cell) -> float:
    """Return about how long a cell takes; without +Reuse one selection serves every k."""
    _, strategy, k = cell
    return 1.0 if STRATEGIES[strategy].depends_on_k or k == DEFAULT_K else 0.2


def _step_left(results: Results, wish: Wish) -> RunStep | None:
    folds = results.experiment.fold_numbers
    return next_step(results.done, folds, wish, results.core, results.extras)


def is_complete(results: Results, wish: Wish) -> bool:
    """Return whether nothing is left to compute for this wish."""
    return _step_left(results, wish) is None


def _wish_of(run: Run[Results]) -> Wish:
    """Return what somebody looks at now, which changes while the run is at work."""
    return run.wish if isinstance(run.wish, Wish) else Wish()


def carry_out(run: Run[Results]) -> None:
    """Compute step after step until all is done. Raises `Cancelled` if the run is to stop."""
    folds = run.result.experiment.fold_numbers
    while step := _step_left(run.result, wish := _wish_of(run)):
        strategies = (*run.result.core, *run.result.extras)
        strategies += tuple({wish.strategy} - set(strategies))
        whole = {(fold, strategy, k) for fold in folds for strategy in strategies for k in PAPER_KS}
        before = sum(map(_cost, run.result.done & whole))
        cost, total = sum(map(_cost, step.cells)), sum(map(_cost, whole))

        def report(
            share: float,
            activity: str,
            _: tuple[int, ...],
            *,
            now: RunStep = step,
            start: float = before / total,
            length: float = cost / total,
        ) -> None:
            run.progress(
                _NUMBERS * min(1.0, start + share * length),
                f"{activity}, fold {now.fold + 1} of {len(folds)}",
            )

        run.result.experiment.run(
            step.strategies, step.ks, [step.fold], progress=report, cancelled=run.stop.is_set
        )
        run.finished_part(run.result.with_done(step.cells))
    run.progress(_NUMBERS, "Testing differences between strategies")
    # Last, and after those who waited for the results have drawn them: it loads half of SciPy.
    if not run.stop.wait(_PAUSE):
        run.result.work_out_tails()
    _test_growth(run)


def _test_growth(run: Run[Results]) -> None:
    """Test how neighborhoods grow under each strategy, first at the k looked at."""
    untested = run.result.untested()
    total = len(untested)
    while untested:
        ks = [k for _, _, k in untested]
        now = _wish_of(run).k if _wish_of(run).k in ks else ks[0]
        for cell in [cell for cell in untested if cell[2] == now]:
            done = (total - len(untested)) / total
            run.progress(_NUMBERS + (1 - _NUMBERS) * done, "Testing differences between strategies")
            run.result.test_growth(cell)
            untested.remove(cell)
        run.finished_part(run.result)
    run.result.experiment.release()
