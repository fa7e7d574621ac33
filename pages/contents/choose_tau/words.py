"""What the page on choosing tau says: true of its numbers, also at the extremes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.candidates import TauOutcome
from engine.choice import Decision
from engine.limits import LIMITS, PROTECTS_SOMEBODY, Limits
from engine.noise_floor import NoiseShare
from engine.relaxation import Relaxation
from engine.sweep import SweepOverFolds
from engine.tau_choice import TauChoice
from pages.parts.looks import name_of
from pages.parts.outcomes import setting_words
from pages.parts.wording import PERCENT, exactly, listed, number, percent, tau_in_words

#: What the error is compared with, as the second half of a sentence.
BASELINE: Final = {
    "userknn-none": "UserKNN without protection",
    "same-none": "the same strategy without protection",
}
#: What is lowest in the best choice.
CRITERION: Final = {
    "mae": "least error",
    "vulnerable": "fewest vulnerable users",
    "risk": "least privacy risk",
}
#: A limit as a sentence with a gap for its value.
SENTENCE: Final = {
    "max_error_increase": "The error is at most {} above the baseline",
    "max_error_points": "The error is at most {} points of the scale above the baseline",
    "max_vulnerable": "At most {} of the users are vulnerable",
    "max_risk": "On average, at most {} real uses per user",
    "max_real_uses": "In a fold, the real uses of each user are at most {}",
    "max_protected": "At most {} of all uses are answered with noise",
    "min_coverage": "At least {} of the items are on somebody's top list",
    "max_pp_corr": "The top lists follow popularity with a correlation of at most {}",
}


def limit_text(name: str, value: float) -> str:
    r"""Return the value of a limit to read, with the usual space before a percent sign.

    >>> limit_text("max_vulnerable", 0.2), limit_text("max_risk", 40.0)
    ('20\xa0%', '40')
    """
    return LIMITS[name].text(value, PERCENT)


def limit_sentence(name: str, value: float) -> str:
    r"""Return a limit as a sentence.

    >>> limit_sentence("max_vulnerable", 0.2)
    'At most 20\xa0% of the users are vulnerable'
    """
    return SENTENCE[name].format(limit_text(name, value))


def error_words(outcome: TauOutcome, baseline: str) -> str:
    """Return how the error compares with the baseline.

    An increase of an error of 0 has no percentage.
    """
    against = BASELINE[baseline]
    if not np.isfinite(outcome.error_increase):
        return f"the error is {number(outcome.error_points, 3)} points above {against}"
    if abs(outcome.error_increase) < 0.0005:
        return f"the error is that of {against}"
    side = "above" if outcome.error_increase > 0 else "below"
    return f"the error is {percent(abs(outcome.error_increase))} {side} {against}"


def consequences(outcome: TauOutcome, baseline: str) -> str:
    """Return what a setting comes to, without its subject."""
    if outcome.protects_nobody:
        who = (
            "nobody is protected: no user is used more often, and every use is of the real rating"
            if outcome.real_uses
            else "nobody is used: no prediction comes from a neighbor"
        )
        return f"{who}; {error_words(outcome, baseline)}"
    if outcome.tau == 0:
        return (
            "everybody who is used is protected, from the first use on: every use is answered "
            f"with noise, and {error_words(outcome, baseline)}"
        )
    return (
        f"{percent(outcome.vulnerable_share)} of the users are vulnerable, "
        f"{error_words(outcome, baseline)}, and {percent(outcome.protected_uses)} of all uses are "
        "answered with noise"
    )


def current_sentence(outcome: TauOutcome, baseline: str) -> str:
    """Return what the settings of the sidebar come to (Markdown)."""
    return f"**Now**, with {setting_words(outcome)}: {consequences(outcome, baseline)}."


def limits_verdict_sentence(choice: TauChoice, tau: int) -> str:
    """Return whether the settings of the sidebar keep to the limits (Markdown)."""
    if not choice.limits.stated:
        return ""
    broken = choice.broken_at(tau)
    if not broken:
        return "These settings keep to all your limits."
    limits = choice.limits.stated
    stated = [f"“{limit_sentence(n, limits[n])}”" for n in broken if n != PROTECTS_SOMEBODY]
    sentences = [f"These settings do not keep to {listed(stated)}."] if stated else []
    if PROTECTS_SOMEBODY in broken:
        sentences.append("These settings protect nobody, which you have not allowed.")
    return " ".join(sentences)


def best_choice_sentences(decision: Decision) -> list[str]:
    """Return the best choice in words, or what would be needed (Markdown)."""
    best, limits = decision.best, decision.limits
    if not limits.stated:
        return [
            "No limit is on. With limits, this names the best setting within them: over every "
            "strategy, every k that is finished and every whole τ."
        ]
    if best is None or best.outcome is None:
        return ["**Nothing keeps to all these limits.**", *relaxation_sentences(decision)]
    sentences = [
        f"**Best ({CRITERION[limits.criterion]}): {setting_words(best.outcome)}**: "
        f"{consequences(best.outcome, limits.baseline)}."
    ]
    if best.outcome.protects_nobody:
        sentences.append(
            "This choice meets the limits only because it protects nobody. You have allowed that."
        )
    elif not limits.asks_for_protection:
        sentences.append(
            "None of your limits asks for protection. A higher τ counts fewer users as vulnerable "
            "and costs less error *because* it protects less. A limit on real uses asks for it."
        )
    return [*sentences, *_alike_sentences(decision), *_flat_sentences(best)]


def _alike_sentences(decision: Decision) -> list[str]:
    alike = [choice.outcome for choice in decision.groups[0][1:] if choice.outcome is not None]
    if not alike:
        return []
    names = "; ".join(setting_words(outcome) for outcome in alike[:4])
    more = f"; and {len(alike) - 4} more" if len(alike) > 4 else ""
    return [
        f"As good within the noise of the folds ({CRITERION[decision.limits.criterion]}): "
        f"{names}{more}."
    ]


def _flat_sentences(best: TauChoice) -> list[str]:
    """Return how far tau can be moved without a clear change of the error."""
    if best.tau is None:
        return []
    stretch = best.flat_stretch("mae", best.tau)
    if stretch is None:
        return ["There is one fold only: nothing tells how much of a difference is chance."]
    low, high = stretch
    if high - low < 0.1 * max(best.tau, 1):
        return []
    return [
        f"The error is flat around it: from τ = {exactly(low)} to {exactly(high)} it does not "
        "clearly differ."
    ]


def relaxation_sentences(decision: Decision) -> list[str]:
    """Return the smallest change of each single limit that would let a setting in."""
    sentences = [_relaxation_words(relaxation) for relaxation in decision.relaxations]
    return sentences or ["No single limit stands in the way alone: relax more than one."]


def _relaxation_words(relaxation: Relaxation) -> str:
    setting = setting_words(relaxation.outcome)
    if relaxation.needed is None or relaxation.stated is None:
        return f"If a choice may protect nobody, {setting} would do."
    name = relaxation.limit
    needed, stated = limit_text(name, relaxation.needed), limit_text(name, relaxation.stated)
    sentence = SENTENCE[name].format(f"{needed} instead of {stated}")
    return f"{sentence}: then {setting} would do."


def range_words(choice: TauChoice) -> str:
    """Return the whole taus that keep to the limits, as a text for a table."""
    if choice.tau_low is None or choice.tau_high is None:
        return "none"
    ends = exactly(choice.tau_low), exactly(choice.tau_high)
    text = ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
    return f"{text}, with gaps" if len(choice.ranges) > 1 else text


def binds_words(names: Sequence[str]) -> str:
    """Return the limits that end a range, as a text for a table."""
    words = {
        "max_error_increase": "error",
        "max_error_points": "error",
        "max_vulnerable": "vulnerable users",
        "max_risk": "privacy risk",
        "max_real_uses": "real uses",
        "max_protected": "noisy uses",
        "min_coverage": "coverage",
        "max_pp_corr": "PP-Corr",
        PROTECTS_SOMEBODY: "it must protect somebody",
    }
    return ", ".join(dict.fromkeys(words[name] for name in names))


def views_finding(sweep: SweepOverFolds) -> str:
    """Return what a higher tau does, from the ends of the curves."""
    if not sweep.largest:
        return "nobody is used, so τ changes nothing"
    error = sweep.mean("mae")
    if error[0] > error[-1]:
        return "a higher τ makes fewer users vulnerable and errs less, because it protects less"
    if error[0] < error[-1]:
        return "a higher τ makes fewer users vulnerable; the noise costs no accuracy here"
    return "a higher τ makes fewer users vulnerable; the error is the same with all the noise"


def floor_sentence(floor: float, outcome: TauOutcome, users_sentence: str) -> str:
    """Return what no strategy can change (Markdown)."""
    if outcome.protects_nobody:
        return "At this τ nobody is protected, so no use needs noise."
    same = "Every strategy makes the same number of uses; it only decides who carries them."
    name, noisy = name_of(outcome.strategy), percent(outcome.protected_uses)
    if not floor:
        return (
            f"{same} If all users were used equally often, nobody would be used "
            f"{tau_in_words(outcome.tau)}, and **no use would have to be noisy**. With {name}, "
            f"{noisy} of the uses are noisy. {users_sentence}"
        )
    return (
        f"{same} With τ = {exactly(outcome.tau)}, **at least {percent(floor)} of all uses must be "
        f"noisy, whatever the strategy**. With {name} it is {noisy}. {users_sentence}"
    )


def floor_title(shares: Sequence[NoiseShare]) -> str:
    """Return which strategy answers the fewest uses with noise, and which the most."""
    ordered = sorted(shares, key=lambda share: share.protected_uses)
    fewest, most = ordered[0], ordered[-1]
    texts = percent(fewest.protected_uses), percent(most.protected_uses)
    if texts[0] == texts[1]:
        return f"{texts[0]} of the uses are noisy, whatever the strategy"
    return (
        f"{name_of(fewest.strategy)} has the fewest noisy uses ({texts[0]}), "
        f"{name_of(most.strategy)} the most ({texts[1]})"
    )


def limits_in_words(limits: Limits) -> list[str]:
    """Return the limits that are set, a sentence each."""
    return [limit_sentence(name, value) for name, value in limits.stated.items()]
