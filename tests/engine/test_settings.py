"""What can be asked, and what is refused before any work: the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cache import Store
from engine import (
    Experiment,
    InputError,
    Setting,
    Settings,
    evaluate,
    front,
    generate,
    sweep,
    tabulate_rounds,
    tabulate_users,
    users,
    vulnerable_over_time,
)
from engine.datasets import Preparation, Ratings, prepare
from engine.input_checks import check_whole

WHOLE = [int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64]
NOT_WHOLE = [0, -3, 2.0, 2.5, np.float64(2), "2", True, np.True_, None]


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return generate(users=40, items=60, ratings=900)


@pytest.fixture(scope="module")
def experiment(ratings: Ratings) -> Experiment:
    return Experiment(ratings)


# --- whole numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", WHOLE)
def test_a_whole_number_of_any_library_is_one(kind: type) -> None:
    number = check_whole("k", kind(5), least=1)
    assert (number, type(number)) == (5, int)
    setting = Setting("gain", kind(5), kind(9))
    assert (setting, type(setting.k)) == (Setting("gain", 5, 9.0), int)
    settings = Settings(
        ks=(kind(5), 10), folds=kind(3), only_fold=kind(2), seed=kind(7), jobs=kind(1), tau=kind(4)
    )
    assert settings == Settings(ks=(5, 10), folds=3, only_fold=2, seed=7, jobs=1, tau=4)
    assert {type(value) for value in (*settings.ks, settings.folds, settings.seed)} == {int}


@pytest.mark.parametrize("value", NOT_WHOLE)
def test_anything_else_is_none(experiment: Experiment, value: Any) -> None:
    for ask in (
        lambda: check_whole("k", value, least=1),
        lambda: Setting("gain", value),
        lambda: Settings(ks=(value,)),
        lambda: Settings(folds=value),
        lambda: experiment.usage(0, "gain", value),
    ):
        with pytest.raises(InputError, match="must be a whole number of at least"):
            ask()


def test_numpy_integers_give_the_figures_of_plain_ones(ratings: Ratings, tmp_path: Path) -> None:
    """And they find in the store what plain ones left there, and leave nothing else."""
    store = Store(tmp_path)
    plain = Experiment(ratings, folds=4, seed=7, jobs=1, store=store)
    expected = plain.fold_outcome(1, Setting("gain+reuse", 5, 9))
    entries = sorted(path.name for path in tmp_path.iterdir())
    other = Experiment(ratings, folds=np.int16(4), seed=np.uint32(7), jobs=np.int64(1), store=store)
    outcome = other.fold_outcome(np.int64(1), Setting("gain+reuse", np.int32(5), np.float32(9)))
    assert dict(outcome.metrics) == dict(expected.metrics)
    assert sorted(path.name for path in tmp_path.iterdir()) == entries
    other.run(("gain",), (np.int64(5),), folds=np.arange(2))
    assert other.usage(np.int8(1), "gain", np.uint16(5)).shape == (40,)


def test_numpy_integers_are_whole_numbers_in_the_tables(ratings: Ratings) -> None:
    plain = Settings(ks=(3,), strategies=("gain",), only_fold=1)
    numpy = Settings(ks=(np.int64(3),), strategies=("gain",), only_fold=np.int64(1))
    for table in (sweep, front, users):
        assert table(ratings, plain).equals(table(ratings, numpy))
    first, second = (evaluate(ratings, s).drop(columns="seconds") for s in (plain, numpy))
    assert first.equals(second)


def test_numpy_integers_say_how_ratings_are_made_and_prepared() -> None:
    small = generate(np.int64(40), np.int32(60), np.int16(900), seed=np.int64(7))
    assert small.fingerprint == generate(40, 60, 900, seed=7).fingerprint
    wanted = Preparation(np.int64(3), np.int64(20), np.int64(2), np.int64(1))
    part, _ = prepare(small, wanted)
    assert part.fingerprint == prepare(small, Preparation(3, 20, 2, 1))[0].fingerprint


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("tau", [-4, -0.001, np.int64(-4), np.nan, np.inf, "-4", "often", "q101"])
def test_a_tau_that_makes_no_sense(experiment: Experiment, tau: Any) -> None:
    for ask in (
        lambda: Setting("gain", 5, tau),
        lambda: Settings(tau=tau),
        lambda: experiment.tau(tau, 0, 5),
        lambda: tabulate_users(experiment, "gain", 5, tau),
        lambda: vulnerable_over_time(experiment, "gain", 5, tau),
        lambda: tabulate_rounds(experiment, "gain", 5, tau),
    ):
        with pytest.raises(InputError, match=r"^tau must be "):
            ask()


def test_a_tau_is_the_same_in_any_form(experiment: Experiment) -> None:
    assert {experiment.tau(tau, 0, 5) for tau in (9, 9.0, "9", np.int64(9), np.float32(9))} == {9}
    assert Setting("gain", tau="Q90") == Setting("gain", tau=" q90 ")


@pytest.mark.parametrize(
    "options",
    [
        {"ks": ()},
        {"strategies": ()},
        {"protections": ()},
        {"strategies": ("best",)},
        {"protections": ("some",)},
        {"mechanism": "loud"},
        {"similarity": "likeness"},
        {"prediction": "guess"},
        {"folds": 1},
        {"only_fold": 5},
        {"only_fold": -1},
        {"folds": 3, "only_fold": 3},
        {"seed": -1},
        {"seed": 2**32},
        {"jobs": 0},
        {"jobs": 5000},
        {"jobs": -5000},
    ],
)
def test_settings_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Settings(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"folds": 2.5},
        {"folds": True},
        {"folds": "5"},
        {"seed": 1.5},
        {"seed": -1},
        {"seed": None},
        {"jobs": 0},
        {"jobs": 1.5},
    ],
)
def test_experiments_that_make_no_sense(ratings: Ratings, options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Experiment(ratings, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"min_ratings": -1},
        {"min_ratings": 2.5},
        {"sample_users": 0},
        {"sample_users": 2.5},
        {"k_core": -1},
        {"seed": -1},
        {"seed": 2**32},
    ],
)
def test_preparations_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Preparation(**options)
