"""What the page on people says about one user; ids and titles are texts of users, made plain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.privacy import Mechanism, strict_epsilon
from pages.parts.drawing.charts import Formula
from pages.parts.people.person import Person, Uses
from pages.parts.wording import at_most, exactly, number, percent, plain, points, signed

if TYPE_CHECKING:
    from engine.datasets import Ratings

ONE_USER: Final = Formula(
    words="Uses are numbered in the order of the queries of a fold. The first τ are answered with "
    "the real rating, every later one is protected. The paper's ε averages over both kinds.",
    latex=r"""\begin{aligned}
\mathrm{PrivacyRisk}@k(u) &= \min\left[\tau, \mathrm{DataUsage}@k(u)\right] \\
\epsilon(u) &= \ln\left(3 + 4 \cdot \frac{\text{risk}}{\text{usage} - \text{risk}}\right)
\quad \text{if usage} > \tau
\end{aligned}\;""",
)


def times(uses: float) -> str:
    """Return a number of uses in words.

    >>> times(0), times(1), times(1.4), times(7177.8)
    ('never', 'once', '1.40 times', '7,178 times')
    """
    if uses == 0:
        return "never"
    return "once" if uses == 1 else f"{number(uses)} times"


def person_sentence(
    name: str, person: Person, other: Person, usages: list[np.ndarray], names: tuple[str, str]
) -> str:
    """Return how often the user is used, against the middle user and another strategy."""
    chosen_name, other_name = names
    means = np.mean(usages, axis=0)
    below = float((means < person.uses).mean())
    middle = float(np.quantile(np.concatenate(usages), 0.5, method="lower"))
    low, high = int(person.usage.min()), int(person.usage.max())
    spread = (
        f" ({number(low)} to {number(high)} in the {person.usage.size} folds)"
        if person.usage.size > 1 and low < high
        else ""
    )
    if person.uses and person.uses == means.max():
        rank = ", the most of all"
    elif below > 0.999:
        rank = ", more than nearly all"
    else:
        rank = f", more often than {percent(below)} of the users" if below else ""
    per_fold = f"used {times(person.uses)} per fold" if person.uses else "never used"
    return (
        f"With {chosen_name}, **user {plain(name)} is {per_fold}**{spread}{rank}. "
        f"Half of the users are {'never used' if middle == 0 else f'used {at_most(middle)}'}. "
        f"With {other_name}, user {plain(name)} is "
        f"{'never used' if other.uses == 0 else f'used {times(other.uses)}'}."
    )


def person_metrics(
    person: Person, tau: float, other: Person, other_tau: float, other_name: str
) -> list[dict[str, Any]]:
    """Return the strong numbers with their comparisons, as arguments of `st.metric`."""

    def metric(
        label: str, value: str, delta: str, compared: str, help: str, color: str = "inverse"
    ) -> dict[str, Any]:
        return {
            "label": label,
            "value": value,
            "delta": _delta(delta),
            "delta_color": "off" if delta == "n/a" else color,
            "delta_arrow": "off" if delta == "n/a" else "auto",
            "delta_description": f"{other_name} {compared}",
            "help": help,
        }

    epsilon, other_epsilon = person.epsilon(tau), other.epsilon(other_tau)
    return [
        metric(
            "Uses per fold",
            number(person.uses),
            signed(person.uses - other.uses),
            number(other.uses),
            "For how many rating queries this user was a neighbor: mean over folds.",
        ),
        metric(
            "Protected uses",
            percent(person.protected_share(tau)),
            points(person.protected_share(tau) - other.protected_share(other_tau)),
            percent(other.protected_share(other_tau)),
            "The share of this user's uses that come after the first τ of a fold. It grows with "
            "the number of uses, so more of it is not better.",
            "off",
        ),
        metric(
            "Privacy risk",
            number(person.risk(tau)),
            signed(person.risk(tau) - other.risk(other_tau)),
            number(other.risk(other_tau)),
            "The paper's count of unprotected uses: all uses, but at most τ. Mean over folds.",
        ),
        metric(
            "The paper's ε",
            _epsilon(epsilon),
            signed(epsilon - other_epsilon, 2),
            _epsilon(other_epsilon),
            "Of a vulnerable user, mean over the folds in which this user is one. Lower is "
            "better; n/a for users who are not vulnerable: nothing of theirs is protected.",
        ),
    ]


def _delta(difference: str) -> str | int:
    # Streamlit takes an ASCII minus for a decrease, and only a number for no change.
    changes = difference.startswith(("+", "−"))
    return difference.replace("−", "-") if changes or difference == "n/a" else 0


def _epsilon(epsilon: float) -> str:
    return f"{epsilon:.2f}" if math.isfinite(epsilon) else "n/a"


def promise(name: str, person: Person, mechanism: Mechanism, tau: float, uses: Uses) -> list[str]:
    """Return what protection promises this user, and what not, in sentences (Markdown)."""
    folds, vulnerable = person.usage.size, person.vulnerable_folds(tau)
    who = f"User {plain(name)}"
    if vulnerable == 0:
        if person.uses == 0:
            return [f"{who} is never used: there is nothing to protect."]
        return [
            f"{who} is used {at_most(person.usage.max())} in a fold, which is not above τ = "
            f"{exactly(tau)}: **none of these uses is protected**. Each is answered with the real "
            "rating, and nothing bounds what it reveals."
        ]
    where = "" if vulnerable == folds else f" in {vulnerable} of {folds} folds"
    sentences = [_not_protected(who, where, tau)]
    sentences.append(
        f"**The paper's ε is {_epsilon(person.epsilon(tau))}**: an average over real and "
        f"protected uses. The more of the uses are protected, the closer it is to ln 3 = 1.10; it "
        "is no bound on any single use."
    )
    strict = strict_epsilon(mechanism)
    if math.isinf(strict):
        sentences.append(
            "**Strictly**, noise from a continuous range never equals a rating that somebody gave "
            "by chance: a rating that is seen twice is certainly real, and ε is infinite."
        )
        return sentences
    levels = mechanism.levels.size
    if levels == 1:
        sentences.append(
            "**All ratings are the same**: there is nothing to hide, and a random rating is the "
            "real one."
        )
        return sentences
    sentences.append(
        f"**Strictly, one protected answer has ε = {strict:.2f}**, ln(1 + 3 · {levels}): of the "
        f"{levels} values of the scale, the real rating is the answer in "
        f"{percent(0.75 + 0.25 / levels)} of the cases, each other value in "
        f"{percent(0.25 / levels)}."
    )
    most = int(uses.counts(uses.item, tau)[2].max(initial=0))
    if mechanism.memoised:
        sentences.append("Answers about the same rating are all the same one: they add nothing.")
    elif most > 1:
        sentences.append(
            "Coins are tossed anew for every use, so answers about the same rating add up: one of "
            f"this user's ratings is answered with protection {number(most)} times in all folds "
            f"together, which comes to ε = {number(most * strict)}."
        )
    return sentences


def _not_protected(who: str, where: str, tau: float) -> str:
    first = math.floor(tau)
    if first == 0:
        return f"{who} is vulnerable{where}; every use is protected, from the first on."
    uses = "use" if first == 1 else f"{first:,} uses"
    return (
        f"{who} is vulnerable{where}. **The first {uses} of a fold "
        f"{'is' if first == 1 else 'are'} not protected at all**."
    )


def uses_sentence(uses: Uses, ratings: Ratings, user: int, tau: float, folds: int) -> str:
    """Return for how many users and with how many ratings this user was used."""
    if not uses.item.size:
        return "Nobody's ratings were predicted from this user's."
    rated = int((ratings.user == user).sum())
    asked, counts, _ = uses.counts(uses.asked_by, tau)
    real = np.unique(uses.item[uses.ordinal <= tau]).size
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
        f"Of this user's {number(rated)} ratings, {number(np.unique(uses.item).size)} were used, "
        f"**{number(real)} of them at least once as they really are**."
    )
