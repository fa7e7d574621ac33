"""What the page on data usage says about its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.privacy import whole_uses
from pages.contents.data_usage.counts import UsagePanel
from pages.parts.wording import (
    at_most,
    exactly,
    number,
    order_as_read,
    percent,
    tau_in_words,
    used_at_most,
)


def usage_sentence(chosen: UsagePanel, other: UsagePanel, tau: float) -> str:
    """Return the share of vulnerable users in words, compared with another strategy."""
    share, other_share = chosen.vulnerable_share(tau), other.vulnerable_share(tau)
    if chosen.largest <= tau:
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
    since = "from the first use on" if tau < 1 else "from then on"
    return (
        f"With {chosen.name}, **{percent(share)} of the users are used {tau_in_words(tau)}** to "
        f"predict somebody's rating: they are vulnerable, and are protected {since}. "
        f"With {other.name} it is {percent(other_share)}."
    )


def usage_title(chosen: UsagePanel, other: UsagePanel, tau: float) -> str:
    r"""Return the finding of the histogram: which share of the users is above tau.

    >>> import numpy as np
    >>> both = UsagePanel([np.array([0, 9])], "gain"), UsagePanel([np.array([7, 8])], "userknn")
    >>> usage_title(*both, 5)
    '50\xa0% of the users are used more than 5 times with Gain, 100\xa0% with UserKNN'
    >>> usage_title(*both, 9)
    'Nobody is used more than 9 times with Gain, nobody with UserKNN'
    """
    share, other_share = (panel.vulnerable_share(tau) for panel in (chosen, other))
    start = f"{percent(share)} of the users are" if share else "Nobody is"
    others = percent(other_share) if other_share else "nobody"
    return f"{start} used {tau_in_words(tau)} with {chosen.name}, {others} with {other.name}"


def middle_sentence(chosen: UsagePanel, other: UsagePanel) -> str:
    """Return where the middle user stands.

    >>> import numpy as np
    >>> both = UsagePanel([np.array([0, 4, 9])], "gain"), UsagePanel([np.array([7, 8])], "userknn")
    >>> middle_sentence(*both)
    'Half of the users are used at most 4 times with Gain, at most 7 times with UserKNN.'
    """
    mine, others = (panel.quantile(0.5) for panel in (chosen, other))
    return (
        f"Half of the users are {used_at_most(mine)} with {chosen.name}, "
        f"{at_most(others) if others else 'never used'} with {other.name}."
    )


def all_title(panels: Sequence[UsagePanel], tau: float) -> str:
    r"""Return the finding of the panels of all strategies: who makes the fewest users vulnerable.

    >>> import numpy as np
    >>> panels = [UsagePanel([np.array([0, 9])], "gain"), UsagePanel([np.array([7, 8])], "userknn")]
    >>> all_title(panels, 5)
    'At τ = 5 Gain has the fewest vulnerable users (50\xa0%), UserKNN the most (100\xa0%)'
    """
    shares = {panel.name: panel.vulnerable_share(tau) for panel in panels}
    fewest, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    if order_as_read(shares[fewest], shares[most], percent) == 0:
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
    r"""Return the finding of the cumulative view: who is used at most tau times.

    >>> import numpy as np
    >>> both = UsagePanel([np.array([0, 9])], "gain"), UsagePanel([np.array([7, 8])], "userknn")
    >>> cumulative_title(*both, 5)
    '50\xa0% of the users are used at most 5 times with Gain, 0\xa0% with UserKNN'
    """
    share, other_share = (1 - panel.vulnerable_share(tau) for panel in (chosen, other))
    return (
        f"{percent(share)} of the users are {used_at_most(whole_uses(tau))} with {chosen.name}, "
        f"{percent(other_share)} with {other.name}"
    )


def load_sentence(chosen: UsagePanel, other: UsagePanel) -> str:
    """Return who carries the load: the other side of few vulnerable users."""
    if not chosen.largest:
        return "No user's data is used at all: there is no load to carry."
    return (
        f"With {chosen.name} the tenth of the users who are used most carry "
        f"{percent(chosen.share_of_uses(0.1))} of all uses "
        f"({percent(other.share_of_uses(0.1))} with {other.name}). "
        f"{percent(chosen.unused_share)} of the users are never used "
        f"({percent(other.unused_share)} with {other.name})."
    )


def design_sentence(panels: Mapping[str, UsagePanel], tau: float) -> str:
    """Return what Expect and Gain are made to do, if they do it here; else nothing.

    >>> import numpy as np
    >>> usage = {"userknn": [7, 8, 9], "expect": [0, 2, 22], "gain": [1, 3, 20]}
    >>> panels = {name: UsagePanel([np.array(uses)], name) for name, uses in usage.items()}
    >>> print(design_sentence(panels, 5).split(". ")[1])
    At τ = 5 a vulnerable user is used 22 times on average with Expect, 20 with Gain, and 8 with
    UserKNN.
    """
    base, designed = panels["userknn"], [panels["expect"], panels["gain"]]
    if not all(
        panel.vulnerable_share(tau) < base.vulnerable_share(tau)
        and panel.mean_vulnerable_usage(tau) > base.mean_vulnerable_usage(tau)
        for panel in designed
    ):
        return ""
    times = [number(panel.mean_vulnerable_usage(tau)) for panel in (*designed, base)]
    return (
        "Expect and Gain concentrate the load by design: fewer users are vulnerable, and those are "
        f"used more often. At τ = {exactly(tau)} a vulnerable user is used {times[0]} times "
        f"on average with {designed[0].name}, {times[1]} with {designed[1].name}, "
        f"and {times[2]} with {base.name}."
    )
