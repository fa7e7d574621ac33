from __future__ import annotations

import numpy as np
import pytest

from engine.vectors import direction_rows, directions
from tests import embedding_oracle as oracle


def test_cosines_against_plain_loops() -> None:
    vectors = np.random.default_rng(1).normal(size=(9, 16)).astype(np.float32)
    vectors[4] = 0
    rows = direction_rows(directions(vectors), np.array([0, 4, 8]))
    for row, target in zip(rows, (0, 4, 8), strict=True):
        expected = [
            oracle.cosine(vectors[target].tolist(), vectors[v].tolist())
            for v in range(len(vectors))
        ]
        assert row == pytest.approx(expected, abs=1e-15)


def test_a_cosine_is_never_above_1() -> None:
    vectors = np.random.default_rng(2).normal(size=(500, 16))
    rows = direction_rows(directions(np.concatenate((vectors, 3 * vectors))), np.arange(500))
    assert rows.max() == 1.0
    assert rows.min() >= -1.0


def test_rows_do_not_depend_on_the_block() -> None:
    unit = directions(np.random.default_rng(3).normal(size=(50, 16)))
    whole = direction_rows(unit, np.arange(50))
    for target in range(50):
        assert np.array_equal(direction_rows(unit, np.array([target]))[0], whole[target])
