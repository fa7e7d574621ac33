from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.experiment import Experiment
from engine.popularity_groups import GroupBias, group_bias, likes_popular, profile_popularity


def test_groups_split_the_lists_of_a_run():
    ratings = generate(users=40, items=60, ratings=900)
    experiment = Experiment(ratings)
    tops = [experiment.top_items(fold, "gain", "vulnerable", 5, 8) for fold in (0, 1)]
    for fold, top in enumerate(tops):
        counted = np.bincount(top[top >= 0], minlength=ratings.n_items)
        whole = experiment.evaluate(fold, "gain", "vulnerable", 5, 8).item_frequency
        assert counted.tolist() == whole.tolist()
    profile = profile_popularity(ratings.user, ratings.item, experiment.popularity, ratings.n_users)
    for u in (0, 7, 39):
        mine = ratings.item[ratings.user == u]
        assert profile[u] == pytest.approx(experiment.popularity[mine].mean())
    group = likes_popular(profile)
    found = group_bias(tops, experiment.popularity, profile, group)
    lists = []
    for u in np.flatnonzero(group):
        places = np.concatenate([top[u][top[u] >= 0] for top in tops])
        if places.size:
            lists.append(experiment.popularity[places].mean())
    assert found.lists == pytest.approx(np.mean(lists))
    assert found.users == group.sum()
    assert found.lift == pytest.approx(np.mean(lists) / profile[group].mean())


@given(st.lists(st.one_of(st.floats(0, 1e6), st.just(float("nan"))), max_size=50))
def test_at_most_half_of_the_users_like_popular_items(profile: list[float]):
    group = likes_popular(np.array(profile))
    assert 2 * group.sum() <= np.isfinite(profile).sum()


def test_a_group_of_nobody_has_no_numbers():
    none = np.zeros(3, dtype=bool)
    top = np.full((3, 10), -1)
    found = group_bias([top], np.array([1, 2]), np.array([1.0, 2.0, np.nan]), none)
    assert found == GroupBias(0, None, None, None)
    assert found.lift is None
