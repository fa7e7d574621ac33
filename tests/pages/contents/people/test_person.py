"""The numbers of one user are those of the engine, and the figures and words keep to them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exposure import Exposure, UsesOverFolds, exposure_of, tabulate_items, tabulate_targets
from engine.privacy import Mechanism
from engine.usage_distribution import UsageDistribution
from pages.contents.people.figures import (
    make_strategies_figure,
    strategies_table,
    strategies_title,
)
from pages.contents.people.person import (
    users_table,
    uses_in_results,
)
from pages.contents.people.user_choice import find_user, picks
from pages.contents.people.words import person_numbers, person_sentence, promise, used_for_sentence
from pages.parts.drawing.page import key_number_arguments
from pages.parts.looks import shown_strategies
from pages.parts.runs.results import Results
from pages.parts.sections import KeyNumber
from pages.parts.wording import number, signed

STARS = Mechanism("discrete", False, 1.0, 5.0, np.arange(1.0, 6.0))
usages = st.lists(st.integers(0, 30_000), min_size=1, max_size=5).map(
    lambda values: np.array(values, dtype=np.int64)
)
taus = st.one_of(st.floats(0, 40_000), st.integers(0, 40_000).map(float))
NO_USES = UsesOverFolds(*(np.zeros(0, dtype=np.int64) for _ in range(3)))


@given(usages, taus)
def test_figures_can_be_drawn_of_everybody(usage: np.ndarray, tau: float):
    person = Exposure(usage)
    people = {"userknn": Exposure(usage[::-1] // 2), "gain": person}
    assert strategies_title(people)
    figure = make_strategies_figure(people, "gain", tau)
    bars = figure.data[:2]
    assert [bars[0].x[i] + bars[1].x[i] for i in (0, 1)] == pytest.approx(
        [p.uses for p in people.values()]
    )


@pytest.mark.parametrize("tau", [0, 4.5, 20])
@pytest.mark.parametrize("strategy", ["userknn", "expect+reuse"])
def test_uses_are_counted_over_all_folds_and_protected_above_tau(
    results: Results, strategy: str, tau: float
):
    usage = results.usages(strategy, 10)
    user = int(np.sum(usage, axis=0).argmax())
    person = exposure_of(results.experiment, strategy, 10, user)
    uses = uses_in_results(results, strategy, 10, user)
    assert uses.item.size == person.usage.sum()
    assert (uses.ordinal > tau).sum() / 5 == pytest.approx(person.protected(tau))
    ratings = results.experiment.ratings
    by_user, by_item = (
        tabulate_targets(uses, ratings, tau),
        tabulate_items(uses, ratings, user, tau),
    )
    for table in (by_user, by_item):
        assert table["uses"].sum() == uses.item.size
        assert table["protected"].sum() == (uses.ordinal > tau).sum()
        assert table["uses"].is_monotonic_decreasing
    assert ratings.users[user] not in set(by_user["user"])
    rated = dict(
        zip(
            ratings.items[ratings.item[ratings.user == user]],
            ratings.value[ratings.user == user],
            strict=True,
        )
    )
    for item, rating in zip(by_item["item"], by_item["rating"], strict=True):
        assert rated[item] == rating


def test_uses_are_looked_up_once_whatever_tau(results: Results):
    assert uses_in_results(results, "gain", 10, 3) is uses_in_results(results, "gain", 10, 3)


def test_the_table_of_all_users_agrees_with_each_of_them(results: Results):
    ratings, tau = results.experiment.ratings, 12.5
    table = users_table(results, "gain", 10, tau).set_index("user")
    assert len(table) == ratings.n_users
    assert table["ratings"].sum() == ratings.n_ratings
    assert table["uses per fold"].is_monotonic_decreasing
    for user in range(0, ratings.n_users, 7):
        person = exposure_of(results.experiment, "gain", 10, user)
        row = table.loc[ratings.users[user]]
        assert row["uses per fold"] == pytest.approx(person.uses)
        assert row["folds vulnerable"] == person.vulnerable_folds(tau)
        assert row["protected uses"] == pytest.approx(person.protected(tau))
        assert row["privacy risk"] == pytest.approx(person.risk(tau))
        assert row["paper's ε"] == pytest.approx(person.epsilon(tau), nan_ok=True)


def test_means_over_users_are_those_of_the_other_pages(results: Results):
    tau = 17.5
    for strategy in shown_strategies():
        table = users_table(results, strategy, 10, tau)
        outcome = results.outcome(strategy, 10, tau)
        assert table["privacy risk"].mean() == pytest.approx(outcome.value("privacy_risk"))
        vulnerable = table["folds vulnerable"].mean() / 5
        assert vulnerable == pytest.approx(outcome.value("vulnerable_share"))
        share = table["protected uses"].sum() / table["uses per fold"].sum()
        # A mean of the shares of the folds there, the share of the sums here.
        assert share == pytest.approx(outcome.value("protected_uses"), rel=0.01)


def test_the_sentence_compares_with_the_middle_user_and_another_strategy():
    usage = UsageDistribution([np.array([0, 5, 90, 200]), np.array([1, 5, 110, 200])])
    person, other = Exposure(np.array([90, 110])), Exposure(np.array([40, 42]))
    sentence = person_sentence("*x*", person, other, usage, ("Gain", "UserKNN"))
    assert "With Gain, **user \\*x\\* is used 100 times per fold** (90 to 110 in the 2 folds)" in (
        sentence
    )
    assert "more often than 50\xa0% of the users" in sentence
    most = person_sentence("y", Exposure(np.array([200, 200])), other, usage, ("Gain", "UserKNN"))
    assert "200 times per fold**, the most of all. Half" in most
    assert "Half of the users are used at most 5 times." in sentence
    assert "With UserKNN, user \\*x\\* is used 41 times." in sentence


def test_the_cards_count_real_and_noisy_uses_and_leave_out_the_average_epsilon():
    metrics = person_numbers(
        Exposure(np.array([150])), 100, Exposure(np.array([20])), 100, "UserKNN"
    )
    assert [metric.value for metric in metrics] == ["150", "100", "33\xa0%"]
    assert [metric.other_value for metric in metrics] == ["20", "20", "0\xa0%"]
    assert not any("ε" in metric.label for metric in metrics)


def test_what_cannot_be_compared_has_no_arrow():
    undefined = KeyNumber.of("x", 1.0, math.nan, number, signed, other_name="UserKNN", help="")
    arguments = key_number_arguments(undefined)
    assert arguments["delta"] == "n/a"
    assert arguments["delta_arrow"] == "off"
    assert arguments["delta_description"] == "UserKNN n/a"


def test_a_secure_user_is_promised_nothing():
    (sentence,) = promise("7", Exposure(np.array([20, 3])), STARS, 20, NO_USES)
    assert "used at most 20 times in a fold" in sentence
    assert "none of these uses is protected" in sentence


def test_who_is_never_used_is_still_read():
    (sentence,) = promise("7", Exposure(np.array([0])), STARS, 20, NO_USES)
    assert "is never used: no prediction contains a rating of theirs" in sentence
    assert "still read to find neighbors" in sentence


def test_a_vulnerable_user_is_told_what_is_not_protected_first_and_odds_before_epsilon():
    uses = UsesOverFolds(np.arange(30), np.zeros(30, dtype=np.int64), np.arange(1, 31))
    first, odds, sum_, paper = promise("7", Exposure(np.array([30, 5])), STARS, 20.5, uses)
    assert "vulnerable in 1 of 2 folds" in first
    assert "**The first 20 uses of a fold are not protected at all**" in first
    assert odds.index("16 times as likely") < odds.index("ε = ln 16 = 2.77")
    assert "80\xa0%" in odds
    # 10 protected answers about the one rating.
    assert "with noise 10 times" in sum_
    assert "adds up to 27.7" in sum_
    assert "no bound on any single use" in paper
    assert "every use is protected" in promise("7", Exposure(np.array([3])), STARS, 0, NO_USES)[0]


def test_noise_from_a_continuous_range_promises_nothing_and_memoised_answers_do_not_add_up():
    continuous = Mechanism("continuous", False, -10.0, 10.0, np.empty(0))
    sentences = promise("7", Exposure(np.array([30])), continuous, 20, NO_USES)
    assert "ε is infinite" in sentences[1]
    memoised = Mechanism("discrete", True, 1.0, 5.0, np.arange(1.0, 6.0))
    assert "add nothing" in promise("7", Exposure(np.array([30])), memoised, 20, NO_USES)[2]


def test_ratings_used_as_they_are_are_counted_once(results: Results):
    ratings = results.experiment.ratings
    user = int(np.sum(results.usages("gain", 10), axis=0).argmax())
    uses = uses_in_results(results, "gain", 10, user)
    sentence = used_for_sentence(uses, ratings, user, 0, 5)
    assert "**none of them as they really are**" in sentence
    everything = used_for_sentence(uses, ratings, user, 10**6, 5)
    used = np.unique(uses.item).size
    assert f"{used} were used, **all of them at least once as they really are**" in everything
    assert used_for_sentence(NO_USES, ratings, user, 5, 5).startswith("Nobody's ratings")


def test_ids_are_found_whole_before_parts():
    ids = np.array(["10", "1", "a<b>", "A1"], dtype=object)
    assert find_user(" 1 ", ids) == (1, [])
    assert find_user("a", ids) == (None, [2, 3])
    assert find_user("nobody", ids) == (None, [])


def test_there_is_nobody_above_a_tau_above_all():
    assert "Just above τ" not in picks(UsageDistribution([np.array([3, 4])]), 4)
    assert strategies_table({"gain": Exposure(np.array([3]))}, 4)["paper's ε"].isna().all()
