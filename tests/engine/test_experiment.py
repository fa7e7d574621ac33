"""The experiment as pages and the command line use it, against the oracle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from engine.coins import draw_answers
from engine.datasets import Ratings
from engine.errors import Cancelled, InputError
from engine.experiment import Experiment
from engine.outcome import none_if_nan
from engine.settings import Setting
from engine.sweep import SWEPT
from tests import oracle
from tests.examples import engine_chosen, engine_tie, oracle_fold, random_rows, ratings_of, rows_of

K = 3


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    """60 items and 14 users: more than ten queries for each, and more than twenty for most."""
    return ratings_of(random_rows(31, users=14, items=80, share=0.8, values=[1, 2, 3, 4, 5]))


@pytest.fixture(scope="module")
def experiment(ratings: Ratings) -> Experiment:
    return Experiment(ratings, folds=2)


def expected_metrics(
    experiment: Experiment, number: int, strategy: str, protection: str, tau: float
) -> tuple[dict[str, Any], list[int]]:
    """All metrics of one fold by the oracle; only the noise itself is the engine's."""
    ratings = experiment.ratings
    train, queries, truths = oracle_fold(ratings, number, 2)
    chosen = oracle.choose_neighbors(train, queries, strategy, K, engine_tie(42, number))
    neighborhoods = experiment.neighborhoods(number, strategy, K)
    fold = experiment.fold(number)
    engines = engine_chosen(fold, neighborhoods)
    uses = [(u, i, n) for (u, i), row in zip(queries, engines, strict=True) for n in row]
    drawn = draw_answers(fold, neighborhoods, experiment.mechanism).tolist()
    answer = dict(zip(uses, drawn, strict=True))
    usage = oracle.data_usage(chosen, ratings.n_users)
    predictions = oracle.predict(
        train, queries, chosen, protection, tau, lambda u, i, n: answer[u, i, n]
    )
    value, without = oracle.ndcg(queries, predictions, truths, train.mean)
    frequency = oracle.item_frequency(queries, predictions, ratings.n_items)
    popular = oracle.popularity(rows_of(ratings), ratings.n_items)
    sizes, shared = oracle.growth_at_q(train, queries, chosen)
    metrics = {
        "mae": oracle.mae(predictions, truths),
        "mae_users": oracle.mae_users(queries, predictions, truths),
        "predicted_share": oracle.predicted_share(train, queries, chosen),
        "data_usage": sum(usage) / len(usage),
        "vulnerable_share": oracle.vulnerable_share(usage, tau),
        "privacy_risk": oracle.mean_privacy_risk(usage, tau, protection),
        "secure_risk": oracle.secure_risk(usage, tau),
        "protected_uses": oracle.protected_uses(chosen, protection, tau),
        "epsilon_paper": oracle.epsilon_paper(usage, tau, protection),
        "ndcg": value,
        "users_without_relevant": without,
        "ndcg_published": oracle.ndcg_published(queries, predictions, truths, train.mean),
        "pp_corr": oracle.pp_corr(frequency, popular),
        "pp_corr_all": oracle.pp_corr_all(frequency, popular),
        "coverage": oracle.coverage(frequency),
        "neighbors_at_20": sizes[19],
        "neighbors_at_100": sizes[99],
        "coratings_at_20": shared[19],
        "coratings_at_100": shared[99],
    }
    return metrics, frequency


def approx(metrics: dict[str, Any]) -> dict[str, Any]:
    return {
        key: None if value is None else pytest.approx(value, rel=1e-6, abs=1e-9)
        for key, value in metrics.items()
    }


@pytest.mark.parametrize("protection", ["none", "vulnerable", "full"])
@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
def test_outcome_of_a_fold_equals_the_oracle(
    experiment: Experiment, strategy: str, protection: str
) -> None:
    for number, tau in ((0, 40.5), (1, 5.0)):
        metrics, frequency = expected_metrics(experiment, number, strategy, protection, tau)
        outcome = experiment.fold_outcome(number, Setting(strategy, K, tau, protection))
        assert dict(outcome.metrics) == approx(metrics)
        assert outcome.tau == tau
        assert outcome.item_frequency is not None
        assert outcome.item_frequency.tolist() == frequency
    assert metrics["neighbors_at_20"] is not None


def test_outcome_over_folds_equals_the_oracle(experiment: Experiment) -> None:
    taus = [experiment.tau("q90", number, K) for number in (0, 1)]
    parts = [expected_metrics(experiment, f, "gain", "vulnerable", taus[f]) for f in (0, 1)]
    outcome = experiment.outcome(Setting("gain", K, "q90"))
    frequency = [a + b for a, b in zip(parts[0][1], parts[1][1], strict=True)]
    popular = oracle.popularity(rows_of(experiment.ratings), experiment.ratings.n_items)
    expected = {
        key: None if value is None else (value + parts[1][0][key]) / 2
        for key, value in parts[0][0].items()
    }
    expected["pp_corr"] = oracle.pp_corr(frequency, popular)
    expected["pp_corr_all"] = oracle.pp_corr_all(frequency, popular)
    expected["coverage"] = oracle.coverage(frequency)
    values = {name: none_if_nan(outcome.value(name)) for name in outcome.metrics}
    assert values == approx(expected)
    assert outcome.tau == pytest.approx(sum(taus) / 2)
    assert outcome.item_frequency is not None
    assert outcome.item_frequency.tolist() == frequency


