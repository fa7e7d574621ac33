"""The attack once more in plain loops, from its description alone: the same answers, inferences."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from engine.attack import AttackPlan, Probes, attack
from engine.attack.accounts import after_queries, choose_target, choose_victims
from engine.datasets import Ratings
from engine.draws import COINS, MEMOISED_COINS, REPEATED_COINS, draw, stream
from engine.experiment import Experiment
from tests import oracle
from tests.examples import engine_tie, oracle_fold, random_rows, ratings_of, rows_of

FOLD, SEED = 1, 42


def mechanism_answer(
    name: str, memoised: bool, levels: list[float], user: int, item: int, ask: int, neighbor: int
) -> float | None:
    """What the coins make of a rating: None for the real one, else the random one."""
    if memoised:
        state, candidate = stream(SEED, FOLD, MEMOISED_COINS, neighbor, item), 0
    elif ask == 1:
        state, candidate = stream(SEED, FOLD, COINS, user, item), neighbor
    else:
        repeated = np.uint64(stream(SEED, FOLD, REPEATED_COINS, user, item))
        state, candidate = draw(repeated, ask), neighbor
    bits = int(draw(np.uint64(state), candidate))
    if bits >> 62:
        return None
    uniform = (bits % 2**52) / 2**52
    if name == "discrete":
        return levels[math.floor(uniform * len(levels))]
    return levels[0] + uniform * (levels[-1] - levels[0])


def attacked_in_plain_loops(
    ratings: Ratings,
    probes: Probes,
    strategy: str,
    tau: float,
    name: str,
    memoised: bool,
) -> dict[tuple[int, int], tuple[list[float], list[int], float]]:
    """For every (victim, item): predictions and ordinals of the asks, and what is inferred."""
    k, plan = probes.k, probes.plan
    accounts = k - 1 if plan.accounts is None else plan.accounts
    levels = [float(level) for level in ratings.scale.levels]
    tie = engine_tie(SEED, FOLD)
    train, queries, _ = oracle_fold(ratings, FOLD, seed=SEED)
    uses_by_queries = oracle.data_usage(
        oracle.choose_neighbors(train, queries, strategy, k, tie), ratings.n_users
    )
    rows = rows_of(ratings)
    real_mean = float(sum((value for *_, value in rows), Fraction(0)) / len(rows))
    fold = after_queries(Experiment(ratings).fold(FOLD))
    seen = {}
    for victim in dict.fromkeys(probes.victim.tolist()):
        target = choose_target(fold, victim, plan.knowledge, plan.probes)
        own = {item: value for user, item, value in rows if user == victim}
        adversary = ratings.n_users
        forged = [(adversary, int(item), own[item]) for item in target.known]
        for account in range(accounts):
            forged += [(adversary + 1 + account, int(item), own[item]) for item in target.known]
            forged += [
                (adversary + 1 + account, int(item), oracle.exact(probes.planted))
                for item in target.probed
            ]
        n_users = ratings.n_users + 1 + accounts
        world = oracle.train_of(rows + forged, n_users, ratings.n_items)
        asked = [(adversary, int(item)) for item in target.probed] * plan.repeats
        chosen = oracle.choose_neighbors(world, asked, strategy, k, tie)
        uses = dict(enumerate(uses_by_queries))
        asks: dict[int, int] = {}
        predictions: dict[int, list[float]] = {}
        ordinals: dict[int, list[int]] = {}
        for (_, item), neighbors in zip(asked, chosen, strict=True):
            asks[item] = asks.get(item, 0) + 1
            above = below = 0.0
            ordinals.setdefault(item, []).append(0)
            for neighbor in neighbors:
                uses[neighbor] = uses.get(neighbor, 0) + 1
                if neighbor == victim:
                    ordinals[item][-1] = uses[neighbor]
                weight = float(oracle.root(oracle.similarity_squared(world, adversary, neighbor)))
                if weight <= 0:
                    continue
                answer = None
                if uses[neighbor] > tau:
                    answer = mechanism_answer(
                        name, memoised, levels, adversary, item, asks[item], neighbor
                    )
                if answer is None:
                    answer = float(world.by_item[item][neighbor])
                above += weight * answer
                below += weight
            predictions.setdefault(item, []).append(above / below if below else real_mean)
        for item in target.probed.tolist():
            raters = [float(value) for _, rated, value in rows if rated == item]
            heard = predictions[item][:1] if memoised else predictions[item]
            seen[victim, item] = (
                predictions[item],
                ordinals[item],
                inferred_in_plain_loops(heard, raters, k, accounts, probes.planted, levels),
            )
    return seen


def inferred_in_plain_loops(
    predictions: list[float],
    raters: list[float],
    k: int,
    accounts: int,
    planted: float,
    levels: list[float],
) -> float:
    if accounts == 0:
        mean = sum(predictions) / len(predictions)
        return min(levels, key=lambda level: (round(abs(level - mean), 5), level))
    neighbors = min(k, len(raters) + accounts)
    fake = min(accounts, neighbors - 1)
    others = (neighbors - 1 - fake) * sum(raters) / len(raters)
    answers = [neighbors * prediction - fake * planted - others for prediction in predictions]
    step = levels[1] - levels[0]
    clipped = [min(max(answer, levels[0]), levels[-1]) for answer in answers]
    mean = sum(clipped) / len(clipped)

    hits, near = dict.fromkeys(levels, 0), dict.fromkeys(levels, 0)
    for answer in answers:
        distances = {level: round(abs(answer - level), 5) for level in levels}
        nearest = min(levels, key=lambda level: (distances[level], level))
        hits[nearest] += distances[nearest] == 0
        near[nearest] += distances[nearest] <= step / 2

    def merit(level: float) -> tuple[int, int, float]:
        return hits[level], near[level], -round(abs(level - mean), 5)

    return max(levels, key=merit)


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return ratings_of(random_rows(3, users=30, items=24, share=0.5, values=[1, 2, 3, 4, 5]))


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
@pytest.mark.parametrize(
    ("accounts", "repeats", "name", "memoised"),
    [
        (None, 1, "discrete", False),
        (None, 4, "discrete", False),
        (None, 3, "discrete", True),
        (None, 3, "continuous", False),
        (0, 1, "discrete", False),
        (0, 3, "discrete", True),
        (2, 2, "discrete", False),
        (6, 1, "continuous", True),
    ],
)
def test_the_same_answers_and_the_same_inferences(
    ratings: Ratings, strategy: str, accounts: int | None, repeats: int, name: str, memoised: bool
) -> None:
    experiment = Experiment(ratings, seed=SEED, mechanism=name, memoised=memoised, jobs=1)
    plan = AttackPlan(0.4, accounts=accounts, repeats=repeats, victims=5, probes=4, min_ratings=2)
    probes = attack(experiment, FOLD, strategy, 4, plan)
    for protection, tau, real_uses in (
        ("none", 20.0, math.inf),
        ("vulnerable", 20.0, 20.0),
        ("full", 20.0, 0.0),
    ):
        seen = attacked_in_plain_loops(ratings, probes, strategy, real_uses, name, memoised)
        assert len(seen) == probes.victim.size == 5 * 4
        predictions = probes.predict(protection, tau)
        inferred = probes.infer(protection, tau)
        for p, pair in enumerate(zip(probes.victim.tolist(), probes.item.tolist(), strict=True)):
            expected, ordinals, rating = seen[pair]
            assert predictions[:, p].tolist() == pytest.approx(expected, rel=1e-8)
            assert probes.ordinal[:, p].tolist() == ordinals
            assert inferred[p] == rating, (pair, expected)


def test_what_is_public_and_the_baseline_by_hand(ratings: Ratings) -> None:
    probes = attack(Experiment(ratings, jobs=1), FOLD, "gain", 4, AttackPlan(victims=6, probes=5))
    rows = rows_of(ratings)
    for p in range(probes.victim.size):
        victim, item = int(probes.victim[p]), int(probes.item[p])
        rated = {user: float(value) for user, i, value in rows if i == item}
        assert probes.rating[p] == rated[victim]
        assert probes.raters[p] == len(rated)
        assert probes.item_mean[p] == pytest.approx(sum(rated.values()) / len(rated))
        others = [value for user, value in rated.items() if user != victim]
        assert probes.most_common[p] == max(
            sorted(set(others)), key=lambda value: others.count(value)
        )


def test_victims_are_enough_and_of_the_more_active_half(ratings: Ratings) -> None:
    fold = after_queries(Experiment(ratings).fold(FOLD))
    counts = np.bincount(ratings.user, minlength=ratings.n_users)
    assert (counts == np.diff(fold.by_user.indptr)).all()
    everybody = choose_victims(fold, 10**6)
    assert set(everybody.tolist()) == set(np.flatnonzero(counts >= np.median(counts)).tolist())
    assert set(choose_victims(fold, 10**6, min_ratings=2).tolist()) == set(range(ratings.n_users))
    assert not choose_victims(fold, 5, min_ratings=1000).size
