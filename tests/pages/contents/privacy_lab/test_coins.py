"""What the page says about the coins, on scales of every kind."""

from __future__ import annotations

import numpy as np
import pytest

from engine.coins import Coins
from engine.datasets import Scale
from engine.many_answers import (
    count_answers_by_value,
    count_certain_answers,
    follow_estimates,
    levels_of,
)
from engine.privacy import Mechanism
from engine.randomized_response import throw
from pages.contents.privacy_lab.coins import (
    continuous_noise_sentence,
    default_rating,
    estimates_table,
    estimates_title,
    lab_scale,
    observer_sentence,
    tally_table,
    tally_title,
    throw_sentence,
)
from pages.contents.privacy_lab.coins_figures import (
    make_estimates_figure,
    make_noise_figure,
    make_tally_figure,
)

STARS = Scale(1.0, 5.0, 1.0)
SCALES = [STARS, Scale(0.5, 5.0, 0.5), Scale(0.0, 1.0, 1.0), Scale(-10.0, 10.0, 1.0)]


@pytest.mark.parametrize("scale", [Scale(3.0, 3.0, 1.0), Scale(0.0, 1.0), Scale(0.0, 100.0, 1.0)])
def test_the_coins_are_thrown_for_five_stars_where_the_scale_is_no_use(scale: Scale):
    assert lab_scale(scale) == STARS


@pytest.mark.parametrize("scale", SCALES)
def test_all_answers_are_counted_and_real_ones_are_the_rating(scale: Scale):
    rating = default_rating(scale)
    counts = count_answers_by_value(throw(rating, 500, Mechanism.for_scale(scale)), rating, scale)
    assert counts.answers == 500
    assert counts.by_coins.sum() == counts.by_coins[counts.levels == rating].sum()
    assert tally_table(counts)["share"].sum() == pytest.approx(1)
    assert tally_table(counts)["expected share"].sum() == pytest.approx(1)
    assert f"{counts.true} of 500 answers" in tally_title(counts)
    bars = make_tally_figure(counts, 500).data
    assert sum(bar.y.sum() for bar in bars) == 500


@pytest.mark.parametrize(
    ("scale", "share"), [(STARS, "80\xa0%"), (Scale(0.0, 1.0, 1.0), "88\xa0%")]
)
def test_an_observer_believes_an_answer_as_bayes_rule_says(scale: Scale, share: str):
    assert f"a probability of **{share}**" in observer_sentence(scale)


@pytest.mark.parametrize(
    ("first", "second", "answer", "words"),
    [
        (True, False, 4.0, "first coin shows **heads**"),
        (False, True, 4.0, "second coin shows **heads**"),
        (False, False, 2.0, "Both coins show **tails**"),
        (False, False, 4.0, "happens to be the real one"),
    ],
)
def test_a_throw_is_told_coin_by_coin(first: bool, second: bool, answer: float, words: str):
    coins = Coins(np.array([first]), np.array([second]), np.array([answer]))
    assert words in throw_sentence(coins, 4.0)


@pytest.mark.parametrize("scale", SCALES)
def test_fresh_answers_wash_out_and_memoised_ones_do_not(scale: Scale):
    rating, step = default_rating(scale), float(np.diff(levels_of(scale))[0])
    fresh = follow_estimates(rating, scale, memoised=False)
    memoised = follow_estimates(rating, scale, memoised=True)
    assert fresh.high[-1] - fresh.low[-1] < (fresh.high[0] - fresh.low[0]) / 5
    assert np.allclose(memoised.low, memoised.low[0])
    assert np.allclose(memoised.high, memoised.high[0])
    title = estimates_title(fresh, memoised, rating, step)
    assert "no more than the first one" in title
    assert ("give the rating away" in title) == fresh.within(rating, step)
    assert len(estimates_table(fresh, memoised)) == len(fresh.asks)
    assert len(make_estimates_figure(fresh, memoised, rating).data) == 4


@pytest.mark.parametrize("scale", SCALES)
def test_continuous_noise_gives_exactly_the_real_answers_away(scale: Scale):
    rating = default_rating(scale)
    discrete = throw(rating, 400, Mechanism.for_scale(scale))
    continuous = throw(rating, 400, Mechanism.for_scale(scale, "continuous"))
    assert count_certain_answers(continuous.answers, scale) == continuous.real.sum()
    assert "75\xa0%" in continuous_noise_sentence(scale)
    figure = make_noise_figure(discrete, continuous, levels_of(scale))
    assert sum(len(trace.x) for trace in figure.data) == 800
