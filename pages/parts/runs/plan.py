"""In which order a run computes its cells, so that what is looked at is there first.

A cell is a fold, a strategy and a k. The engine keeps what it finished, so that a run that was
stopped, or done before, reads instead of computing.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pages.parts.address import DEFAULT_K, DEFAULT_STRATEGY, KS
from pages.parts.runs.results import EXTRAS, PAPER, Cell, Results

if TYPE_CHECKING:
    from pages.parts.runs.worker import Run

#: Above this many ratings Expect+Reuse and Gain+Reuse are computed only when they are looked at:
#: with six k each they take as long as all the rest.
FEW_RATINGS: Final = 300_000
#: The share of the work that all numbers take; the tests of the curves take the rest.
_NUMBERS: Final = 0.85
#: Seconds in which a page is drawn.
_PAUSE: Final = 1.0


@dataclass(frozen=True)
class Wish:
    """What somebody looks at."""

    k: int = DEFAULT_K
    strategy: str = DEFAULT_STRATEGY


@dataclass(frozen=True)
class Step:
    """What the engine is asked for at once."""

    fold: int
    strategies: tuple[str, ...]
    ks: tuple[int, ...]

    @property
    def cells(self) -> set[Cell]:
        """The cells of the step."""
        return {(self.fold, strategy, k) for strategy in self.strategies for k in self.ks}


def next_step(done: Set[Cell], folds: tuple[int, ...], wish: Wish, extras: bool) -> Step | None:
    """Return what to compute next; None when all is done.

    First the paper's strategies, and the one looked at, at the k looked at, fold by fold; then the
    paper's at the other k; then the rest.

    >>> next_step(set(), (0, 1), Wish(10, "gain"), extras=False)
    Step(fold=0, strategies=('userknn', 'userknn+reuse', 'expect', 'gain'), ks=(10,))
    """
    looked_at = PAPER if wish.strategy in PAPER else (*PAPER, wish.strategy)
    rounds = [(PAPER, (wish.k,)), (looked_at, (wish.k,)), (PAPER, KS), (looked_at, KS)]
    if extras:
        rounds.append((PAPER + EXTRAS, KS))
    for strategies, ks in rounds:
        for fold in folds:
            missing = [
                (strategy, k)
                for strategy in strategies
                for k in ks
                if (fold, strategy, k) not in done
            ]
            if missing:
                return Step(
                    fold,
                    tuple(s for s in strategies if any(s == strategy for strategy, _ in missing)),
                    tuple(k for k in ks if any(k == other for _, other in missing)),
                )
    return None


def _cost(cell: Cell) -> float:
    """Return about how long a cell takes; without +Reuse one selection serves every k."""
    _, strategy, k = cell
    return 1.0 if strategy.endswith("+reuse") or k == DEFAULT_K else 0.2


def is_complete(results: Results, wish: Wish) -> bool:
    """Return whether nothing is left to compute for this wish."""
    folds = results.experiment.fold_numbers
    return next_step(results.done, folds, wish, _with_extras(results)) is None


def _with_extras(results: Results) -> bool:
    return results.experiment.ratings.n_ratings <= FEW_RATINGS


def carry_out(run: Run[Results]) -> None:
    """Compute step after step until all is done. Raises `Cancelled` if the run is to stop."""
    folds = run.result.experiment.fold_numbers
    extras = _with_extras(run.result)
    for step in _steps(run, folds, extras):
        wish = run.wish if isinstance(run.wish, Wish) else Wish()
        strategies = PAPER + EXTRAS if extras else PAPER + tuple({wish.strategy} - set(PAPER))
        whole = {(fold, strategy, k) for fold in folds for strategy in strategies for k in KS}
        before = sum(map(_cost, run.result.done & whole))
        cost, total = sum(map(_cost, step.cells)), sum(map(_cost, whole))

        def report(
            share: float,
            text: str,
            _: tuple[int, ...],
            *,
            now: Step = step,
            start: float = before / total,
            length: float = cost / total,
        ) -> None:
            doing = text.split(",")[0]
            run.progress(
                _NUMBERS * min(1.0, start + share * length),
                f"{doing}, fold {now.fold + 1} of {len(folds)}",
            )

        run.result.experiment.run(
            step.strategies, step.ks, [step.fold], progress=report, cancelled=run.stop.is_set
        )
        run.finished_part(run.result.with_done(step.cells))
    run.progress(_NUMBERS, "Testing differences to UserKNN")
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
        now = run.wish.k if isinstance(run.wish, Wish) and run.wish.k in ks else ks[0]
        for cell in [cell for cell in untested if cell[2] == now]:
            done = (total - len(untested)) / total
            run.progress(_NUMBERS + (1 - _NUMBERS) * done, "Testing differences to UserKNN")
            run.result.test_growth(cell)
            untested.remove(cell)
        run.finished_part(run.result)
    run.result.experiment.release()


def _steps(run: Run[Results], folds: tuple[int, ...], extras: bool) -> Iterator[Step]:
    while True:
        wish = run.wish if isinstance(run.wish, Wish) else Wish()
        step = next_step(run.result.done, folds, wish, extras)
        if step is None:
            return
        yield step
