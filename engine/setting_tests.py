"""Is a setting significantly better than another, in every fold? (paper, section 4.4)"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.experiment import Experiment
from engine.outcome import Outcome
from engine.popularity_bias import compare_pp_corr
from engine.privacy import is_vulnerable, privacy_risk
from engine.settings import Setting
from engine.significance import Alternative, Comparison, mann_whitney, significant_in_all

#: The metrics that have a value for each query or user of a fold, and so can be tested in it.
TESTED_METRICS = ("mae", "privacy_risk", "secure_risk")
#: Whether a setting has lower values, and whether its values differ at all.
_ALTERNATIVES: tuple[Alternative, ...] = ("less", "two-sided")


@dataclass(frozen=True)
class SettingTest:
    """A test of one metric of two settings: one-tailed (lower is better) and two-tailed, a fold.

    A test that is not defined is None. PP-Corr follows from all folds together, and has one test.
    """

    one_tailed: tuple[Comparison | None, ...]
    two_tailed: tuple[Comparison | None, ...]

    @property
    def is_lower(self) -> bool:
        """Whether the values are significantly lower in every fold."""
        return significant_in_all(self.one_tailed)

    @property
    def is_different(self) -> bool:
        """Whether the values differ significantly in every fold."""
        return significant_in_all(self.two_tailed)

    @property
    def p_one_tailed(self) -> float:
        """The largest p-value of the folds; NaN if a fold has none."""
        return _largest_p(self.one_tailed)

    @property
    def p_two_tailed(self) -> float:
        """The largest p-value of the folds; NaN if a fold has none."""
        return _largest_p(self.two_tailed)

    @property
    def effect(self) -> float:
        """The effect size, mean over the folds: r = z / sqrt(n), or for PP-Corr Fisher's z."""
        effects = [np.nan if test is None else test.effect for test in self.two_tailed]
        return float(np.mean(effects)) if effects else np.nan


def compare_settings(
    experiment: Experiment,
    setting: Setting,
    baseline: Setting,
    folds: Iterable[int] | None = None,
) -> dict[str, SettingTest]:
    """Test each of `TESTED_METRICS` of a setting against a baseline, in some folds, or in all.

    The samples are the absolute errors of all queries, the privacy risk of all users, and the data
    usage of the users who are not vulnerable. What was tested is kept in the store.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=200, items=100, ratings=5000))
    >>> gain, userknn = Setting("gain", 5, 20), Setting("userknn", 5, 20)
    >>> compare_settings(experiment, gain, userknn)["privacy_risk"].is_lower
    True
    """
    in_folds = [
        _test_fold(experiment, setting, baseline, number) for number in experiment.numbers_of(folds)
    ]
    return {
        metric: SettingTest(
            *(
                tuple(_comparison(tests[f"{metric} {alternative}"]) for tests in in_folds)
                for alternative in _ALTERNATIVES
            )
        )
        for metric in TESTED_METRICS
    }


def pp_corr_test(outcome: Outcome, baseline: Outcome) -> SettingTest:
    """Test whether PP-Corr is lower: a z-test after Fisher's transformation, n items each.

    Both outcomes must have top lists.
    """
    test = compare_pp_corr(outcome, baseline)
    if test is None:
        return SettingTest((None,), (None,))
    half = test.p_value / 2
    one_tailed = half if test.statistic < 0 else 1 - half
    return SettingTest((Comparison(test.statistic, one_tailed, test.effect),), (test,))


def _test_fold(
    experiment: Experiment, setting: Setting, baseline: Setting, number: int
) -> dict[str, np.ndarray]:
    def arrays() -> dict[str, np.ndarray]:
        ours, theirs = (_samples(experiment, one, number) for one in (setting, baseline))
        return {
            f"{metric} {alternative}": _values(
                mann_whitney(ours[metric], theirs[metric], alternative)
            )
            for metric in TESTED_METRICS
            for alternative in _ALTERNATIVES
        }

    key = experiment.predicted_key(
        number,
        "setting tests",
        strategy=setting.strategy,
        k=setting.k,
        tau=str(setting.tau),
        protection=setting.protection,
        baseline=f"{baseline.strategy} {baseline.protection}",
        baseline_k=baseline.k,
        baseline_tau=str(baseline.tau),
        queries=experiment.queries,
        embedding_model=experiment.embedding_settings.model,
    )
    return dict(experiment.store.get_or_compute(key, arrays))


def _samples(experiment: Experiment, setting: Setting, number: int) -> dict[str, np.ndarray]:
    tau = experiment.tau(setting.tau, number, setting.k, setting.strategy)
    usage = experiment.usage(number, setting.strategy, setting.k)
    return {
        "mae": experiment.absolute_errors(number, setting),
        "privacy_risk": privacy_risk(usage, setting.protection, tau),
        "secure_risk": usage[~is_vulnerable(usage, tau)],
    }


def _values(test: Comparison | None) -> np.ndarray:
    if test is None:
        return np.full(3, np.nan)
    return np.array([test.statistic, test.p_value, test.effect])


def _comparison(values: np.ndarray) -> Comparison | None:
    statistic, p_value, effect = map(float, values)
    return None if np.isnan(statistic) else Comparison(statistic, p_value, effect)


def _largest_p(tests: Iterable[Comparison | None]) -> float:
    values = [np.nan if test is None else test.p_value for test in tests]
    return float(np.max(values)) if values else np.nan
