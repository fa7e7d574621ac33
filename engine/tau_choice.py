"""What limits leave of one strategy and k: the whole taus that meet them, the best, what binds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.candidates import Candidate, TauOutcome, comparable
from engine.judgement import Difference, Judgement, are_clear, judge
from engine.limits import PROTECTS_SOMEBODY, Limits
from engine.stretches import stretches_of


@dataclass(frozen=True, eq=False)
class TauChoice:
    """What the limits leave of one strategy and k, judged at every whole tau on its own.

    The error is not monotone in tau, so what meets the limits is a mask and not an interval.
    """

    candidate: Candidate
    limits: Limits
    met: dict[str, np.ndarray]  # by limit: (largest + 1,) bool, whether it holds at tau = 0, 1, ...

    @cached_property
    def unmet(self) -> np.ndarray:
        """(largest + 1,) int64: how many limits each tau breaks."""
        broken = [~met for met in self.met.values()]
        return np.sum(broken, axis=0) if broken else np.zeros(self.candidate.largest + 1, np.int64)

    @property
    def meets(self) -> np.ndarray:
        """(largest + 1,) bool: which whole taus meet all limits."""
        return self.unmet == 0

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The whole taus that meet all limits, as stretches without a gap: (first, last) of each.

        >>> from engine.sweep import Sweep, SweepOverFolds
        >>> errors = np.array([0.9, 0.8, 0.81, 0.8, 0.7])
        >>> swept = SweepOverFolds("gain", 10, [Sweep(errors, np.array([0, 4]))])
        >>> choice = judge_candidate(Candidate(swept, swept), Limits(max_error_points=0.1))
        >>> choice.ranges, choice.tau_low, choice.tau_high
        ([(1, 1), (3, 3)], 1, 3)
        """
        return stretches_of(self.meets)

    @property
    def tau_low(self) -> int | None:
        """The lowest whole tau that meets all limits; None if none does."""
        return self.ranges[0][0] if self.meets.any() else None

    @property
    def tau_high(self) -> int | None:
        """The highest whole tau that meets all limits; None if none does."""
        return self.ranges[-1][1] if self.meets.any() else None

    @cached_property
    def tau(self) -> int | None:
        """The whole tau that is best by the criterion, of equal ones the lowest; None if none is.

        The lowest of equal ones protects most.
        """
        taus = np.flatnonzero(self.meets)
        if not taus.size:
            return None
        values = self.candidate.rounded(self.limits.criterion_metric)
        return int(taus[np.argmin(values[taus])])

    @cached_property
    def outcome(self) -> TauOutcome | None:
        """What the best tau comes to; None if none meets the limits."""
        return None if self.tau is None else self.candidate.outcome(self.tau, self.limits.baseline)

    @cached_property
    def in_folds(self) -> dict[str, np.ndarray]:
        """What the best tau comes to in each fold, to nine decimals: (n_folds,) float64 by metric.

        The metrics are those of `SWEPT`; empty if no tau meets the limits.
        """
        if self.tau is None:
            return {}
        return {
            name: comparable(folds) for name, folds in self.candidate.in_folds(self.tau).items()
        }

    @property
    def binds(self) -> tuple[str, ...]:
        """The names of the limits that end the range: those broken just below and just above it.

        Where no tau meets all limits, it is those that are the only one broken at some tau. If
        there are none, it is those that no tau meets. If there are none of these either, it is all
        that some tau breaks.
        """
        low, high = self.tau_low, self.tau_high
        if low is not None and high is not None:
            outside = [tau for tau in (low - 1, high + 1) if 0 <= tau <= self.candidate.largest]
            return tuple(name for name, met in self.met.items() if not met[outside].all())
        alone = tuple(name for name in self.met if self.only_breaks(name).any())
        nowhere = tuple(name for name, met in self.met.items() if not met.any())
        return alone or nowhere or tuple(name for name, met in self.met.items() if not met.all())

    def broken_at(self, tau: int) -> tuple[str, ...]:
        """Return the names of the limits that a whole tau breaks."""
        place = min(tau, self.candidate.largest)
        return tuple(name for name, met in self.met.items() if not met[place])

    def flat_stretch(self, metric: str, tau: int) -> tuple[int, int] | None:
        """Return the stretch of whole taus about one in which a metric of `SWEPT` is flat.

        Flat means: at each tau of the stretch the difference to the given one is not clear (see
        `engine.judgement`). One fold has no noise to compare with: None.

        >>> from engine.sweep import Sweep, SweepOverFolds
        >>> usage = np.array([0, 4])
        >>> swept = SweepOverFolds("gain", 10, [
        ...     Sweep(np.array([0.9, 0.8, 0.80, 0.79, 0.7]), usage),
        ...     Sweep(np.array([0.9, 0.8, 0.79, 0.80, 0.7]), usage)])
        >>> choice = judge_candidate(Candidate(swept, swept), Limits())
        >>> choice.flat_stretch("mae", 2), choice.flat_stretch("mae", 0)
        ((1, 3), (0, 0))
        """
        values = comparable(self.candidate.sweep.in_folds(metric))
        if values.shape[0] < 2:
            return None
        place = min(tau, self.candidate.largest)
        clear = np.flatnonzero(are_clear(values - values[:, [place]]))
        position = int(np.searchsorted(clear, place))
        first = int(clear[position - 1]) + 1 if position else 0
        last = int(clear[position]) - 1 if position < clear.size else self.candidate.largest
        return first, last

    def only_breaks(self, name: str) -> np.ndarray:
        """Return at which taus this limit is broken and no other: (largest + 1,) bool."""
        return ~self.met[name] & (self.unmet == 1)


