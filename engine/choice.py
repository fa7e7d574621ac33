"""Limits in, decision out: which strategy, k and whole tau meet all limits, and which is best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.candidates import Candidate
from engine.judgement import Judgement
from engine.limits import Limits
from engine.relaxation import Relaxation, smallest_relaxations
from engine.tau_choice import TauChoice, compare_choices, judge_candidate, preference


@dataclass(frozen=True, eq=False)
class Decision:
    """What a set of limits comes to over all strategies and k.

    `choices` has one for each candidate, in their order. `groups` has those that meet the limits,
    best first. The best of what is left leads a group. The group holds all whose criterion does not
    clearly differ from the leader's. `relaxations` is empty where something meets the limits.
    """

    limits: Limits
    choices: tuple[TauChoice, ...]
    groups: tuple[tuple[TauChoice, ...], ...]
    relaxations: tuple[Relaxation, ...]

    @property
    def best(self) -> TauChoice | None:
        """The choice with the lowest criterion; None if none meets the limits.

        Among equal ones it is the one with the lower risk, then the lower error, then the smaller
        k, then the earlier strategy.
        """
        return self.groups[0][0] if self.groups else None

    def best_of_each_strategy(self) -> dict[str, TauChoice | None]:
        """Return by strategy the choice with the lowest criterion; None if none meets the limits.

        >>> from engine.datasets import generate
        >>> from engine.candidates import gather_candidates
        >>> from engine.experiment import Experiment
        >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
        >>> candidates = gather_candidates(experiment, ["userknn", "gain"], [5, 10])
        >>> best = choose_tau(candidates, Limits(max_risk=8)).best_of_each_strategy()
        >>> best["gain"].outcome.privacy_risk <= 8
        True
        """
        best: dict[str, TauChoice | None] = {}
        for choice in self.choices:
            strategy, outcome = choice.candidate.strategy, choice.outcome
            leader = best.setdefault(strategy, None)
            if outcome and (leader is None or self._criterion(choice) < self._criterion(leader)):
                best[strategy] = choice
        return best

    def _criterion(self, choice: TauChoice) -> float:
        return float(getattr(choice.outcome, self.limits.criterion_metric))


def choose_tau(candidates: Sequence[Candidate], limits: Limits) -> Decision:
    """Return what the limits leave of each candidate, and the best choice or what would allow one.

    Every whole tau from 0 to the largest usage in any fold is judged, exactly, on means over the
    folds. Values are compared to nine decimals.

    Raises `InputError` if a limit needs the top lists and a candidate lacks them.

    >>> from engine.datasets import generate
    >>> from engine.candidates import gather_candidates
    >>> from engine.experiment import Experiment
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> candidates = gather_candidates(experiment, ["userknn", "gain"], [5, 10])
    >>> best = choose_tau(candidates, Limits(max_risk=8)).best
    >>> best.outcome.privacy_risk <= 8, best.candidate.sweep.mean("privacy_risk")[best.tau + 1] > 8
    (True, np.True_)
    """
    choices = tuple(judge_candidate(candidate, limits) for candidate in candidates)
    meeting = [
        (preference(choice.outcome, limits, position), choice)
        for position, choice in enumerate(choices)
        if choice.outcome is not None
    ]
    ordered = [choice for _, choice in sorted(meeting, key=lambda pair: pair[0])]
    relaxations = () if meeting else smallest_relaxations(choices, limits)
    return Decision(limits, choices, _groups(ordered, limits.criterion_metric), relaxations)


def _groups(ordered: Sequence[TauChoice], metric: str) -> tuple[tuple[TauChoice, ...], ...]:
    """Divide choices, the best first, into a leader and those not clearly worse, and so on."""
    alike = (Judgement.NO_DIFFERENCE, Judgement.WITHIN_NOISE)
    groups: list[tuple[TauChoice, ...]] = []
    left = list(ordered)
    while left:
        leader = left[0]
        is_alike = [compare_choices(leader, other, metric).judgement in alike for other in left]
        groups.append(tuple(c for c, same in zip(left, is_alike, strict=True) if same))
        left = [c for c, same in zip(left, is_alike, strict=True) if not same]
    return tuple(groups)
