"""The worked example, on its own ratings and on changed ones."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import InputError
from engine.explanation import Explanation
from pages.contents.privacy_lab import example
from pages.contents.privacy_lab.example import FILMS, PEOPLE, RATINGS
from pages.parts.looks import shown_strategies


def explained(strategy: str, k: int = 1, tau: int = 1) -> list[Explanation]:
    return example.explain_queries(example.make_fold(RATINGS), strategy, k, tau)


def neighbors(explanations: list[Explanation]) -> list[str]:
    return [example.person(e.neighbors[0]) for e in explanations]


def test_gain_asks_one_person_where_userknn_asks_two():
    userknn, gain = explained("userknn"), explained("gain")
    assert neighbors(userknn) == ["Cy", "Ben", "Cy"]
    assert neighbors(gain) == ["Ben", "Ben", "Ben"]
    said = example.summary_sentence([userknn, gain])
    assert "**UserKNN:** 3 uses of 2 people, 2 of them real; 1 person vulnerable" in said
    assert "**Gain:** 3 uses of 1 person, 1 of them real; 1 person vulnerable" in said
    assert example.summary_table([userknn, gain])["Gain: uses"].tolist() == ["3", "0", "0"]


def test_the_similarity_is_the_cosine_over_films_in_common():
    ann, ben = RATINGS["Ann"].to_numpy(), RATINGS["Ben"].to_numpy()
    both = np.isfinite(ann) & np.isfinite(ben)
    cosine = ann[both] @ ben[both] / np.linalg.norm(ann[both]) / np.linalg.norm(ben[both])
    table = example.candidates_table(explained("gain")[0]).set_index("candidate")
    assert table.loc["Ben", "similarity"] == f"{cosine:.3f}"
    assert "Most similar to Ann: **Cy**" in example.candidates_sentence(explained("gain")[0])


def test_protection_begins_after_tau_uses():
    gain = explained("gain", tau=1)
    assert "use number 1, not more than τ = 1, so the answer is **real**" in (
        example.uses_sentence(gain[0])
    )
    assert "use number 2, more than τ = 1, so the answer is **protected**" in (
        example.uses_sentence(gain[1])
    )
    assert example.answers_table(gain[0])["coins"].tolist() == ["none thrown"]
    assert "Without noise it would be 5.00" in example.prediction_sentence(gain[1])
    ben = example.uses_table(gain[:2]).set_index("person").loc["Ben"]
    assert ben.tolist() == ["2", "1", "vulnerable"]


@pytest.mark.parametrize("strategy", shown_strategies())
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("tau", [0, 3])
def test_every_step_can_be_told_under_every_strategy(strategy: str, k: int, tau: int):
    explanations = explained(strategy, k, tau)
    assert len(example.steps_of(explanations)) == 13
    for query, explanation in enumerate(explanations):
        assert example.ranks_sentence(explanation)
        assert len(example.ranks_table(explanation)) == len(explanation.candidates)
        assert len(example.answers_table(explanation)) == len(explanation.neighbors)
        assert len(example.uses_table(explanations[: query + 1])) == len(PEOPLE) - 1
        assert example.uses_sentence(explanation)
        assert example.prediction_sentence(explanation)


def test_a_film_that_nobody_rated_has_no_candidate():
    ratings = RATINGS.copy()
    ratings.loc["Elf"] = np.nan
    first = example.explain_queries(example.make_fold(ratings), "gain", 1, 1)[0]
    assert FILMS[first.item] == "Elf"
    assert "Nobody rated" in example.candidates_sentence(first)
    assert "nobody to choose" in example.ranks_sentence(first)
    assert "Nobody is used" in example.uses_sentence(first)
    assert "mean of all ratings" in example.prediction_sentence(first)
    assert example.candidates_table(first).empty


def test_ratings_that_make_no_example_are_refused_in_a_sentence():
    with pytest.raises(InputError, match="Delete one of her ratings"):
        example.make_fold(RATINGS.fillna({"Ann": 3}))
    with pytest.raises(InputError, match="whole number of stars"):
        example.make_fold(RATINGS.replace(5, 5.5))
