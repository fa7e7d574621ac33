"""Rules for tau side by side."""

from __future__ import annotations

import numpy as np
import pytest

from engine.candidates import Candidate, gather_candidates
from engine.choice import choose_tau
from engine.datasets import generate
from engine.experiment import Experiment
from engine.limits import Limits
from engine.settings import Setting
from engine.sweep import Sweep, SweepOverFolds
from engine.tau_rules import (
    KNEE,
    LIMITS_RULE,
    USAGE_RULES,
    compare_rules,
    knee_tau,
    tabulate_rules,
    tau_if_used_more,
)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=40, items=60, ratings=900), folds=3)


@pytest.fixture(scope="module")
def candidate(experiment: Experiment) -> Candidate:
    return gather_candidates(experiment, ["gain"], [4])[0]


def test_each_row_is_what_evaluate_gives_at_the_nearest_whole_tau(
    experiment: Experiment, candidate: Candidate
):
    choice = choose_tau([candidate], Limits(max_risk=6)).choices[0]
    rows = compare_rules(experiment, candidate, choice=choice)
    assert [row.rule for row in rows] == [*USAGE_RULES, KNEE, LIMITS_RULE]
    for row in rows:
        outcome = experiment.outcome(Setting("gain", 4, row.outcome.tau), keep=False)
        for name in ("mae", "vulnerable_share", "privacy_risk", "protected_uses"):
            assert getattr(row.outcome, name) == pytest.approx(outcome.value(name))
        if row.rule in USAGE_RULES:
            taus = [experiment.tau(row.rule, fold, 4) for fold in range(3)]
            assert row.in_folds == tuple(taus)
            assert row.tau == pytest.approx(np.mean(taus))
            assert abs(row.outcome.tau - row.tau) <= 0.5
    assert rows[-1].tau == choice.tau
    table = tabulate_rules(rows)
    assert table.rule.tolist() == [row.rule for row in rows]
    assert (table.lowest_tau <= table.exact_tau).all()
    assert (table.exact_tau <= table.highest_tau).all()


def test_a_rule_that_gives_nothing_has_a_row_without_figures(
    experiment: Experiment, candidate: Candidate
):
    impossible = choose_tau([candidate], Limits(max_risk=0, max_protected=0)).choices[0]
    row = compare_rules(experiment, candidate, choice=impossible)[-1]
    assert (row.rule, row.outcome, row.in_folds) == (LIMITS_RULE, None, ())
    assert tabulate_rules([row]).mae.isna().all()


def curve(errors: list[float]) -> SweepOverFolds:
    return SweepOverFolds("gain", 10, [Sweep(np.array(errors), np.array([0, len(errors) - 1]))])


def test_the_knee_is_farthest_from_the_straight_line():
    assert knee_tau(curve([1.0, 0.4, 0.3, 0.2, 0.1, 0.0])) == 1
    assert knee_tau(curve([0.8, 0.78, 0.6, 0.5])) == 2
    assert knee_tau(curve([5.0, 4.0, 3.0])) == 0  # a straight line: of equal ones the lowest


@pytest.mark.parametrize("errors", [[0.8], [0.8, 0.8, 0.8], [0.7, 0.75, 0.8]])
def test_there_is_no_knee_where_noise_costs_nothing(errors: list[float]):
    assert knee_tau(curve(errors)) is None


def test_the_published_rule_does_not_follow_the_data_but_quantiles_do():
    usage = np.random.RandomState(1).negative_binomial(1, 0.01, 1000)
    published = tau_if_used_more("published", usage, [1, 2, 5, 20])
    assert np.ptp(published / published[0]) < 0.1
    assert tau_if_used_more("q90", usage, [1, 20]).tolist() == [
        np.quantile(usage, 0.9),
        20 * np.quantile(usage, 0.9),
    ]
