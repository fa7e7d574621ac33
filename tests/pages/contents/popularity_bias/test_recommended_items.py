from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.popularity_bias import GroupBias, ItemShares
from pages.contents.popularity_bias.recommended_items import items_sentence, recommended_items_table
from pages.contents.popularity_bias.taste import make_taste_figure, taste_table, taste_title
from tests.pages.driving import figures, open_fold, open_page, texts

pairs = st.lists(st.tuples(st.integers(1, 500), st.integers(0, 500)), min_size=1, max_size=60)
GROUPS = {
    "userknn": (GroupBias(40, 300.0, 330.0, 0.9), GroupBias(40, 200.0, 260.0, 0.8)),
    "gain": (GroupBias(40, 300.0, 300.0, 0.7), GroupBias(40, 200.0, None, None)),
}


@given(pairs)
def test_over_is_above_and_under_is_below_the_share_of_the_ratings(
    counts: list[tuple[int, int]],
):
    popularity, frequency = np.array(counts).T
    shares = ItemShares.of(popularity, frequency)
    titles = np.array([f"item {i}" for i in range(len(counts))])
    over, under = (
        recommended_items_table(shares, titles, over=True),
        recommended_items_table(shares, titles, over=False),
    )
    assert (over["ratio"] > 1).all()
    assert (under["ratio"] < 1).all()
    assert len(over) <= 10
    assert len(under) <= 10
    assert not set(over["item"]) & set(under["item"])
    differences = over["share of the lists, %"] - over["share of the ratings, %"]
    assert differences.is_monotonic_decreasing or np.allclose(
        differences.diff().clip(lower=0)[1:], 0
    )


def test_titles_of_users_stay_text():
    shares = ItemShares.of(np.array([5, 5]), np.array([9, 1]))
    sentence = items_sentence(shares, np.array(["<b>*A*", "B"], dtype=object), "Gain with DP")
    assert "\\<b\\>\\*A\\*" in sentence
    assert (
        "90.00\xa0% of the places on lists against 50.00\xa0% of the ratings (1.80 times its share)"
        in sentence
    )
    level = ItemShares.of(np.array([5, 5]), np.array([1, 1]))
    assert "as often as its ratings" in items_sentence(level, np.array(["a", "b"]), "Gain")


def test_the_figure_of_tastes_sets_lists_against_ratings():
    title = taste_title(GROUPS, "userknn")
    assert title.endswith(
        "1.10 times as popular as what fans of popular items rated and 1.30 times as popular as "
        "what other users rated"
    )
    assert taste_title(GROUPS, "gain").endswith(
        "1.00 times as popular as what fans of popular items rated"
    )
    assert len(make_taste_figure(GROUPS, "gain", "userknn").data) == 3
    assert len(make_taste_figure(GROUPS, "userknn", "userknn").data) == 2
    table = taste_table(GROUPS)
    assert table["lists against ratings"].iloc[0] == pytest.approx(1.1)
    assert len(table) == 4


@pytest.mark.usefixtures("folders")
def test_the_page_names_items_and_both_groups():
    app = open_page("popularity_bias", dataset="small", strategy="gain", tau=12)
    assert "**Yes, popular items" in texts(app) or "**No, popular items" in texts(app)
    assert len(figures(app)) == 1  # the rest is folded away
    open_fold(app, "Which items")
    open_fold(app, "For whom: by the users' own taste")
    assert "fans of popular items" in figures(app)[-1]["data"][0]["x"]
    tables = [t.value for t in app.dataframe if "ratio" in t.value.columns]
    assert [1 <= len(table) <= 10 for table in tables] == [True, True]
    assert "times its share" in texts(app)
