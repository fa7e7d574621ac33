"""The rules that suggest a tau: their names, what each means, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd

from pages.contents.data_usage.counts import UsagePanel
from pages.parts.runs.results import Results
from pages.parts.wording import exactly, number, percent

#: By the name on the command line.
TAU_RULES: Final = {
    "published": "Published rule",
    "tail": "Start of the tail",
    "q90": "Top tenth",
}
RULE_SENTENCE: Final = {
    "published": "What the paper's code computes. On all but small data it comes out near 93, "
    "because its smoothing has a fixed width (√3 · 50 = 86.6, plus a little).",
    "tail": "Where the long tail of heavily used users begins: the paper's words taken literally.",
    "q90": "A tenth of the users are used more often.",
}


def suggestions(results: Results, k: int, strategy: str, *, patient: bool) -> dict[str, int]:
    """Return tau by rule, in whole uses; if not `patient`, only what is known at once.

    The rules look at the usage of the strategy's baseline.
    """
    return {
        rule: round(results.suggested_tau(rule, k, strategy))
        for rule in TAU_RULES
        if patient or results.knows_tau(rule, k, strategy)
    }


def rules_table(
    suggested: Mapping[str, int],
    in_folds: Mapping[str, Sequence[float]],
    panels: tuple[UsagePanel, ...],
) -> pd.DataFrame:
    """Return what each rule suggests and how many users it would make vulnerable, as texts.

    `in_folds` has what it suggests in each fold; `suggested` is the mean, rounded.
    """
    return pd.DataFrame(
        [
            {
                "rule": TAU_RULES[rule],
                "τ": exactly(tau),
                "exactly": exactly(float(np.mean(in_folds[rule]))),
                "in the folds": f"{number(min(in_folds[rule]))} to {number(max(in_folds[rule]))}",
                **{
                    f"vulnerable with {panel.name}": percent(panel.vulnerable_share(tau))
                    for panel in panels
                },
                "what it is": RULE_SENTENCE[rule],
            }
            for rule, tau in suggested.items()
        ]
    )
