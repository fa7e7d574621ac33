"""What no strategy can change."""

from __future__ import annotations

import numpy as np
import pytest

from engine.experiment import Experiment
from engine.noise_floor import noise_floor, noise_share, tabulate_noise
from engine.strategies import STRATEGIES
from engine.sweep import Sweep, SweepOverFolds
from tests.examples import random_rows, ratings_of


def test_every_strategy_makes_the_same_uses_and_none_is_below_the_floor():
    rows = random_rows(8, users=20, items=30, share=0.5, values=[1, 2, 3, 4, 5])
    experiment = Experiment(ratings_of(rows), folds=3)
    # Strategies with embeddings have folds of their own, and so other queries.
    compared = [name for name, strategy in STRATEGIES.items() if not strategy.needs_embeddings]
    sweeps = [experiment.sweep_over_folds(strategy, 4) for strategy in compared]
    uses = {tuple(int(fold.data_usage.sum()) for fold in sweep.sweeps) for sweep in sweeps}
    assert len(uses) == 1
    taus = np.arange(200)
    floors = [noise_floor(sweep, taus) for sweep in sweeps]
    for floor in floors[1:]:
        assert floor == pytest.approx(floors[0])
    for sweep in sweeps:
        assert (sweep.mean("protected_uses") >= noise_floor(sweep) - 1e-12).all()
    table = tabulate_noise(sweeps, tau=9)
    for row in table.itertuples():
        means = [sum(fold) / 20 for fold in zip(*uses, strict=True)]
        assert row.floor == pytest.approx(np.mean([max(1 - 9 / mean, 0) for mean in means]))
        swept = experiment.sweep_over_folds(row.strategy, 4)
        assert row.protected_uses == pytest.approx(swept.mean("protected_uses")[9])
        assert row.above_floor == pytest.approx(row.protected_uses - row.floor)


def test_an_even_load_lies_on_the_floor():
    even = SweepOverFolds("userknn", 10, [Sweep(np.zeros(6), np.full(7, 5))])
    assert noise_floor(even) == pytest.approx(even.mean("protected_uses"))
    share = noise_share(even, 2)
    assert (share.above_floor, share.vulnerable_share) == (0, 1)
    assert share.protected_per_vulnerable == pytest.approx(3)


def test_where_nobody_is_used_nothing_is_noisy():
    unused = SweepOverFolds("gain", 10, [Sweep(np.zeros(1), np.zeros(4, dtype=np.int64))])
    assert noise_floor(unused, np.array([0, 5])).tolist() == [0, 0]
    share = noise_share(unused, 3)
    assert (share.protected_uses, share.floor) == (0, 0)
    assert np.isnan(share.protected_per_vulnerable)
