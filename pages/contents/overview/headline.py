"""The headline of the overview: what happens to people, against today's usual system.

The baseline is UserKNN without protection. A setting that protects nobody is never a success.
"""

from __future__ import annotations

from typing import Final

from engine.judgement import Difference, Judgement, compare
from engine.outcome import Outcome
from engine.usage_distribution import more_used_share
from pages.parts.looks import name_of
from pages.parts.measures import metric_text, outcome_order, real_uses_text, value_text
from pages.parts.screen import Screen
from pages.parts.wording import exactly, percent

BASELINE: Final = "today's usual system, UserKNN without protection"


def headline(screen: Screen) -> list[str]:
    """Return the paragraphs (Markdown) that open the overview."""
    baseline = screen.outcome("userknn", "none")
    return [
        f"{people_sentence(screen, baseline)} {error_sentence(screen.outcome(), baseline)}",
        f"{worse_off_sentence(screen)} {everybody_sentence(screen, baseline)}",
    ]


def people_sentence(screen: Screen, baseline: Outcome) -> str:
    """Return how often people's real ratings are used, and how many of the uses are noisy."""
    chosen, name = screen.outcome(), name_of(screen.strategy)
    noisy = chosen.value("protected_uses")
    real, usual = real_uses_text(chosen), real_uses_text(baseline)
    if screen.protects_nobody:
        reason = (
            f"at τ = {exactly(screen.tau)} no person is used more often"
            if screen.results.largest_usage(screen.k)
            else "no person is used at all"
        )
        return (
            f"**Nobody is protected with {name}**: {reason}. Every use is of the real rating, "
            f"{real} per person on average."
        )
    if noisy == 1:
        return (
            f"With {name} and τ = {exactly(screen.tau)}, **everybody who is used is protected "
            f"from the first use on**: every answer is noisy. With {BASELINE}, a person's real "
            f"ratings are used {usual} on average."
        )
    return (
        f"With {name}, a person's real ratings are used **{real} on average, not {usual}** "
        f"as with {BASELINE}. {percent(noisy)} of all uses are answered with noise."
    )


def error_sentence(chosen: Outcome, baseline: Outcome) -> str:
    """Return how far predictions miss, in points of the scale and in percent of the baseline."""
    cost = compare(baseline, chosen, "mae")
    if outcome_order(chosen, baseline, "mae") == 0:
        error = value_text(chosen, "mae")
        return f"Predictions miss by {error} points of the scale, as they do there."
    mine, usual = _both_errors(cost)
    more = "more" if cost.value > 0 else "less"
    change = f", {percent(abs(cost.relative))} {more}" if cost.first else ""
    doubt = {
        Judgement.WITHIN_NOISE: "; the difference is within the noise of the folds",
        Judgement.ONE_FOLD: "; one fold cannot tell whether that is chance",
    }.get(cost.judgement, "")
    return f"Predictions miss by {mine} points of the scale instead of {usual}{change}{doubt}."


def _both_errors(cost: Difference) -> tuple[str, str]:
    """Return an error and the baseline's, with a change in percent beside them.

    With fewer decimals a reader would work out another change.
    """
    return (
        metric_text("mae", cost.second, finer=True),
        metric_text("mae", cost.first, finer=True),
    )


def worse_off_sentence(screen: Screen) -> str:
    """Return how many people are used more often than with the baseline."""
    if screen.strategy == "userknn":
        return ""
    results, k = screen.results, screen.k
    share = more_used_share(results.usages(screen.strategy, k), results.usages("userknn", k))
    name = name_of(screen.strategy)
    if not share:
        return f"Nobody is used more often with {name} than with UserKNN."
    return (
        f"**{percent(share)} of the people are used more often** with {name} than with UserKNN, "
        "if real and noisy uses are counted together."
    )


def everybody_sentence(screen: Screen, baseline: Outcome) -> str:
    """Return what it would cost to protect every use, with the strategy that does it best."""
    protected = [screen.outcome(strategy, "full") for strategy in screen.strategies]
    best = min(protected, key=lambda outcome: outcome.value("mae"))
    cost = compare(baseline, best, "mae")
    if not cost.first:
        return ""
    error, usual = _both_errors(cost)
    change = percent(abs(cost.relative))
    name = name_of(best.setting.strategy)
    if cost.value < 0 and cost.clear:
        return (
            f"Why not protect everybody? With *every* use noisy, {name} misses by {error}, and so "
            f"by {change} less than the usual system without any protection ({usual})."
        )
    if cost.clear:
        return (
            f"To protect everybody would cost error: with *every* use noisy, {name} does best and "
            f"misses by {error} instead of {usual}, {change} more."
        )
    return (
        f"With *every* use noisy, {name} misses by {error}; the usual system misses by {usual}. "
        "The folds do not tell them apart."
    )
