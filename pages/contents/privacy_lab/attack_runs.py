"""The attack in the background: what is tried, and what of it has finished.

It has a worker of its own, so that it need not wait for the numbers of the other pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final
from weakref import ReferenceType

from engine.attack import AttackPlan, Probes, attack
from engine.experiment import Experiment
from pages.parts.looks import name_of
from pages.parts.runs.runs_of_ratings import Kind, begin_run, runs_of
from pages.parts.runs.worker import Run, Runs

#: How often the adversary puts each query.
ASKS: Final = 10
#: Attacked beside the chosen one.
COMPARED: Final = ("userknn", "expect", "gain")


@dataclass(frozen=True)
class Trial:
    """One attack: against which strategy, with how many fake accounts, on which answers."""

    strategy: str
    accounts: int
    memoised: bool


@dataclass(frozen=True)
class Campaign:
    """All attacks that the page shows together: on one fold, with one share of known ratings."""

    strategies: tuple[str, ...]
    chosen: str
    k: int
    fold: int
    knowledge: float
    victims: int
    memoised: bool  # how the answers are given that everything else is computed with

    @property
    def fewer_accounts(self) -> tuple[int, ...]:
        """Numbers of fake accounts below the usual k - 1: none, and half of them."""
        return tuple(sorted({0, (self.k - 1) // 2}))

    @property
    def trials(self) -> tuple[Trial, ...]:
        """What is tried: all strategies, then variants of the attack on the chosen one."""
        usual = self.k - 1
        return (
            *(Trial(strategy, usual, self.memoised) for strategy in self.strategies),
            Trial(self.chosen, usual, not self.memoised),
            *(Trial(self.chosen, accounts, self.memoised) for accounts in self.fewer_accounts),
        )


@dataclass(frozen=True, eq=False)
class Attacked:
    """What the attacks that have finished heard."""

    experiment: Experiment
    campaign: Campaign
    probes: Mapping[Trial, Probes] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether all attacks have finished."""
        return set(self.campaign.trials) <= set(self.probes)

    def of(
        self, strategy: str, accounts: int | None = None, memoised: bool | None = None
    ) -> Probes:
        """Return what an attack heard, by default the usual one."""
        return self.probes[
            Trial(
                strategy,
                self.campaign.k - 1 if accounts is None else accounts,
                self.campaign.memoised if memoised is None else memoised,
            )
        ]


def attack_runs() -> Runs[Attacked]:
    """Return the worker for attacks and its runs, one for the server."""
    return runs_of(Kind.ATTACKS)


def begin(of: ReferenceType[Experiment], campaign: Campaign) -> None:
    """Begin the attacks, or go on with them."""
    begin_run(of, Kind.ATTACKS, campaign, partial(Attacked, campaign=campaign), carry_out)


def carry_out(run: Run[Attacked]) -> None:
    """Carry out what is missing. Raises `Cancelled` if the run is to stop."""
    campaign, experiment = run.result.campaign, run.result.experiment
    other = experiment.like_this(memoised=not campaign.memoised)
    trials = campaign.trials
    for number, trial in enumerate(trials):
        if trial in run.result.probes:
            continue
        text = f"Attacking {name_of(trial.strategy)}, {number + 1} of {len(trials)}"
        report = run.part(text, number / len(trials), 1 / len(trials))
        report(0.0)
        probes = attack(
            experiment if trial.memoised == campaign.memoised else other,
            campaign.fold,
            trial.strategy,
            campaign.k,
            AttackPlan(campaign.knowledge, trial.accounts, ASKS, victims=campaign.victims),
            progress=report,
            cancelled=run.stop.is_set,
        )
        run.finished_part(replace(run.result, probes={**run.result.probes, trial: probes}))
