"""ReuseKNN: neighborhoods, data usage and privacy of neighbor-based recommenders.

>>> import engine
>>> ratings = engine.load("sample")
>>> table = engine.evaluate(ratings, engine.Settings(ks=(10,), only_fold=0))
>>> table.query("fold == 'mean' and protection == 'vulnerable'")[["strategy", "mae"]].shape
(4, 2)
"""

from __future__ import annotations

from engine import starting  # noqa: F401 - first of all: it ends Ctrl-C during the other imports

# isort: split
from engine.analysis_tables import front, users
from engine.candidates import Candidate, TauOutcome, gather_candidates
from engine.choice import Decision, choose_tau
from engine.choice_table import choose
from engine.composition import StrictAccount, strict_account, tabulate_worst_ratings
from engine.datasets import Ratings, Scale, describe, generate, load
from engine.errors import Cancelled, InputError
from engine.evaluation import evaluate, sweep
from engine.experiment import Experiment
from engine.explanation import Explanation, explain_query
from engine.exposure import (
    Exposure,
    exposure_of,
    tabulate_items,
    tabulate_targets,
    tabulate_users,
    uses_over_folds,
)
from engine.growth_curves import GrowthCurve, growth_curve
from engine.judgement import Difference, Judgement, compare
from engine.limits import LIMITS, Limits
from engine.noise_band import NoiseBand, noise_band
from engine.noise_floor import noise_floor, tabulate_noise
from engine.outcome import METRICS, Outcome
from engine.pareto_front import FrontPoint, find_front
from engine.popularity_bias import ItemShares, compare_pp_corr, group_biases
from engine.privacy import MECHANISMS, PROTECTIONS
from engine.protection_summary import (
    ProtectionSummary,
    summarize_protection,
    tabulate_paper_epsilon,
)
from engine.relaxation import Relaxation
from engine.repeated_queries import VulnerableOverTime, tabulate_rounds, vulnerable_over_time
from engine.reproduction import reproduce
from engine.settings import PAPER_KS, Setting, Settings
from engine.strategies import PAPER_STRATEGIES, STRATEGIES
from engine.sweep import Sweep, SweepOverFolds
from engine.tau_choice import TauChoice, come_to_the_same, compare_choices
from engine.tau_rules import RuleOutcome, compare_rules, knee_tau, tabulate_rules
from engine.usage_distribution import UsageDistribution

__all__ = [
    "LIMITS",
    "MECHANISMS",
    "METRICS",
    "PAPER_KS",
    "PAPER_STRATEGIES",
    "PROTECTIONS",
    "STRATEGIES",
    "Cancelled",
    "Candidate",
    "Decision",
    "Difference",
    "Experiment",
    "Explanation",
    "Exposure",
    "FrontPoint",
    "GrowthCurve",
    "InputError",
    "ItemShares",
    "Judgement",
    "Limits",
    "NoiseBand",
    "Outcome",
    "ProtectionSummary",
    "Ratings",
    "Relaxation",
    "RuleOutcome",
    "Scale",
    "Setting",
    "Settings",
    "StrictAccount",
    "Sweep",
    "SweepOverFolds",
    "TauChoice",
    "TauOutcome",
    "UsageDistribution",
    "VulnerableOverTime",
    "choose",
    "choose_tau",
    "come_to_the_same",
    "compare",
    "compare_choices",
    "compare_pp_corr",
    "compare_rules",
    "describe",
    "evaluate",
    "explain_query",
    "exposure_of",
    "find_front",
    "front",
    "gather_candidates",
    "generate",
    "group_biases",
    "growth_curve",
    "knee_tau",
    "load",
    "noise_band",
    "noise_floor",
    "reproduce",
    "strict_account",
    "summarize_protection",
    "sweep",
    "tabulate_items",
    "tabulate_noise",
    "tabulate_paper_epsilon",
    "tabulate_rounds",
    "tabulate_rules",
    "tabulate_targets",
    "tabulate_users",
    "tabulate_worst_ratings",
    "users",
    "uses_over_folds",
    "vulnerable_over_time",
]
