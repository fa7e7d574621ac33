"""What a notebook can pass by mistake is refused with one sentence, or does what was meant."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from engine.experiment import Experiment
from engine.noise_floor import noise_floor, noise_share
from engine.privacy import is_vulnerable, privacy_risk, protected_uses, secure_risk, usage_metrics
from tests.examples import random_rows, ratings_of


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(ratings_of(random_rows(3, users=24, items=20, share=0.5, values=[1, 2, 3])))


def refusal_of(call: Callable[[], Any]) -> str:
    with pytest.raises(engine.InputError) as refused:
        call()
    return str(refused.value)


@pytest.mark.parametrize("taus", [[0], (0, 3), np.array([0, 3]), [np.int64(2)]])
def test_a_floor_takes_a_list(experiment: Experiment, taus: Any) -> None:
    sweep = experiment.sweep_over_folds("gain", 3)
    expected = noise_floor(sweep)[np.asarray(taus)]
    assert noise_floor(sweep, taus).tolist() == expected.tolist()


@pytest.mark.parametrize("tau", [-1, 1.5, math.nan, math.inf])
def test_a_floor_is_for_whole_taus(experiment: Experiment, tau: float) -> None:
    sweep = experiment.sweep_over_folds("gain", 3)
    assert refusal_of(lambda: noise_floor(sweep, [0, tau])) == (  # type: ignore[list-item]
        f"tau must be a whole number of at least 0, not {tau}."
    )


@pytest.mark.parametrize("taus", [0, ["x"], [[0, 1]], "0"])
def test_a_floor_is_for_a_list_of_taus(experiment: Experiment, taus: Any) -> None:
    sweep = experiment.sweep_over_folds("gain", 3)
    assert refusal_of(lambda: noise_floor(sweep, taus)) == (
        f"taus must be a list of whole numbers, not {taus!r}."
    )


@pytest.mark.parametrize("tau", [-1, 1.5, "x", None, [0], math.nan])
def test_a_noise_share_is_for_one_whole_tau(experiment: Experiment, tau: Any) -> None:
    sweep = experiment.sweep_over_folds("gain", 3)
    assert refusal_of(lambda: noise_share(sweep, tau)).startswith("tau must be a whole number")


@pytest.mark.parametrize("tau", ["published", "3", None, [3], np.array([1, 2])])
def test_uses_of_a_user_need_a_number(experiment: Experiment, tau: Any) -> None:
    user = engine.exposure_of(experiment, "gain", 3, user=0)
    assert refusal_of(lambda: user.protected(tau)).startswith("tau must be a number")


def test_data_usage_may_be_a_list() -> None:
    uses = [0, 2, 9]
    array = np.array(uses)
    assert is_vulnerable(uses, 3).tolist() == is_vulnerable(array, 3).tolist()
    assert secure_risk(uses, 3) == secure_risk(array, 3)
    assert usage_metrics(uses, "vulnerable", 3) == usage_metrics(array, "vulnerable", 3)
    for count in (privacy_risk, protected_uses):
        assert count(uses, "vulnerable", 3).tolist() == count(array, "vulnerable", 3).tolist()


@pytest.mark.parametrize("uses", ["x", None, 3, ["x"], [[1], [2, 3]], [[1, 2], [3, 4]]])
def test_data_usage_must_be_numbers(uses: Any) -> None:
    for call in (
        lambda: is_vulnerable(uses, 3),
        lambda: privacy_risk(uses, "vulnerable", 3),
        lambda: protected_uses(uses, "vulnerable", 3),
        lambda: secure_risk(uses, 3),
        lambda: usage_metrics(uses, "vulnerable", 3),
    ):
        assert refusal_of(call).startswith("data usage must be a number for each user")


@pytest.mark.parametrize("uses", [[1, -1], [1.0, math.nan]])
def test_data_usage_is_never_below_0(uses: Any) -> None:
    assert refusal_of(lambda: usage_metrics(uses, "vulnerable", 3)) == (
        f"data usage must be at least 0, not {uses[1]}."
    )


def test_a_distribution_is_over_folds_of_the_same_users() -> None:
    assert engine.UsageDistribution([[0, 4, 9]]).vulnerable_share(4) == pytest.approx(1 / 3)  # type: ignore[list-item]
    for usages, sentence in (
        ([], "The data usage of at least one fold is needed."),
        ([[1, 2], [3]], "The data usage of all folds must be of the same users."),
        ([1, 2], "data usage must be a number for each user, not 1."),
    ):
        assert refusal_of(lambda usages=usages: engine.UsageDistribution(usages)) == sentence


def test_one_value_is_not_taken_for_several(experiment: Experiment) -> None:
    gain = engine.Setting("gain", 3, 9)
    cases: dict[str, Callable[[], Any]] = {
        "ks must be a list, such as [5], not 5.": lambda: engine.Settings(ks=5),  # type: ignore[arg-type]
        "folds must be a list, such as [1], not 1.": lambda: experiment.outcome(gain, 1),  # type: ignore[arg-type]
        "strategies must be a list, such as ['gain'], not 'gain'.": lambda: engine.find_front(
            experiment, "gain", [3]
        ),
    }
    for sentence, call in cases.items():
        assert refusal_of(call) == sentence


def test_what_is_no_ratings_is_named(experiment: Experiment) -> None:
    assert refusal_of(lambda: Experiment("sample")) == (  # type: ignore[arg-type]
        "Ratings are needed, not 'sample': load them, for example with engine.load(\"sample\")."
    )
    assert refusal_of(lambda: engine.load(3)) == "A path or an open file is needed, not 3."  # type: ignore[arg-type]
    columns = engine.Ratings.from_columns
    assert "numbers" in refusal_of(lambda: columns(["a"], ["b"], ["x"], name="d"))  # type: ignore[list-item]
    assert "column" in refusal_of(lambda: columns(None, ["b"], [1], name="d"))  # type: ignore[arg-type]
    assert "no strategy ['gain']" in refusal_of(lambda: engine.Setting(["gain"]))  # type: ignore[arg-type]
