"""The sections of the page Data usage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from engine.strategies import STRATEGIES
from pages.contents.data_usage.counts import (
    SCALES,
    Bins,
    UsagePanel,
    cumulative_table,
    load_table,
    side_by_side,
    usage_table,
)
from pages.contents.data_usage.cumulative import make_cumulative_figure
from pages.contents.data_usage.histogram import make_usage_figure
from pages.contents.data_usage.rules import rules_table, suggestions
from pages.contents.data_usage.words import (
    all_title,
    cumulative_title,
    design_sentence,
    load_sentence,
    middle_sentence,
    usage_sentence,
    usage_title,
)
from pages.parts.comparison.sides import make_key_number
from pages.parts.formulas import FORMULAS
from pages.parts.looks import name_of
from pages.parts.measures import PROTECTED, RISK, SECURE, VULNERABLE
from pages.parts.runs.take_setting import take_tau
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import percent, rate_sentence

QUESTION: Final = "How often is whose data used, who is above τ, and who carries the load?"
TAIL_IS_LATE: Final = "The start of the tail is known once the run has finished."
TWO, ALL, CUMULATIVE = VIEWS = ("Two strategies", "All strategies", "Cumulative")


def find_panels(screen: Screen) -> dict[str, UsagePanel]:
    """Return the data usage under every strategy that has results."""
    results, k = screen.results, screen.k
    return {s: UsagePanel(results.usages(s, k), s) for s in screen.strategies}


def exposure_section(screen: Screen, panels: dict[str, UsagePanel]) -> Section:
    """Return how many users are used more than tau times."""
    chosen, other = (panels[strategy] for strategy in screen.compared)
    return Section(
        finding=[f"{usage_sentence(chosen, other, screen.tau)} {middle_sentence(chosen, other)}"],
        key_numbers=[make_key_number(screen, measure) for measure in (VULNERABLE, RISK, SECURE)],
        compared=(VULNERABLE, RISK, SECURE, PROTECTED),
    )


def distribution_section(
    screen: Screen, panels: dict[str, UsagePanel], views: Sequence[str], scale: str
) -> Section:
    """Return how often each user is used, in one view or in several."""
    fold = screen.experiment.fold(screen.folds[0])
    return Section(
        exhibits=[_distribution(screen, panels, view, scale) for view in views],
        caption=f"{screen.title}, k = {screen.k}, {screen.folds_phrase}. "
        + rate_sentence(screen.tau, fold.n_queries),
        hint="Click the figure to set τ there: whoever is used more often is vulnerable. Without a "
        "mouse, move the slider of τ in the sidebar.",
    )


def _distribution(screen: Screen, panels: dict[str, UsagePanel], view: str, scale: str) -> Exhibit:
    chosen, other = (panels[strategy] for strategy in screen.compared)
    tau = screen.tau
    panels_drawn = side_by_side(chosen, other) if view == TWO else list(panels.values())
    bins = Bins.of(scale, panels_drawn)
    figure = partial(make_usage_figure, panels_drawn, bins, tau)
    if view == CUMULATIVE:
        return Exhibit(
            name="data-usage-cumulative",
            alt="The share of users with at most a given usage, a line for each strategy",
            title=cumulative_title(chosen, other, tau),
            table=cumulative_table(panels_drawn, bins, tau),
            figure=make_cumulative_figure(panels_drawn, screen.strategy, bins, tau),
            formula=FORMULAS["data_usage"],
            on_pick=take_tau,
        )
    return Exhibit(
        name="data-usage" if view == TWO else "data-usage-all",
        alt="A histogram for each strategy: users by how often their data is used",
        title=usage_title(chosen, other, tau) if view == TWO else all_title(panels_drawn, tau),
        table=usage_table(panels_drawn, bins, tau),
        figure=figure(rules=suggestions(screen.results, screen.k, screen.strategy, patient=False))
        if view == TWO
        else figure(columns=2),
        formula=FORMULAS["data_usage"],
        on_pick=take_tau,
    )


def suggestions_section(screen: Screen, panels: dict[str, UsagePanel]) -> Section:
    """Return the rules that suggest a tau, and what each would come to."""
    results, k = screen.results, screen.k
    suggested = suggestions(results, k, screen.strategy, patient=False)
    table = rules_table(
        suggested,
        {rule: results.tau_in_folds(rule, k, screen.strategy) for rule in suggested},
        tuple(panels[strategy] for strategy in screen.compared),
    )
    baseline = name_of(STRATEGIES[screen.strategy].baseline)
    alt = "The rules that suggest τ, and how many users would be vulnerable"
    return Section(
        heading="Rules that suggest τ",
        exhibits=[Exhibit(name="tau-rules", alt=alt, table=table)],
        caption=f"All rules look at {baseline}'s data usage at this k. Here τ is the mean over the "
        "folds, the same in each; the command line takes each fold's own. To take one, choose it "
        "in the sidebar under “Suggestions for τ”."
        + ("" if "tail" in suggested else f" {TAIL_IS_LATE}"),
    )


def load_section(screen: Screen, panels: dict[str, UsagePanel]) -> Section:
    """Return who carries the load: the share of all uses that falls on the most used users."""
    chosen, other = (panels[strategy] for strategy in screen.compared)
    table = load_table(list(panels.values()))
    exhibit = Exhibit(
        name="data-usage-load",
        alt="Share of all uses that falls on the users who are used most, by strategy",
        table=table,
        rows=table.set_index("strategy").map(percent).reset_index(),
        formula=FORMULAS["load"],
    )
    return Section(
        heading="Who carries the load",
        finding=[f"{load_sentence(chosen, other)} {design_sentence(panels, screen.tau)}"],
        exhibits=[exhibit],
    )


def sections_of_view(
    screen: Screen, panels: dict[str, UsagePanel], views: Sequence[str], scale: str
) -> list[Section]:
    """Return what follows the choice of a view: the distribution, the rules, and the load."""
    return [
        distribution_section(screen, panels, views, scale),
        suggestions_section(screen, panels),
        load_section(screen, panels),
    ]


def make_sections(screen: Screen) -> list[Section]:
    """Return all sections, with every view of the distribution."""
    panels = find_panels(screen)
    return [
        exposure_section(screen, panels),
        *sections_of_view(screen, panels, VIEWS, SCALES[0]),
    ]
