"""The numbers on the pages are those of the engine: means over folds of what `evaluate` gives."""

from __future__ import annotations

import numpy as np
import pytest

from engine.metrics import popularity_metrics
from engine.settings import Setting
from engine.strategies import PAPER_STRATEGIES
from engine.sweep import SWEPT
from pages.contents.neighborhoods.curves import growth_curves
from pages.parts.looks import shown_strategies
from pages.parts.runs.results import Results


@pytest.mark.parametrize("protection", ["none", "vulnerable", "full"])
@pytest.mark.parametrize("strategy", ["userknn", "gain", "expect+reuse"])
def test_numbers_are_the_means_of_evaluations(results: Results, strategy: str, protection: str):
    tau, k = 17.5, 10
    outcome = results.outcome(strategy, k, tau, protection)
    setting = Setting(strategy, k, tau, protection)
    folds = [
        results.experiment.fold_outcome(fold, setting).metrics
        for fold in results.experiment.fold_numbers
    ]
    for name in ("mae", "privacy_risk", "vulnerable_share", "secure_risk"):
        expected = np.mean([fold[name] for fold in folds])
        assert outcome.value(name) == pytest.approx(expected, rel=1e-12), name


def test_top_lists_are_pooled_over_folds(results: Results):
    lists = results.outcome("gain", 10, 17.5, metrics=("pp_corr", "coverage"))
    setting = Setting("gain", 10, 17.5)
    frequency = np.sum(
        [results.experiment.item_frequency(fold, setting) for fold in range(5)], axis=0
    )
    pooled = popularity_metrics(frequency, results.experiment.popularity)
    assert lists.value("pp_corr") == pooled["pp_corr"]
    assert lists.value("coverage") == pooled["coverage"]
    assert (lists.item_frequency == frequency).all()


def test_taus_between_two_whole_numbers_have_the_same_lists(results: Results):
    experiment = results.experiment
    for fold in experiment.fold_numbers:
        low, high = (experiment.top_items(fold, Setting("gain", 10, tau)) for tau in (17.2, 17.9))
        assert low is high


def test_suggestions_are_means_over_folds_and_shown_as_used(results: Results):
    for rule in ("published", "tail", "q90"):
        taus = [results.experiment.tau(rule, fold, 10) for fold in range(5)]
        assert results.suggested_tau(rule, 10) == round(float(np.mean(taus)), 2)


def test_a_tau_above_all_usage_is_no_protection(results: Results):
    above = results.outcome("gain", 10, results.largest_usage(10) + 1.5)
    none = results.outcome("gain", 10, results.largest_usage(10) + 1.5, "none")
    for metric in SWEPT:
        assert above.in_folds(metric).tolist() == none.in_folds(metric).tolist(), metric
    assert above.value("vulnerable_share") == 0


def test_a_strategy_counts_once_it_has_the_folds_that_all_have(results: Results):
    done = {(fold, strategy, 10) for fold in (0, 1) for strategy in PAPER_STRATEGIES}
    some = Results(results.experiment).with_done(done | {(0, "gain+reuse", 10)})
    assert some.folds(10) == (0, 1)
    assert some.strategies(10) == PAPER_STRATEGIES
    assert some.with_done({(1, "gain+reuse", 10)}).strategies(10) == (
        *PAPER_STRATEGIES,
        "gain+reuse",
    )
    assert some.ks(10) == (10,)
    assert some.folds(20) == ()


def test_all_strategies_have_curves(results: Results):
    for strategy, growth in growth_curves(results, shown_strategies(), 10, "neighbors").items():
        curves = growth.in_folds
        assert curves.shape == (5, 100), strategy
        for curve in curves:
            known = curve[np.isfinite(curve)]
            assert (np.diff(known[:3]) >= 0).all()
