"""Curves over folds with their ends, and where a difference from UserKNN is significant."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from engine.datasets import generate
from engine.experiment import Experiment
from engine.growth_curves import GrowthCurve, growth_curve
from engine.significance import ALPHA

NAN = np.nan
GAIN = GrowthCurve(
    np.array([[10.0, 10.0, 12.0, NAN], [10.0, 12.0, 13.0, NAN]]),
    p_values=np.array([[NAN, 0.001, 0.001, NAN], [NAN, 0.02, 0.001, NAN]]),
    effects=np.array([[NAN, -0.4, -0.6, NAN], [NAN, -0.2, -0.8, NAN]]),
)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=40, items=60, ratings=900))


def test_a_curve_is_a_mean_over_folds_with_its_ends() -> None:
    assert GAIN.mean[:3].tolist() == [10, 11, 12.5]
    assert GAIN.lowest[:3].tolist() == [10, 10, 12]
    assert GAIN.highest[:3].tolist() == [10, 12, 13]
    for values in (GAIN.mean, GAIN.lowest, GAIN.highest):
        assert np.isnan(values[3])


def test_where_one_fold_has_nobody_the_others_stand_for_all() -> None:
    curve = GrowthCurve(np.array([[4.0, NAN], [6.0, 9.0]]))
    assert [values.tolist() for values in (curve.mean, curve.lowest, curve.highest)] == [
        [5, 9],
        [4, 9],
        [6, 9],
    ]


def test_what_is_significant_is_so_in_all_folds() -> None:
    assert GAIN.significant.tolist() == [False, False, True, False]
    assert GAIN.tested.tolist() == [False, True, True, False]
    assert GAIN.effect_size[1:3].tolist() == pytest.approx([-0.3, -0.7])
    assert np.isnan(GAIN.effect_size[[0, 3]]).all()


def test_a_test_that_one_fold_lacks_is_not_significant() -> None:
    curve = GrowthCurve(np.full((2, 1), 5.0), np.array([[0.001], [NAN]]), np.full((2, 1), -0.5))
    assert (curve.tested.tolist(), curve.significant.tolist()) == ([True], [False])


def test_without_tests_nothing_is_significant_and_nobody_is_nan() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nobody = GrowthCurve(np.full((5, 100), NAN))
        for values in (nobody.mean, nobody.lowest, nobody.highest, nobody.effect_size):
            assert np.isnan(values).all()
        assert not nobody.tested.any()
        assert not nobody.significant.any()


def test_curves_are_those_of_the_experiment_with_their_tests(experiment: Experiment) -> None:
    folds = (3, 0)
    tests = [experiment.growth_tests(fold, "gain", 5) for fold in folds]
    for measure, read in (
        ("neighbors", experiment.neighbors_at_q),
        ("co_ratings", experiment.co_ratings_at_q),
    ):
        curve = growth_curve(experiment, measure, "gain", 5, folds, tests)
        for row, fold in zip(curve.in_folds, folds, strict=True):
            assert np.array_equal(row, read(fold, "gain", 5), equal_nan=True)
        p_values = np.array([test[f"{measure}_p"] for test in tests])
        assert curve.p_values is not None
        assert np.array_equal(curve.p_values, p_values, equal_nan=True)
        assert (curve.significant == (p_values < ALPHA).all(axis=0)).all()
        assert curve.tested.any()
        untested = growth_curve(experiment, measure, "userknn", 5)
        assert untested.in_folds.shape == (5, 100)
        assert untested.p_values is None
