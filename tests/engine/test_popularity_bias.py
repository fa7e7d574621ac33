"""Which items top lists favor, for whom, and whether it is chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.experiment import Experiment
from engine.metrics import profile_popularity
from engine.outcome import FoldOutcome, Outcome
from engine.popularity_bias import (
    GroupBias,
    ItemShares,
    compare_pp_corr,
    group_bias,
    group_biases,
    group_shares,
    likes_popular,
    popularity_groups,
)
from engine.settings import Setting
from engine.significance import compare_correlations

SETTING = Setting("gain", 5, 8)
counts = st.lists(st.tuples(st.integers(1, 500), st.integers(0, 500)), min_size=1, max_size=60)


def test_groups_split_the_lists_of_a_run():
    ratings = generate(users=40, items=60, ratings=900)
    experiment = Experiment(ratings)
    tops = [experiment.top_items(fold, SETTING) for fold in (0, 1)]
    for fold, top in enumerate(tops):
        counted = np.bincount(top[top >= 0], minlength=ratings.n_items)
        assert counted.tolist() == experiment.item_frequency(fold, SETTING).tolist()
        whole = experiment.fold_outcome(fold, SETTING).item_frequency
        assert whole is not None
        assert counted.tolist() == whole.tolist()
    profile = profile_popularity(ratings.user, ratings.item, experiment.popularity, ratings.n_users)
    for u in (0, 7, 39):
        mine = ratings.item[ratings.user == u]
        assert profile[u] == pytest.approx(experiment.popularity[mine].mean())
    group = likes_popular(profile)
    bias = group_bias(tops, experiment.popularity, profile, group)
    lists = []
    for u in np.flatnonzero(group):
        places = np.concatenate([top[u][top[u] >= 0] for top in tops])
        if places.size:
            lists.append(experiment.popularity[places].mean())
    assert bias.lists == pytest.approx(np.mean(lists))
    assert bias.users == group.sum()
    assert bias.lift == pytest.approx(np.mean(lists) / profile[group].mean())
    others = group_bias(tops, experiment.popularity, profile, ~group)
    assert group_biases(experiment, SETTING, folds=(0, 1)) == (bias, others)


@given(st.lists(st.one_of(st.floats(0, 1e6), st.just(float("nan"))), max_size=50))
def test_at_most_half_of_the_users_like_popular_items(profile: list[float]):
    group = likes_popular(np.array(profile))
    assert 2 * group.sum() <= np.isfinite(profile).sum()


def test_a_group_of_nobody_has_no_numbers():
    none = np.zeros(3, dtype=bool)
    top = np.full((3, 10), -1)
    bias = group_bias([top], np.array([1, 2]), np.array([1.0, 2.0, np.nan]), none)
    assert bias == GroupBias(0, None, None, None)
    assert bias.lift is None


def test_nobody_likes_popular_items_where_nobody_has_ratings():
    assert likes_popular(np.full(4, np.nan)).tolist() == [False] * 4


@given(counts)
def test_over_is_above_and_under_is_below_the_share_of_the_ratings(pairs: list[tuple[int, int]]):
    popularity, frequency = np.array(pairs).T
    shares = ItemShares.of(popularity, frequency)
    over, under = shares.over_recommended(), shares.under_recommended()
    assert (shares.lists[over] > shares.ratings[over]).all()
    assert (shares.lists[under] < shares.ratings[under]).all()
    assert over.size <= 10
    assert under.size <= 10
    assert not set(over.tolist()) & set(under.tolist())
    assert (np.diff(shares.surplus[over]) <= 0).all()
    assert (np.diff(shares.surplus[under]) >= 0).all()
    for items, direction in ((over, 1), (under, -1)):
        rest = np.delete(direction * shares.surplus, items)
        if items.size == 10 and rest.size:
            assert rest.max() <= (direction * shares.surplus[items]).min()


def test_shares_of_nothing_are_zero():
    shares = ItemShares.of(np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64))
    assert shares.surplus.tolist() == [0, 0, 0]
    assert shares.over_recommended().size == shares.under_recommended().size == 0


def test_items_recommended_as_often_as_rated_are_neither():
    shares = ItemShares.of(np.array([5, 5]), np.array([1, 1]))
    assert shares.over_recommended().size == shares.under_recommended().size == 0


@given(st.lists(st.integers(0, 40), min_size=1, max_size=70), st.integers(1, 12))
def test_groups_are_of_nearly_the_same_size_and_ordered_by_popularity(
    popularity: list[int], groups: int
):
    group = popularity_groups(np.array(popularity), groups)
    sizes = np.bincount(group, minlength=groups)
    assert sizes.sum() == len(popularity)
    assert sizes.max() - sizes.min() <= 1
    for less, more in zip(*np.triu_indices(groups, 1), strict=True):
        lower, upper = (np.array(popularity)[group == g] for g in (less, more))
        assert not lower.size or not upper.size or lower.max() <= upper.min()


@given(counts)
def test_group_shares_add_up_to_one_or_nothing(pairs: list[tuple[int, int]]):
    popularity, frequency = np.array(pairs).T
    shares = group_shares(frequency, popularity)
    assert shares.shape == (10,)
    assert shares.sum() == (pytest.approx(1) if frequency.any() else 0)
    top = np.argsort(popularity, kind="stable")[len(popularity) * 9 // 10 :]
    if len(popularity) % 10 == 0 and frequency.any():
        assert shares[-1] == pytest.approx(frequency[top].sum() / frequency.sum())


def test_pp_corr_is_tested_over_all_items():
    experiment = Experiment(generate(users=40, items=60, ratings=900))
    first, second = (
        experiment.outcome(Setting(strategy, 5, 8), metrics=["pp_corr"])
        for strategy in ("userknn", "gain")
    )
    expected = compare_correlations(first.value("pp_corr"), second.value("pp_corr"), 60)
    assert compare_pp_corr(first, second) == expected
    assert expected is not None


def test_pp_corr_is_not_tested_where_it_is_undefined():
    frequency = np.array([1, 1, 1, 1, 1])  # does not vary
    undefined = Outcome(
        SETTING, [FoldOutcome(0, 8.0, {"pp_corr": None}, frequency)], np.array([1, 2, 3, 4, 5])
    )
    defined = Outcome(
        SETTING,
        [FoldOutcome(0, 8.0, {"pp_corr": 0.5}, np.array([1, 3, 2, 5, 9]))],
        np.array([1, 2, 3, 4, 5]),
    )
    assert compare_pp_corr(defined, defined) is not None
    assert compare_pp_corr(defined, undefined) is compare_pp_corr(undefined, defined) is None
    no_lists = Outcome(SETTING, [FoldOutcome(0, 8.0, {"pp_corr": 0.5})])
    assert compare_pp_corr(no_lists, defined) is None
