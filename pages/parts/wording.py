"""Names, numbers and comparisons in words. A sentence never says more than its numbers do."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable
from typing import Final

from engine.datasets.wording import agreeing as agreeing
from engine.datasets.wording import counted as counted
from engine.datasets.wording import harmless
from engine.datasets.wording import listed as listed
from engine.privacy import whole_uses

#: After a number, which stays with it at the end of a line.
PERCENT: Final = "\N{NO-BREAK SPACE}%"


def number(value: float, decimals: int | None = None) -> str:
    """Return a number to read: thousands apart, about three significant digits.

    >>> number(12345.6), number(92.886), number(8.4), number(0.0123), number(-0.004, 2)
    ('12,346', '92.9', '8.40', '0.0123', '0.00')
    """
    if not math.isfinite(value):
        return "n/a"
    # The z leaves no sign at what is 0 once rounded.
    return f"{value:z,.{_decimals(value) if decimals is None else decimals}f}"


def _decimals(value: float) -> int:
    """Return how many decimals leave a finite number about three significant digits."""
    size = abs(value)
    if 0 < size < 0.1:
        return min(6, 2 - math.floor(math.log10(size)))
    return 0 if size >= 100 or value == round(value) else 1 if size >= 10 else 2


def exactly(value: float) -> str:
    """Return a threshold with at most two decimals and without trailing zeros.

    >>> exactly(93.0), exactly(92.89), exactly(12345.5)
    ('93', '92.89', '12,345.5')
    """
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    r"""Return a share as percent, never 0 or 100 % for what is only close to it.

    >>> percent(0.2413), percent(0.0802), percent(0.0004), percent(0.9999)
    ('24\xa0%', '8.0\xa0%', 'less than 0.1\xa0%', 'more than 99.9\xa0%')
    """
    if not math.isfinite(share):
        return "n/a"
    if 0 < share < 0.001:
        return f"less than 0.1{PERCENT}"
    if 0.999 < share < 1:
        return f"more than 99.9{PERCENT}"
    exact = 100 * share
    rounded = round(exact)
    if (exact < 9.95 and exact != rounded) or (rounded == 100 and share < 1):
        return f"{exact:.1f}{PERCENT}"
    return f"{rounded}{PERCENT}"


def sign_of(difference: float) -> str:
    """Return the sign of a difference, none for 0."""
    return "+" if difference > 0 else "−" if difference < 0 else ""


def points(difference: float) -> str:
    r"""Return the difference of two shares in percentage points, signed.

    >>> points(-0.5626), points(0.0212), points(0.0)
    ('−56\xa0% points', '+2.1\xa0% points', '0\xa0% points')
    """
    size = 100 * abs(difference)
    decimals = 0 if size >= 9.95 else 1
    if round(size, decimals) == 0:
        return f"0{PERCENT} points"
    return f"{sign_of(difference)}{size:.{decimals}f}{PERCENT} points"


def signed(difference: float, decimals: int | None = None) -> str:
    """Return a difference with its sign.

    >>> signed(-53.5), signed(0.0213, 3), signed(0.00001, 3)
    ('−53.5', '+0.021', '0.000')
    """
    if not math.isfinite(difference):
        return number(difference)
    size = abs(difference)
    if decimals is None:
        decimals = _decimals(size)
    sign = "" if round(size, decimals) == 0 else sign_of(difference)
    return sign + number(size, decimals)


def people(count: int) -> str:
    """Return a number of people.

    >>> people(1), people(1200)
    ('1 person', '1,200 people')
    """
    return counted(count, "person", "people")


def counted_share(share: float, users: int) -> tuple[int, str]:
    r"""Return how many users a mean share is, and the share in words: all of them only if it is 1.

    >>> counted_share(0.5, 80), counted_share(0.9996, 943), counted_share(1.0, 943)
    ((40, '50\xa0%'), (942, '99.9\xa0%'), (943, '100\xa0%'))
    """
    count = round(share * users)
    if share < 1 and count == users > 1:
        return users - 1, percent((users - 1) / users)
    return count, percent(share)


def order_as_read(value: float, other: float, text: Callable[[float], str]) -> int:
    """Return -1 for smaller, 1 for larger, and 0 for what reads the same in such a text.

    A word must not call two numbers different that stand beside it and look alike.

    >>> order_as_read(0.24, 0.80, percent), order_as_read(0.801, 0.803, percent)
    (-1, 0)
    """
    if text(value) == text(other):
        return 0
    return -1 if value < other else 1


def comparison(value: float, other: float, text: Callable[[float], str], *words: str) -> str:
    """Return the first, second or third word for smaller, larger, or what reads the same.

    >>> comparison(0.24, 0.80, percent, "fewer", "more", "as many")
    'fewer'
    """
    smaller, larger, same = words
    return {-1: smaller, 1: larger, 0: same}[order_as_read(value, other, text)]


def folds_phrase(done: int, planned: int, how: str = "mean of") -> str:
    """Return what the numbers are a mean of, or a sum.

    >>> folds_phrase(5, 5), folds_phrase(2, 5), folds_phrase(1, 5)
    ('mean of 5 folds', 'mean of 2 of 5 folds so far', 'fold 1 of 5 so far')
    """
    if done == planned:
        return f"{how} {planned} folds" if planned > 1 else "one fold"
    return f"{how} {done} of {planned} folds so far" if done > 1 else f"fold 1 of {planned} so far"


def verbatim(text: str, longest: int = 60) -> str:
    r"""Return text of a user so that Markdown shows it as it is, shortened.

    >>> print(verbatim("*a*<b>"))
    \*a\*\<b\>
    """
    text = harmless(" ".join(text.split()))
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


def first_uses(tau: float) -> str:
    """Return those of a user's uses that are real, where vulnerable users are protected.

    >>> first_uses(1.9), first_uses(1000)
    ('first use', 'first 1,000 uses')
    """
    whole = whole_uses(tau)
    return agreeing(whole, "first use", f"first {whole:,} uses")


def rate_sentence(tau: float, queries: int) -> str:
    """Return how many queries a fold is, and tau as a rate of them.

    >>> print(rate_sentence(93, 18_600))
    A fold asks 18,600 rating queries, each once: τ = 93 is 5 uses of one person for each 1,000
    queries of all users together.
    """
    if not queries:
        return "A fold asks no query."
    asked = agreeing(queries, "1 rating query, once", f"{queries:,} rating queries, each once")
    start = f"A fold asks {asked}"
    if tau >= queries:
        return (
            f"{start}, and each uses a person at most once. So no fold passes τ = {exactly(tau)}."
        )
    rate = number(1000 * tau / queries)
    uses = "1 use" if rate == "1" else f"{rate} uses"
    return (
        f"{start}: τ = {exactly(tau)} is {uses} of one person for each 1,000 queries of all users "
        "together."
    )


def at_most(times: float) -> str:
    """Return an upper bound of uses in words.

    >>> at_most(1), at_most(12)
    ('at most once', 'at most 12 times')
    """
    return "at most once" if times == 1 else f"at most {number(times)} times"


def times(uses: float) -> str:
    """Return a number of uses in words.

    >>> times(0), times(1), times(1.4), times(7177.8)
    ('never', 'once', '1.40 times', '7,178 times')
    """
    if uses == 0:
        return "never"
    return "once" if uses == 1 else f"{number(uses)} times"


def after_queries_words(queries: int) -> str:
    """Return after how many queries something is so.

    >>> after_queries_words(1), after_queries_words(20)
    ('after one query', 'after 20 queries')
    """
    return agreeing(queries, "after one query", f"after {queries} queries")


def used(uses: float) -> str:
    """Return how often somebody is used.

    >>> used(0), used(12)
    ('never used', 'used 12 times')
    """
    return f"used {times(uses)}" if uses else "never used"


def used_at_most(uses: float) -> str:
    """Return how often somebody is used at most.

    >>> used_at_most(0), used_at_most(12)
    ('never used', 'used at most 12 times')
    """
    return f"used {at_most(uses)}" if uses else "never used"


def wrapped(title: str, longest: int = 48) -> str:
    """Return the title of a figure in lines of about the same length; Plotly breaks none itself.

    A line of the usual length fits on a phone.

    >>> wrapped("one two three four", 12)
    'one two<br>three four'
    """
    title = title.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")  # a name and its value
    lines = math.ceil(len(title) / longest)
    if lines <= 1:
        return title
    width = math.ceil(1.08 * len(title) / lines)
    return "<br>".join(textwrap.wrap(title, min(longest, width)))
