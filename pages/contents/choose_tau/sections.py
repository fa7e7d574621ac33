"""The sections of the page Choose tau."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import pandas as pd

from engine.candidates import TauOutcome
from engine.choice import Decision
from engine.noise_band import NoiseBand
from engine.noise_floor import NoiseShare, noise_share
from engine.tau_choice import TauChoice
from pages.contents.choose_tau.decisions import (
    candidates_of,
    current_choice,
    current_outcome,
    decision_of,
)
from pages.contents.choose_tau.figures import (
    VIEWS,
    make_views_figure,
)
from pages.contents.choose_tau.floor_figure import make_floor_figure
from pages.contents.choose_tau.rules import rules_compared_section
from pages.contents.choose_tau.words import (
    best_choice_sentences,
    binds_words,
    current_sentence,
    floor_sentence,
    floor_title,
    limits_verdict_sentence,
    range_words,
    views_finding,
)
from pages.parts.formulas import FORMULAS
from pages.parts.looks import name_of
from pages.parts.runs.take_setting import take_setting, take_tau
from pages.parts.screen import Screen
from pages.parts.sections import Column, Exhibit, Section
from pages.parts.wording import percent, rate_sentence

QUESTION: Final = "Which τ keeps to your limits, what does it cost, and what would you choose?"

_CHOICE_COLUMNS: Final = {
    "strategy": Column(width=125),
    "k": Column(width=40),
    "τ within the limits": Column(width=150),
    "best τ": Column(width=70),
    "error, %": Column("%+.1f %%", width=80, help="Compared with the baseline"),
    "vulnerable, %": Column("%.1f %%", width=90),
    "real uses per user": Column("%.1f", width=110),
    "noisy uses, %": Column("%.1f %%", width=95),
    "what ends the range": Column(width=190),
}


def answer_section(screen: Screen, decision: Decision) -> Section:
    """Return what the settings come to, and what is best within the limits."""
    now = current_outcome(screen, decision)
    verdict = limits_verdict_sentence(current_choice(screen, decision), int(screen.tau))
    return Section(
        finding=[
            f"{current_sentence(now, decision.limits.baseline)} {verdict}",
            *best_choice_sentences(decision),
        ]
    )


def views_section(screen: Screen, decision: Decision, band: NoiseBand | None) -> Section:
    """Return the three views over tau."""
    choice = current_choice(screen, decision)
    limits = decision.limits
    candidates = candidates_of(screen, limits)
    sweep = choice.candidate.sweep
    table = pd.DataFrame({"tau": sweep.taus, **{name: sweep.mean(name) for name in VIEWS}})
    name = name_of(screen.strategy)
    shaded = " Shaded: where your limits hold. Dotted: the limits." if limits.stated else ""
    return Section(
        exhibits=[
            Exhibit(
                name="tau-views",
                alt="Vulnerable users, error and mean privacy risk over the threshold",
                title=f"{name}, k = {screen.k}: {views_finding(sweep)}",
                table=table,
                figure=make_views_figure(candidates, choice, screen.tau, band),
                on_pick=take_tau,
            )
        ],
        caption=f"{screen.title}, {screen.folds_phrase}. Strong: {name}, with a band from the "
        f"lowest to the highest fold; faint: the other strategies at k = {screen.k}.{shaded}",
        hint="Click a point to set τ there. Without a mouse, move the slider of τ in the sidebar.",
    )


def choices_section(screen: Screen, decision: Decision) -> Section:
    """Return what the limits leave of every strategy and k."""
    table = pd.DataFrame([_choice_row(choice) for choice in decision.choices])
    best = [choice for choice in decision.choices if choice.tau is not None]

    def pick(row: int) -> None:
        choice = decision.choices[row]
        if choice.tau is not None:
            take_setting(choice.candidate.strategy, choice.candidate.k, int(choice.tau))

    return Section(
        heading="Every strategy and k",
        finding=[
            f"{len(best)} of {len(decision.choices)} combinations of strategy and k have a τ that "
            "keeps to the limits."
        ],
        exhibits=[
            Exhibit(
                name="tau-choices",
                alt="For each strategy and k the thresholds within the limits and what they cost",
                table=table,
                columns=_CHOICE_COLUMNS,
                hint="Choose a row to take its best τ.",
                on_pick=pick,
            )
        ],
    )


def _choice_row(choice: TauChoice) -> dict[str, Any]:
    outcome: TauOutcome | None = choice.outcome
    return {
        "strategy": name_of(choice.candidate.strategy),
        "k": choice.candidate.k,
        "τ within the limits": range_words(choice),
        "best τ": choice.tau,
        "error, %": None if outcome is None else 100 * outcome.error_increase,
        "vulnerable, %": None if outcome is None else 100 * outcome.vulnerable_share,
        "real uses per user": None if outcome is None else outcome.privacy_risk,
        "noisy uses, %": None if outcome is None else 100 * outcome.protected_uses,
        "what ends the range": binds_words(choice.binds),
    }


def noise_shares(screen: Screen) -> list[NoiseShare]:
    """Return where each strategy lies above the floor of noisy uses."""
    tau = int(screen.tau)
    return [noise_share(screen.results.sweep(s, screen.k), tau) for s in screen.strategies]


def floor_section(screen: Screen, decision: Decision) -> Section:
    """Return what no strategy can change."""
    shares = noise_shares(screen)
    outcome = current_outcome(screen, decision)
    return Section(
        heading="What no strategy can change",
        finding=[floor_sentence(shares[0].floor, outcome, _conflict(shares))],
        exhibits=[
            Exhibit(
                name="noise-floor",
                alt="Share of all uses answered with noise under each strategy, with the floor",
                title="Fewer vulnerable people, and each of them used more"
                if _conflict(shares)
                else floor_title(shares),
                table=pd.DataFrame([vars(share) for share in shares]),
                figure=make_floor_figure(shares, screen.strategy),
                formula=FORMULAS["noise_floor"],
            )
        ],
    )


def _conflict(shares: Sequence[NoiseShare]) -> str:
    """Return the conflict between few vulnerable users and few noisy answers, if it is there."""
    few = min(shares, key=lambda share: share.vulnerable_share)
    many = max(shares, key=lambda share: share.vulnerable_share)
    if not few.protected_uses > many.protected_uses:
        return ""
    return (
        f"{name_of(many.strategy)} spreads the uses over many: {percent(many.vulnerable_share)} of "
        f"the users are vulnerable, and {percent(many.protected_uses)} of the uses are noisy. "
        f"{name_of(few.strategy)} concentrates them: {percent(few.vulnerable_share)} are "
        f"vulnerable, but they are used so often that {percent(few.protected_uses)} of the uses "
        "are noisy."
    )


def rate_section(screen: Screen) -> Section:
    """Return what tau is as a rate."""
    queries = screen.experiment.fold(screen.folds[0]).n_queries
    sooner = (
        " A service that counts uses from a fixed day on reaches τ the sooner, the more it is "
        "asked."
        if screen.tau < queries
        else ""
    )
    return Section(heading="Over time", finding=[f"{rate_sentence(screen.tau, queries)}{sooner}"])


def sections_below_views(screen: Screen, decision: Decision) -> list[Section]:
    """Return what follows the views: every choice, the rules, the floor, and tau as a rate."""
    choices = [choices_section(screen, decision)] if decision.limits.stated else []
    return [
        *choices,
        rules_compared_section(screen, decision),
        floor_section(screen, decision),
        rate_section(screen),
    ]


def make_sections(screen: Screen) -> list[Section]:
    """Return all sections, without the band of other coins, which takes some seconds."""
    decision = decision_of(screen, screen.view.limits)
    return [
        answer_section(screen, decision),
        views_section(screen, decision, None),
        *sections_below_views(screen, decision),
    ]


def take_best(decision: Decision) -> partial[None] | None:
    """Return a function that takes over the best choice; None if there is none."""
    best = decision.best
    if best is None or best.tau is None:
        return None
    return partial(take_setting, best.candidate.strategy, best.candidate.k, best.tau)
