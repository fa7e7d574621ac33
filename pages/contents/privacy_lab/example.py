"""The worked example: four people, three rating queries, step by step with the engine itself.

Everything shown comes from `engine.explanation`; this module only arranges and words it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from engine.datasets import Scale
from engine.errors import InputError
from engine.explanation import CandidateNeighbor, Explanation, count_uses, explain
from engine.folds import Fold
from engine.neighborhoods import choose_neighbors
from engine.privacy import Mechanism
from engine.strategies import STRATEGIES
from pages.parts.looks import name_of
from pages.parts.wording import exactly, listed, number

PEOPLE: Final = ("Ann", "Ben", "Cy", "Dora")
FILMS: Final = ("Alien", "Babe", "Clue", "Dune", "Elf", "Fargo", "Gandhi")
STARS: Final = Scale(1.0, 5.0, 1.0)
_NOT: Final = np.nan
#: Ann asks for the films that she has not rated.
RATINGS: Final = pd.DataFrame(
    {
        "Ann": [5, 2, 4, 3, _NOT, _NOT, _NOT],
        "Ben": [4, 2, 5, 3, 4, 5, 3],
        "Cy": [5, _NOT, _NOT, _NOT, 2, _NOT, 5],
        "Dora": [_NOT, _NOT, 1, 5, _NOT, 2, 4],
    },
    index=pd.Index(FILMS, name="film"),
    dtype="float64",
)
_ANN: Final = 0
#: What a query is gone through in, with the question before each answer.
QUESTIONS: Final = {
    "candidates": "Who can be a neighbor for *{film}*, and who is most similar to Ann?",
    "ranks": "Whom does each strategy choose for *{film}*?",
    "uses": "How often has each neighbor been used by now? Whose answer is protected?",
    "prediction": "Which ratings go out, and what is predicted for Ann and *{film}*?",
}


@dataclass(frozen=True)
class Step:
    """A screen of the example: a part of a query, or the summary at the end."""

    query: int
    part: str  # one of QUESTIONS, or "summary"


def make_fold(ratings: pd.DataFrame) -> Fold:
    """Return the fold in which Ann asks for what she has not rated, in the order of the films.

    Raises `InputError` if a rating is not on the scale, or if Ann has nothing to ask for.
    """
    values = ratings.to_numpy(dtype=np.float64)
    film, person = np.nonzero(np.isfinite(values))
    rated = values[film, person]
    if not np.isin(rated, Mechanism.for_scale(STARS).levels).all():
        raise InputError("A rating is a whole number of stars from 1 to 5.")
    asked = np.flatnonzero(np.isnan(values[:, _ANN]))
    if not asked.size:
        raise InputError("Ann has rated every film. Delete one of her ratings, so that she asks.")
    return Fold.of(
        (person, film, rated),
        (np.full(asked.size, _ANN), asked, np.full(asked.size, np.nan)),
        n_users=len(PEOPLE),
        n_items=len(FILMS),
    )


def explain_all(fold: Fold, strategy: str, k: int, tau: int) -> list[Explanation]:
    """Explain every query of Ann under a strategy, with vulnerable users protected."""
    mechanism = Mechanism.for_scale(STARS)
    neighborhoods = choose_neighbors(fold, [(strategy, k)], jobs=1)[strategy, k]
    return [
        explain(
            fold,
            query,
            strategy=strategy,
            k=k,
            mechanism=mechanism,
            tau=tau,
            neighborhoods=neighborhoods,
        )
        for query in range(fold.n_queries)
    ]


def steps_of(explanations: Sequence[Explanation]) -> list[Step]:
    """Return the screens: four for each query, and the summary."""
    parts = [Step(query, part) for query in range(len(explanations)) for part in QUESTIONS]
    return [*parts, Step(len(explanations) - 1, "summary")]


def person(candidate: CandidateNeighbor) -> str:
    """Return the name of a candidate."""
    return PEOPLE[candidate.user]


def candidates_table(explanation: Explanation) -> pd.DataFrame:
    """Return who rated the film and how similar they are to Ann."""
    return pd.DataFrame(
        [
            {
                "candidate": person(c),
                f"stars for {FILMS[explanation.item]}": exactly(c.rating),
                "films in common with Ann": str(c.co_ratings),
                "similarity": f"{c.similarity:.3f}",
            }
            for c in sorted(explanation.candidates, key=lambda c: -c.similarity)
        ]
    )


def candidates_sentence(explanation: Explanation) -> str:
    """Return who is a candidate, and who is most similar."""
    film = FILMS[explanation.item]
    if not explanation.candidates:
        return f"Nobody rated *{film}*. So there is no candidate."
    names = listed([person(c) for c in explanation.candidates])
    best = max(c.similarity for c in explanation.candidates)
    nearest = listed([person(c) for c in explanation.candidates if c.similarity == best])
    return (
        f"Whoever rated *{film}* is a candidate: {names}. Most similar to Ann: **{nearest}**. The "
        "similarity is the cosine of the ratings of films that both rated. It is 1 where only "
        "one film is in common: little is known then."
    )


def ranks_table(explanation: Explanation) -> pd.DataFrame:
    """Return what the strategy orders the candidates by."""
    rows = []
    for c in explanation.candidates:
        row = {"candidate": person(c), "rank of similarity": str(c.similarity_rank)}
        if c.reusability_rank is not None:
            value = "" if c.reusability is None else number(c.reusability)
            row |= {"reusability": value, "its rank": str(c.reusability_rank)}
        if STRATEGIES[explanation.strategy].reuse:
            row["neighbor before"] = "yes" if c.previous else "no"
        rows.append({**row, "sum": str(c.score), "chosen": "yes" if c.chosen else "no"})
    return pd.DataFrame(rows)


def ranks_sentence(explanation: Explanation) -> str:
    """Return whom the strategy chooses, and why."""
    name = name_of(explanation.strategy)
    if not explanation.neighbors:
        return f"{name} has nobody to choose."
    chosen = listed([person(c) for c in explanation.neighbors])
    if len(explanation.candidates) <= explanation.k:
        return f"**{name} takes {chosen}**: there are no others."
    if STRATEGIES[explanation.strategy].reuse and any(c.previous for c in explanation.neighbors):
        return f"**{name} takes {chosen}**: who was a neighbor before comes first."
    last = explanation.neighbors[-1].score
    tie = any(c.score == last and not c.chosen for c in explanation.candidates)
    luck = " Equal sums are ordered at random." if tie else ""
    return f"**{name} takes {chosen}**: the largest sum comes first.{luck}"


def uses_table(explanations: Sequence[Explanation], query: int, tau: int) -> pd.DataFrame:
    """Return how often everybody but Ann has been used, this query included."""
    rows = []
    for user, name in enumerate(PEOPLE[1:], start=1):
        uses = count_uses(explanations[: query + 1], user)
        protected = count_uses(explanations[: query + 1], user, protected=True)
        rows.append(
            {
                "person": name,
                "uses": str(uses),
                "of these real": str(uses - protected),
                "status": "vulnerable" if uses > tau else "secure",
            }
        )
    return pd.DataFrame(rows)


def uses_sentence(explanation: Explanation) -> str:
    """Return which use of each neighbor this is, and whether it is protected."""
    sentences = []
    for c in explanation.neighbors:
        assert c.use is not None, "a neighbor is used"
        protected = (
            f"more than τ = {exactly(explanation.tau)}, so the answer is **protected**"
            if c.use.protected
            else f"not more than τ = {exactly(explanation.tau)}, so the answer is **real**"
        )
        sentences.append(f"{person(c)}: use number {c.use.ordinal}, {protected}.")
    return f"{name_of(explanation.strategy)}. " + (" ".join(sentences) or "Nobody is used.")


def answers_table(explanation: Explanation) -> pd.DataFrame:
    """Return the coins and the answer of every neighbor."""
    rows = []
    for c in explanation.neighbors:
        use = c.use
        assert use is not None, "a neighbor is used"
        coins = "none thrown"
        if use.protected:
            second = "heads" if use.second_heads else "tails"
            coins = "heads" if use.first_heads else f"tails, {second}"
        rows.append(
            {
                "neighbor": person(c),
                "real rating": exactly(c.rating),
                "coins": coins,
                "answer": exactly(use.answer),
                "weight": f"{use.weight:.3f}",
            }
        )
    return pd.DataFrame(rows)


def prediction_sentence(explanation: Explanation) -> str:
    """Return what is predicted, and what would be without noise."""
    name, predicted = name_of(explanation.strategy), f"{explanation.prediction:.2f}"
    if not explanation.from_neighbors:
        return f"**{name} predicts {predicted}**, the mean of all ratings: nobody can be asked."
    bare = f"{explanation.prediction_without_protection:.2f}"
    if not any(c.use is not None and c.use.protected for c in explanation.neighbors):
        return f"**{name} predicts {predicted}**, from real ratings."
    return f"**{name} predicts {predicted}**. Without noise it would be {bare}."


def summary_table(by_strategy: Sequence[Sequence[Explanation]]) -> pd.DataFrame:
    """Return for everybody but Ann all uses and the real ones under each strategy."""
    table: dict[str, list[str]] = {"person": list(PEOPLE[1:])}
    for explanations in by_strategy:
        name = name_of(explanations[0].strategy)
        users = range(1, len(PEOPLE))
        table[f"{name}: uses"] = [str(count_uses(explanations, user)) for user in users]
        table[f"{name}: real"] = [str(count_uses(explanations, u, protected=False)) for u in users]
    return pd.DataFrame(table)


def summary_sentence(by_strategy: Sequence[Sequence[Explanation]]) -> str:
    """Return on how many people the uses fall, and how many of them are real."""
    users = range(1, len(PEOPLE))
    sentences = []
    for explanations in by_strategy:
        uses = [count_uses(explanations, user) for user in users]
        real = sum(count_uses(explanations, user, protected=False) for user in users)
        tau = explanations[0].tau
        vulnerable = sum(n > tau for n in uses)
        sentences.append(
            f"**{name_of(explanations[0].strategy)}:** {sum(uses)} uses of "
            f"{_people(sum(n > 0 for n in uses))}, {real} of them real; "
            f"{_people(vulnerable)} vulnerable."
        )
    return (
        " ".join(sentences) + " The strategy decides on whom the uses fall, not how many there "
        "are. The first τ uses of everybody are real."
    )


def _people(count: int) -> str:
    return {0: "nobody", 1: "1 person"}.get(count, f"{count} people")
