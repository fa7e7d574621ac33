"""NeuKNN and NeuKNN+Reuse from the ratings to the figures, on folds of their own."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cache import Store
from engine.attack import attack
from engine.cli import main
from engine.datasets import Ratings
from engine.draws import TIES, draw, stream
from engine.errors import Cancelled, InputError
from engine.experiment import Experiment
from engine.explanation import explain_query
from engine.folds import training_columns
from engine.judgement import Judgement, compare
from engine.setting_tests import compare_settings
from engine.settings import Setting, Settings
from engine.significance import compare_curves
from engine.splits import QUERIES, split, split_with_validation
from engine.tau import published_tau
from engine.vectors import directions
from tests import embedding_oracle, oracle
from tests.examples import engine_chosen, random_rows, ratings_of

STRATEGIES = ("neuknn", "neuknn+reuse")
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return ratings_of(random_rows(41, users=40, items=50, share=0.4, values=[1, 2, 3, 4, 5]))


@pytest.fixture(scope="module")
def experiment(ratings: Ratings) -> Experiment:
    return Experiment(ratings, jobs=1)


# --- folds ---------------------------------------------------------------------------------------


def test_half_of_the_queries_validate_and_half_are_asked(ratings: Ratings) -> None:
    for number in range(5):
        whole = split(ratings, number)
        fold, validation = split_with_validation(ratings, number)
        half = whole.n_queries // 2
        for ours, theirs in (
            (fold.query_user, whole.query_user),
            (fold.query_item, whole.query_item),
            (fold.query_rating, whole.query_rating),
        ):
            assert ours.tolist() == theirs[half:].tolist()
        assert validation.user.tolist() == whole.query_user[:half].tolist()
        assert validation.item.tolist() == whole.query_item[:half].tolist()
        assert validation.rating.tolist() == whole.query_rating[:half].tolist()
        assert (fold.by_user != whole.by_user).nnz == 0
        assert (fold.number, fold.seed) == (number, 42)


def test_five_folds_are_80_10_and_10_percent_and_ask_for_half_of_all(ratings: Ratings) -> None:
    asked = 0
    for number in range(5):
        fold, validation = split_with_validation(ratings, number)
        assert fold.by_user.nnz == pytest.approx(0.8 * ratings.n_ratings, abs=1)
        assert validation.rating.size == pytest.approx(0.1 * ratings.n_ratings, abs=1)
        asked += fold.n_queries
    assert asked == pytest.approx(0.5 * ratings.n_ratings, abs=5)


def test_training_columns_are_the_training_ratings(ratings: Ratings) -> None:
    fold = split(ratings, 1)
    user, item, rating = training_columns(fold)
    assert fold.by_user[user, item].tolist() == rating.tolist()
    assert rating.size == fold.by_user.nnz


def test_other_strategies_keep_their_folds(experiment: Experiment) -> None:
    assert experiment.fold(0).n_queries == experiment.fold(0, "gain").n_queries
    assert experiment.fold(0, "neuknn").n_queries < experiment.fold(0, "gain").n_queries


# --- neighbors and what follows ------------------------------------------------------------------


@every_strategy
@pytest.mark.parametrize("k", [3, 30])
def test_neighbors_equal_plain_loops(experiment: Experiment, strategy: str, k: int) -> None:
    for number in (0, 3):
        fold = experiment.fold(number, strategy)
        embeddings = experiment.embeddings(number)

        def tie(user: int, item: int, candidate: int, number: int = number) -> int:
            state = np.uint64(stream(42, number, TIES, user, item))
            return -(int(draw(state, candidate)) >> 33)

        raters = {i: set(fold.by_item[:, [i]].nonzero()[0].tolist()) for i in range(fold.n_items)}
        queries = list(zip(fold.query_user.tolist(), fold.query_item.tolist(), strict=True))
        assert fold.answered.all()
        expected = embedding_oracle.choose_neighbors(
            raters.__getitem__,
            queries,
            directions(embeddings.user),
            directions(embeddings.item),
            k,
            tie,
            strength=1 if strategy == "neuknn+reuse" else 0,
        )
        neighborhoods = experiment.neighborhoods(number, strategy, k)
        assert engine_chosen(fold, neighborhoods) == expected


def test_similarities_are_cosines_and_co_ratings_are_counted(experiment: Experiment) -> None:
    fold = experiment.fold(0, "neuknn")
    users = experiment.embeddings(0).user.astype(float)
    neighborhoods = experiment.neighborhoods(0, "neuknn", 4)
    rated = fold.by_user.toarray() > 0
    for query in range(fold.n_queries):
        target = int(fold.query_user[query])
        uses = range(neighborhoods.start[query], neighborhoods.stop[query])
        for use, neighbor in zip(uses, neighborhoods.users(fold, query), strict=True):
            cosine = embedding_oracle.cosine(users[target].tolist(), users[neighbor].tolist())
            assert neighborhoods.similarity[use] == pytest.approx(cosine, abs=1e-12)
            assert neighborhoods.co_ratings[use] == (rated[target] & rated[neighbor]).sum()


@every_strategy
def test_usage_and_error_follow_from_the_neighbors(experiment: Experiment, strategy: str) -> None:
    fold = experiment.fold(2, strategy)
    neighborhoods = experiment.neighborhoods(2, strategy, 5)
    chosen = engine_chosen(fold, neighborhoods)
    usage = oracle.data_usage(chosen, fold.n_users)
    assert experiment.usage(2, strategy, 5).tolist() == usage
    errors = []
    for query, (rating, item) in enumerate(zip(fold.query_rating, fold.query_item, strict=True)):
        uses = slice(neighborhoods.start[query], neighborhoods.stop[query])
        weights = np.maximum(neighborhoods.similarity[uses], 0)
        answers = fold.by_item[:, [item]].toarray()[chosen[query], 0]
        predicted = weights @ answers / weights.sum() if weights.any() else fold.train_mean
        errors.append(abs(rating - predicted))
    outcome = experiment.fold_outcome(2, Setting(strategy, 5, 7.0, "none"))
    assert outcome.metrics["mae"] == pytest.approx(np.mean(errors), rel=1e-12)
    assert outcome.metrics["vulnerable_share"] == np.mean(np.array(usage) > 7)


def test_the_trace_of_a_query_shows_what_neighbors_were_ranked_by(experiment: Experiment) -> None:
    fold, k = experiment.fold(0, "neuknn+reuse"), 3
    items = experiment.embeddings(0).item.astype(float)
    user = int(np.bincount(fold.query_user).argmax())
    queries = np.flatnonzero(fold.query_user == user).tolist()
    assert len(queries) > 2
    earlier: list[tuple[int, list[int]]] = []
    for query in queries:
        steps = explain_query(experiment, 0, query, Setting("neuknn+reuse", k, 20))
        for candidate in steps.candidates:
            expected = embedding_oracle.reusability(earlier, steps.item, items, candidate.user)
            assert candidate.reusability == pytest.approx(expected, abs=1e-12)
            assert candidate.reusability_rank is not None
            assert candidate.score == candidate.similarity_rank + candidate.reusability_rank
        scores = [candidate.score for candidate in steps.candidates]
        assert scores == sorted(scores, reverse=True)
        earlier.append((steps.item, [neighbor.user for neighbor in steps.neighbors]))
    assert any(c.reusability for c in steps.candidates)


@every_strategy
def test_a_rule_takes_tau_from_the_usage_of_neuknn(experiment: Experiment, strategy: str) -> None:
    expected = published_tau(experiment.usage(1, "neuknn", 5))
    assert experiment.tau("published", 1, 5, strategy) == expected
    assert experiment.fold_outcome(1, Setting(strategy, 5)).tau == expected
    assert experiment.tau("published", 1, 5) == published_tau(experiment.usage(1, "userknn", 5))


def test_curves_are_tested_against_those_of_neuknn(ratings: Ratings) -> None:
    experiment = Experiment(ratings, folds=2)
    ours, theirs = (experiment.growth(0, s, 5).neighbors for s in ("neuknn+reuse", "neuknn"))
    p_values, _ = compare_curves(ours, theirs, "less")
    tests = experiment.growth_tests(0, "neuknn+reuse", 5)
    assert np.array_equal(tests["neighbors_p"], p_values, equal_nan=True)
    # Nothing can be reused for the first query, so the curves begin alike.
    assert np.isfinite(p_values[:3]).tolist() == [False, True, True]


def test_full_protection_belongs_to_neuknn_as_to_userknn() -> None:
    settings = Settings(strategies=("userknn", *STRATEGIES))
    assert settings.protections_of("neuknn") == settings.protections_of("userknn")
    assert "full" not in settings.protections_of("neuknn+reuse")
    assert Settings(strategies=("neuknn+reuse",)).selections == [
        ("neuknn+reuse", 10),
        ("neuknn", 10),
    ]


# --- determinism, cancelling, keeping ------------------------------------------------------------


def test_jobs_and_order_change_nothing(ratings: Ratings, experiment: Experiment) -> None:
    other = Experiment(ratings, jobs=2)
    other.run(("userknn", *STRATEGIES), [3], [1, 0])
    for number in (0, 1):
        for name, array in experiment.embeddings(number).to_arrays().items():
            assert np.array_equal(array, other.embeddings(number).to_arrays()[name]), name
        for strategy in STRATEGIES:
            ours = experiment.fold_outcome(number, Setting(strategy, 3, 4.0))
            theirs = other.fold_outcome(number, Setting(strategy, 3, 4.0))
            assert ours.metrics == theirs.metrics


def test_what_was_learned_is_kept(ratings: Ratings, tmp_path: Path) -> None:
    Experiment(ratings, store=Store(tmp_path)).run(STRATEGIES, [3], [0])
    again = Experiment(ratings, store=Store(tmp_path))
    assert again.unlearned(STRATEGIES, again.fold_numbers) == [1, 2, 3, 4]
    assert again.unlearned(["gain"], again.fold_numbers) == []
    paper = Experiment(ratings, embedding_model="paper", store=Store(tmp_path))
    assert paper.unlearned(STRATEGIES, [0]) == [0]


def test_the_embedding_model_is_part_of_every_result(ratings: Ratings, tmp_path: Path) -> None:
    published, paper = (
        Experiment(ratings, embedding_model=model, store=Store(tmp_path))
        for model in ("published", "paper")
    )
    usages = [e.usage(0, "neuknn", 3).tolist() for e in (published, paper)]
    assert usages[0] != usages[1]
    errors = [e.sweep(0, "neuknn", 3).mae.tolist() for e in (published, paper)]
    assert errors[0] != errors[1]
    usages = [e.usage(0, "gain", 3).tolist() for e in (published, paper)]
    assert usages[0] == usages[1]


def test_a_run_can_be_cancelled_while_it_learns(ratings: Ratings) -> None:
    experiment = Experiment(ratings, jobs=2)
    with pytest.raises(Cancelled):
        experiment.run(STRATEGIES, [3], cancelled=lambda: True)
    experiment.run(STRATEGIES, [3], [0])
    assert experiment.usage(0, "neuknn", 3).sum() > 0


def test_the_progress_of_a_run_goes_up_to_1(ratings: Ratings) -> None:
    shares: list[float] = []
    experiment = Experiment(ratings)
    experiment.run(STRATEGIES, [3], progress=lambda share, activity, folds: shares.append(share))
    assert shares == sorted(shares)
    assert shares[0] < 0.5 < shares[-1] == 1.0


# --- beside the other strategies -----------------------------------------------------------------


def test_with_half_of_the_queries_all_strategies_are_asked_what_neuknn_is(ratings: Ratings) -> None:
    half = Experiment(ratings, queries="half")
    for number in half.fold_numbers:
        fold, _ = split_with_validation(ratings, number)
        for strategy in ("userknn", "gain+reuse", *STRATEGIES):
            asked = half.fold(number, strategy)
            assert asked.query_item.tolist() == fold.query_item.tolist()
            assert (asked.by_user != fold.by_user).nnz == 0
    usages = half.usage(0, "userknn", 3), oracle_usage_of_half(ratings, 0, 3)
    assert usages[0].tolist() == usages[1].tolist()


def oracle_usage_of_half(ratings: Ratings, number: int, k: int) -> np.ndarray:
    """Return the usage under UserKNN of those neighbors that the asked half takes of all queries.

    Without +Reuse no query depends on another, so that the half is a part of the whole.
    """
    whole = Experiment(ratings)
    fold = whole.fold(number)
    chosen = whole.neighborhoods(number, "userknn", k)
    first = fold.n_queries // 2
    users = [chosen.users(fold, query) for query in range(first, fold.n_queries)]
    return np.bincount(np.concatenate(users), minlength=fold.n_users)


def test_what_neuknn_comes_to_does_not_depend_on_what_the_others_are_asked(
    ratings: Ratings, experiment: Experiment
) -> None:
    half = Experiment(ratings, queries="half")
    for strategy in STRATEGIES:
        setting = Setting(strategy, 3, 4.0)
        assert half.fold_outcome(0, setting).metrics == experiment.fold_outcome(0, setting).metrics


def test_all_queries_and_half_of_them_are_kept_apart(ratings: Ratings, tmp_path: Path) -> None:
    setting, alone = Setting("gain", 3, 4.0), {}
    for queries in QUERIES:
        alone[queries] = Experiment(ratings, queries=queries).fold_outcome(0, setting).metrics
    assert alone["all"] != alone["half"]
    for queries in (*QUERIES, *QUERIES):
        together = Experiment(ratings, queries=queries, store=Store(tmp_path))
        assert together.fold_outcome(0, setting).metrics == alone[queries]


def test_only_what_answers_the_same_queries_is_compared(ratings: Ratings) -> None:
    judgements = {}
    for queries in QUERIES:
        experiment = Experiment(ratings, queries=queries)
        pair = [experiment.outcome(Setting(s, 3, 4.0)) for s in ("userknn", "neuknn")]
        judgements[queries] = compare(*pair, "mae").judgement
    assert judgements["all"] is Judgement.DIFFERENT_DATA
    assert judgements["half"] in (Judgement.CLEAR, Judgement.WITHIN_NOISE)


def test_tests_against_a_baseline_are_kept_by_all_that_they_depend_on(
    ratings: Ratings, tmp_path: Path
) -> None:
    pair = Setting("neuknn", 3, 4.0), Setting("userknn", 3, 4.0)
    other = Setting("userknn", 5, 9.0)

    def values(experiment: Experiment, baseline: Setting) -> list[object]:
        return list(compare_settings(experiment, pair[0], baseline, [0]).items())

    alone = {q: values(Experiment(ratings, queries=q), pair[1]) for q in QUERIES}
    assert alone["all"] != alone["half"]
    together = {q: Experiment(ratings, queries=q, store=Store(tmp_path)) for q in QUERIES}
    for queries in (*QUERIES, *QUERIES):
        assert values(together[queries], pair[1]) == alone[queries]
    assert values(together["half"], other) == values(Experiment(ratings, queries="half"), other)
    assert values(together["half"], other) != alone["half"]


def test_the_command_line_says_where_queries_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["front", "sample", "--strategies", "userknn", "neuknn", "--only-fold", "9"]
    assert main(command) == 2
    assert "NeuKNN: asked half of the queries" in capsys.readouterr().err
    assert main([*command, "--queries", "half"]) == 2
    assert "asked half" not in capsys.readouterr().err


def test_the_command_line_asks_half(tmp_path: Path, ratings: Ratings) -> None:
    path, out = tmp_path / "ratings.csv", tmp_path / "rows.json"
    columns = {"user": ratings.users[ratings.user], "item": ratings.items[ratings.item]}
    pd.DataFrame({**columns, "rating": ratings.value}).to_csv(path, index=False)
    command = ["evaluate", str(path), "--k", "3", "--tau", "4", "--strategies", "userknn", "neuknn"]
    command += ["--queries", "half", "--no-cache", "--format", "json", "--out", str(out)]
    assert main(command) == 0
    rows = json.loads(out.read_text())
    half = Experiment(ratings, queries="half")
    for strategy in ("userknn", "neuknn"):
        [row] = [
            row
            for row in rows
            if (row["strategy"], row["protection"], row["fold"]) == (strategy, "vulnerable", "mean")
        ]
        outcome = half.outcome(Setting(strategy, 3, 4.0), metrics=["mae", "data_usage"])
        assert row["mae"] == pytest.approx(outcome.value("mae"), rel=1e-12)
        assert row["data_usage"] == pytest.approx(outcome.value("data_usage"), rel=1e-12)
    assert main([*command[:-1], str(out), "--queries", "third"]) == 2


# --- what cannot be done -------------------------------------------------------------------------


def test_what_comes_of_neuknn_with_reuse_when_queries_are_put_again(experiment: Experiment) -> None:
    again = experiment.neighborhoods_again(0, "neuknn", 3)
    assert again.place.tolist() == experiment.neighborhoods(0, "neuknn", 3).place.tolist()
    with pytest.raises(InputError, match="NeuKNN\\+Reuse when queries are put again is not known"):
        experiment.neighborhoods_again(0, "neuknn+reuse", 3)


def test_nobody_attacks_learned_vectors(experiment: Experiment) -> None:
    with pytest.raises(InputError, match="not made for NeuKNN"):
        attack(experiment, 0, "neuknn", 3)


def test_too_few_ratings_to_validate_with() -> None:
    few = ratings_of([("a", "x", 1), ("b", "x", 2), ("c", "y", 3)])
    with pytest.raises(InputError, match="use more ratings"):
        Experiment(few, folds=3).usage(0, "neuknn", 3)


def test_an_unknown_embedding_model_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "sample", "--embedding-model", "deep"]) == 2
    assert "There is no embedding model 'deep'" in capsys.readouterr().err


def test_the_command_line_evaluates_both(tmp_path: Path) -> None:
    out = tmp_path / "rows.json"
    options = ["--strategies", *STRATEGIES, "--only-fold", "0", "--no-cache", "--format", "json"]
    assert main(["evaluate", "sample", *options, "--out", str(out)]) == 0
    rows = [row for row in json.loads(out.read_text()) if row["fold"] == "mean"]
    assert [(row["strategy"], row["protection"]) for row in rows] == [
        ("neuknn", "none"), ("neuknn", "vulnerable"), ("neuknn", "full"),
        ("neuknn+reuse", "none"), ("neuknn+reuse", "vulnerable"),
    ]  # fmt: skip
    assert len({row["tau"] for row in rows}) == 1


def test_the_similarity_serves_other_strategies_too(ratings: Ratings) -> None:
    """UserKNN with the similarity of embeddings is NeuKNN."""
    userknn = Experiment(ratings, similarity="embedding")
    assert userknn.fold(0).n_queries == userknn.fold(0, "neuknn").n_queries
    ours, theirs = (userknn.neighborhoods(0, s, 4) for s in ("userknn", "neuknn"))
    for field in dataclasses.fields(ours):
        assert np.array_equal(getattr(ours, field.name), getattr(theirs, field.name))
