"""Tests of settings against a baseline: fold by fold, beside SciPy's on plain samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, norm

from engine.datasets import generate
from engine.experiment import Experiment
from engine.setting_tests import SettingTest, compare_settings, pp_corr_test
from engine.settings import Setting
from engine.significance import Comparison

BASELINE = Setting("userknn", 5, "published")


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=120, items=80, ratings=3000), folds=3)


@pytest.mark.parametrize("setting", [Setting("gain", 5), Setting("expect", 5, 15), BASELINE])
def test_each_fold_beside_scipy(experiment: Experiment, setting: Setting) -> None:
    tests = compare_settings(experiment, setting, BASELINE)
    for number in range(3):
        samples = []
        for one in (setting, BASELINE):
            tau = experiment.tau(one.tau, number, 5)
            usage = experiment.usage(number, one.strategy, 5)
            errors = experiment.absolute_errors(number, one)
            samples.append((errors, np.minimum(usage, tau), usage[usage <= tau]))
        for metric, ours, theirs in zip(
            ("mae", "privacy_risk", "secure_risk"), *samples, strict=True
        ):
            for test, alternative in (
                (tests[metric].one_tailed[number], "less"),
                (tests[metric].two_tailed[number], "two-sided"),
            ):
                assert test is not None
                expected = mannwhitneyu(ours, theirs, alternative=alternative, method="asymptotic")
                assert test.p_value == pytest.approx(expected.pvalue)
                assert test.statistic == pytest.approx(expected.statistic)


def test_a_setting_does_not_differ_from_itself(experiment: Experiment) -> None:
    for test in compare_settings(experiment, BASELINE, BASELINE).values():
        assert not test.is_lower
        assert not test.is_different
        assert test.effect == 0


def test_what_was_tested_is_kept(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    before = compare_settings(experiment, Setting("gain", 5), BASELINE)
    monkeypatch.setattr("engine.setting_tests.mann_whitney", None)
    assert compare_settings(experiment, Setting("gain", 5), BASELINE) == before
    with pytest.raises(TypeError):  # another tau is another test
        compare_settings(experiment, Setting("gain", 5, 7), BASELINE)


def test_every_fold_must_be_significant() -> None:
    yes, no = Comparison(3.0, 0.001, -0.4), Comparison(2.0, 0.2, -0.1)
    assert SettingTest((yes, yes), (yes, no)).is_lower
    assert not SettingTest((yes, yes), (yes, no)).is_different
    assert SettingTest((yes, no), (yes, no)).p_one_tailed == 0.2
    assert SettingTest((yes, no), (yes, no)).effect == -0.25
    assert np.isnan(SettingTest((yes, None), (yes, None)).p_two_tailed)
    assert not SettingTest((yes, None), (yes, None)).is_lower


def test_pp_corr_by_fisher(experiment: Experiment) -> None:
    ours, theirs = (
        experiment.outcome(setting, metrics=["pp_corr"])
        for setting in (Setting("gain", 5), BASELINE)
    )
    test = pp_corr_test(ours, theirs)
    difference = np.arctanh(ours.value("pp_corr")) - np.arctanh(theirs.value("pp_corr"))
    z = difference / np.sqrt(2 / (80 - 3))
    assert test.p_one_tailed == pytest.approx(norm.cdf(z))
    assert test.p_two_tailed == pytest.approx(2 * norm.sf(abs(z)))
    assert test.effect == pytest.approx(difference)
