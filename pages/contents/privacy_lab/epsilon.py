"""What ε means: the paper's number for each user beside the strict account, odds first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.composition import StrictAccount, compose_basic, compose_optimal
from engine.noisy_answer import Hides, NoisyAnswer
from engine.privacy import (
    Mechanism,
    is_vulnerable,
    paper_epsilon_of_each,
    strict_epsilon,
    whole_uses,
)
from pages.parts.wording import (
    agreeing,
    counted,
    exactly,
    first_uses,
    number,
    percent,
    tau_in_words,
    times,
)

#: Odds above this are written as a power of ten.
_LARGEST_ODDS: Final = 1e6


@dataclass(frozen=True, eq=False)
class Accounts:
    """Both accounts of all users in one fold: (n_users,) each."""

    usage: np.ndarray
    tau: float
    mechanism: Mechanism
    strict: StrictAccount

    @property
    def vulnerable(self) -> np.ndarray:
        """Who is vulnerable."""
        return is_vulnerable(self.usage, self.tau)

    @property
    def paper(self) -> np.ndarray:
        """The paper's epsilon of each vulnerable user."""
        return np.asarray(paper_epsilon_of_each(self.usage, self.tau)[self.vulnerable])


def odds(epsilon: float) -> str:
    """Return exp(epsilon), how much likelier an answer can be under one rating than another.

    >>> odds(math.log(16)), odds(100.0), odds(math.inf)
    ('16 times', '10⁴³ times', 'without limit')
    """
    if math.isinf(epsilon):
        return "without limit"
    if epsilon > math.log(_LARGEST_ODDS):
        power = str(int(epsilon / math.log(10)))
        return f"10{power.translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))} times"
    return f"{number(round(math.exp(epsilon), 6))} times"


def odds_sentence(mechanism: Mechanism) -> str:
    """Return what one protected answer promises, in odds."""
    answer = NoisyAnswer.of(mechanism)
    if answer.hides is Hides.NOT:
        return (
            "The noise is continuous here. Then **nothing is promised**: an answer that is a value "
            "of the scale is certainly the real rating. No finite ε holds."
        )
    if answer.hides is Hides.NO_SECRET:
        return "All ratings are the same here: there is nothing to hide, and nothing to promise."
    return (
        f"Take one protected answer. It is at most **{answer.odds:,} times as likely** if it is "
        "the real rating as if another one is. So whoever sees it has odds that change by a factor "
        f"of at most {answer.odds:,}. ε is the natural logarithm of this factor: ln(1 + 3 · "
        f"{answer.levels}) = {answer.epsilon:.2f}. A factor of 1, an ε of 0, would mean that the "
        "answer tells nothing."
    )


def unprotected_sentence(accounts: Accounts) -> str:
    """Return what ε says nothing about: ratings with an answer without noise."""
    strict = accounts.strict
    answered, bare = int(strict.answered.sum()), int(strict.unprotected.sum())
    if not answered:
        return "No rating was answered in this fold."
    are = agreeing(whole_uses(accounts.tau), "is", "are")
    return (
        f"**Not covered by any ε:** the {first_uses(accounts.tau)} of everybody {are} real. "
        f"{percent(bare / answered)} of the {answered:,} ratings that were used have at least one "
        "answer without noise. Whoever sees it knows the rating. Who becomes a neighbor is decided "
        "from real ratings, too, and no ε covers that."
        if accounts.tau >= 1
        else f"At τ = {exactly(accounts.tau)} every answer has noise. Who becomes a neighbor is "
        "still decided from real ratings, and no ε covers that."
    )


def paper_sentence(accounts: Accounts) -> str:
    """Return the paper's epsilon of the vulnerable users, and what it is not."""
    if not accounts.vulnerable.any():
        return (
            f"Nobody is used {tau_in_words(accounts.tau)}. So nobody is protected, and the "
            "paper's ε is not defined for anybody."
        )
    low, middle, high = np.percentile(accounts.paper, [0, 50, 100])
    whose = f"**The paper's ε** of the {counted(int(accounts.vulnerable.sum()), 'vulnerable user')}"
    values = (
        f"{whose} is {low:.2f}."
        if low == high
        else f"{whose} goes from {low:.2f} to {high:.2f}; half of them have at most {middle:.2f}. "
        "It is smaller for those who are used more, because more of their uses are protected."
    )
    return (
        f"{values} It is an average over real and protected uses. It is no bound on what one "
        "answer reveals, and it does not add up answers about the same rating."
    )


def strict_sentence(accounts: Accounts) -> str:
    """Return how often ratings were answered with noise only, and what that adds up to."""
    strict = accounts.strict
    most = strict.most_answers[strict.most_answers > 0]
    epsilon = strict_epsilon(accounts.mechanism)
    if not most.size:
        return "No rating had noise in each of its answers, so there is nothing to add up."
    if math.isinf(epsilon):
        return "With continuous noise there is no finite ε to add up."
    if accounts.mechanism.memoised:
        return (
            f"Answers are memoised: a rating with noise in each of its answers has "
            f"ε = {epsilon:.2f}, however often it is answered."
        )
    middle, largest = int(np.median(most)), int(most.max())
    return (
        f"**Strictly, answers about the same rating add up.** {counted(most.size, 'user')} have a "
        "rating with noise in each of its answers. Half of them have no rating answered more "
        f"often than {times(middle)}; the largest number is {largest}. That is an ε of "
        f"{middle} · {epsilon:.2f} = {compose_basic(epsilon, middle):.1f}, and of up to "
        f"{compose_basic(epsilon, largest):.1f}. Sharper accounting (optimal composition) hardly "
        f"helps: {compose_optimal(epsilon, middle):.1f} and "
        f"{compose_optimal(epsilon, largest):.1f}. Memoised answers do: one is drawn and kept, so "
        f"ε stays {epsilon:.2f}."
    )


def paper_title(accounts: Accounts) -> str:
    """Return what the paper's ε comes to beside that of one answer."""
    one = strict_epsilon(accounts.mechanism)
    below = float((accounts.paper < one).mean())
    if math.isinf(one):
        return "The paper's ε is finite, although continuous noise hides nothing on this scale"
    return (
        f"For {percent(below)} of the vulnerable users the paper's ε is below the {one:.2f} of a "
        "single protected answer"
    )


def strict_title(accounts: Accounts) -> str:
    """Return how often the ratings that only have noisy answers are answered."""
    most = accounts.strict.most_answers
    repeated = int((most > 1).sum())
    return (
        f"{counted(repeated, 'user')} of {most.size:,} have a rating that was answered with noise "
        "more than once"
    )
