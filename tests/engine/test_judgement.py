"""What counts as a difference, and what cannot be told: every judgement there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.experiment import Experiment
from engine.judgement import Judgement, compare, judge
from engine.metrics import Metrics
from engine.outcome import METRICS, FoldOutcome, Outcome
from engine.settings import Setting

ORIGIN = ("ratings", 5, 42)
NAN = float("nan")


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=40, items=60, ratings=900))


def outcome_of(
    folds: dict[int, float | None], origin: tuple[str, int, int] | None = ORIGIN
) -> Outcome:
    metrics: dict[int, Metrics] = {number: {"mae": value} for number, value in folds.items()}
    parts = [FoldOutcome(number, 93.0, values) for number, values in metrics.items()]
    return Outcome(Setting("gain"), parts, origin=origin)


# --- pairs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("differences", "judgement"),
    [
        ([0.1, 0.1, 0.1, 0.1, 0.1], Judgement.CLEAR),
        ([0.1, 0.2, 0.1, 0.2, 0.1], Judgement.CLEAR),
        ([-0.1, -0.2, -0.1, -0.2, -0.1], Judgement.CLEAR),
        # The same sign in all folds, but one fold makes most of the mean.
        ([0.001, 0.001, 0.001, 0.001, 1.0], Judgement.WITHIN_NOISE),
        # Far from 0 in the mean, but not in every fold.
        ([1.0, 1.1, 1.0, 1.1, -0.01], Judgement.WITHIN_NOISE),
        ([0.0, 1.0, 1.0, 1.0, 1.0], Judgement.WITHIN_NOISE),
        ([0.0, 0.0, 0.0], Judgement.NO_DIFFERENCE),
        ([0.0], Judgement.NO_DIFFERENCE),
        ([0.3], Judgement.ONE_FOLD),
        ([0.3, NAN], Judgement.UNDEFINED),
        ([NAN], Judgement.UNDEFINED),
        ([0.3, np.inf], Judgement.UNDEFINED),
        ([], Judgement.UNDEFINED),
    ],
)
def test_a_difference_counts_in_every_fold_or_not_at_all(
    differences: list[float], judgement: Judgement
) -> None:
    second = np.array(differences, dtype=float)
    assert judge(np.zeros(second.size), second) is judgement


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=6), st.floats(-5, 5))
def test_which_side_is_first_does_not_matter(values: list[float], shift: float) -> None:
    first = np.array(values)
    second = np.roll(first, 1) + shift
    assert judge(first, second) is judge(second, first)


@given(
    st.lists(st.floats(-1, 1), min_size=2, max_size=6), st.floats(0.5, 5), st.sampled_from([1, -1])
)
def test_a_clear_difference_has_one_sign_and_two_standard_errors(
    values: list[float], shift: float, sign: int
) -> None:
    second = sign * (np.array(values) + shift)
    if judge(np.zeros(second.size), second) is Judgement.CLEAR:
        assert (np.sign(second) == np.sign(second[0])).all()
        assert abs(second.mean()) * np.sqrt(second.size) >= 1.999 * second.std(ddof=1)


@given(st.floats(1e-3, 1e3))
def test_the_scale_of_a_metric_does_not_matter(scale: float) -> None:
    for differences in ([0.1, 0.2, 0.15], [0.001, 0.001, 1.0], [0.1, -0.1]):
        second = np.array(differences)
        none = np.zeros(second.size)
        assert judge(none, scale * second) is judge(none, second)


# --- outcomes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "judgement"),
    [
        ({0: 0.80, 1: 0.81, 2: 0.79}, {0: 0.82, 1: 0.84, 2: 0.81}, Judgement.CLEAR),
        ({0: 0.80, 1: 0.81, 2: 0.79}, {0: 0.81, 1: 0.80, 2: 0.80}, Judgement.WITHIN_NOISE),
        ({0: 0.80, 1: 0.81, 2: 0.79}, {0: 0.80, 1: 0.81, 2: 0.79}, Judgement.NO_DIFFERENCE),
        ({3: 0.80}, {3: 0.90}, Judgement.ONE_FOLD),
        ({0: 0.80, 1: 0.81}, {0: 0.90, 1: None}, Judgement.UNDEFINED),
        # Folds that only one of the two has make no pair.
        ({0: 0.80, 1: 0.81}, {0: 0.90, 2: 0.91}, Judgement.ONE_FOLD),
        ({0: 0.80, 1: 0.81}, {3: 0.90, 4: 0.91}, Judgement.UNDEFINED),
    ],
)
def test_every_judgement_of_two_outcomes(
    first: dict[int, float | None], second: dict[int, float | None], judgement: Judgement
) -> None:
    difference = compare(outcome_of(first), outcome_of(second), "mae")
    assert difference.judgement is judgement
    assert difference.clear == (judgement is Judgement.CLEAR)
    means = [np.mean([v for v in side.values() if v is not None]) for side in (first, second)]
    assert [difference.first, difference.second] == pytest.approx(means)
    assert difference.value == pytest.approx(means[1] - means[0])


def test_pairs_are_of_the_same_fold_whatever_the_order() -> None:
    first = outcome_of({0: 1.0, 1: 5.0, 2: 9.0})
    second = outcome_of({2: 9.2, 1: 5.1, 0: 1.1})
    assert compare(first, second, "mae").judgement is Judgement.CLEAR
    assert compare(second, first, "mae").judgement is Judgement.CLEAR


@pytest.mark.parametrize(
    "other", [("other ratings", 5, 42), ("ratings", 4, 42), ("ratings", 5, 43), None]
)
def test_other_data_cannot_be_paired(other: tuple[str, int, int] | None) -> None:
    first = outcome_of({0: 0.8, 1: 0.8})
    second = outcome_of({0: 0.9, 1: 0.9}, origin=other)
    for difference in (compare(first, second, "mae"), compare(second, first, "mae")):
        assert difference.judgement is Judgement.DIFFERENT_DATA
        assert not difference.clear
        assert abs(difference.value) == pytest.approx(0.1)
    unknown = outcome_of({0: 0.8, 1: 0.8}, origin=None)
    assert compare(unknown, unknown, "mae").judgement is Judgement.DIFFERENT_DATA


def test_judgements_of_an_experiment(experiment: Experiment) -> None:
    without, full = (
        experiment.outcome(Setting("gain", 5, 20, protection)) for protection in ("none", "full")
    )
    judged = {name: compare(without, full, name) for name in METRICS}
    assert judged["mae"].judgement is Judgement.CLEAR
    assert judged["privacy_risk"].judgement is Judgement.CLEAR
    assert judged["data_usage"].judgement is Judgement.NO_DIFFERENCE
    assert judged["epsilon_paper"].judgement is Judgement.UNDEFINED  # infinite without DP
    for name, difference in judged.items():
        for side, outcome in ((difference.first, without), (difference.second, full)):
            assert side == pytest.approx(outcome.value(name), nan_ok=True)


def test_one_fold_of_an_experiment_is_never_clear(experiment: Experiment) -> None:
    without, full = (
        experiment.outcome(Setting("gain", 5, 20, protection), [0])
        for protection in ("none", "full")
    )
    for name in METRICS:
        assert not compare(without, full, name).clear
    assert compare(without, full, "mae").judgement is Judgement.ONE_FOLD


def test_another_experiment_is_other_data(experiment: Experiment) -> None:
    setting = Setting("gain", 5, 20)
    here = experiment.outcome(setting, metrics=["mae"])
    for other in (
        Experiment(experiment.ratings, seed=43),
        Experiment(experiment.ratings, folds=4),
        Experiment(generate(users=40, items=60, ratings=901)),
    ):
        there = other.outcome(setting, metrics=["mae"])
        assert compare(here, there, "mae").judgement is Judgement.DIFFERENT_DATA
    same = Experiment(experiment.ratings, memoised=True).outcome(setting, metrics=["mae"])
    assert compare(here, same, "mae").judgement is not Judgement.DIFFERENT_DATA
