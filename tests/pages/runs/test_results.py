"""The numbers on the pages are those of the engine: means over folds of what `evaluate` gives."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pages.parts.runs.results import EXTRAS, PAPER, Results


@pytest.mark.parametrize("protection", ["none", "vulnerable", "full"])
@pytest.mark.parametrize("strategy", ["userknn", "gain", "expect+reuse"])
def test_numbers_are_the_means_of_evaluations(results: Results, strategy: str, protection: str):
    tau, k = 17.5, 10
    at = results.at(strategy, k, tau, protection)
    folds = [
        results.experiment.evaluate(fold, strategy, protection, k, tau).metrics
        for fold in results.experiment.fold_numbers
    ]
    for name in ("mae", "privacy_risk", "vulnerable_share", "secure_risk"):
        expected = np.mean([fold[name] for fold in folds])
        assert getattr(at, name) == pytest.approx(expected, rel=1e-12), name


def test_top_lists_are_pooled_over_folds(results: Results):
    lists = results.top_lists("gain", "vulnerable", 10, 17.5)
    pooled = results.experiment.pooled(
        [results.experiment.evaluate(f, "gain", "vulnerable", 10, 17.5) for f in range(5)]
    )
    assert lists.pp_corr == pooled.metrics["pp_corr"]
    assert lists.coverage == pooled.metrics["coverage"]
    assert (lists.item_frequency == pooled.item_frequency).all()


def test_taus_between_two_whole_numbers_have_the_same_lists(results: Results):
    assert results.top_lists("gain", "vulnerable", 10, 17.2) is results.top_lists(
        "gain", "vulnerable", 10, 17.9
    )


def test_suggestions_are_means_over_folds_and_shown_as_used(results: Results):
    for rule in ("published", "tail", "q90"):
        taus = [results.experiment.tau(rule, fold, 10) for fold in range(5)]
        assert results.suggested_tau(rule, 10) == round(float(np.mean(taus)), 2)


def test_a_tau_above_all_usage_is_no_protection(results: Results):
    above = results.at("gain", 10, results.largest_usage(10) + 1.5)
    none = results.at("gain", 10, math.inf, "none")
    assert above == none
    assert above.vulnerable_share == 0


def test_a_strategy_counts_once_it_has_the_folds_that_all_have(results: Results):
    done = {(fold, strategy, 10) for fold in (0, 1) for strategy in PAPER}
    some = Results.of(results.experiment).with_done(done | {(0, "gain+reuse", 10)})
    assert some.folds(10) == (0, 1)
    assert some.strategies(10) == PAPER
    assert some.with_done({(1, "gain+reuse", 10)}).strategies(10) == (*PAPER, "gain+reuse")
    assert some.ks(10) == (10,)
    assert some.folds(20) == ()


def test_all_strategies_have_curves(results: Results):
    for strategy in PAPER + EXTRAS:
        curves = results.neighbors_at_q(strategy, 10)
        assert curves.shape == (5, 100)
        for curve in curves:
            known = curve[np.isfinite(curve)]
            assert (np.diff(known[:3]) >= 0).all()
