"""The words of the paper: a sentence each, and the formula one click away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from pages.parts.drawing.charts import Formula
from pages.parts.neighborhoods.words import CO_RATINGS, NEIGHBORS
from pages.parts.popularity.bias import PP_CORR
from pages.parts.tradeoff.figures import MAE, PRIVACY_RISK
from pages.parts.usage.words import DATA_USAGE


@dataclass(frozen=True)
class Term:
    """A word, what it means in a sentence (Markdown), and its formula where it has one."""

    name: str
    sentence: str
    formula: Formula | None = None


_PREDICTION: Final = Formula(
    words="A predicted rating is the mean of the neighbors' ratings, weighted with how similar "
    "the neighbors are. Neighbors whose similarity is 0 have no weight.",
    latex=r"\mathcal{R}^k(u, i) = \frac{\sum_{n \in N^k_{u,i}} \mathrm{sim}(u, n) \cdot r_{n,i}}"
    r"{\sum_{n \in N^k_{u,i}} \mathrm{sim}(u, n)}",
)
_SIMILARITY: Final = Formula(
    words="The cosine of the two users' ratings on the items that both rated; 0 where there are "
    "none.",
    latex=r"\mathrm{sim}(u, n) = \frac{\sum_{i \in I_u \cap I_n} r_{u,i} \, r_{n,i}}"
    r"{\sqrt{\sum_{i \in I_u \cap I_n} r_{u,i}^2} \sqrt{\sum_{i \in I_u \cap I_n} r_{n,i}^2}}",
)
_RANKING: Final = Formula(
    words="Candidates who rated the item are ordered by the sum of two ranks: that of their "
    "similarity and that of their reusability. A rank counts the users whose score is not larger.",
    latex=r"N^k_{u,i} = \overset{k}{\underset{c \in U_i}{\arg\max}} \left[ "
    r"\mathrm{ranking}(\mathrm{sim}(u, c)) + \mathrm{ranking}(\mathrm{reusability}(c|u)) \right]",
)
_EXPECT: Final = Formula(
    words="The popularity of all items that the candidate c rated, added up; the same for every "
    "target user.",
    latex=r"\mathrm{reusability}(c|u) = \sum_{i \in I_c} \frac{|U_i|}{|U|}",
)
_GAIN: Final = Formula(
    words="The share of the target user's rated items that the candidate c rated as well.",
    latex=r"\mathrm{reusability}(c|u) = \frac{|I_u \cap I_c|}{|I_u|}",
)
_RESPONSE: Final = Formula(
    words="Two fair coins are tossed. Unless both show tails, the answer is the real rating; else "
    "it is one of the m values of the scale, each equally likely, the real one included.",
    latex=r"\Pr[\text{answer} = v \mid \text{rating} = r] = \begin{cases}"
    r"\tfrac{3}{4} + \tfrac{1}{4m} & v = r \\ \tfrac{1}{4m} & v \neq r \end{cases}",
)
_DP: Final = Formula(
    words="Of any two ratings that somebody may have given, neither makes any answer more than "
    "exp(ε) times as likely as the other. A small ε hides much, an infinite one nothing.",
    latex=r"\Pr[\text{answer} \mid r] \leq e^{\epsilon} \Pr[\text{answer} \mid r'] "
    r"\quad \text{for all } r, r'",
)
_EPSILON_PAPER: Final = Formula(
    words="For a vulnerable user: risk counts the real uses, usage all of them. Where every use is "
    "protected it is ln 3. It averages over real and protected uses.",
    latex=r"\epsilon(u) = \ln\left(3 + 4 \cdot \frac{\mathrm{risk}}{\mathrm{usage} - "
    r"\mathrm{risk}}\right)",
)
_EPSILON_STRICT: Final = Formula(
    words="The real rating is 1 + 3m times as likely an answer as any other value.",
    latex=r"\epsilon = \ln \frac{3/4 + 1/(4m)}{1/(4m)} = \ln(1 + 3m), \qquad "
    r"m = 5: \ \epsilon = \ln 16 \approx 2.77",
)
_COVERAGE: Final = Formula(
    words="The share of all items that are a top item of at least one user, in any fold.",
    latex=r"\mathrm{Coverage}@k = \frac{|\bigcup_{u \in U} \mathcal{R}^k_{top}(u)|}{|I|}",
)

#: All terms, in groups, each where its words have been explained.
GLOSSARY: Final[Mapping[str, tuple[Term, ...]]] = {
    "Asking and answering": (
        Term(
            "Rating query",
            "The question how a user, the **target user**, would rate an item. Here the answer is "
            "known: it is one of the ratings of the dataset, put aside.",
        ),
        Term(
            "Fold",
            "A fifth of the ratings, drawn at random: these are asked for, and the other four "
            "fifths are known. There are five folds, so every rating is asked for once.",
        ),
        Term(
            "Neighbor",
            "A user who rated the item asked for and whose rating goes into the answer. A query "
            "has **k** neighbors, or fewer if fewer users rated the item.",
            _PREDICTION,
        ),
        Term(
            "Similarity",
            "How much two users agree on the items that both rated, from 0 to 1 where no rating "
            "is negative.",
            _SIMILARITY,
        ),
        Term("UserKNN", "Takes the most similar users as neighbors, anew for every query."),
    ),
    "Reusing neighbors": (
        Term(
            "Reusability",
            "How many queries of a target user a neighbor can be expected to serve. Expect and "
            "Gain choose neighbors who are both similar and reusable.",
            _RANKING,
        ),
        Term("Expect", "Calls users reusable who rated many popular items.", _EXPECT),
        Term(
            "Gain",
            "Calls users reusable who rated much of what the target user rated.",
            _GAIN,
        ),
        Term(
            "+Reuse",
            "Takes neighbors of the target user's earlier queries first, and new ones only if "
            "there are fewer than k of them who rated the item.",
        ),
        Term(
            "Neighbors@q",
            "How many different neighbors a user has had after q queries. Fewer means that they "
            "are reused more.",
            NEIGHBORS,
        ),
        Term(
            "CoRatings@q",
            "How many rated items users have in common with their neighbors, after q queries.",
            CO_RATINGS,
        ),
    ),
    "Who is exposed": (
        Term(
            "Data usage",
            "For how many queries of a fold a user was a neighbor. Each use can reveal something "
            "about the rating that was used.",
            DATA_USAGE,
        ),
        Term(
            "Threshold τ",
            "How many uses of a user's data are tolerated before protection begins. It is chosen "
            "by whoever runs the system.",
        ),
        Term(
            "Vulnerable user",
            "A user whose data usage is above τ. The first τ uses are real, all later ones are "
            "protected.",
        ),
        Term(
            "Secure user",
            "A user whose data usage is not above τ. The word is the paper's: such users are used "
            "rarely, but nothing of theirs is protected.",
        ),
        Term(
            "Privacy risk",
            "How many of a user's uses are answered with the real rating: the data usage, but "
            "at most τ.",
            PRIVACY_RISK,
        ),
    ),
    "Protection": (
        Term(
            "Differential privacy (DP)",
            "A promise about a random answer: whatever the answer is, it would have been nearly "
            "as likely had the hidden value been another one. ε says how nearly.",
            _DP,
        ),
        Term(
            "Randomized response",
            "How a protected rating is answered: real in three of four cases, else replaced with "
            "a random rating. Whoever sees the answer cannot be sure which.",
            _RESPONSE,
        ),
        Term(
            "ε of the paper",
            "A number for a vulnerable user, smaller if more of the uses are protected. An "
            "average, no bound on what a single use reveals.",
            _EPSILON_PAPER,
        ),
        Term(
            "ε, strictly",
            "What holds for one protected answer on a scale with m values. Fresh answers about "
            "the same rating add up, and uses that are not protected have no ε.",
            _EPSILON_STRICT,
        ),
        Term(
            "Full DP",
            "Every use of every user is protected, from the first on. That is τ = 0.",
        ),
    ),
    "How good the answers are": (
        Term("MAE", "How far predicted ratings are from the real ones, on average.", MAE),
        Term(
            "Top items",
            "The ten queries of a user with the highest predictions: what would be recommended "
            "first.",
        ),
        Term(
            "PP-Corr",
            "Whether popular items are top items more often than others. 0 would mean: no more "
            "often.",
            PP_CORR,
        ),
        Term("Coverage", "How much of the catalog is a top item of somebody.", _COVERAGE),
    ),
}
TERMS: Final = {term.name: term for group in GLOSSARY.values() for term in group}

_BASICS: Final = ("Rating query", "Neighbor", "Data usage", "Threshold τ", "Privacy risk", "MAE")
#: The terms that a page needs, by its title; other pages have the basics.
ON_PAGE: Final = {
    "Data usage": ("Neighbor", "Data usage", "Threshold τ", "Vulnerable user", "Secure user"),
    "Neighborhoods": ("Rating query", "Neighbor", "Reusability", "Neighbors@q", "CoRatings@q"),
    "Trade-off": ("MAE", "Privacy risk", "Differential privacy (DP)", "Full DP", "Fold"),
    "Popularity bias": ("Top items", "PP-Corr", "Coverage", "Full DP"),
    "People": ("Neighbor", "Data usage", "Privacy risk", "ε of the paper", "ε, strictly"),
}


def draw_lookup(page_title: str) -> None:
    """Draw a button that opens the terms of this page, and leads to all of them."""
    with st.popover("Glossary", icon=":material/menu_book:", width="stretch"):
        for name in ON_PAGE.get(page_title, _BASICS):
            st.markdown(f"**{name}**: {TERMS[name].sentence}")
        st.page_link("pages/learn.py", label="All terms, with formulas")
