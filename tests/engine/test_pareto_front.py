"""The front against brute force: no whole tau of any strategy and k beats one of its points."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.experiment import Experiment
from engine.pareto_front import FrontPoint, find_front, front_of, pareto_front
from engine.settings import Setting
from engine.sweep import Sweep, SweepOverFolds

STRATEGIES = ("userknn", "userknn+reuse", "gain")
KS = (3, 5)

# Few values, so that points are often equal in one measure or both.
measure = st.one_of(st.integers(0, 6).map(float), st.floats(-1e6, 1e6))
point_sets = st.lists(st.tuples(measure, measure), max_size=60)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=40, items=60, ratings=900))


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Nowhere worse and somewhere better."""
    return one[0] <= other[0] and one[1] <= other[1] and one != other


@given(point_sets)
def test_the_front_is_what_no_other_point_beats(points: list[tuple[float, float]]) -> None:
    front = pareto_front(np.array([x for x, _ in points]), np.array([y for _, y in points]))
    for point, stays in zip(points, front, strict=True):
        assert stays == (not any(beats(other, point) for other in points))


@given(point_sets.filter(bool), st.randoms())
def test_the_front_does_not_depend_on_the_order(
    points: list[tuple[float, float]], random: Random
) -> None:
    def front(of: list[tuple[float, float]]) -> set[tuple[float, float]]:
        x, y = np.array(of).T
        return {p for p, stays in zip(of, pareto_front(x, y), strict=True) if stays}

    shuffled = random.sample(points, len(points))
    assert front(points) == front(shuffled) != set()


@pytest.mark.parametrize("folds", [None, [2], [0, 3]])
def test_the_front_is_that_of_brute_force_over_every_whole_tau(
    experiment: Experiment, folds: list[int] | None
) -> None:
    """Each (strategy, k, tau) by its own outcome, and every pair of them compared."""
    numbers = experiment.numbers_of(folds)
    measured: dict[tuple[str, int, int], tuple[float, float]] = {}
    for strategy in STRATEGIES:
        for k in KS:
            largest = max(int(experiment.usage(f, strategy, k).max()) for f in numbers)
            for tau in range(largest + 2):
                outcome = experiment.outcome(
                    Setting(strategy, k, tau), folds, metrics=["mae", "privacy_risk"]
                )
                measured[strategy, k, tau] = outcome.value("privacy_risk"), outcome.value("mae")
    values = list(measured.values())
    unbeaten = {
        setting for setting, value in measured.items() if not any(beats(v, value) for v in values)
    }
    front = find_front(experiment, STRATEGIES, KS, folds)
    assert len(front) > 3
    on_front = {(point.strategy, point.k, point.tau) for point in front}
    # Risks of sweep and outcome are sums in another order, so that what is equal may differ there
    # in the last digit; a point of the front is beaten by no more than that.
    for point in front:
        assert (point.privacy_risk, point.mae) == pytest.approx(
            measured[point.strategy, point.k, point.tau], rel=1e-12
        )
        for risk, error in values:
            assert not (risk < point.privacy_risk - 1e-9 and error <= point.mae)
            assert not (risk <= point.privacy_risk and error < point.mae - 1e-12)
    # And what brute force does not see beaten is there, or comes to the same as what is there.
    for strategy, k, tau in unbeaten - on_front:
        risk, error = measured[strategy, k, tau]
        assert any(
            abs(point.privacy_risk - risk) < 1e-9 and abs(point.mae - error) < 1e-12
            for point in front
        )


def test_error_falls_as_the_risk_grows(experiment: Experiment) -> None:
    front = find_front(experiment, STRATEGIES, KS)
    risks = [point.privacy_risk for point in front]
    assert risks == sorted(set(risks))
    assert (np.diff([point.mae for point in front]) < 0).all()
    assert front[0].tau == 0
    assert front[0].privacy_risk == 0


def test_the_order_in_which_strategies_and_ks_are_named_changes_nothing(
    experiment: Experiment,
) -> None:
    front = find_front(experiment, STRATEGIES, KS)
    assert find_front(experiment, STRATEGIES, KS[::-1]) == front
    assert find_front(experiment, iter(STRATEGIES), iter((*KS, 5))) == front
    shuffled = find_front(experiment, STRATEGIES[::-1], KS)
    assert [(p.privacy_risk, p.mae) for p in shuffled] == [(p.privacy_risk, p.mae) for p in front]


def test_of_settings_that_come_to_the_same_the_smallest_k_and_tau_stay() -> None:
    def swept(strategy: str, k: int) -> SweepOverFolds:
        return SweepOverFolds(strategy, k, [Sweep(np.array([0.9, 0.8]), np.array([0, 1, 1, 1]))])

    expected = [FrontPoint("gain", 5, 0, 0.0, 0.9), FrontPoint("gain", 5, 1, 0.75, 0.8)]
    assert front_of([swept("gain", 10), swept("gain", 5)]) == expected
    assert front_of([swept("gain", 5), swept("gain", 10)]) == expected


def test_of_strategies_that_come_to_the_same_the_first_named_stays() -> None:
    sweeps = [
        SweepOverFolds(strategy, 5, [Sweep(np.array([0.9, 0.8]), np.array([0, 1, 1, 1]))])
        for strategy in ("userknn", "gain")
    ]
    assert {point.strategy for point in front_of(sweeps)} == {"userknn"}
    assert {point.strategy for point in front_of(sweeps[::-1])} == {"gain"}


def test_where_nobody_is_used_the_front_is_one_point() -> None:
    unused = SweepOverFolds("gain", 5, [Sweep(np.array([0.9]), np.zeros(3, dtype=np.int64))])
    assert front_of([unused]) == [FrontPoint("gain", 5, 0, 0.0, 0.9)]
    assert front_of([]) == []
