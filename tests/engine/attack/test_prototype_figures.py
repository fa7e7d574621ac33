"""Figures of an earlier prototype on MovieLens 100K, which had 40 victims: k = 10, no protection.

The ratings may not be redistributed, so they stand beside the repository, in `shared`, or nowhere.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from cache import Store
from engine.attack import AttackPlan, attack
from engine.experiment import Experiment

SHARED = Path(__file__).resolve().parents[4] / "shared"
RATINGS = SHARED / "data" / "ml-100k.zip"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not RATINGS.exists(),
        reason=f"needs {RATINGS.name} in the folder {SHARED.name} beside the repository",
    ),
]

#: With fake accounts and 20 % known, with fake accounts and 50 % known, alone with 50 % known.
PLANS = (AttackPlan(0.2), AttackPlan(0.5), AttackPlan(0.5, accounts=0))
EXACT = {
    "userknn": (0.51, 0.70, 0.43),
    "gain": (1.00, 1.00, 0.51),
    "expect": (0.25, 0.42, 0.41),
}


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    return Experiment(engine.load(str(RATINGS)), store=Store(tmp_path_factory.mktemp("store")))


@pytest.mark.parametrize("strategy", EXACT)
def test_recovered_ratings_are_within_8_points(experiment: Experiment, strategy: str) -> None:
    for plan, figure in zip(PLANS, EXACT[strategy], strict=True):
        outcome = attack(experiment, 0, strategy, 10, plan).outcome("none", 0).everybody
        assert outcome.victims == 100
        assert outcome.exact.value == pytest.approx(figure, abs=0.08), plan
        assert outcome.exact.high - outcome.exact.low < 0.15
        assert 0.30 < outcome.baseline.value < 0.53  # 0.38 to 0.45 in the prototype
