"""Popularity bias and coverage of each strategy: as a table, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from engine.judgement import Judgement, compare
from engine.outcome import Outcome
from engine.popularity_bias import compare_pp_corr, group_shares
from pages.parts.comparison.sides import JUDGEMENT
from pages.parts.looks import name_of
from pages.parts.measures import difference_text, value_text
from pages.parts.outcomes import find, outcome_name
from pages.parts.screen import Screen
from pages.parts.wording import PERCENT, comparison, number, order_as_read, percent


def list_outcomes(screen: Screen) -> list[Outcome]:
    """Return UserKNN under every protection, then the other strategies with DP."""
    cases = [("userknn", protection) for protection in ("none", "vulnerable", "full")]
    cases += [(strategy, "vulnerable") for strategy in screen.strategies if strategy != "userknn"]
    return [screen.outcome(*case, metrics=("pp_corr", "coverage")) for case in cases]


def frequency_of(outcome: Outcome) -> np.ndarray:
    """Return how often each item is on a top list, all folds together: (n_items,) int64."""
    assert outcome.item_frequency is not None  # the outcomes of this page have top lists
    return outcome.item_frequency


def significance(outcome: Outcome, base: Outcome) -> str:
    """Return what the paper's z-test of two PP-Corr says, at its level of 1 %."""
    test = compare_pp_corr(outcome, base)
    if test is None:
        return "n/a"
    return "significant" if test.significant else "may be chance"


def coverage_text(coverage: float) -> str:
    r"""Return the share of the items that are on some list, as a text.

    >>> coverage_text(0.8141)
    '81.4\xa0%'
    """
    return f"{100 * coverage:.1f}{PERCENT}"


def bias_table(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return PP-Corr and coverage as texts, with the differences to UserKNN with DP."""
    base = find(outcomes, "userknn")
    return pd.DataFrame([_bias_row(outcome, base) for outcome in outcomes])


def _bias_row(outcome: Outcome, base: Outcome) -> dict[str, str]:
    def difference(metric: str) -> str:
        return difference_text(metric, outcome.value(metric) - base.value(metric))

    compared = outcome is not base
    judgement = compare(base, outcome, "pp_corr").judgement
    return {
        "Strategy": outcome_name(outcome),
        "PP-Corr": value_text(outcome, "pp_corr"),
        "PP-Corr, difference": difference("pp_corr") if compared else "",
        "a clear difference?": JUDGEMENT[judgement] if compared else "",
        "the paper's z-test": significance(outcome, base) if compared else "",
        "Coverage": coverage_text(outcome.value("coverage")),
        "Coverage, difference": difference("coverage") if compared else "",
    }


def crowding_sentence(chosen: Outcome, bare: Outcome, popularity: np.ndarray) -> str:
    """Return (Markdown) whether popular items crowd out the others, against no protection.

    `bare` is UserKNN without protection. The popular items are the tenth with the most ratings.
    """
    name = name_of(chosen.setting.strategy)
    ratings, mine, other = (
        float(group_shares(counts, popularity)[-1])
        for counts in (popularity, frequency_of(chosen), frequency_of(bare))
    )
    if not np.isfinite([ratings, mine, other]).all() or not frequency_of(chosen).sum():
        return "No list has an item at the top, so there is nothing to compare."
    verdict = comparison(
        mine,
        ratings,
        percent,
        f"**No, popular items do not crowd out the others with {name}**",
        f"**Yes, popular items crowd out others with {name}**",
        f"**Popular items get what their ratings suggest with {name}**",
    )
    return (
        f"{verdict}: a tenth of the items has {percent(ratings)} of the ratings and gets "
        f"{percent(mine)} of the places in people's top ten. With UserKNN without "
        f"protection it gets {percent(other)}. "
        f"{coverage_text(chosen.value('coverage'))} of all items are in somebody's top ten."
    )


def bias_sentence(chosen: Outcome, outcomes: Sequence[Outcome]) -> str:
    """Return PP-Corr of the chosen strategy in words, with what it is compared with."""
    base, bare = find(outcomes, "userknn"), find(outcomes, "userknn", "none")
    mine, other, without = (outcome.value("pp_corr") for outcome in (chosen, base, bare))
    if not np.isfinite([mine, other, without]).all():
        return (
            "The correlation of popularity and top lists is undefined here: too few items are on "
            "a list, or all of them equally often."
        )
    text = partial(number, decimals=3)
    end = f"without DP UserKNN has {number(without, 3)}."
    start = (
        "How often an item is at the top of a list is correlated with its popularity: by "
        f"**{text(mine)}** under {outcome_name(chosen)} (1 would mean exactly in step)"
    )
    if chosen is base:
        return f"{start}; {end}"
    verdict = comparison(mine, other, text, "lower than", "higher than", "as")
    doubt = {
        Judgement.WITHIN_NOISE: ", a difference within the noise of the folds",
        Judgement.ONE_FOLD: ", which one fold cannot tell from chance",
    }
    differs = order_as_read(mine, other, text) != 0
    note = doubt.get(compare(base, chosen, "pp_corr").judgement, "") if differs else ""
    return f"{start}, {verdict} under {outcome_name(base)} ({text(other)}){note}; {end}"
