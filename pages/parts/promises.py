"""What is promised, to whom: what is released of whom, with which odds, and what no odds cover.

The overview and the report show the section; the record of a decision and the page of a person
take single sentences from here.
Odds come first, epsilon after: it is their logarithm.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.noisy_answer import Hides, NoisyAnswer
from engine.privacy import Mechanism, whole_uses
from engine.usage_distribution import UsageDistribution
from pages.parts.looks import name_of
from pages.parts.screen import Screen
from pages.parts.sections import Section
from pages.parts.wording import (
    agreeing,
    counted_share,
    exactly,
    first_uses,
    people,
    percent,
    tau_in_words,
)

NEIGHBORS_SENTENCE: Final = (
    "**No odds cover the choice of neighbors.** It is made from everybody's real ratings, and "
    "nothing bounds what it reveals."
)


def promises_section(screen: Screen) -> Section:
    """Return what is promised to people above tau, at most at tau, and never used."""
    usage = UsageDistribution(screen.results.usages(screen.strategy, screen.k))
    mechanism, users = screen.experiment.mechanism, screen.ratings.n_users
    at_zero, at_tau = usage.at_most(np.array([0, screen.tau]))
    above = usage.vulnerable_share(screen.tau)
    return Section(
        heading="What is promised, and what not",
        points=[
            _above_tau(screen.tau, mechanism, _people(above, users)),
            *_at_most_tau(screen.tau, _people((at_tau - at_zero) / users, users), spares=above > 0),
            _never_used(_people(at_zero / users, users)),
            *(adding_up_sentences(mechanism) if above else []),
            NEIGHBORS_SENTENCE,
            _attacker(screen.tau, mechanism),
        ],
        caption=f"{screen.title}, {name_of(screen.strategy)}, k = {screen.k}, "
        f"τ = {exactly(screen.tau)}. People are counted in each fold; the mean is shown. The "
        "Privacy lab runs the attack on these data and explains ε.",
    )


def _people(share: float, users: int) -> str:
    r"""Return a group of people in numbers, "" if it is empty.

    >>> _people(0.25, 200), _people(0.001, 100), _people(0.9996, 943)
    ('50 people, 25\xa0%', '0.1\xa0% of the people', '942 people, 99.9\xa0%')
    """
    if not share:
        return ""
    count, part = counted_share(share, users)
    return f"{people(count)}, {part}" if count else f"{part} of the people"


def _above_tau(tau: float, mechanism: Mechanism, people: str) -> str:
    if not people:
        return (
            f"**Used {tau_in_words(tau)} in a fold (nobody):** so no answer is noisy, and nothing "
            "is promised to anybody."
        )
    start = "Every use releases"
    if real := whole_uses(tau):
        release = agreeing(real, "releases", "release")
        start = (
            f"The {first_uses(tau)} in a fold {release} the real rating. Every later use releases"
        )
    return (
        f"**Used {tau_in_words(tau)} in a fold ({people}):** {start} a noisy answer: the "
        f"real rating in three of four cases, else a random one. {noisy_answer_sentence(mechanism)}"
    )


def noisy_answer_sentence(mechanism: Mechanism) -> str:
    r"""Return what one noisy answer promises, odds first (Markdown).

    >>> from engine.datasets import Scale
    >>> sentence = noisy_answer_sentence(Mechanism.for_scale(Scale(1.0, 5.0, 1.0)))
    >>> print(sentence.replace("\xa0", " "))
    One noisy answer is **at most 16 times as likely** if it is the real rating as if
    another one is. That is weak: 80 % of the noisy answers are the real rating, kept or drawn
    by chance. (Local differential privacy with ε = ln 16 = 2.77.)
    """
    answer = NoisyAnswer.of(mechanism)
    if answer.hides is Hides.NOT:
        return (
            "**Noise promises nothing that can be shown here**: it comes from a continuous range, "
            "so an answer that is a value of the scale is certainly the real rating. (ε is "
            "infinite.)"
        )
    if answer.hides is Hides.NO_SECRET:
        return "All ratings are the same, so there is nothing to hide: a random rating is real."
    return (
        f"One noisy answer is **at most {answer.odds:,} times as likely** if it is the real rating "
        f"as if another one is. That is weak: {percent(answer.real_share)} of the noisy answers "
        "are the real rating, kept or drawn by chance. (Local differential privacy with "
        f"ε = ln {answer.odds:,} = {answer.epsilon:.2f}.)"
    )


def _at_most_tau(tau: float, people: str, *, spares: bool) -> list[str]:
    if tau < 1:  # whoever is used at all is above
        return []
    most = whole_uses(tau)
    times = agreeing(most, "once", f"1 to {most:,} times")
    if not people:
        return [f"**Used {times} in a fold:** nobody."]
    spared = " All that spares them is that they are used less often." if spares else ""
    return [
        f"**Used {times} in a fold ({people}):** every use releases the real rating. These people "
        f"are not protected.{spared}"
    ]


def _never_used(people: str) -> str:
    if not people:
        return "**Never used (nobody):** every person is used at least once in every fold."
    return (
        f"**Never used in a fold ({people}):** no prediction contains a rating of theirs. Their "
        "real ratings are still read, to find out that others are the better neighbors."
    )


def adding_up_sentences(mechanism: Mechanism) -> list[str]:
    """Return whether noisy answers about one rating add up (Markdown), if there is a secret.

    >>> from engine.datasets import Scale
    >>> print(*adding_up_sentences(Mechanism.for_scale(Scale(1.0, 5.0, 1.0))))
    **Noisy answers add up.** New noise is drawn for each use. Two answers about the same rating
    have odds of up to 16 × 16 = 256, and whoever sees many of them can average the noise away.
    """
    answer = NoisyAnswer.of(mechanism)
    if answer.hides is Hides.NO_SECRET:
        return []
    if mechanism.memoised:
        return [
            "**Noisy answers do not add up here.** One answer about a rating is drawn and kept, so "
            "asking again reveals nothing new."
        ]
    if answer.hides is Hides.NOT:
        return ["**Noisy answers add up**: new noise is drawn for each use."]
    return [
        "**Noisy answers add up.** New noise is drawn for each use. Two answers about the same "
        f"rating have odds of up to {answer.odds:,} × {answer.odds:,} = {answer.odds**2:,}, and "
        "whoever sees many of them can average the noise away."
    ]


def _attacker(tau: float, mechanism: Mechanism) -> str:
    start = (
        "**An attacker can aim at one person**, also at one who is never used. With some of the "
        "person's ratings and a few fake accounts that copy them, the attacker makes the person a "
        "neighbor and asks for the other ratings."
    )
    if whole_uses(tau):
        return f"{start} Whatever falls into the {first_uses(tau)} of a fold is answered truly."
    if mechanism.memoised:
        return f"{start} All answers are noisy, and asking again gives the same answer."
    return f"{start} All answers are noisy, but who asks again and again averages the noise away."
