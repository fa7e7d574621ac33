"""What the attacks came to, in words. Each sentence follows from the measured shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from engine.attack import GroupOutcome
from engine.intervals import Share
from engine.privacy import PROTECTIONS
from pages.parts.lab.attack_runs import ASKS, Attacked
from pages.parts.looks import name_of, named
from pages.parts.wording import counted, exactly, listed, percent, tau_in_words

#: Numbers of asks that the page compares.
ASKS_SHOWN: Final = (1, 2, 5, ASKS)


@dataclass(frozen=True)
class Measured:
    """What an attack comes to for one group of victims under one protection."""

    strategy: str
    protection: str
    group: str  # all, secure or vulnerable
    outcome: GroupOutcome


def with_interval(share: Share) -> str:
    r"""Return a share with its 95 % interval.

    >>> with_interval(Share(0.877, 0.846, 0.904)), with_interval(Share(np.nan, np.nan, np.nan))
    ('88\xa0% (85 to 90)', 'n/a')
    """
    if np.isnan(share.value):
        return "n/a"
    return f"{percent(share.value)} ({100 * share.low:.0f} to {100 * share.high:.0f})"


def judged(share: Share, other: Share) -> str:
    """Return how a share compares with another one; "clearly" only if the intervals are apart.

    >>> judged(Share(0.9, 0.8, 0.95), Share(0.5, 0.4, 0.6))
    'clearly more than'
    >>> judged(Share(0.5, 0.4, 0.6), Share(0.55, 0.45, 0.65))
    'not clearly different from'
    """
    if share.low > other.high:
        return "clearly more than"
    return "clearly less than" if share.high < other.low else "not clearly different from"


def measure(attacked: Attacked, tau: float) -> list[Measured]:
    """Return what one ask comes to: for each strategy, protection and group of victims."""
    measured = []
    for strategy in attacked.campaign.strategies:
        for protection in PROTECTIONS:
            outcome = attacked.of(strategy).outcome(protection, tau, repeats=1)
            for group, of_group in (
                ("all", outcome.everybody),
                ("secure", outcome.secure),
                ("vulnerable", outcome.vulnerable),
            ):
                measured.append(Measured(strategy, protection, group, of_group))
    return measured


def find_measured(
    measured: Sequence[Measured], strategy: str, protection: str, group: str = "all"
) -> GroupOutcome:
    """Return the outcome for a strategy, a protection and a group."""
    return next(
        m.outcome
        for m in measured
        if (m.strategy, m.protection, m.group) == (strategy, protection, group)
    )


def attack_title(measured: Sequence[Measured]) -> str:
    """Return what the adversary recovers without protection, from the most to the least."""
    bare = [m for m in measured if (m.protection, m.group) == ("none", "all")]
    bare.sort(key=lambda m: -m.outcome.exact.value)
    recovered = listed(
        [f"{percent(m.outcome.exact.value)} with {name_of(m.strategy)}" for m in bare]
    )
    guess = percent(bare[0].outcome.baseline.value)
    return f"Without protection the adversary recovers {recovered}; guessing gets {guess}"


def attack_points(attacked: Attacked, measured: Sequence[Measured], tau: float) -> list[str]:
    """Return what protection does against the attack on the chosen strategy."""
    strategy = attacked.campaign.chosen
    name = name_of(strategy)
    bare = find_measured(measured, strategy, "none")
    protected = find_measured(measured, strategy, "vulnerable")
    full = find_measured(measured, strategy, "full")
    points = [
        f"**τ = {exactly(tau)}, vulnerable users protected:** the adversary recovers "
        f"{with_interval(protected.exact)} with {name}. That is "
        f"{judged(protected.exact, bare.exact)} without protection, {with_interval(bare.exact)}.",
        _groups_point(measured, strategy, tau),
        f"**Everybody protected from the first use:** {with_interval(full.exact)}. That is "
        f"{judged(full.exact, full.baseline)} guessing, {with_interval(full.baseline)}.",
    ]
    return points


def _groups_point(measured: Sequence[Measured], strategy: str, tau: float) -> str:
    secure = find_measured(measured, strategy, "vulnerable", "secure")
    vulnerable = find_measured(measured, strategy, "vulnerable", "vulnerable")
    if not vulnerable.victims and tau < 1:
        return (
            "**Nobody attacked here is used by others.** At τ = 0 also the first answers about "
            "them have noise."
        )
    if not vulnerable.victims:
        return (
            f"**Nobody attacked here is vulnerable:** no victim is used {tau_in_words(tau)}. So "
            "the first answers about each of them are real."
        )
    if not secure.victims:
        return f"**All victims are vulnerable here:** each is used {tau_in_words(tau)}."
    return (
        f"**The secure are not safe:** about the {counted(secure.victims, 'secure victim')} the "
        f"adversary recovers {with_interval(secure.exact)}, about the "
        f"{vulnerable.victims:,} vulnerable {with_interval(vulnerable.exact)}. Answers about a "
        "secure person are real until they are used more than τ times. Answers about a "
        "vulnerable person are all protected by then."
    )


def measured_table(measured: Sequence[Measured]) -> pd.DataFrame:
    """Return all numbers: a row for each strategy, protection and group of victims."""
    return pd.DataFrame(
        [
            {
                "strategy": name_of(m.strategy),
                "protection": m.protection,
                "victims": m.outcome.victims,
                "group": m.group,
                "ratings asked": m.outcome.probes,
                "recovered": m.outcome.exact.value,
                "recovered, low": m.outcome.exact.low,
                "recovered, high": m.outcome.exact.high,
                "guessed": m.outcome.baseline.value,
                "guessed, low": m.outcome.baseline.low,
                "guessed, high": m.outcome.baseline.high,
                "within one step": m.outcome.within_one_step.value,
                "within one step, low": m.outcome.within_one_step.low,
                "within one step, high": m.outcome.within_one_step.high,
                "guessed within one step": m.outcome.baseline_within_one_step.value,
                "victim among neighbors": m.outcome.among_neighbors.value,
            }
            for m in measured
        ]
    )


def short_table(measured: Sequence[Measured]) -> pd.DataFrame:
    """Return the table to read: all victims, with intervals."""
    return pd.DataFrame(
        [
            {
                "setting": named(m.strategy, m.protection),
                "recovered exactly": with_interval(m.outcome.exact),
                "guessed": with_interval(m.outcome.baseline),
                "within one step": with_interval(m.outcome.within_one_step),
                "guessed within one step": with_interval(m.outcome.baseline_within_one_step),
                "victim among neighbors": with_interval(m.outcome.among_neighbors),
            }
            for m in measured
            if m.group == "all"
        ]
    )


def asks_table(attacked: Attacked) -> pd.DataFrame:
    """Return what asking again brings when every use is protected: fresh and memoised answers."""
    strategy = attacked.campaign.chosen

    def recovered(memoised: bool, asks: int) -> str:
        probes = attacked.of(strategy, memoised=memoised)
        return with_interval(probes.outcome("full", 0, repeats=asks).everybody.exact)

    return pd.DataFrame(
        {
            "asks for each rating": [str(asks) for asks in ASKS_SHOWN],
            "fresh answers": [recovered(False, asks) for asks in ASKS_SHOWN],
            "memoised answers": [recovered(True, asks) for asks in ASKS_SHOWN],
        }
    )


def asks_sentence(attacked: Attacked) -> str:
    """Return whether asking again helps the adversary, with fresh and with memoised answers."""
    strategy = attacked.campaign.chosen

    def exact(memoised: bool, asks: int) -> Share:
        probes = attacked.of(strategy, memoised=memoised)
        return probes.outcome("full", 0, repeats=asks).everybody.exact

    once, often = exact(False, 1), exact(False, ASKS)
    kept_once, kept_often = exact(True, 1), exact(True, ASKS)
    kept = (
        "Memoised answers make it useless: the adversary recovers as much as with one ask, "
        f"{with_interval(kept_often)}."
        if kept_once.value == kept_often.value
        else f"With memoised answers it comes to {with_interval(kept_often)}."
    )
    return (
        f"Fresh answers can be asked for again. When every use is protected, {ASKS} asks recover "
        f"{with_interval(often)} with {name_of(strategy)}. That is {judged(often, once)} one ask, "
        f"{with_interval(once)}. {kept}"
    )


def provider_table(attacked: Attacked, tau: float) -> pd.DataFrame:
    """Return what fewer fake accounts achieve against the chosen strategy."""
    campaign = attacked.campaign
    rows = []
    for accounts in (*campaign.fewer_accounts, campaign.k - 1):
        probes = attacked.of(campaign.chosen, accounts)
        rows.append(
            {"fake accounts": str(accounts), "real neighbors required": str(campaign.k - accounts)}
            | {
                heading: with_interval(probes.outcome(protection, tau, 1).everybody.exact)
                for heading, protection in (
                    ("without DP", "none"), ("with DP", "vulnerable"), ("full DP", "full"),
                )
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def provider_sentence(attacked: Attacked) -> str:
    """Return what a provider gains by letting no fake account become a neighbor."""
    campaign = attacked.campaign
    alone = attacked.of(campaign.chosen, 0).outcome("none", 0, 1).everybody
    usual = attacked.of(campaign.chosen).outcome("none", 0, 1).everybody
    return (
        f"A provider can require that some of the {campaign.k} neighbors are older than new "
        "accounts, or limit new accounts. Either leaves the adversary fewer fake neighbors. "
        f"Without any, the adversary recovers {with_interval(alone.exact)} with "
        f"{name_of(campaign.chosen)}, without DP. That is {judged(alone.exact, usual.exact)} with "
        f"{counted(campaign.k - 1, 'fake account')}, {with_interval(usual.exact)}, and "
        f"{judged(alone.exact, alone.baseline)} guessing, {with_interval(alone.baseline)}."
    )
