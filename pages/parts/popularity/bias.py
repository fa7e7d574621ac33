"""Popularity bias and coverage of each strategy: as a table, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from pages.parts.drawing.charts import Formula
from pages.parts.runs.results import Results, TopLists
from pages.parts.wording import comparison, named, number, points, signed

PP_CORR: Final = Formula(
    words="The positivity-popularity correlation (PP-Corr) is Pearson's correlation, over the "
    "items that are on some list, of how often an item is on a user's list of the 10 highest "
    "predictions with how many users rated it. 1: exactly the popular items come to the top. "
    "Lower is better. Coverage is the share of all items that are on some list. Higher is better.",
    latex=r"""\begin{aligned}
\mathrm{ItemFreq}^+@k(i) &= \sum_{u \in U} \mathbb{1}_{\mathcal{R}^k_{top}(u)}(i) \\
\text{PP-Corr}@k &= \frac{\sigma_{\mathrm{ItemFreq}^+@k, \mathrm{ItemPop}}}
{\sigma_{\mathrm{ItemFreq}^+@k} \, \sigma_{\mathrm{ItemPop}}} \\
\mathrm{Coverage}@k &= \frac{1}{|I|} \Big| \bigcup_{u \in U} \mathcal{R}^k_{top}(u) \Big|
\end{aligned}\;""",
)


@dataclass(frozen=True, eq=False)
class Bias:
    """The top lists of a strategy under a protection."""

    strategy: str
    protection: str
    lists: TopLists

    @property
    def name(self) -> str:
        """The name of the strategy and its protection."""
        return named(self.strategy, self.protection)

    @property
    def coverage(self) -> str:
        """The share of the items that are on some list, as a text."""
        return f"{100 * self.lists.coverage:.1f} %"


def find_biases(results: Results, strategies: Sequence[str], k: int, tau: float) -> list[Bias]:
    """Return UserKNN under every protection, then the other strategies with DP."""
    cases = [("userknn", protection) for protection in ("none", "vulnerable", "full")]
    cases += [(strategy, "vulnerable") for strategy in strategies if strategy != "userknn"]
    return [
        Bias(s, protection, results.top_lists(s, protection, k, tau)) for s, protection in cases
    ]


def find(found: Sequence[Bias], strategy: str, protection: str) -> Bias:
    """Return the bias of a strategy under a protection."""
    return next(b for b in found if (b.strategy, b.protection) == (strategy, protection))


def significance(bias: Bias, base: Bias) -> str:
    """Return what the z-test of two PP-Corr says, at the paper's level of 1 %."""
    from engine.significance import compare_correlations

    if bias is base:
        return ""
    if bias.lists.pp_corr is None or base.lists.pp_corr is None:
        return "n/a"
    # Over all items of the catalog, as the paper's test counts them.
    test = compare_correlations(
        bias.lists.pp_corr, base.lists.pp_corr, bias.lists.item_frequency.size
    )
    if test is None:
        return "n/a"
    return "significant" if test.significant else "may be chance"


def bias_table(found: Sequence[Bias]) -> pd.DataFrame:
    """Return PP-Corr and coverage as texts, with the differences to UserKNN with DP."""
    base = find(found, "userknn", "vulnerable")

    def difference(bias: Bias) -> str:
        if bias.lists.pp_corr is None or base.lists.pp_corr is None:
            return "n/a"
        return "" if bias is base else signed(bias.lists.pp_corr - base.lists.pp_corr, 4)

    return pd.DataFrame(
        {
            "Strategy": [bias.name for bias in found],
            "PP-Corr": [
                "n/a" if bias.lists.pp_corr is None else number(bias.lists.pp_corr, 4)
                for bias in found
            ],
            "PP-Corr, difference": [difference(bias) for bias in found],
            "PP-Corr, significance": [significance(bias, base) for bias in found],
            "Coverage": [bias.coverage for bias in found],
            "Coverage, difference": [
                "" if bias is base else points(bias.lists.coverage - base.lists.coverage)
                for bias in found
            ],
        }
    )


def bias_sentence(chosen: Bias, found: Sequence[Bias]) -> str:
    """Return PP-Corr of the chosen strategy in words, with what it is compared with."""
    base, bare = find(found, "userknn", "vulnerable"), find(found, "userknn", "none")
    mine = chosen.lists.pp_corr
    if mine is None or base.lists.pp_corr is None or bare.lists.pp_corr is None:
        return (
            "The correlation of popularity and top lists is undefined here: too few items are on "
            "a list, or all of them equally often."
        )
    shown, other = number(mine, 3), number(base.lists.pp_corr, 3)
    without = f"without DP UserKNN has {number(bare.lists.pp_corr, 3)}."
    start = (
        "How often an item comes to the top of a list goes with how popular it is: the correlation "
        f"is **{shown}** under {chosen.name} (1 would mean exactly in step)"
    )
    if chosen is base:
        return f"{start}; {without}"
    verdict = comparison(mine, base.lists.pp_corr, shown, other, "lower than", "higher than", "as")
    chance = {"significant": "", "may be chance": ", a difference that may be chance"}
    note = "" if verdict == "as" else chance.get(significance(chosen, base), "")
    return f"{start}, {verdict} under {base.name} ({other}){note}; {without}"
