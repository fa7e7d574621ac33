"""The trace of a query says what the engine does, for every strategy, protection and ask."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.datasets import Ratings, Scale
from engine.errors import InputError
from engine.experiment import Experiment
from engine.explanation import Explanation, explain, explain_query
from engine.folds import Fold
from engine.neighborhoods import choose_neighbors
from engine.privacy import Mechanism
from engine.settings import Setting
from engine.splits import split
from tests import oracle
from tests.examples import engine_chosen, oracle_fold

FIVE_STARS = Scale(1.0, 5.0, 1.0)
ANN, BOB, CEM, DEE = range(4)
ALIEN, BRAZIL, CUBE, DUNE, ELF = range(5)


@pytest.fixture(scope="module")
def four_people() -> Fold:
    """Ann asks for Dune, then for Elf, and Bob asks for Dune."""
    known = [
        (ANN, ALIEN, 5), (ANN, BRAZIL, 1), (ANN, CUBE, 3),
        (BOB, ALIEN, 5), (BOB, BRAZIL, 1),
        (CEM, ALIEN, 4), (CEM, BRAZIL, 2), (CEM, CUBE, 3), (CEM, DUNE, 2), (CEM, ELF, 5),
        (DEE, ALIEN, 5), (DEE, DUNE, 4), (DEE, ELF, 1),
    ]  # fmt: skip
    asked = [(ANN, DUNE, 5), (ANN, ELF, 2), (BOB, DUNE, 4)]
    columns = [
        tuple(np.array(column) for column in zip(*rows, strict=True)) for rows in (known, asked)
    ]
    return Fold.of(*columns, n_users=4, n_items=5)  # type: ignore[arg-type]


def explained(
    fold: Fold, query: int, strategy: str, tau: float = 20, **more: object
) -> Explanation:
    mechanism = Mechanism.for_scale(FIVE_STARS)
    return explain(fold, query, strategy=strategy, k=1, mechanism=mechanism, tau=tau, **more)  # type: ignore[arg-type]


def test_four_people_by_hand(four_people: Fold) -> None:
    similar = explained(four_people, 0, "userknn")
    assert [candidate.user for candidate in similar.candidates] == [DEE, CEM]
    dee, cem = similar.candidates
    # Dee shares one item with Ann, both gave 5; Cem shares three
    assert (dee.co_ratings, dee.similarity) == (1, 1.0)
    assert cem.co_ratings == 3
    assert cem.similarity == pytest.approx((20 + 2 + 9) / math.sqrt(35 * 29))
    # Bob, who rated both alike, has similarity 1 too: two of three others are not above Dee
    assert (dee.similarity_rank, cem.similarity_rank) == (3, 1)
    assert dee.reusability is dee.reusability_rank is None
    assert (dee.chosen, cem.chosen, cem.use) == (True, False, None)
    assert similar.prediction == 4

    gain = explained(four_people, 0, "gain")
    cem, dee = gain.candidates
    assert (cem.user, cem.reusability, dee.reusability) == (CEM, 1, pytest.approx(1 / 3))
    assert (cem.similarity_rank, cem.reusability_rank, cem.score) == (1, 3, 4)
    assert (dee.similarity_rank, dee.reusability_rank, dee.score) == (3, 1, 4)
    assert {cem.position, dee.position} == {1, None}  # equal scores: a draw decides

    expect = explained(four_people, 0, "expect")
    by_user = {candidate.user: candidate for candidate in expect.candidates}
    # ratings of Cem's items: 4 + 3 + 2 + 2 + 2, of Dee's: 4 + 2 + 2, by four users
    assert by_user[CEM].reusability == 13 / 4
    assert by_user[DEE].reusability == 8 / 4


def test_reuse_goes_by_previous_neighbors(four_people: Fold) -> None:
    first, second = (explained(four_people, query, "userknn+reuse") for query in (0, 1))
    assert not any(candidate.previous for candidate in first.candidates)
    assert [c.user for c in second.candidates if c.previous] == [first.neighbors[0].user]
    assert second.neighbors[0].previous


def test_uses_and_tau(four_people: Fold) -> None:
    steps = [explained(four_people, query, "userknn", tau=1) for query in range(3)]
    uses = [one.neighbors[0].use for one in steps]
    assert [one.neighbors[0].user for one in steps] == [DEE, DEE, DEE]
    assert [use.ordinal for use in uses if use] == [1, 2, 3]
    assert [use.protected for use in uses if use] == [False, True, True]
    assert all(use.answer == use.noisy_answer for use in uses[1:] if use)
    full = explained(four_people, 0, "userknn", protection="full").neighbors[0].use
    none = explained(four_people, 2, "userknn", tau=1, protection="none").neighbors[0].use
    assert full is not None
    assert none is not None
    assert (full.protected, none.protected) == (True, False)


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
@pytest.mark.parametrize("memoised", [False, True])
def test_every_step_is_the_oracles(small: Ratings, strategy: str, memoised: bool) -> None:
    fold = split(small, 1)
    train, queries, truths = oracle_fold(small, 1)
    mechanism = Mechanism.for_scale(small.scale, memoised=memoised)
    neighborhoods = choose_neighbors(fold, [(strategy, 4)], jobs=1)[strategy, 4]
    chosen = engine_chosen(fold, neighborhoods)
    numbered = oracle.ordinals(chosen)
    experiment = Experiment(small, memoised=memoised, jobs=1)
    for query in range(0, fold.n_queries, 7):
        steps = explain(
            fold,
            query,
            strategy=strategy,
            k=4,
            mechanism=mechanism,
            tau=6.0,
            neighborhoods=neighborhoods,
        )
        assert steps == explain_query(experiment, 1, query, Setting(strategy, 4, 6.0))
        user, item = queries[query]
        assert (steps.user, steps.item, steps.rating) == (user, item, float(truths[query]))
        candidates = {candidate.user: candidate for candidate in steps.candidates}
        assert candidates.keys() == oracle.candidates_of(train, (user, item))
        assert [neighbor.user for neighbor in steps.neighbors] == chosen[query]
        similar = oracle.similarities(train, user)
        ranks, scores = oracle.ranks(similar), oracle.strategy_ranks(train, user, strategy, similar)
        previous = {n for q in range(query) if queries[q][0] == user for n in chosen[q]}
        for c, candidate in candidates.items():
            assert candidate.rating == float(train.by_item[item][c])
            assert candidate.co_ratings == oracle.co_ratings(train, user, c)
            assert candidate.similarity == pytest.approx(float(oracle.root(similar[c])))
            assert (candidate.similarity_rank, candidate.score) == (ranks[c], scores[c])
            assert candidate.score == ranks[c] + (candidate.reusability_rank or 0)
            assert candidate.previous == (c in previous)
        above = below = 0.0
        for neighbor, ordinal in zip(steps.neighbors, numbered[query], strict=True):
            use = neighbor.use
            assert use is not None
            assert (use.ordinal, use.protected) == (ordinal, ordinal > 6)
            if use.first_heads or use.second_heads:
                assert use.noisy_answer == neighbor.rating
            assert use.answer == (use.noisy_answer if use.protected else neighbor.rating)
            assert use.weight == max(neighbor.similarity, 0)
            above, below = above + use.weight * use.answer, below + use.weight
        assert steps.from_neighbors == (below > 0)
        expected = above / below if below else float(train.mean)
        assert steps.prediction == pytest.approx(expected)


def test_a_query_that_is_put_again_has_new_coins(four_people: Fold) -> None:
    often = four_people.repeated(30)
    steps = [explained(often, 3 * ask, "userknn", protection="full") for ask in range(30)]
    assert [one.ask for one in steps] == list(range(1, 31))
    assert [one.neighbors[0].use.ordinal for one in steps if one.neighbors[0].use] == [
        1 + 3 * ask for ask in range(30)
    ]
    assert len({one.prediction for one in steps}) > 1
    assert steps[0].prediction_without_protection == 4


def test_nobody_is_a_candidate_for_what_nobody_rated(four_people: Fold) -> None:
    train = four_people.by_user.tocoo()
    fold = Fold.of(
        (*train.coords, train.data),
        (np.array([ANN]), np.array([5]), np.array([np.nan])),
        n_users=4,
        n_items=6,
    )
    steps = explained(fold, 0, "gain")
    assert steps.candidates == steps.neighbors == ()
    assert not steps.from_neighbors
    assert steps.prediction == steps.train_mean == fold.train_mean


def test_what_cannot_be_explained(four_people: Fold) -> None:
    with pytest.raises(InputError, match="query"):
        explained(four_people, 3, "gain")
    with pytest.raises(InputError, match="magic"):
        explained(four_people, 0, "magic")
    with pytest.raises(InputError, match="some"):
        explained(four_people, 0, "gain", protection="some")
    with pytest.raises(InputError, match="angle"):
        explained(four_people, 0, "gain", similarity="angle")
