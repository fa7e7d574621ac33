"""What a run will take, told beforehand."""

from __future__ import annotations

import time

from cache import Store
from engine import PAPER_STRATEGIES, Experiment, generate
from engine.estimate import estimate


def test_disk_is_what_a_run_leaves_there_within_a_factor_of_two(tmp_path):
    ratings = generate(users=200, items=300, ratings=8_000)
    Experiment(ratings, store=Store(tmp_path)).run(PAPER_STRATEGIES, [5, 10])
    left = sum(file.stat().st_size for file in tmp_path.iterdir())
    told = estimate(ratings, PAPER_STRATEGIES, [5, 10]).disk
    assert told / 2 < left < told * 2


def test_more_work_is_told_to_take_longer():
    ratings = generate(users=200, items=300, ratings=8_000)
    base = estimate(ratings, ["gain"], [10])
    assert estimate(ratings, ["gain", "gain+reuse"], [10]).seconds > base.seconds
    assert estimate(ratings, ["gain"], [10, 20]).seconds > base.seconds
    assert estimate(ratings, ["gain"], [10], folds=10).seconds > base.seconds
    assert estimate(ratings, ["gain"], [10], jobs=1).seconds >= base.seconds


def test_time_is_of_the_right_order():
    ratings = generate()
    experiment = Experiment(ratings, jobs=1)
    experiment.run(PAPER_STRATEGIES, [10], [0])  # compiled
    started = time.process_time()
    experiment.run(PAPER_STRATEGIES, [10], [1, 2])
    taken = time.process_time() - started
    told = estimate(ratings, PAPER_STRATEGIES, [10], jobs=1).seconds * 2 / 5
    assert told / 10 < taken < told * 10
