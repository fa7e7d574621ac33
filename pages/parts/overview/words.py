"""What the overview says about its numbers, and its strong numbers with their comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pages.parts.comparison.difference import (
    MAE_WITH,
    RISK,
    SECURE,
    VULNERABLE,
    Measure,
    compare,
    judge,
    mean_defined,
)
from pages.parts.overview.figure import Standing, find
from pages.parts.screen import Screen
from pages.parts.wording import exactly, number, percent, tau_in_words


@dataclass(frozen=True)
class Card:
    """A strong number, its difference to something, and what else it is to be compared with."""

    label: str
    value: str
    delta: str | int
    compared: str
    beside: str
    help: str


def exposure_sentence(screen: Screen, found: Sequence[Standing]) -> str:
    """Return how many people are exposed, with what another strategy comes to."""
    chosen, other = (find(found, strategy) for strategy in screen.compared)
    users = screen.results.experiment.ratings.n_users
    share, other_share = chosen.mean("vulnerable"), other.mean("vulnerable")

    def people(of: float) -> str:
        if not of:
            return "nobody"
        count = round(of * users)
        return f"{count:,} ({percent(of)})" if count else percent(of)

    if share == 0:
        largest = screen.results.largest_usage(screen.k)
        used = (
            f"no user is used {tau_in_words(screen.tau)}"
            if largest
            else "no user's data is used at all"
        )
        otherwise = (
            f"With {other.name}: {people(other_share)}."
            if other_share
            else f"With {other.name} nobody is either."
        )
        return f"**Nobody is vulnerable with {chosen.name}**: {used}. {otherwise}"
    count = round(share * users)
    start = (
        f"**{count:,} of {users:,} users ({percent(share)})**"
        if count
        else f"**{percent(share)} of the {users:,} users**"
    )
    verb = "is" if count == 1 else "are"
    return (
        f"With {chosen.name}, {start} {verb} used {tau_in_words(screen.tau)} to predict somebody's "
        f"rating, and protected from then on. With {other.name}: {people(other_share)}."
    )


def cost_sentence(screen: Screen, found: Sequence[Standing]) -> str:
    """Return what protecting the vulnerable costs in accuracy, and what it saves in risk."""
    chosen = find(found, screen.strategy)
    if chosen.mean("vulnerable") == 0:
        return (
            "So nothing is protected: the predictions are those without DP, and so is the privacy "
            f"risk ({number(chosen.mean('risk'))} uses per user)."
        )
    before, after = chosen.mean("mae_without"), chosen.mean("mae")
    shown = number(before, 3), number(after, 3)
    risk = f"the mean privacy risk is {number(chosen.mean('risk'))} uses without DP per user" + (
        f" instead of {number(chosen.mean('risk_without'))}"
    )
    verdict = judge(chosen.mae_without, chosen.mae)
    if verdict == "noise" or shown[0] == shown[1]:
        change = f"leaves the error about as it was (MAE {shown[1]}, without protection {shown[0]})"
    else:
        change = (
            f"makes predictions {'worse' if after > before else 'better'} by "
            f"{number(abs(after - before), 3)} (MAE {shown[1]} instead of {shown[0]})"
        )
    return f"Protecting them {change}; {risk}."


def alternatives_sentence(screen: Screen, found: Sequence[Standing]) -> str:
    """Return what another strategy would do better; nothing that the folds do not bear out."""
    chosen = find(found, screen.strategy)
    fewer, fewer_clear = _better(chosen, found, "vulnerable", percent)
    less, less_clear = _better(chosen, found, "mae", lambda error: number(error, 3))
    if fewer and fewer is less:
        return (
            f"**{fewer.name}** would do better on both: {percent(fewer.mean('vulnerable'))} of the "
            f"users vulnerable, and an error (MAE) of {number(fewer.mean('mae'), 3)}."
        )
    exposure = (
        f"{fewer.name} would make fewer users vulnerable ({percent(fewer.mean('vulnerable'))})"
        if fewer
        else f"No other strategy makes {'' if fewer_clear else 'clearly '}fewer users vulnerable"
    )
    error = (
        f"{less.name} would err less (MAE {number(less.mean('mae'), 3)})"
        if less
        else f"{'none' if not fewer else 'no other strategy'} errs "
        f"{'' if less_clear else 'clearly '}less"
    )
    joined = ", and " if bool(fewer) == bool(less) else ", but "
    return f"{exposure}{joined}{error}."


def _better(
    chosen: Standing, found: Sequence[Standing], measure: str, shown: Callable[[float], str]
) -> tuple[Standing | None, bool]:
    """Return who has least, clearly less than the chosen one; and whether nobody has less at all.

    Clearly: beyond the noise of the folds, and also once rounded.
    """
    mine = chosen.mean(measure)
    lower = [
        other
        for other in found
        if other.mean(measure) < mine and shown(other.mean(measure)) != shown(mine)
    ]
    clearly = [
        other
        for other in lower
        if judge(getattr(chosen, measure), getattr(other, measure)) != "noise"
    ]
    return min(clearly, key=lambda other: other.mean(measure), default=None), not lower


def cards(screen: Screen, found: Sequence[Standing]) -> list[Card]:
    """Return the strong numbers: each against A if it is pinned, else against another strategy."""
    chosen, other = (find(found, strategy) for strategy in screen.compared)
    reference = screen.pinned or screen.with_strategy(other.strategy)
    name = "A" if screen.pinned else other.name

    def card(measure: Measure, help: str, beside: str = "") -> Card:
        difference = compare(reference, screen, measure)
        delta = difference.shown.replace("−", "-")
        noise = ", within the noise of the folds" if difference.verdict == "noise" else ""
        return Card(
            label=measure.label,
            value=measure.shown(difference.b),
            # Streamlit takes only a number for no change.
            delta=delta if delta.startswith(("+", "-")) else 0,
            compared=f"{name}: {measure.shown(difference.a)}{noise}",
            beside=beside,
            help=help,
        )

    other_now = f"{other.name}: {{}}  \n" if screen.pinned else ""
    without = mean_defined(chosen.mae_without)
    return [
        card(
            VULNERABLE,
            f"Users whose data is used more than τ = {exactly(screen.tau)} times.",
            other_now.format(percent(other.mean("vulnerable")))
            + "without DP: the same, unprotected",
        ),
        card(
            RISK,
            "Unprotected uses per user: the data usage, but at most τ.",
            other_now.format(number(other.mean("risk")))
            + f"{chosen.name} without DP: {number(chosen.mean('risk_without'))}",
        ),
        card(
            MAE_WITH,
            "How far predicted ratings are off, in points of the rating scale.",
            other_now.format(number(other.mean("mae"), 3))
            + f"{chosen.name} without DP: {number(without, 3)}",
        ),
        card(
            SECURE,
            "How often the data of a user who is not vulnerable is used, on average.",
            "without DP: the same",
        ),
    ]
