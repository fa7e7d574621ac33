from __future__ import annotations

import numpy as np
import pytest

from engine.datasets import Ratings, generate, load
from engine.datasets.sample import make_titles
from engine.errors import InputError
from engine.experiment import Experiment
from engine.settings import Setting


@pytest.fixture(scope="module")
def sample() -> Ratings:
    return load("sample")


def test_it_is_named_as_what_it_is(sample: Ratings) -> None:
    assert (sample.name, sample.title) == ("sample", "Sample: generated movie ratings")
    assert "generated" in sample.report.notes[0]


def test_its_numbers_are_like_those_of_real_ratings(sample: Ratings) -> None:
    assert (sample.n_users, sample.n_items, sample.n_ratings) == (943, 1700, 100_000)
    stars = np.bincount(sample.value.astype(int), minlength=6)[1:] / sample.n_ratings
    assert np.abs(stars - [0.06, 0.11, 0.27, 0.34, 0.21]).max() < 0.03
    activity = np.bincount(sample.user)
    assert activity.min() >= 20
    assert 60 <= np.median(activity) <= 70
    assert 500 <= activity.max() <= 800
    popularity = np.bincount(sample.item)
    assert popularity.max() > sample.n_users / 2
    assert 100 < (popularity < 5).sum() < 500
    means = np.bincount(sample.user, sample.value) / activity
    assert 0.35 < means.std() < 0.55
    item_means = np.bincount(sample.item, sample.value) / popularity
    assert 0.2 < np.corrcoef(popularity, item_means)[0, 1] < 0.6


def test_it_is_the_same_everywhere(sample: Ratings) -> None:
    again = generate()
    assert again.fingerprint == sample.fingerprint
    assert generate(seed=8).fingerprint != sample.fingerprint
    assert sample.fingerprint.startswith("a2e224218d297077")


def test_it_shows_the_effects_of_the_paper(sample: Ratings) -> None:
    experiment = Experiment(sample)
    tau = experiment.tau("published", 0, 10)
    by_strategy = {
        strategy: experiment.fold_outcome(0, Setting(strategy, 10, tau, "none")).metrics
        for strategy in ("userknn", "expect", "gain")
    }
    vulnerable = {name: metrics["vulnerable_share"] for name, metrics in by_strategy.items()}
    assert vulnerable["userknn"] >= 2 * vulnerable["expect"]
    assert by_strategy["gain"]["mae"] < by_strategy["userknn"]["mae"] - 0.02


@pytest.mark.parametrize(
    ("users", "items", "ratings"),
    [(40, 60, 900), (5, 10, 25), (1, 2, 1), (3, 4, 6), (50, 50, 1250), (300, 2000, 20_000)],
)
def test_other_sizes(users: int, items: int, ratings: int) -> None:
    made = generate(users, items, ratings)
    assert (made.n_users, made.n_ratings) == (users, ratings)
    assert made.n_items <= items
    assert made.report.duplicates == 0


@pytest.mark.parametrize("size", [(0, 5, 5), (5, 0, 5), (5, 5, 4), (5, 5, 13), (-1, -1, 1)])
def test_sizes_that_cannot_be(size: tuple[int, int, int]) -> None:
    with pytest.raises(InputError, match="can be generated with"):
        generate(*size)


def test_titles_are_distinct() -> None:
    titles = make_titles(6000)
    assert len(set(titles)) == 6000
    assert titles[:100] == make_titles(100)