@pytest.mark.parametrize("strategy", oracle.STRATEGIES)
def test_sweep_equals_outcomes_at_every_tau(experiment: Experiment, strategy: str) -> None:
    sweep = experiment.sweep(0, strategy, K)
    usage = experiment.usage(0, strategy, K)
    assert len(sweep.mae) == usage.max() + 1
    for tau in (*range(0, int(usage.max()) + 2, 7), 0.5, 3.999, float(usage.max()), 1e6):
        outcome = experiment.fold_outcome(0, Setting(strategy, K, tau))
        whole = math.floor(tau)
        for name in SWEPT:
            if name == "privacy_risk":  # which a fraction of tau changes: by so much per user above
                above = sweep.curve("vulnerable_share", np.array([whole]))[0]
                expected = sweep.curve(name, np.array([whole]))[0] + (tau - whole) * above
            else:
                expected = sweep.curve(name, np.array([whole]))[0]
            value = outcome.metrics[name]
            assert none_if_nan(expected) == (
                None if value is None else pytest.approx(value, abs=1e-9)
            )
        protected = sum(max(0, int(uses) - whole) for uses in usage) / usage.sum()
        assert outcome.metrics["protected_uses"] == pytest.approx(protected)
    full, none = (
        experiment.fold_outcome(0, Setting(strategy, K, 1.0, p)).metrics["mae"]
        for p in ("full", "none")
    )
    assert (sweep.mae[0], sweep.mae[-1]) == (pytest.approx(full), pytest.approx(none))


def test_tau_is_always_that_of_userknn(experiment: Experiment) -> None:
    for number in (0, 1):
        usage = experiment.usage(number, "userknn", K).tolist()
        assert experiment.tau("q90", number, K) == pytest.approx(oracle.quantile(usage, 0.9))
        spacing = max(usage) / 999
        published = oracle.tau_published(usage)
        assert experiment.tau("published", number, K) == pytest.approx(published, abs=3 * spacing)
        tail = oracle.tau_tail(usage)
        assert experiment.tau("tail", number, K) == pytest.approx(tail, abs=3 * spacing)
        assert experiment.tau(12.5, number, K) == experiment.tau("12.5", number, K) == 12.5


def test_popularity_counts_the_whole_file(experiment: Experiment) -> None:
    ratings = experiment.ratings
    expected = oracle.popularity(rows_of(ratings), ratings.n_items)
    assert experiment.popularity.tolist() == expected


def test_growth_curves_equal_the_oracle(experiment: Experiment) -> None:
    train, queries, _ = oracle_fold(experiment.ratings, 1, 2)
    chosen = oracle.choose_neighbors(train, queries, "expect+reuse", K, engine_tie(42, 1))
    sizes, shared = oracle.growth_at_q(train, queries, chosen)
    for curve, expected in (
        (experiment.neighbors_at_q(1, "expect+reuse", K), sizes),
        (experiment.co_ratings_at_q(1, "expect+reuse", K), shared),
    ):
        assert curve.shape == (100,)
        wanted = [math.nan if value is None else value for value in expected]
        assert curve.tolist() == pytest.approx(wanted, rel=1e-6, nan_ok=True)


def test_absolute_errors_are_those_of_the_outcome(experiment: Experiment) -> None:
    for protection, tau in (("none", 1.0), ("vulnerable", 7.5), ("full", 1.0)):
        setting = Setting("gain", K, tau, protection)
        errors = experiment.absolute_errors(0, setting)
        error = experiment.fold_outcome(0, setting).metrics["mae"]
        assert errors.shape == (experiment.fold(0).n_queries,)
        assert float(errors.mean()) == pytest.approx(error)


def test_growth_of_users_equals_the_oracle(experiment: Experiment) -> None:
    train, queries, _ = oracle_fold(experiment.ratings, 0, 2)
    chosen = oracle.choose_neighbors(train, queries, "gain+reuse", K, engine_tie(42, 0))
    grown = oracle.growth_of_users(train, queries, chosen)
    growth = experiment.growth(0, "gain+reuse", K)
    for user, steps in grown.items():
        sizes = [size for size, _ in steps[:100]]
        assert growth.neighbors[user, : len(sizes)].tolist() == sizes


