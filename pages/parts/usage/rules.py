"""The rules that suggest a tau: their names, what each means, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from pages.parts.usage.counts import UsagePanel
from pages.parts.wording import exactly, number, percent

if TYPE_CHECKING:
    from pages.parts.runs.results import Results

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
    "q90": "With UserKNN a tenth of the users is used more often.",
}


def suggestions(results: Results, k: int, patient: bool) -> dict[str, float]:
    """Return tau by rule; unless patient, only under those rules that are known at once."""
    return {
        rule: results.suggested_tau(rule, k)
        for rule in TAU_RULES
        if patient or results.knows_tau(rule, k)
    }


def rules_table(
    suggested: Mapping[str, float],
    in_folds: Mapping[str, Sequence[float]],
    panels: tuple[UsagePanel, ...],
) -> pd.DataFrame:
    """Return what each rule suggests and how many users it would make vulnerable, as texts.

    `in_folds` has what it suggests in each fold, of which `suggested` is the mean.
    """
    return pd.DataFrame(
        {
            "rule": [TAU_RULES[rule] for rule in suggested],
            "τ": [exactly(tau) for tau in suggested.values()],
            "in the folds": [
                f"{number(min(in_folds[rule]))} to {number(max(in_folds[rule]))}"
                for rule in suggested
            ],
            **{
                f"vulnerable with {panel.name}": [
                    percent(panel.vulnerable_share(tau)) for tau in suggested.values()
                ]
                for panel in panels
            },
            "what it is": [RULE_SENTENCE[rule] for rule in suggested],
        }
    )