def judge_candidate(candidate: Candidate, limits: Limits) -> TauChoice:
    """Return what the limits leave of a strategy and k.

    Raises `InputError` if a limit needs the top lists and the candidate lacks them.

    >>> from engine.sweep import Sweep, SweepOverFolds
    >>> swept = SweepOverFolds("gain", 10, [Sweep(np.array([0.9, 0.8, 0.7]), np.array([0, 2]))])
    >>> choice = judge_candidate(Candidate(swept, swept), Limits(max_risk=0.5))
    >>> choice.tau, choice.binds, choice.broken_at(2)
    (1, ('max_risk', 'allow_unprotected'), ('max_risk', 'allow_unprotected'))
    """
    met = {
        name: candidate.met(name, value, limits.baseline) for name, value in limits.stated.items()
    }
    if not limits.allow_unprotected:
        met[PROTECTS_SOMEBODY] = candidate.protects_somebody
    return TauChoice(candidate, limits, met)


def compare_choices(first: TauChoice, second: TauChoice, metric: str) -> Difference:
    """Return how two choices differ in a metric of `SWEPT`, judged over the folds.

    Where one of them has no tau that meets the limits the difference is undefined.

    >>> from engine.sweep import Sweep, SweepOverFolds
    >>> usage = np.array([0, 1])
    >>> def over_folds(name, errors):
    ...     return SweepOverFolds(name, 10, [Sweep(np.array([e, e]), usage) for e in errors])
    >>> userknn, gain = over_folds("userknn", [0.8, 0.9]), over_folds("gain", [0.7, 0.8])
    >>> choices = [judge_candidate(Candidate(own, userknn), Limits()) for own in (userknn, gain)]
    >>> compare_choices(*choices, "mae").judgement
    <Judgement.CLEAR: 'clear'>
    """
    if first.outcome is None or second.outcome is None:
        return Difference(metric, np.nan, np.nan, Judgement.UNDEFINED)
    values = getattr(first.outcome, metric), getattr(second.outcome, metric)
    return Difference(metric, *values, judge(first.in_folds[metric], second.in_folds[metric]))


def come_to_the_same(first: TauChoice, second: TauChoice) -> bool:
    """Return whether two choices are equal in every metric of `SWEPT` in every fold."""
    return bool(first.in_folds and second.in_folds) and all(
        np.array_equal(folds, second.in_folds[metric], equal_nan=True)
        for metric, folds in first.in_folds.items()
    )


def preference(outcome: TauOutcome, limits: Limits, position: int) -> tuple[float, ...]:
    """Return what choices are ordered by, the best first.

    The criterion, then the risk, then the error, to nine decimals; then k, and the position in the
    order in which the candidates were given.
    """
    values = (getattr(outcome, limits.criterion_metric), outcome.privacy_risk, outcome.mae)
    return (*(float(comparable(value)) for value in values), outcome.k, position)
