"""The rules for tau side by side: what each suggests, gives and costs."""

from __future__ import annotations

from typing import Final

import pandas as pd

from engine.choice import Decision
from engine.strategies import STRATEGIES
from engine.tau_rules import RuleOutcome, compare_rules, tau_if_used_more
from pages.contents.choose_tau.decisions import current_choice
from pages.contents.data_usage.rules import TAU_RULES
from pages.parts.looks import name_of
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import PERCENT, exactly, number, percent, signed

#: The name of each rule, and what it is.
_RULES: Final = {
    "published": (
        TAU_RULES["published"],
        "what the paper's code computes; near 93 on nearly all data",
    ),
    "tail": (TAU_RULES["tail"], "where the long tail of heavily used users begins"),
    "q50": ("Half of the users", "half of the users are used more often"),
    "q75": ("Top quarter", "a quarter of the users are used more often"),
    "q90": (TAU_RULES["q90"], "a tenth of the users are used more often"),
    "q95": ("Top twentieth", "a twentieth of the users are used more often"),
    "knee": ("Knee of the error curve", "from here on a larger τ wins little accuracy"),
    "limits": ("Your limits", "the best τ of this strategy and k within your limits"),
}


def rules_of(screen: Screen, decision: Decision) -> list[RuleOutcome]:
    """Return what each rule gives; the start of the tail only once it is known."""
    results = screen.results
    rules = [rule for rule in _RULES if rule not in ("knee", "limits")]
    choice = current_choice(screen, decision)
    return compare_rules(
        screen.experiment,
        choice.candidate,
        screen.folds,
        rules=[rule for rule in rules if results.knows_tau(rule, screen.k, screen.strategy)],
        choice=choice if decision.limits.stated else None,
        baseline=decision.limits.baseline,
    )


def rules_compared_section(screen: Screen, decision: Decision) -> Section:
    """Return the rules for tau side by side, and why the published one moves so little."""
    rows = rules_of(screen, decision)
    table = pd.DataFrame([_rule_row(row) for row in rows]).fillna("")
    baseline = STRATEGIES[screen.strategy].baseline
    usage = screen.results.usages(baseline, screen.k)[0]
    now, more = tau_if_used_more("published", usage, [1, 10])
    before, after = number(now), number(more)
    moved = f"stay at {before}" if before == after else f"move from {before} to {after}"
    tenth_now, tenth_more = tau_if_used_more("q90", usage, [1, 10])
    return Section(
        heading="Rules side by side",
        exhibits=[
            Exhibit(
                name="tau-rules-compared",
                alt="What each rule for the threshold suggests, gives and costs",
                table=table,
            )
        ],
        caption=f"For {name_of(screen.strategy)}, k = {screen.k}. All rules but the knee and your "
        f"limits look at {name_of(baseline)}'s data usage. If every user were used ten times as "
        f"often, the published rule would {moved}, and the top tenth would move from "
        f"{number(tenth_now)} to {number(tenth_more)} (first fold). The published rule smooths "
        "with a fixed width of 50, and a bell of that width bends most at √3 · 50 = 86.6: "
        "its value says more about the width than about your users.",
    )


def _rule_row(row: RuleOutcome) -> dict[str, str]:
    (name, words), outcome = _RULES[row.rule], row.outcome
    if outcome is None:
        return {"rule": name, "τ": "none", "what it is": words}
    return {
        "rule": name,
        "τ": exactly(outcome.tau),
        "vulnerable": percent(outcome.vulnerable_share),
        "error": f"{signed(100 * outcome.error_increase, 1)}{PERCENT}",
        "real uses per user": number(outcome.privacy_risk),
        "noisy uses": percent(outcome.protected_uses),
        "what it is": words,
    }
