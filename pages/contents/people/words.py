"""What the page on people says about one user; ids and titles come from users and are escaped."""

from __future__ import annotations

from functools import partial

from engine.datasets import Ratings
from engine.exposure import Exposure, UsesOverFolds
from engine.noisy_answer import Hides, NoisyAnswer
from engine.privacy import Mechanism, whole_uses
from engine.usage_distribution import UsageDistribution
from pages.parts.promises import noisy_answer_sentence
from pages.parts.sections import KeyNumber
from pages.parts.wording import (
    agreeing,
    at_most,
    exactly,
    first_uses,
    number,
    percent,
    points,
    signed,
    used,
    used_at_most,
    verbatim,
)


def person_sentence(
    name: str, person: Exposure, other: Exposure, usage: UsageDistribution, names: tuple[str, str]
) -> str:
    """Return how often the user is used, against the middle user and another strategy."""
    chosen_name, other_name = names
    below, middle = usage.share_below(person.uses), usage.quantile(0.5)
    low, high = int(person.usage.min()), int(person.usage.max())
    spread = (
        f" ({number(low)} to {number(high)} in the {person.usage.size} folds)"
        if person.usage.size > 1 and low < high
        else ""
    )
    if person.uses and person.uses == usage.of_each.max():
        rank = ", the most of all"
    elif below > 0.999:
        rank = ", more than nearly all"
    else:
        rank = f", more often than {percent(below)} of the users" if below else ""
    per_fold = f"{used(person.uses)} per fold" if person.uses else "never used"
    return (
        f"With {chosen_name}, **user {verbatim(name)} is {per_fold}**{spread}{rank}. "
        f"Half of the users are {used_at_most(middle)}. "
        f"With {other_name}, user {verbatim(name)} is {used(other.uses)}."
    )


def person_numbers(
    person: Exposure, tau: float, other: Exposure, other_tau: float, other_name: str
) -> list[KeyNumber]:
    """Return the strong numbers with their comparisons."""
    metric = partial(KeyNumber.of, other_name=other_name)
    return [
        metric(
            "Uses per fold",
            person.uses,
            other.uses,
            number,
            signed,
            help="For how many rating queries this user was a neighbor: mean over folds.",
        ),
        metric(
            "Real uses per fold",
            person.real(tau),
            other.real(other_tau),
            number,
            signed,
            help="How often the real rating goes into a prediction: all uses, but at most the "
            "first τ of a fold. The paper's privacy risk. Mean over folds.",
        ),
        metric(
            "Answered with noise",
            person.protected_share(tau),
            other.protected_share(other_tau),
            percent,
            points,
            help="The share of this user's uses that come after the first τ of a fold. It grows "
            "with the number of uses, so more of it is not better.",
            lower_is_better=False,
        ),
    ]


def promise(
    name: str, person: Exposure, mechanism: Mechanism, tau: float, uses: UsesOverFolds
) -> list[str]:
    """Return what protection promises this user, and what not, in sentences (Markdown)."""
    folds, vulnerable = person.usage.size, person.vulnerable_folds(tau)
    who = f"User {verbatim(name)}"
    if vulnerable == 0:
        if person.uses == 0:
            return [
                f"{who} is never used: no prediction contains a rating of theirs. Their real "
                "ratings are still read to find neighbors, and nothing bounds what that reveals."
            ]
        return [
            f"{who} is used {at_most(person.usage.max())} in a fold, which is not above τ = "
            f"{exactly(tau)}: **none of these uses is protected**. Each is answered with the real "
            "rating, and nothing bounds what it reveals."
        ]
    where = "" if vulnerable == folds else f" in {vulnerable} of {folds} folds"
    return [
        _not_protected(who, where, tau),
        noisy_answer_sentence(mechanism),
        *_answers_about_one_rating(mechanism, tau, uses),
        f"The paper's ε is {number(person.epsilon(tau), 2)}: ln(3 + 4 · real / noisy uses), an "
        "average over both. The more of the uses are noisy, the closer it comes to ln 3 = 1.10. It "
        "is no bound on any single use.",
    ]


def _answers_about_one_rating(mechanism: Mechanism, tau: float, uses: UsesOverFolds) -> list[str]:
    """Return what the noisy answers about one rating of the user add up to, if they do."""
    answer = NoisyAnswer.of(mechanism)
    most = uses.most_protected_answers(tau)
    if answer.hides is not Hides.BOUNDED:
        return []
    if mechanism.memoised:
        return ["Answers about the same rating are all the same one: they add nothing."]
    if most < 2:
        return []
    return [
        f"One of this user's ratings is answered with noise {number(most)} times in all folds "
        f"together. Whoever sees these answers can average the noise away: their ε adds up to "
        f"{number(most * answer.epsilon)}."
    ]


def _not_protected(who: str, where: str, tau: float) -> str:
    real = whole_uses(tau)
    if real == 0:
        return f"{who} is vulnerable{where}; every use is protected, from the first on."
    are = agreeing(real, "is", "are")
    return (
        f"{who} is vulnerable{where}. **The {first_uses(tau)} of a fold {are} not protected at "
        "all**."
    )


def used_for_sentence(
    uses: UsesOverFolds, ratings: Ratings, user: int, tau: float, folds: int
) -> str:
    """Return for how many users and with how many ratings this user was used."""
    if not uses.item.size:
        return "Nobody's ratings were predicted from this user's."
    rated = int((ratings.user == user).sum())
    asked, counts, _ = uses.counts(uses.asked_by, tau)
    bare = uses.really_used_ratings(tau)
    real = {0: "none of them", uses.used_ratings: "all of them"}.get(
        bare, f"{number(bare)} of them"
    )
    once = " at least once" if bare else ""
    together = "In this fold" if folds == 1 else f"In all {folds} folds together"
    top = min(10, asked.size)
    share = (
        f" The {top} of them who ask most cause {percent(counts[:top].sum() / counts.sum())} of "
        "the uses."
        if asked.size > top
        else ""
    )
    return (
        f"{together}, this user helped to answer {number(uses.item.size)} queries of "
        f"**{number(asked.size)} of the other {number(ratings.n_users - 1)} users**.{share} "
        f"Of this user's {number(rated)} ratings, {number(uses.used_ratings)} were used, "
        f"**{real}{once} as they really are**."
    )
