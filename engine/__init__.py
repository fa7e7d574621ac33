"""ReuseKNN: neighborhoods, data usage and privacy of neighbor-based recommenders.

>>> import engine
>>> ratings = engine.load("sample")
>>> table = engine.evaluate(ratings, engine.Settings(ks=(10,), only_fold=0))
>>> table.query("fold == 'mean' and protection == 'vulnerable'")[["strategy", "mae"]].shape
(4, 2)
"""

from __future__ import annotations

from engine.datasets import Ratings, Scale, describe, generate, load
from engine.errors import Cancelled, InputError
from engine.evaluation import evaluate, sweep
from engine.experiment import Experiment
from engine.privacy import MECHANISMS, PROTECTIONS
from engine.settings import PAPER_KS, Settings
from engine.strategies import PAPER_STRATEGIES, STRATEGIES

__all__ = [
    "MECHANISMS",
    "PAPER_KS",
    "PAPER_STRATEGIES",
    "PROTECTIONS",
    "STRATEGIES",
    "Cancelled",
    "Experiment",
    "InputError",
    "Ratings",
    "Scale",
    "Settings",
    "describe",
    "evaluate",
    "generate",
    "load",
    "sweep",
]
