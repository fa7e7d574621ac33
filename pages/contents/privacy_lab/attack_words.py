"""What the attacks came to, in words. Each sentence follows from the measured shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np
import pandas as pd

from engine.attack import AttackOutcome
from engine.intervals import Share
from engine.privacy import PROTECTIONS
from pages.contents.privacy_lab.attack_runs import ASKS, Attacked
from pages.parts.looks import PROTECTION_LOOKS, name_of, named
from pages.parts.wording import counted, exactly, listed, percent, tau_in_words

#: Numbers of asks that the page compares.
ASKS_SHOWN: Final = (1, 2, 5, ASKS)


#: What one ask comes to, by strategy and protection.
MeasuredAttacks: TypeAlias = Mapping[tuple[str, str], AttackOutcome]


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
    if share.clearly_above(other):
        return "clearly more than"
    return "clearly less than" if other.clearly_above(share) else "not clearly different from"


def measure(attacked: Attacked, tau: float) -> MeasuredAttacks:
    """Return what one ask comes to under each strategy and protection."""
    return {
        (strategy, protection): attacked.of(strategy).outcome(protection, tau, repeats=1)
        for strategy in attacked.campaign.strategies
        for protection in PROTECTIONS
    }


def attack_title(measured: MeasuredAttacks) -> str:
    """Return what the adversary recovers without protection, from the most to the least."""
    bare = [(s, o.everybody) for (s, protection), o in measured.items() if protection == "none"]
    bare.sort(key=lambda case: -case[1].exact.value)
    recovered = [f"{percent(all_.exact.value)} with {name_of(strategy)}" for strategy, all_ in bare]
    return (
        f"Without protection the adversary recovers {listed(recovered)}; guessing gets "
        f"{percent(bare[0][1].baseline.value)}"
    )


def attack_points(attacked: Attacked, measured: MeasuredAttacks, tau: float) -> list[str]:
    """Return what protection does against the attack on the chosen strategy."""
    strategy = attacked.campaign.chosen
    name = name_of(strategy)
    bare, protected, full = (measured[strategy, protection].everybody for protection in PROTECTIONS)
    return [
        f"**τ = {exactly(tau)}, vulnerable users protected:** the adversary recovers "
        f"{with_interval(protected.exact)} with {name}. That is "
        f"{judged(protected.exact, bare.exact)} without protection, {with_interval(bare.exact)}.",
        _groups_point(measured[strategy, "vulnerable"], tau),
        f"**Everybody protected from the first use:** {with_interval(full.exact)}. That is "
        f"{judged(full.exact, full.baseline)} guessing, {with_interval(full.baseline)}.",
    ]


def _groups_point(outcome: AttackOutcome, tau: float) -> str:
    secure, vulnerable = outcome.secure, outcome.vulnerable
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


def measured_table(measured: MeasuredAttacks) -> pd.DataFrame:
    """Return all numbers: a row for each strategy, protection and group of victims."""
    return pd.DataFrame(
        [
            {
                "strategy": name_of(strategy),
                "protection": protection,
                "victims": group.victims,
                "group": name,
                "ratings asked": group.probes,
                **_with_ends("recovered", group.exact),
                **_with_ends("guessed", group.baseline),
                **_with_ends("within one step", group.within_one_step),
                "guessed within one step": group.baseline_within_one_step.value,
                "victim among neighbors": group.among_neighbors.value,
            }
            for (strategy, protection), outcome in measured.items()
            for name, group in outcome.groups.items()
        ]
    )


def _with_ends(name: str, share: Share) -> dict[str, float]:
    return {name: share.value, f"{name}, low": share.low, f"{name}, high": share.high}


def short_table(measured: MeasuredAttacks) -> pd.DataFrame:
    """Return the table to read: all victims, with intervals."""
    return pd.DataFrame(
        [
            {
                "setting": named(strategy, protection),
                "recovered exactly": with_interval(outcome.everybody.exact),
                "guessed": with_interval(outcome.everybody.baseline),
                "within one step": with_interval(outcome.everybody.within_one_step),
                "guessed within one step": with_interval(
                    outcome.everybody.baseline_within_one_step
                ),
                "victim among neighbors": with_interval(outcome.everybody.among_neighbors),
            }
            for (strategy, protection), outcome in measured.items()
        ]
    )


def _recovered(attacked: Attacked, memoised: bool, asks: int) -> Share:
    """Return what some asks recover with the chosen strategy when every use is protected."""
    probes = attacked.of(attacked.campaign.chosen, memoised=memoised)
    return probes.outcome("full", 0, repeats=asks).everybody.exact


def asks_table(attacked: Attacked) -> pd.DataFrame:
    """Return what asking again brings when every use is protected: fresh and memoised answers."""
    return pd.DataFrame(
        [
            {
                "asks for each rating": str(asks),
                "fresh answers": with_interval(_recovered(attacked, False, asks)),
                "memoised answers": with_interval(_recovered(attacked, True, asks)),
            }
            for asks in ASKS_SHOWN
        ]
    )


def asks_sentence(attacked: Attacked) -> str:
    """Return whether asking again helps the adversary, with fresh and with memoised answers."""
    once, often = (_recovered(attacked, False, asks) for asks in (1, ASKS))
    memoised_once, memoised_often = (_recovered(attacked, True, asks) for asks in (1, ASKS))
    memoised = (
        "Memoised answers make it useless: the adversary recovers as much as with one ask, "
        f"{with_interval(memoised_often)}."
        if memoised_once.value == memoised_often.value
        else f"With memoised answers it comes to {with_interval(memoised_often)}."
    )
    return (
        f"Fresh answers can be asked for again. When every use is protected, {ASKS} asks recover "
        f"{with_interval(often)} with {name_of(attacked.campaign.chosen)}. That is "
        f"{judged(often, once)} one ask, {with_interval(once)}. {memoised}"
    )


def provider_table(attacked: Attacked, tau: float) -> pd.DataFrame:
    """Return what fewer fake accounts achieve against the chosen strategy."""
    campaign = attacked.campaign
    rows = []
    for accounts in (*campaign.fewer_accounts, campaign.k - 1):
        probes = attacked.of(campaign.chosen, accounts)
        row = {
            "fake accounts": str(accounts),
            "real neighbors required": str(campaign.k - accounts),
        }
        for protection, look in PROTECTION_LOOKS.items():
            exact = probes.outcome(protection, tau, 1).everybody.exact
            row[look.words] = with_interval(exact)
        rows.append(row)
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
