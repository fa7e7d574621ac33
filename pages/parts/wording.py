"""Names, numbers and comparisons in words. A sentence never says more than its numbers do."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from typing import Final

STRATEGY: Final = {
    "userknn": "UserKNN",
    "userknn+reuse": "UserKNN+Reuse",
    "expect": "Expect",
    "gain": "Gain",
    "expect+reuse": "Expect+Reuse",
    "gain+reuse": "Gain+Reuse",
}
#: One sentence a strategy, without a formula.
STRATEGY_SENTENCE: Final = {
    "userknn": "The most similar users become neighbors; nothing is reused on purpose.",
    "userknn+reuse": "Neighbors of earlier queries first, then the most similar users.",
    "expect": "Similar users who rated many popular items, so that they can serve many queries.",
    "gain": "Similar users who rated much of what the target user rated.",
    "expect+reuse": "Neighbors of earlier queries first, then those that Expect would take.",
    "gain+reuse": "Neighbors of earlier queries first, then those that Gain would take.",
}
PROTECTION: Final = {"none": "without DP", "vulnerable": "with DP", "full": "full DP"}


def named(strategy: str, protection: str) -> str:
    """Return the name of a strategy under a protection.

    >>> named("expect", "vulnerable")
    'Expect with DP'
    """
    return f"{STRATEGY[strategy]} {PROTECTION[protection]}"


def number(value: float, decimals: int | None = None) -> str:
    """Return a number to read: thousands apart, about three significant digits.

    >>> number(12345.6), number(92.886), number(8.4), number(0.0123), number(-0.004, 2)
    ('12,346', '92.9', '8.40', '0.0123', '0.00')
    """
    if not math.isfinite(value):
        return "n/a"
    if decimals is None:
        size = abs(value)
        decimals = 0 if size >= 100 or value == round(value) else 1 if size >= 10 else 2
        if 0 < size < 0.1:
            decimals = min(6, 2 - math.floor(math.log10(size)))
    text = f"{value:,.{decimals}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text


def exactly(value: float) -> str:
    """Return a threshold without rounding more than two decimals and without trailing zeros.

    >>> exactly(93.0), exactly(92.89), exactly(12345.5)
    ('93', '92.89', '12,345.5')
    """
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """Return a share as percent, never 0 or 100 % for what is only close to it.

    >>> percent(0.2413), percent(0.0802), percent(0.0004), percent(0.9999), percent(1)
    ('24 %', '8.0 %', 'less than 0.1 %', 'more than 99.9 %', '100 %')
    """
    if not math.isfinite(share):
        return "n/a"
    if 0 < share < 0.001:
        return "less than 0.1 %"
    if 0.999 < share < 1:
        return "more than 99.9 %"
    exact = 100 * share
    rounded = round(exact)
    if (exact < 9.95 and exact != rounded) or (rounded == 100 and share < 1):
        return f"{exact:.1f} %"
    return f"{rounded} %"


def points(difference: float) -> str:
    """Return the difference of two shares in percentage points, signed.

    >>> points(-0.5626), points(0.0212), points(0.0)
    ('−56 points', '+2.1 points', '0 points')
    """
    size = 100 * abs(difference)
    text = f"{size:.0f}" if size >= 9.95 else f"{size:.1f}"
    if float(text) == 0:
        return "0 points"
    return f"{'+' if difference > 0 else '−'}{text} points"


def counted(count: int, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "user"), counted(1200, "item")
    ('1 user', '1,200 items')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def signed(difference: float, decimals: int | None = None) -> str:
    """Return a difference with its sign.

    >>> signed(-53.5), signed(0.0213, 3), signed(0.00001, 3)
    ('−53.5', '+0.021', '0.000')
    """
    text = number(abs(difference), decimals)
    if text == "n/a" or float(text.replace(",", "")) == 0:
        return text
    return f"{'+' if difference > 0 else '−'}{text}"


def comparison(value: float, other: float, shown: str, other_shown: str, *words: str) -> str:
    """Return the first, second or third word for smaller, larger, or the same once rounded.

    >>> comparison(0.24, 0.80, "24 %", "80 %", "fewer", "more", "as many")
    'fewer'
    >>> comparison(0.801, 0.803, "80 %", "80 %", "fewer", "more", "as many")
    'as many'
    """
    smaller, larger, same = words
    if shown == other_shown or value == other:
        return same
    return smaller if value < other else larger


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listed(["Expect", "Gain", "UserKNN"])
    'Expect, Gain and UserKNN'
    """
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last


def folds_phrase(done: int, planned: int) -> str:
    """Return what the numbers are a mean of.

    >>> folds_phrase(5, 5), folds_phrase(2, 5), folds_phrase(1, 5)
    ('mean of 5 folds', 'mean of 2 of 5 folds so far', 'fold 1 of 5 so far')
    """
    if done == planned:
        return f"mean of {planned} folds" if planned > 1 else "one fold"
    return (
        f"mean of {done} of {planned} folds so far" if done > 1 else f"fold 1 of {planned} so far"
    )


def plain(text: str, longest: int = 60) -> str:
    r"""Return text of a user so that Markdown shows it as it is, shortened.

    >>> print(plain("*a*<b>"))
    \*a\*\<b\>
    """
    text = " ".join(text.split())
    shortened = text if len(text) <= longest else text[: longest - 1] + "…"
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", shortened)


def tau_in_words(tau: float) -> str:
    """Return what it means to be above tau.

    >>> tau_in_words(92.89), tau_in_words(1.0), tau_in_words(0.4)
    ('more than 92.89 times', 'more than once', 'at all')
    """
    if tau < 1:
        return "at all"
    return "more than once" if tau == 1 else f"more than {exactly(tau)} times"


def at_most(times: float) -> str:
    """Return an upper bound of uses in words.

    >>> at_most(1), at_most(12)
    ('at most once', 'at most 12 times')
    """
    return "at most once" if times == 1 else f"at most {number(times)} times"


def wrapped(title: str, longest: int = 84) -> str:
    """Return the title of a figure in lines of about the same length; Plotly breaks none itself.

    >>> wrapped("one two three four", 12)
    'one two<br>three four'
    """
    title = title.replace(" %", "\N{NO-BREAK SPACE}%")  # a number stays with its unit
    lines = math.ceil(len(title) / longest)
    if lines <= 1:
        return title
    width = math.ceil(1.08 * len(title) / lines)
    return "<br>".join(textwrap.wrap(title, min(longest, width)))
