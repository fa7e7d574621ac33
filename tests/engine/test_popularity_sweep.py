"""Coverage and PP-Corr at every whole tau against the top lists made anew at each."""

from __future__ import annotations

import numpy as np
import pytest

from engine.experiment import Experiment
from engine.metrics import popularity_metrics
from engine.popularity_sweep import FrequencyChanges, follow_top_lists, sweep_popularity
from engine.settings import Setting
from tests.examples import VALUES, random_rows, ratings_of


@pytest.mark.parametrize(
    ("values", "mechanism", "memoised", "strategy", "k"),
    [
        ("stars", "discrete", False, "userknn", 5),
        ("half stars", "continuous", False, "gain", 3),
        ("thousand", "continuous", True, "expect+reuse", 4),  # not whole: the sums are not exact
        ("binary", "discrete", True, "expect", 8),
        ("constant", "discrete", False, "gain", 2),
    ],
)
def test_every_tau_is_as_if_the_lists_were_made_anew(values, mechanism, memoised, strategy, k):
    rows = random_rows(11, users=16, items=60, share=0.7, values=VALUES[values])
    experiment = Experiment(ratings_of(rows), folds=3, mechanism=mechanism, memoised=memoised)
    swept = experiment.popularity_sweep(strategy, k, (0, 2))
    changes = [follow_top_lists(experiment.predictor(fold, strategy, k)) for fold in (0, 2)]
    largest = max(int(experiment.usage(fold, strategy, k).max()) for fold in (0, 2))
    assert swept.coverage.size == swept.pp_corr.size == largest + 1
    for tau in range(largest + 1):
        setting = Setting(strategy, k, tau)
        frequencies = [experiment.item_frequency(fold, setting) for fold in (0, 2)]
        for followed, anew in zip(changes, frequencies, strict=True):
            assert np.array_equal(followed.frequency(tau), anew)
        metrics = popularity_metrics(np.sum(frequencies, axis=0), experiment.popularity)
        assert swept.coverage[tau] == metrics["coverage"]
        expected = np.nan if metrics["pp_corr"] is None else metrics["pp_corr"]
        assert swept.pp_corr[tau] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert sum(followed.tau.size for followed in changes) > 0 or values == "constant"


def test_sums_beyond_64_bits_stay_exact():
    popularity = np.array([1_200_000_000, 1_200_000_001, 1_199_999_999])
    none = np.array([], np.int32)
    frequency = np.array([1_000_000_000, 1_000_000_001, 999_999_999])
    swept = sweep_popularity([FrequencyChanges(frequency, none, none, none)], popularity, 0)
    assert swept.pp_corr[0] == 1.0
    flat = FrequencyChanges(np.full(3, 1_000_000_000), none, none, none)
    assert np.isnan(sweep_popularity([flat], popularity, 0).pp_corr[0])
