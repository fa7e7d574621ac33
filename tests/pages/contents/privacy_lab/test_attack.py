"""What the page says about attacks, from attacks on a small set and from made-up shares."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.datasets import generate
from engine.experiment import Experiment
from engine.intervals import Share
from pages.contents.privacy_lab.attack_figures import (
    attack_taus,
    make_attack_figure,
    make_over_tau_figure,
    over_tau_table,
    over_tau_title,
)
from pages.contents.privacy_lab.attack_runs import (
    ASKS,
    Attacked,
    Campaign,
    Trial,
    carry_out,
)
from pages.contents.privacy_lab.attack_words import (
    asks_sentence,
    asks_table,
    attack_points,
    attack_title,
    judged,
    measure,
    measured_table,
    provider_sentence,
    provider_table,
    short_table,
    with_interval,
)
from pages.parts.runs.runs_of_ratings import run_key
from pages.parts.runs.worker import Run


def campaign_of(k: int = 5, memoised: bool = False) -> Campaign:
    return Campaign(
        strategies=("userknn", "expect", "gain"),
        chosen="gain",
        k=k,
        fold=0,
        knowledge=0.5,
        victims=15,
        memoised=memoised,
    )


@pytest.fixture(scope="module")
def attacked() -> Attacked:
    run = Run(
        Attacked(Experiment(generate(users=60, items=50, ratings=1500)), campaign_of()), carry_out
    )
    carry_out(run)
    return run.result


def test_a_campaign_varies_answers_and_fake_accounts_of_the_chosen_strategy():
    trials = campaign_of().trials
    assert [t.strategy for t in trials[:3]] == ["userknn", "expect", "gain"]
    assert Trial("gain", 4, True) in trials
    assert {t.accounts for t in trials if t.strategy == "gain"} == {0, 2, 4}
    assert campaign_of(k=1).fewer_accounts == (0,)


def test_runs_differ_by_what_answers_depend_on():
    ratings = generate(users=60, items=50, ratings=1500)
    keys = {
        run_key(
            Experiment(ratings, mechanism=m, memoised=memoised, seed=seed), campaign_of(5, memoised)
        )
        for m in ("discrete", "continuous")
        for memoised in (False, True)
        for seed in (1, 2)
    }
    assert len(keys) == 8


def test_a_finished_campaign_is_complete_and_goes_on_from_what_is_there(attacked: Attacked):
    assert attacked.complete
    run = Run(attacked, carry_out)
    carry_out(run)
    assert run.version == 0


def test_the_title_and_the_tables_say_the_same(attacked: Attacked):
    measured = measure(attacked, tau=10)
    table = measured_table(measured)
    bare = table[(table.protection == "none") & (table.group == "all")]
    title = attack_title(measured)
    for row in bare.itertuples():
        assert f"{round(100 * row.recovered)}\xa0% with {row.strategy}" in title
    assert len(short_table(measured)) == 9
    assert len(table) == 27


def test_memoised_answers_are_no_better_when_asked_again(attacked: Attacked):
    memoised = asks_table(attacked)["memoised answers"]
    assert memoised.nunique() == 1
    assert f"{ASKS} asks" in asks_sentence(attacked)
    assert "useless" in asks_sentence(attacked)


def test_fewer_fake_accounts_stand_in_the_table_of_the_provider(attacked: Attacked):
    table = provider_table(attacked, tau=10)
    assert table["fake accounts"].tolist() == ["0", "2", "4"]
    assert table["real neighbors required"].tolist() == ["5", "3", "1"]
    assert "4 fake accounts" in provider_sentence(attacked)


def test_where_nobody_is_vulnerable_it_is_said(attacked: Attacked):
    points = " ".join(attack_points(attacked, measure(attacked, 10**6), 10**6))
    assert "Nobody attacked here is vulnerable" in points
    assert "nan" not in points


def test_who_is_never_used_is_answered_with_noise_at_tau_zero(attacked: Attacked):
    unused = {
        trial: replace(probes, data_usage=0 * probes.data_usage)
        for trial, probes in attacked.probes.items()
    }
    chosen = replace(attacked, probes=unused)
    points = " ".join(attack_points(chosen, measure(chosen, 0), 0))
    assert "also the first answers about them have noise" in points
    assert "are real" not in points


def test_where_all_are_vulnerable_it_is_said(attacked: Attacked):
    used = {
        trial: replace(probes, data_usage=probes.data_usage + 1)
        for trial, probes in attacked.probes.items()
    }
    chosen = replace(attacked, probes=used)
    points = " ".join(attack_points(chosen, measure(chosen, 0), 0))
    assert "All victims are vulnerable here" in points
    assert "nan" not in points


def test_a_huge_tau_is_no_protection(attacked: Attacked):
    points = attack_points(attacked, measure(attacked, 10**6), 10**6)
    assert "not clearly different from without protection" in points[0]


def test_figures_hold_what_is_measured(attacked: Attacked):
    measured = measure(attacked, tau=10)
    figure = make_attack_figure(measured, "gain")
    assert len(figure.data) == 9
    shares = {t.y[0]: t.x[0] for t in figure.data}
    gain = attacked.of("gain").outcome("none", 0, 1).everybody.exact.value
    assert shares["<b>Gain without DP</b>"] == pytest.approx(100 * gain)
    taus = attack_taus(attacked)
    over_tau = {s: attacked.of(s).recovered_over_tau(taus) for s in attacked.campaign.strategies}
    table = over_tau_table(over_tau, taus)
    assert len(table) == 3 * len(taus)
    lines = make_over_tau_figure(over_tau, taus, "gain")
    assert len(lines.data) == 6  # a band and a line each
    assert taus[0] == 1
    # Beyond every usage, the uses by the adversary included, nothing is protected.
    assert over_tau_title(over_tau, taus, "gain")


def test_judgements_say_clearly_only_where_intervals_are_apart():
    low, high = Share(0.2, 0.1, 0.3), Share(0.6, 0.5, 0.7)
    assert judged(high, low) == "clearly more than"
    assert judged(low, high) == "clearly less than"
    unknown = Share(math.nan, math.nan, math.nan)
    assert judged(low, unknown) == "not clearly different from"
    assert with_interval(unknown) == "n/a"
    assert np.isnan(unknown.value)
