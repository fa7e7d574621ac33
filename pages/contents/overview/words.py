"""What the overview says about its numbers, and its strong numbers with their comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.judgement import compare
from engine.outcome import Outcome
from pages.parts.comparison.sides import make_key_number
from pages.parts.looks import name_of
from pages.parts.measures import MAE_WITH, PROTECTED, RISK, VULNERABLE, outcome_order, value_text
from pages.parts.outcomes import find
from pages.parts.screen import Screen
from pages.parts.sections import KeyNumber
from pages.parts.wording import agreeing, counted_share, listed, tau_in_words


def exposure_sentence(screen: Screen, outcomes: Sequence[Outcome]) -> str:
    """Return how many people are exposed, with what another strategy comes to."""
    chosen, other = (find(outcomes, strategy) for strategy in screen.compared)
    users = screen.ratings.n_users
    share, other_share = (o.value("vulnerable_share") for o in (chosen, other))
    name, other_name = (name_of(strategy) for strategy in screen.compared)

    def people(of: float) -> str:
        if not of:
            return "nobody"
        count, part = counted_share(of, users)
        return f"{count:,} ({part})" if count else part

    if screen.protects_nobody:
        largest = screen.results.largest_usage(screen.k)
        used = (
            f"no user is used {tau_in_words(screen.tau)}"
            if largest
            else "no user's data is used at all"
        )
        otherwise = (
            f"With {other_name}: {people(other_share)}."
            if other_share
            else f"With {other_name} nobody is either."
        )
        return f"Nobody is vulnerable with {name}, and so nobody is protected: {used}. {otherwise}"
    count, part = counted_share(share, users)
    start = (
        f"**{count:,} of {users:,} users ({part})**"
        if count
        else f"**{part} of the {users:,} users**"
    )
    verb = agreeing(count, "is", "are")
    if screen.tau < 1:
        return (
            f"With {name}, {start} {verb} used at all, and protected from the first use on. The "
            f"others are never used. With {other_name}, {people(other_share)} are used."
        )
    return (
        f"With {name}, {start} {verb} used {tau_in_words(screen.tau)} and protected from then on "
        "(“vulnerable”). The others are used at most that often and not protected (“secure”). "
        f"With {other_name}, {people(other_share)} are vulnerable."
    )


def alternatives_sentence(screen: Screen, outcomes: Sequence[Outcome]) -> str:
    """Return what another strategy would do better; nothing that the folds do not bear out."""
    chosen = find(outcomes, screen.strategy)
    protected = [o for o in outcomes if o.setting.protection == "vulnerable"]
    better = [o for o in protected if all(_clearly_lower(o, chosen, name) for name in _ADVICE)]
    if better:
        best = min(better, key=lambda outcome: outcome.value("mae"))
        return (
            f"**{name_of(best.setting.strategy)}** would do better on all counts: "
            f"{value_text(best, 'vulnerable_share')} of the users vulnerable, "
            f"{value_text(best, 'privacy_risk')} real uses per person, and predictions that miss "
            f"by {value_text(best, 'mae')}."
        )
    sentences = []
    for metric, does in _ADVICE.items():
        lower = [other for other in protected if _clearly_lower(other, chosen, metric)]
        if lower:
            best = min(lower, key=lambda outcome: outcome.value(metric))
            does = does.format(value_text(best, metric))
            sentences.append(f"{name_of(best.setting.strategy)} would {does}")
    if not sentences:
        return "No other strategy is clearly better for people or for predictions."
    return f"{listed(sentences)}."


#: What can be better about another strategy, in words.
_ADVICE: Final = {
    "vulnerable_share": "make fewer users vulnerable ({})",
    "privacy_risk": "use a person's real ratings less often ({} times)",
    "mae": "miss by less ({})",
}


def _clearly_lower(other: Outcome, chosen: Outcome, metric: str) -> bool:
    """Return whether another strategy has clearly less of a metric, also once it is rounded."""
    difference = compare(chosen, other, metric)
    return difference.clear and outcome_order(other, chosen, metric) < 0


#: The strong numbers, with the names that they have here.
_CARDS: Final = (
    replace(RISK, label="Real uses per person"),
    replace(
        PROTECTED,
        label="Uses answered with noise",
        help="Every use beyond a person's first τ. A quarter of these answers is random.",
    ),
    replace(MAE_WITH, label="Prediction error (MAE)"),
    replace(VULNERABLE, label="Used more than τ times"),
)


def overview_numbers(screen: Screen) -> list[KeyNumber]:
    """Return the strong numbers, against UserKNN without protection, or against A if it is pinned.

    How many people are used more than tau times does not depend on protection.
    """
    if screen.pinned:
        return [make_key_number(screen, measure) for measure in _CARDS]
    numbers = []
    for measure in _CARDS:
        counted = measure.metric == "vulnerable_share"
        baseline = screen.outcome("userknn", "none", [measure.metric])
        numbers.append(
            KeyNumber.of(
                measure.label,
                measure.outcome(screen).value(measure.metric),
                baseline.value(measure.metric),
                measure.text,
                measure.difference_text,
                other_name="UserKNN" if counted else "UserKNN without protection",
                help=measure.help,
                lower_is_better=measure.metric in ("privacy_risk", "mae"),
            )
        )
    return numbers
