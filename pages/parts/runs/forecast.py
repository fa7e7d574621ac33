"""What a large run will take, in words, while it is still worth knowing."""

from __future__ import annotations

import os
from typing import Final

from engine.datasets import Ratings
from engine.estimate import Estimate, estimate_steps
from pages.parts.runs.plan import planned_steps
from pages.parts.runs.run_strategies import core_strategies, extra_strategies
from pages.parts.runs.worker import in_words

#: Seconds. A shorter run is over before anybody has read what it takes.
LONG: Final = 30.0
#: Seconds. A longer run begins only when somebody says so.
LARGE: Final = 600.0


def machine_memory() -> float | None:
    """Return the memory of this machine in bytes; None where the system does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return None


def forecast(ratings: Ratings, *, half: bool = False) -> Estimate:
    """Return what the whole run of these ratings takes, with nothing computed before.

    It goes in the steps of its plan, the k that is looked at first, and ends with the tests. `half`
    says that half of the queries are asked, and embeddings are learned.
    """
    core, extras = core_strategies(half=half), extra_strategies(ratings.n_ratings, half=half)
    queries = "half" if half else "all"
    return estimate_steps(ratings, planned_steps(core, extras), tests=True, queries=queries)


def size_in_words(size: float) -> str:
    """Return a number of bytes to read.

    >>> size_in_words(263e6), size_in_words(1.234e9)
    ('260 MB', '1.2 GB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 0.995e9 else f"{max(1, round(size / 1e7)) * 10} MB"


def is_tight(expected: Estimate, memory: float | None) -> bool:
    """Return whether a run needs more than half of the memory of the machine."""
    return memory is not None and expected.memory > memory / 2


def is_large(expected: Estimate, memory: float | None) -> bool:
    """Return whether a run takes enough time or memory to ask before it begins.

    >>> from engine.estimate import Estimate
    >>> is_large(Estimate(60.0, 3e8, 1e8), 8e9), is_large(Estimate(60.0, 5e9, 1e8), 8e9)
    (False, True)
    """
    return expected.seconds > LARGE or is_tight(expected, memory)


def forecast_words(expected: Estimate, memory: float | None) -> str:
    """Return what a large run takes; nothing for a small one.

    >>> from engine.estimate import Estimate
    >>> forecast_words(Estimate(12.0, 3e8, 1e8), 8e9)
    ''
    """
    tight = is_tight(expected, memory)
    if expected.seconds <= LONG and not tight:
        return ""
    words = (
        f"The whole run, if nothing of it is kept from before: {in_words(expected.seconds)}, "
        f"{size_in_words(expected.memory)} of memory and {size_in_words(expected.disk)} of disk, "
        "estimated from the data, to about a factor of 1.5 where nothing else runs on this machine."
    )
    if tight and memory:
        words += (
            f" This machine has {size_in_words(memory)} of memory: close other programs, or "
            "cancel and take a smaller dataset."
        )
    return words
