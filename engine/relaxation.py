"""Where nothing meets all limits: the smallest change of a single limit that lets a choice in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.candidates import TauOutcome, comparable
from engine.limits import LIMITS, PROTECTS_SOMEBODY, Limits
from engine.tau_choice import TauChoice, preference


@dataclass(frozen=True)
class Relaxation:
    """The smallest change of one limit that lets a choice in, and what the choice comes to.

    `needed` is exact, to nine decimals. With it this choice meets all limits; with a smaller change
    none does. The other limits stay. Both values are None for `allow_unprotected`, which is a yes
    or no.
    """

    limit: str
    stated: float | None
    needed: float | None
    outcome: TauOutcome

    @property
    def change(self) -> float:
        """How far the needed value is from the stated one."""
        if self.stated is None or self.needed is None:
            return 0.0
        return float(comparable(abs(self.needed - self.stated)))


def smallest_relaxations(choices: Sequence[TauChoice], limits: Limits) -> tuple[Relaxation, ...]:
    """Return for each limit its smallest relaxation over all choices, in the order of `LIMITS`.

    Among equal ones it is the choice that would be best by the criterion. A limit is left out where
    other limits stand in the way, too.

    >>> from engine.candidates import Candidate
    >>> from engine.sweep import Sweep, SweepOverFolds
    >>> from engine.tau_choice import judge_candidate
    >>> swept = SweepOverFolds("gain", 10, [Sweep(np.array([0.9, 0.8, 0.7]), np.array([0, 2]))])
    >>> limits = Limits(max_error_points=0.15, max_risk=0.2)
    >>> choice = judge_candidate(Candidate(swept, swept), limits)
    >>> [(r.limit, r.needed, r.outcome.tau) for r in smallest_relaxations([choice], limits)]
    [('max_error_points', 0.2, 0), ('max_risk', 0.5, 1)]
    """
    smallest: dict[str, tuple[tuple[float, ...], Relaxation]] = {}
    for position, choice in enumerate(choices):
        for relaxation in _relaxations_of(choice):
            rank = (relaxation.change, *preference(relaxation.outcome, limits, position))
            if relaxation.limit not in smallest or rank < smallest[relaxation.limit][0]:
                smallest[relaxation.limit] = (rank, relaxation)
    return tuple(smallest[name][1] for name in (*LIMITS, PROTECTS_SOMEBODY) if name in smallest)


def _relaxations_of(choice: TauChoice) -> list[Relaxation]:
    relaxations = (_relaxation_of(choice, name) for name in choice.met)
    return [relaxation for relaxation in relaxations if relaxation is not None]


def _relaxation_of(choice: TauChoice, name: str) -> Relaxation | None:
    """Return the smallest relaxation of one limit within a strategy and k; None if there is none.

    Among equally small ones it is that of the tau that is best by the criterion, and then of the
    lowest tau.
    """
    candidate, limits = choice.candidate, choice.limits
    taus = np.flatnonzero(choice.only_breaks(name))
    stated = limits.stated.get(name)
    if stated is None:
        needed = np.zeros(taus.size)
    else:
        needed = candidate.rounded(LIMITS[name].quantity, limits.baseline)[taus]
        # No limit can reach a value that is undefined or infinite.
        taus, needed = taus[np.isfinite(needed)], needed[np.isfinite(needed)]
    if not taus.size:
        return None
    change = comparable(np.abs(needed - (stated or 0.0)))
    criterion = candidate.rounded(limits.criterion_metric)[taus]
    place = int(np.lexsort((taus, criterion, change))[0])
    outcome = candidate.outcome(int(taus[place]), limits.baseline)
    return Relaxation(name, stated, None if stated is None else float(needed[place]), outcome)
