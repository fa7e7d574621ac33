"""What a setting comes to over folds: means, ends, what is undefined, and metrics asked alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.datasets import generate
from engine.errors import InputError
from engine.evaluation import COLUMNS
from engine.experiment import Experiment
from engine.judgement import compare
from engine.metrics import Metrics, mean_where_defined
from engine.outcome import METRICS, FoldOutcome, Outcome, check_metrics, none_if_nan
from engine.settings import Setting
from tests import oracle

SETTING = Setting("gain", 5, 8)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return Experiment(generate(users=40, items=60, ratings=900))


def outcome_of(*folds: Metrics) -> Outcome:
    return Outcome(SETTING, [FoldOutcome(f, 90.0 + f, metrics) for f, metrics in enumerate(folds)])


# --- values over folds ---------------------------------------------------------------------------


def test_mean_lowest_highest_and_tau() -> None:
    outcome = outcome_of({"mae": 0.75}, {"mae": 1.0}, {"mae": 0.5})
    assert outcome.in_folds("mae").tolist() == [0.75, 1.0, 0.5]
    assert (outcome.lowest("mae"), outcome.value("mae"), outcome.highest("mae")) == (0.5, 0.75, 1)
    assert outcome.tau == 91
    assert outcome.fold_numbers == (0, 1, 2)
    assert outcome.undefined == {}


def test_what_is_undefined_in_some_folds_is_the_mean_over_the_others() -> None:
    outcome = outcome_of({"secure_risk": None}, {"secure_risk": 2.0}, {"secure_risk": 4.0})
    assert outcome.value("secure_risk") == 3
    assert (outcome.lowest("secure_risk"), outcome.highest("secure_risk")) == (2, 4)
    assert outcome.undefined == {"secure_risk": (0,)}


def test_what_is_undefined_in_all_folds_is_nan() -> None:
    outcome = outcome_of({"mae": 1.0, "secure_risk": None}, {"mae": 2.0, "secure_risk": None})
    for read in (outcome.value, outcome.lowest, outcome.highest):
        assert np.isnan(read("secure_risk"))
    assert outcome.undefined == {"secure_risk": (0, 1)}


def test_one_fold_is_its_own_mean_and_ends() -> None:
    outcome = outcome_of({"mae": 0.8125})
    assert {outcome.value("mae"), outcome.lowest("mae"), outcome.highest("mae")} == {0.8125}


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=1, max_size=6))
def test_the_mean_lies_between_the_ends(values: list[float | None]) -> None:
    outcome = outcome_of(*({"mae": value} for value in values))
    defined = [value for value in values if value is not None]
    if not defined:
        assert np.isnan(outcome.value("mae"))
        return
    assert (outcome.lowest("mae"), outcome.highest("mae")) == (min(defined), max(defined))
    assert outcome.value("mae") == pytest.approx(np.mean(defined), abs=1e-9)
    missing = tuple(fold for fold, value in enumerate(values) if value is None)
    assert outcome.undefined == ({"mae": missing} if missing else {})


@given(
    st.lists(
        st.lists(st.one_of(st.just(float("nan")), st.floats(-9, 9)), min_size=3, max_size=3),
        min_size=1,
        max_size=5,
    )
)
def test_mean_where_defined_takes_each_place_by_itself(rows: list[list[float]]) -> None:
    means = mean_where_defined(np.array(rows))
    for place, column in enumerate(zip(*rows, strict=True)):
        defined = [value for value in column if not np.isnan(value)]
        expected = np.mean(defined) if defined else np.nan
        assert means[place] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_popularity_bias_is_that_of_the_summed_lists() -> None:
    frequencies = [np.array([2, 0, 0, 1]), np.array([0, 0, 1, 3])]
    popularity = np.array([3, 9, 5, 7])
    outcome = Outcome(
        SETTING,
        [
            FoldOutcome(
                0,
                93.0,
                {"mae": 1.0, "pp_corr": None, "pp_corr_all": 0.1, "coverage": 0.5},
                frequencies[0],
            ),
            FoldOutcome(
                1,
                95.0,
                {"mae": 2.0, "pp_corr": 0.9, "pp_corr_all": 0.3, "coverage": 0.5},
                frequencies[1],
            ),
        ],
        popularity,
    )
    assert outcome.item_frequency is not None
    assert outcome.item_frequency.tolist() == [2, 0, 1, 4]
    assert outcome.value("mae") == 1.5
    assert outcome.value("coverage") == 0.75
    on_top = oracle.pp_corr([2, 0, 1, 4], popularity.tolist())
    everywhere = oracle.pp_corr_all([2, 0, 1, 4], popularity.tolist())
    assert outcome.value("pp_corr") == pytest.approx(on_top)
    assert outcome.value("pp_corr_all") == pytest.approx(everywhere)
    assert (outcome.lowest("pp_corr_all"), outcome.highest("pp_corr_all")) == (0.1, 0.3)
    assert outcome.undefined == {"pp_corr": (0,)}


def test_popularity_bias_of_all_folds_may_be_undefined_though_it_is_defined_in_each() -> None:
    folds = [
        FoldOutcome(0, 1.0, {"pp_corr": 0.5}, np.array([1, 2])),
        FoldOutcome(1, 1.0, {"pp_corr": 0.5}, np.array([2, 1])),
    ]
    assert np.isnan(Outcome(SETTING, folds, np.array([4, 5])).value("pp_corr"))


# --- metrics asked for ---------------------------------------------------------------------------


def test_metrics_are_those_of_the_table() -> None:
    assert [name for name in COLUMNS if name in METRICS] == [
        name for name in METRICS if name != "protected_uses"
    ]
    assert all(metric.words for metric in METRICS.values())


def test_an_unknown_metric_is_refused(experiment: Experiment) -> None:
    assert check_metrics(None) == METRICS.keys()
    for ask in (
        lambda: check_metrics(["mae", "mea"]),
        lambda: experiment.outcome(SETTING, metrics=["mea"]),
        lambda: experiment.fold_outcome(0, SETTING, metrics=["mea"]),
    ):
        with pytest.raises(InputError, match="no metric 'mea'"):
            ask()


def test_a_metric_that_was_not_asked_for_is_refused(experiment: Experiment) -> None:
    outcome = experiment.outcome(SETTING, metrics=["mae", "data_usage"])
    for ask in (
        lambda: outcome.value("ndcg"),
        lambda: outcome.in_folds("mea"),
        lambda: outcome.lowest("ndcg"),
        lambda: outcome.highest("ndcg"),
        lambda: compare(outcome, outcome, "ndcg"),
    ):
        with pytest.raises(InputError, match="it has mae, data_usage"):
            ask()


@pytest.mark.parametrize("protection", ["none", "vulnerable", "full"])
@pytest.mark.parametrize("name", METRICS)
def test_a_metric_asked_for_alone_is_that_of_all(
    experiment: Experiment, name: str, protection: str
) -> None:
    setting = Setting("gain", 5, 8.5, protection)
    together = experiment.outcome(setting)
    alone = Experiment(experiment.ratings, store=experiment.store).outcome(setting, metrics=[name])
    assert together.metrics == tuple(METRICS)
    assert alone.metrics == (name,)
    digits = {"rel": 1e-14, "nan_ok": True}  # the MAE alone is a sum in another order
    assert alone.value(name) == pytest.approx(together.value(name), **digits)
    assert alone.in_folds(name).tolist() == pytest.approx(together.in_folds(name), **digits)
    if name != "mae":
        assert none_if_nan(alone.value(name)) == none_if_nan(together.value(name))
    assert alone.undefined.items() <= together.undefined.items()


def test_lists_are_the_same_whoever_asks_for_them(experiment: Experiment) -> None:
    ways = [None, ["coverage"], ["mae_users", "pp_corr"]]
    counts = [experiment.outcome(SETTING, metrics=names).item_frequency for names in ways]
    assert counts[0] is not None
    for count in counts[1:]:
        assert count is not None
        assert count.tolist() == counts[0].tolist()
    summed = sum(experiment.item_frequency(fold, SETTING) for fold in experiment.fold_numbers)
    assert counts[0].tolist() == summed.tolist()
    assert experiment.outcome(SETTING, metrics=["mae"]).item_frequency is None


def test_a_passing_tau_is_not_kept(experiment: Experiment) -> None:
    """`keep=False` changes no figure."""
    other = Experiment(experiment.ratings)
    stored, passing = (other.outcome(SETTING, keep=keep) for keep in (True, False))
    for name in METRICS:
        assert stored.in_folds(name).tolist() == pytest.approx(passing.in_folds(name), nan_ok=True)


def test_an_outcome_is_of_the_folds_asked_for(experiment: Experiment) -> None:
    outcome = experiment.outcome(SETTING, [3, 1], metrics=["mae"])
    assert outcome.fold_numbers == (3, 1)
    for value, number in zip(outcome.in_folds("mae"), (3, 1), strict=True):
        assert value == experiment.fold_outcome(number, SETTING, metrics=["mae"]).metrics["mae"]


def test_a_rule_gives_each_fold_a_tau_of_its_own(experiment: Experiment) -> None:
    outcome = experiment.outcome(Setting("gain", 5, "q90"), metrics=["vulnerable_share"])
    taus = [experiment.tau("q90", number, 5) for number in experiment.fold_numbers]
    assert [fold.tau for fold in outcome.folds] == taus
    assert len(set(taus)) > 1
    assert outcome.tau == pytest.approx(np.mean(taus))


def test_between_two_whole_numbers_predictions_and_lists_stay(experiment: Experiment) -> None:
    low, high = (experiment.outcome(Setting("gain", 5, tau)) for tau in (8.0, 8.99))
    for name, metric in METRICS.items():
        if metric.source in ("predictions", "lists"):
            assert low.in_folds(name).tolist() == high.in_folds(name).tolist()
    assert low.value("privacy_risk") < high.value("privacy_risk")


def test_a_tau_above_all_usage_is_no_protection(experiment: Experiment) -> None:
    largest = experiment.sweep_over_folds("gain", 5).largest
    above = experiment.outcome(Setting("gain", 5, largest + 1.5))
    none = experiment.outcome(Setting("gain", 5, largest + 1.5, "none"))
    for name in METRICS:
        assert above.in_folds(name).tolist() == pytest.approx(none.in_folds(name), nan_ok=True)
    assert above.value("vulnerable_share") == 0
