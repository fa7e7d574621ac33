"""What the page on data usage says about its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from pages.parts.drawing.charts import Formula
from pages.parts.runs.results import At
from pages.parts.usage.counts import UsagePanel
from pages.parts.wording import at_most, exactly, number, percent, points, signed, tau_in_words

DATA_USAGE: Final = Formula(
    words="A user's data usage counts the rating queries of all users for which this user is among "
    "the k neighbors. A user is vulnerable if it is above τ.",
    latex=r"""\begin{aligned}
\mathrm{DataUsage}@k(u) &= \sum_{v \in U} \sum_{i \in Q_v} \mathbb{1}_{N^k_{v,i}}(u) \\
V &= \{u \in U : \mathrm{DataUsage}@k(u) > \tau\}
\end{aligned}\;""",
)
LOAD: Final = Formula(
    words="The users are sorted by how often they are used. The share of all uses that falls on "
    "the first p percent of them (rounded, at least one user), fold by fold, and then the mean.",
    latex=r"L_p = \frac{\sum_{u \in T_p} \mathrm{DataUsage}@k(u)}"
    r"{\sum_{u \in U} \mathrm{DataUsage}@k(u)}, \qquad "
    r"T_p: \text{the } \tfrac{p}{100} |U| \text{ users who are used most}",
)


def nobody_is_vulnerable(panel: UsagePanel, tau: float) -> bool:
    """Return whether tau is not below the largest usage."""
    return panel.largest <= tau


def usage_sentence(chosen: UsagePanel, other: UsagePanel, tau: float) -> str:
    """Return the share of vulnerable users in words, compared with another strategy."""
    share, other_share = chosen.vulnerable_share(tau), other.vulnerable_share(tau)
    if nobody_is_vulnerable(chosen, tau):
        compared = (
            f"With {other.name} {percent(other_share)} of the users are."
            if other_share
            else f"With {other.name} nobody is either."
        )
        largest = (
            f"the most used user is used {number(chosen.largest)} times, and τ is {exactly(tau)}"
            if chosen.largest
            else "no user's data is used at all"
        )
        return (
            f"**Nobody is vulnerable with {chosen.name}**: {largest}. Nothing is protected. "
            f"{compared}"
        )
    return (
        f"With {chosen.name}, **{percent(share)} of the users are used {tau_in_words(tau)}** to "
        "predict somebody's rating: they are vulnerable, and are protected from then on. "
        f"With {other.name} it is {percent(other_share)}."
    )


def usage_title(chosen: UsagePanel, other: UsagePanel) -> str:
    """Return the finding of the histogram: where the middle user stands.

    >>> both = UsagePanel("Gain", [np.array([0, 4, 9])]), UsagePanel("UserKNN", [np.array([7, 8])])
    >>> usage_title(*both)
    'Half of the users are used at most 4 times with Gain, at most 7 times with UserKNN'
    """

    def half(panel: UsagePanel) -> str:
        median = panel.quantile(0.5)
        return "never used" if median == 0 else f"used {at_most(median)}"

    return (
        f"Half of the users are {half(chosen)} with {chosen.name}, "
        f"{half(other).removeprefix('used ')} with {other.name}"
    )


def usage_metrics(chosen: At, other: At, other_name: str) -> list[dict[str, Any]]:
    """Return the strong numbers with their comparisons, as arguments of `st.metric`."""

    def metric(label: str, value: str, delta: str, compared: str, help: str) -> dict[str, Any]:
        return {
            "label": label,
            "value": value,
            # Streamlit takes an ASCII minus for a decrease, and only a number for no change.
            "delta": delta.replace("−", "-") if delta.startswith(("+", "−")) else 0,
            "delta_color": "inverse",
            "delta_description": f"{other_name} {compared}",
            "help": help,
        }

    return [
        metric(
            "Vulnerable users",
            percent(chosen.vulnerable_share),
            points(chosen.vulnerable_share - other.vulnerable_share),
            percent(other.vulnerable_share),
            "Users whose data is used more than τ times.",
        ),
        metric(
            "Mean privacy risk",
            number(chosen.privacy_risk),
            signed(chosen.privacy_risk - other.privacy_risk),
            number(other.privacy_risk),
            "Unprotected uses per user: the data usage, but at most τ.",
        ),
        metric(
            "Uses of a secure user",
            number(chosen.secure_risk),
            signed(chosen.secure_risk - other.secure_risk),
            number(other.secure_risk),
            "How often the data of a user who is not vulnerable is used, on average.",
        ),
    ]


def all_title(panels: Sequence[UsagePanel], tau: float) -> str:
    """Return the finding of the panels of all strategies: who makes the fewest users vulnerable.

    >>> panels = [UsagePanel("Gain", [np.array([0, 9])]), UsagePanel("UserKNN", [np.array([7, 8])])]
    >>> all_title(panels, 5)
    'At τ = 5 Gain has the fewest vulnerable users (50 %), UserKNN the most (100 %)'
    """
    shares = {panel.name: panel.vulnerable_share(tau) for panel in panels}
    fewest, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    if percent(shares[fewest]) == percent(shares[most]):
        if not shares[most]:
            return f"At τ = {exactly(tau)} nobody is vulnerable with any strategy"
        return (
            f"At τ = {exactly(tau)} {percent(shares[most])} of the users are vulnerable, "
            "whatever the strategy"
        )
    return (
        f"At τ = {exactly(tau)} {fewest} has the fewest vulnerable users "
        f"({percent(shares[fewest])}), {most} the most ({percent(shares[most])})"
    )


def cumulative_title(chosen: UsagePanel, other: UsagePanel, tau: float) -> str:
    """Return the finding of the cumulative view: who is used at most tau times.

    >>> both = UsagePanel("Gain", [np.array([0, 9])]), UsagePanel("UserKNN", [np.array([7, 8])])
    >>> cumulative_title(*both, 5)
    '50 % of the users are used at most 5 times with Gain, 0 % with UserKNN'
    """
    here, there = (1 - panel.vulnerable_share(tau) for panel in (chosen, other))
    times = "never used" if tau < 1 else f"used {at_most(np.floor(tau))}"
    return (
        f"{percent(here)} of the users are {times} with {chosen.name}, "
        f"{percent(there)} with {other.name}"
    )


def load_sentence(chosen: UsagePanel, other: UsagePanel) -> str:
    """Return who carries the load: the other side of few vulnerable users."""
    if not chosen.largest:
        return "No user's data is used at all: there is no load to carry."
    return (
        f"With {chosen.name} the tenth of the users who are used most carry "
        f"{percent(chosen.load(0.1))} of all uses ({percent(other.load(0.1))} with {other.name}). "
        f"{percent(chosen.unused())} of the users are never used "
        f"({percent(other.unused())} with {other.name})."
    )


def design_sentence(panels: Mapping[str, UsagePanel], tau: float) -> str:
    """Return what Expect and Gain are made to do, if they do it here; else nothing.

    >>> usage = {"userknn": [7, 8, 9], "expect": [0, 2, 22], "gain": [1, 3, 20]}
    >>> panels = {name: UsagePanel(name, [np.array(uses)]) for name, uses in usage.items()}
    >>> print(design_sentence(panels, 5).split(". ")[1])
    At τ = 5 a vulnerable user is used 22 times on average with expect, 20 with gain, and 8 with
    userknn.
    """
    base, made = panels["userknn"], [panels["expect"], panels["gain"]]
    if not all(
        panel.vulnerable_share(tau) < base.vulnerable_share(tau)
        and panel.mean_above(tau) > base.mean_above(tau)
        for panel in made
    ):
        return ""
    times = [number(panel.mean_above(tau)) for panel in (*made, base)]
    return (
        "Expect and Gain concentrate the load by design: fewer users are vulnerable, and those are "
        f"used more often. At τ = {exactly(tau)} a vulnerable user is used {times[0]} times "
        f"on average with {made[0].name}, {times[1]} with {made[1].name}, and {times[2]} with "
        f"{base.name}."
    )
