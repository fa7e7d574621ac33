"""How long reading takes and how much memory, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

pytestmark = pytest.mark.benchmark

MEASURE = """
import resource, sys, time
from engine.datasets import load
load(sys.argv[2])  # what is imported and set up once
before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
ratings = load(sys.argv[1])
seconds = time.perf_counter() - start
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(ratings.n_ratings, seconds, (after - before) / 1024, after / 1024)
"""


def measure(path: Path, folder: Path) -> tuple[int, float, float, float]:
    small = folder / "small.csv"
    small.write_text("a,x,3\n")
    command = [sys.executable, "-c", MEASURE, str(path), str(small)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ratings, *figures = done.stdout.split()
    seconds, more, peak = map(float, figures)
    print(f"{path.name}: {seconds:.2f} s, {more:.0f} MB more, {peak:.0f} MB at most")
    return int(ratings), seconds, more, peak


def test_movielens_1m_in_2_seconds_and_400_mb(shared: Path, tmp_path: Path) -> None:
    ratings, seconds, more, _ = measure(shared / "data" / "ml-1m.zip", tmp_path)
    assert ratings == 1_000_209
    assert seconds < 2
    assert more < 400


@pytest.mark.slow
def test_ten_million_ratings_in_20_seconds_and_2_gb(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    number = np.arange(10_000_000)
    columns = {
        "userId": number % 100_000,
        "movieId": rng.permutation(number // 100_000 * 400 + number % 397),
        "rating": rng.integers(1, 11, len(number)) / 2,
        "timestamp": rng.integers(10**9, 2 * 10**9, len(number)),
    }
    path = tmp_path / "ten.csv"
    pyarrow.csv.write_csv(pa.table(columns), path)
    ratings, seconds, _, peak = measure(path, tmp_path)
    assert ratings > 9_000_000
    assert seconds < 20
    assert peak < 2048
