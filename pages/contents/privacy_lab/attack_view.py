"""The tab on the adversary: what is attacked, the run, and the sections of what came out."""

from __future__ import annotations

from typing import Final
from weakref import ref

import streamlit as st

from engine.strategies import STRATEGIES
from pages.contents.privacy_lab.attack_figures import (
    attack_taus,
    make_attack_figure,
    make_over_tau_figure,
    over_tau_table,
    over_tau_title,
)
from pages.contents.privacy_lab.attack_runs import COMPARED, Attacked, Campaign, attack_runs, begin
from pages.contents.privacy_lab.attack_words import (
    asks_sentence,
    asks_table,
    attack_points,
    attack_title,
    measure,
    measured_table,
    provider_sentence,
    provider_table,
    short_table,
)
from pages.parts.drawing.page import draw_sections
from pages.parts.looks import name_of
from pages.parts.runs.on_demand import draw_stopped
from pages.parts.runs.progress import watch
from pages.parts.runs.runs_of_ratings import run_key
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import PERCENT, counted, exactly, listed, percent

_KNOWLEDGE: Final = (0.2, 0.5, 0.8)
_VICTIMS: Final = (50, 100, 200, 400)
_INTRODUCTION: Final = """\
Somebody knows a part of a person's ratings and wants to know the others. The adversary

1. makes an account with the known ratings, so that the person becomes a neighbor,
2. makes fake accounts with the same ratings, which rate the wanted movie or item with a value that
   the adversary chooses, so that they become the other neighbors,
3. asks for a prediction, and subtracts what is known from it. The rest is the person's rating.
"""
_LIMITS: Final = (
    "The adversary is the paper's (section 3.1), with the fake accounts of Calandrino et al. "
    "(2011). It attacks users drawn at random among those with at least as many ratings as the "
    "median user, asks for at most 10 ratings of each, and does not know who has been used how "
    f"often. The intervals hold with 95{PERCENT} confidence and allow for the ratings of one "
    "victim being alike. Guessing means the most common rating of the item. A cleverer adversary "
    "may recover more: these figures are no upper bound."
)


def draw_attack(screen: Screen) -> None:
    """Draw what the attack is, the button that begins it, and what came out."""
    st.markdown(_INTRODUCTION)
    if STRATEGIES[screen.strategy].needs_embeddings:
        st.info(
            f"The attack is not made for {name_of(screen.strategy)}: with the new accounts all "
            "vectors would have to be learned anew. Choose another strategy in the sidebar."
        )
        return
    # Streamlit forgets what was chosen while another page is open, and a run may go on meanwhile.
    chosen = st.session_state.get("lab_chosen", (0.5, 100))
    with st.container(horizontal=True):
        knowledge = st.segmented_control(
            "Ratings that the adversary knows",
            _KNOWLEDGE,
            default=chosen[0],
            required=True,
            format_func=percent,
            key="lab_knowledge",
        )
        victims = st.segmented_control(
            "Victims", _VICTIMS, default=chosen[1], required=True, key="lab_victims"
        )
    st.session_state.lab_chosen = knowledge, victims = knowledge or chosen[0], victims or chosen[1]
    experiment = screen.experiment
    campaign = Campaign(
        strategies=tuple(s for s in screen.strategies if s in (*COMPARED, screen.strategy)),
        chosen=screen.strategy,
        k=screen.k,
        fold=screen.folds[0],
        knowledge=float(knowledge),
        victims=int(victims),
        memoised=experiment.mechanism.memoised,
    )
    run = attack_runs().known(run_key(experiment, campaign))
    if run is None or run.state in ("cancelled", "failed"):
        _draw_offer(screen, campaign, run)
    elif run.active:
        watch(run, run.version, "lab_cancel")
    if run is not None and run.result.complete:
        draw_sections(attack_sections(screen, run.result), screen)


def _draw_offer(screen: Screen, campaign: Campaign, run: Run[Attacked] | None) -> None:
    if run is not None:
        draw_stopped(run)
    names = listed([name_of(strategy) for strategy in campaign.strategies])
    st.button(
        "Run the attack",
        key="lab_attack",
        type="primary",
        on_click=begin,
        args=(ref(screen.experiment), campaign),
    )
    st.caption(
        f"It attacks {counted(campaign.victims, 'user')} of {screen.title} under {names}, at "
        f"k = {campaign.k}. It goes on in the background and can be canceled."
    )


def attack_sections(screen: Screen, attacked: Attacked) -> list[Section]:
    """Return what the adversary recovers, and what changes it."""
    campaign, tau = attacked.campaign, screen.tau
    measured = measure(attacked, tau)
    taus = attack_taus(attacked)
    over_tau = {s: attacked.of(s).recovered_over_tau(taus) for s in campaign.strategies}
    name = name_of(campaign.chosen)
    settings = (
        f"{screen.title}, fold {campaign.fold + 1}, k = {campaign.k}, "
        f"{counted(len(set(attacked.of(campaign.chosen).victim)), 'victim')}; the adversary knows "
        f"{percent(campaign.knowledge)} of the victim's ratings and has "
        f"{counted(campaign.k - 1, 'fake account')}."
    )
    return [
        Section(
            heading="What the adversary recovers",
            points=attack_points(attacked, measured, tau),
            exhibits=[
                Exhibit(
                    name="attack",
                    alt="Share of the asked ratings that are recovered, by strategy and "
                    "protection, with 95 % intervals, beside guessing",
                    title=attack_title(measured),
                    table=measured_table(measured),
                    figure=make_attack_figure(measured, campaign.chosen),
                    caption=f"{settings} With DP: τ = {exactly(tau)}. Each rating is asked for "
                    "once.",
                ),
                Exhibit(
                    name="attack-summary",
                    alt="What is recovered and guessed, with 95 % intervals",
                    table=measured_table(measured),
                    rows=short_table(measured),
                    folded="All shares with their intervals",
                ),
            ],
        ),
        Section(
            heading="What a lower τ changes",
            exhibits=[
                Exhibit(
                    name="attack-over-tau",
                    alt="Share of the asked ratings recovered over τ, a line for each strategy",
                    title=over_tau_title(over_tau, taus, campaign.chosen),
                    table=over_tau_table(over_tau, taus),
                    figure=make_over_tau_figure(over_tau, taus, campaign.chosen),
                    caption="Vulnerable users are protected after their first τ uses. The uses by "
                    f"everybody's queries come before those by the adversary. Bands: 95{PERCENT} "
                    "intervals.",
                )
            ],
        ),
        Section(
            heading="What asking again brings",
            finding=[asks_sentence(attacked)],
            exhibits=[
                Exhibit(
                    name="attack-asks",
                    alt="What is recovered with more asks, fresh and memoised answers",
                    title=f"Recovered with {name}, everybody protected from the first use",
                    table=asks_table(attacked),
                )
            ],
        ),
        Section(
            heading="What a provider can do",
            finding=[provider_sentence(attacked)],
            exhibits=[
                Exhibit(
                    name="attack-accounts",
                    alt="What is recovered with fewer fake accounts",
                    title=f"Recovered with {name}",
                    table=provider_table(attacked, tau),
                )
            ],
            caption=_LIMITS,
        ),
    ]
