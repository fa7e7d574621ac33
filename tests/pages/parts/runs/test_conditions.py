"""Noise and seed as settings: in the address, in the key of a run, on every page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.datasets import Scale, generate, load
from pages.parts.address import View, address_parts, read_address
from pages.parts.reproduce import experiment_arguments
from pages.parts.runs import experiments
from pages.parts.runs.conditions import Conditions
from tests.pages.driving import control, open_page, texts
from tests.toys import registered_toys


def test_the_default_is_not_in_the_address_and_what_differs_is():
    assert not {"mechanism", "memoised", "seed"} & set(address_parts(View()))
    view = View(mechanism="continuous", memoised=True, seed=7)
    parts = address_parts(view)
    assert (parts["mechanism"], parts["memoised"], parts["seed"]) == ("continuous", "yes", "7")
    assert read_address(parts, ["sample"]) == (view, {})


@pytest.mark.parametrize(
    ("part", "text"),
    [("mechanism", "loud"), ("memoised", "maybe"), ("seed", "-1"), ("seed", "1.5"), ("seed", "x")],
)
def test_what_does_not_fit_is_told_and_takes_the_default(part: str, text: str):
    view, notes = read_address({part: text}, ["sample"])
    assert view == View()
    assert f"{part} = " in notes[part]


def test_discrete_is_the_default_also_when_it_is_asked_for():
    assert read_address({"mechanism": "discrete", "memoised": "no"}, ["sample"]) == (View(), {})


def test_a_pin_shares_the_noise():
    assert View(mechanism="continuous", seed=7).as_pin(3) == View(tau=3)


@pytest.fixture
def toys() -> Iterator[None]:
    """The toys, of which the similarity is one that any strategy can be computed with."""
    with registered_toys():
        yield


def test_a_scale_without_steps_has_continuous_noise_whatever_is_chosen():
    assert Conditions().name_for(Scale(0.0, 1.0)) == "continuous"
    assert Conditions("discrete").name_for(Scale(0.0, 1.0)) == "continuous"
    assert Conditions().name_for(Scale(1.0, 5.0, 1.0)) == "discrete"


def test_runs_with_other_noise_are_other_runs():
    ratings = generate(users=40, items=60, ratings=900)
    noises = [Conditions(), Conditions("continuous"), Conditions(memoised=True), Conditions(seed=7)]
    assert len({noise.key(ratings) for noise in noises}) == 4
    assert Conditions("discrete").key(ratings) == Conditions().key(ratings)


def test_a_registered_similarity_is_in_the_address_and_the_command(
    folders: tuple[Path, Path], toys: None
):
    ratings = load(str(folders[0] / "alone.csv"))
    app = open_page("data_usage", dataset="alone", similarity="jaccard")
    assert "Not the default: similarity jaccard" in texts(app)
    run = experiments.known_run(ratings, Conditions(similarity="jaccard"))
    assert run is not None
    assert run.result.experiment.similarity == "jaccard"
    assert experiment_arguments(run.result.experiment)[2:4] == ["--similarity", "jaccard"]
    control(app, "choose_similarity").set_value("cosine").run()
    assert not app.exception
    assert "Not the default" not in texts(app)
    experiments.forget_results(ratings)


def test_a_similarity_that_is_none_is_said():
    view, notes = read_address({"similarity": "astrology", "prediction": "weighted"}, ["sample"])
    assert (view.similarity, view.prediction) == ("cosine", "weighted")
    assert "is not one of cosine" in notes["similarity"]
    assert "similarity" not in address_parts(view)


def test_every_page_follows_and_says_so(folders: tuple[Path, Path]):
    # Of one user nothing can be tested, so both runs are quick.
    ratings = load(str(folders[0] / "alone.csv"))
    app = open_page("people", dataset="alone", mechanism="continuous", memoised="yes", seed=7)
    assert "Not the default: continuous noise, memoised answers and seed 7" in texts(app)
    run = experiments.known_run(ratings, Conditions("continuous", memoised=True, seed=7))
    assert run is not None
    experiment = run.result.experiment
    assert experiment.mechanism.name == "continuous"
    assert experiment.mechanism.memoised
    assert experiment.seed == 7
    control(app, "choose_mechanism").set_value("discrete")
    control(app, "choose_answers").set_value("fresh")
    control(app, "choose_seed").set_value(42).run()
    assert not app.exception
    assert "Not the default" not in texts(app)
    assert experiments.known_run(ratings, Conditions()) is not None