def test_growth_is_tested_one_tailed_against_userknn(experiment: Experiment) -> None:
    """Smaller neighborhoods with more co-ratings are what the paper claims."""
    tests = experiment.growth_tests(0, "gain", K)
    gain, userknn = (experiment.growth(0, strategy, K) for strategy in ("gain", "userknn"))
    for name, alternative in (("neighbors", "less"), ("co_ratings", "greater")):
        mine, base = getattr(gain, name), getattr(userknn, name)
        for q in (2, 10, 25):
            a, b = (curve[:, q - 1][~np.isnan(curve[:, q - 1])] for curve in (mine, base))
            ours = tests[f"{name}_p"][q - 1], tests[f"{name}_effect"][q - 1]
            p_values = [
                stats.mannwhitneyu(
                    a, b, alternative=alternative, method="asymptotic", use_continuity=continuity
                ).pvalue
                for continuity in (True, False)
            ]
            assert any(ours[0] == pytest.approx(p) for p in p_values)
            above = sum((x > y) - 0.5 * (x != y) for x in a.tolist() for y in b.tolist())
            assert (ours[1] > 0) == (above > 0)


def test_each_cell_is_tested_against_its_own_fold_and_k(experiment: Experiment) -> None:
    cells = [(0, "gain", K), (1, "gain", K), (0, "gain", K + 1), (0, "expect", K)]
    together = [experiment.growth_tests(*cell) for cell in cells]
    for cell, tests in zip(cells, together, strict=True):
        fresh = Experiment(experiment.ratings, folds=experiment.folds)
        for name, values in fresh.growth_tests(*cell).items():
            assert np.array_equal(values, tests[name], equal_nan=True)


def test_progress_counts_the_folds(ratings: Ratings) -> None:
    calls: list[tuple[float, str, tuple[int, ...]]] = []
    Experiment(ratings, folds=2).run(["userknn"], [2], progress=lambda *call: calls.append(call))
    shares = [share for share, _, _ in calls]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert calls[-1][2] == (0, 1)
    assert all(text for _, text, _ in calls)


def test_only_the_folds_asked_for_are_run(ratings: Ratings) -> None:
    calls: list[tuple[int, ...]] = []
    experiment = Experiment(ratings, folds=5)
    experiment.run(["gain"], [2], folds=[3], progress=lambda share, text, done: calls.append(done))
    assert calls[-1] == (3,)


def test_cancelled_before_anything(ratings: Ratings) -> None:
    with pytest.raises(Cancelled):
        Experiment(ratings).run(["userknn"], [2], cancelled=lambda: True)


def test_one_user_falls_back_everywhere() -> None:
    """Nobody to ask: every prediction is the mean of train, nothing is NaN."""
    experiment = Experiment(ratings_of([("a", f"i{n}", 1 + n % 5) for n in range(10)]))
    for strategy in oracle.STRATEGIES:
        for protection in ("none", "vulnerable", "full"):
            outcome = experiment.fold_outcome(0, Setting(strategy, K, "published", protection))
            assert outcome.metrics["predicted_share"] == 0
            assert outcome.metrics["data_usage"] == 0
            assert outcome.metrics["neighbors_at_20"] is None
            values = [v for v in outcome.metrics.values() if v is not None]
            assert np.isfinite(values).all()


def test_constant_ratings_leave_correlations_undefined() -> None:
    rows = [(f"u{u}", f"i{i}", 4) for u in range(6) for i in range(6)]
    experiment = Experiment(ratings_of(rows))
    for strategy in oracle.STRATEGIES:
        outcome = experiment.fold_outcome(0, Setting(strategy, 2, 1.0, "full"))
        assert outcome.metrics["mae"] == pytest.approx(0, abs=1e-12)
        assert outcome.metrics["ndcg"] is None
        assert outcome.metrics["pp_corr_all"] is None
        assert all(v is None or math.isfinite(v) for v in outcome.metrics.values())


def test_what_cannot_be_is_refused_before_any_work(ratings: Ratings) -> None:
    few = ratings_of([("a", "x", 1), ("a", "y", 2), ("b", "x", 3)])
    for make in (
        lambda: Experiment(few),
        lambda: Experiment(ratings, folds=1),
        lambda: Experiment(ratings, mechanism="laplace"),
        lambda: Experiment(ratings).usage(0, "neuknn?", 3),
        lambda: Experiment(ratings).usage(5, "gain", 3),
        lambda: Experiment(ratings).fold_outcome(0, Setting("gain", 3, 1.0, "partly")),
        lambda: Experiment(ratings, similarity="likeness"),
        lambda: Experiment(ratings, prediction="guess"),
        lambda: Experiment(ratings).outcome(Setting("gain", 3), metrics=["mea"]),
        lambda: Experiment(ratings).run(["gain", "nothing"], [3]),
        lambda: Experiment(ratings).tau("q900", 0, 3),
    ):
        with pytest.raises(InputError):
            make()
