"""What the page says about ε, at the extremes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.composition import strict_account
from engine.datasets import Scale, generate
from engine.experiment import Experiment
from engine.privacy import Mechanism
from engine.settings import Setting
from pages.contents.privacy_lab.epsilon import (
    Accounts,
    odds,
    odds_sentence,
    paper_sentence,
    paper_title,
    strict_sentence,
    strict_title,
    unprotected_sentence,
)
from pages.contents.privacy_lab.epsilon_figures import (
    composition_table,
    make_paper_figure,
    make_strict_figure,
    most_answers_table,
    paper_table,
)

RATINGS = generate(users=60, items=50, ratings=1500)


def accounts_of(tau: float, mechanism: str = "discrete", *, memoised: bool = False) -> Accounts:
    experiment = Experiment(RATINGS, mechanism=mechanism, memoised=memoised)
    strict = strict_account(experiment, 0, Setting("gain", 5, tau))
    return Accounts(experiment.usage(0, "gain", 5), tau, experiment.mechanism, strict)


@pytest.fixture(scope="module")
def accounts() -> Accounts:
    return accounts_of(20)


def test_odds_come_first_and_are_those_of_epsilon(accounts: Accounts):
    assert "16 times" in odds_sentence(accounts.mechanism)
    assert "2.77" in odds_sentence(accounts.mechanism)
    assert odds(0.0) == "1 times"


def test_where_all_ratings_are_the_same_nothing_is_promised():
    constant = Mechanism.for_scale(Scale(4.0, 4.0, 1.0))
    assert "nothing to promise" in odds_sentence(constant)


def test_continuous_noise_promises_nothing():
    continuous = accounts_of(0, "continuous")
    assert "nothing is promised" in odds_sentence(continuous.mechanism)
    assert "no finite" in strict_sentence(continuous)
    table = composition_table(continuous.mechanism)
    assert table["memoised"].unique().tolist() == ["without limit"]
    assert "hides nothing" in paper_title(continuous)


def test_where_nobody_is_vulnerable_no_epsilon_is_claimed():
    nobody = accounts_of(10**6)
    assert "not defined for anybody" in paper_sentence(nobody)
    assert "nothing to add up" in strict_sentence(nobody)
    assert "100\xa0% of the" in unprotected_sentence(nobody)


def test_without_unprotected_uses_every_answer_has_noise():
    everybody = accounts_of(0)
    assert "every answer has noise" in unprotected_sentence(everybody)
    assert "no ε covers" in unprotected_sentence(everybody)
    used = everybody.usage > 0
    assert everybody.paper == pytest.approx(np.full(used.sum(), math.log(3)))
    assert paper_title(everybody).startswith("For 100\xa0%")


def test_the_sentence_adds_up_the_answers_about_the_worst_rating(accounts: Accounts):
    most = accounts.strict.most_answers
    most = most[most > 0]
    assert f"the largest number is {most.max()}" in strict_sentence(accounts)
    assert f"up to {most.max() * math.log(16):.1f}" in strict_sentence(accounts)
    table = most_answers_table(accounts)
    assert table["users"].sum() == most.size
    assert table["ε, memoised"].to_numpy() == pytest.approx(math.log(16))
    assert table["ε, added up"].to_numpy() == pytest.approx(
        table["answers about the worst rating"].to_numpy() * math.log(16)
    )
    assert make_strict_figure(accounts).data[0].y.sum() == most.size
    assert strict_title(accounts).startswith(str((most > 1).sum()))


def test_memoised_answers_do_not_add_up():
    memoised = accounts_of(20, memoised=True)
    assert "however often" in strict_sentence(memoised)


def test_the_figure_of_the_paper_holds_every_vulnerable_user(accounts: Accounts):
    points = make_paper_figure(accounts).data[1]
    assert sum(points.customdata) == accounts.vulnerable.sum()
    assert paper_table(accounts)["vulnerable users"].sum() == accounts.vulnerable.sum()
    assert min(points.x) > accounts.tau
