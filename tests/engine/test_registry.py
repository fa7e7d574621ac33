"""A strategy and a similarity that are registered in a few lines are there wherever others are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cache import Store
from engine.cli import main
from engine.datasets import Ratings
from engine.errors import InputError
from engine.estimate import estimate
from engine.experiment import Experiment
from engine.neighborhoods import choose_neighbors
from engine.predictions import PREDICTIONS
from engine.registry import Registry
from engine.settings import Setting, Settings
from engine.similarity import SIMILARITIES
from engine.strategies import STRATEGIES, Strategy
from tests import oracle, toys
from tests.examples import engine_chosen, engine_tie, oracle_fold, random_rows, ratings_of
from tests.strategy_suite import SUITE

Run = Callable[..., Any]
Rows = list[dict[str, Any]]

#: Each toy, the similarity that the experiment is set to, and how the oracle ranks by it.
CASES = [
    ("busy", "cosine", oracle.similarities),
    ("busy+reuse", "cosine", oracle.similarities),
    ("busy@3", "cosine", oracle.similarities),
    ("jaccardknn", "cosine", toys.jaccard_to),
    ("busy", "jaccard", toys.jaccard_to),
    ("busy+reuse", "jaccard", toys.jaccard_to),
    ("userknn", "jaccard", toys.jaccard_to),
    ("gain+reuse", "jaccard", toys.jaccard_to),
]


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with toys.registered_toys():
        yield


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return ratings_of(random_rows(17, users=24, items=20, share=0.5, values=[1, 2, 3, 4, 5]))


@pytest.fixture
def source(ratings: Ratings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REUSEKNN_DATA_DIR", str(tmp_path / "data"))
    path = tmp_path / "mine.csv"
    rows = zip(ratings.users[ratings.user], ratings.items[ratings.item], ratings.value, strict=True)
    path.write_text("user,item,rating\n" + "".join(f"{u},{i},{v:g}\n" for u, i, v in rows))
    return str(path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*arguments: str) -> Rows:
        assert main([*arguments, "--format", "json"]) == 0
        rows: Rows = json.loads(capsys.readouterr().out)
        return rows

    return run_command


def expected_neighbors(
    ratings: Ratings, strategy: str, k: int, similar_to: oracle.Similar
) -> list[list[int]]:
    train, queries, _ = oracle_fold(ratings, 1)
    rank_by = toys.toy_ranks if strategy in {t.name for t in toys.TOYS} else oracle.strategy_ranks
    return oracle.choose_neighbors(
        train, queries, strategy, k, engine_tie(42, 1), similar_to=similar_to, rank_by=rank_by
    )


@pytest.mark.parametrize(("strategy", "similarity", "similar_to"), CASES)
@pytest.mark.parametrize("k", [1, 3, 50])
def test_neighbors_are_ranked_by_the_toy_scores(
    ratings: Ratings, strategy: str, similarity: str, similar_to: oracle.Similar, k: int
) -> None:
    experiment = Experiment(ratings, similarity=similarity)
    chosen = engine_chosen(experiment.fold(1), experiment.neighborhoods(1, strategy, k))
    expected = expected_neighbors(ratings, strategy, k, similar_to)
    assert [set(neighbors) for neighbors in chosen] == [set(neighbors) for neighbors in expected]
    if not strategy.endswith("+reuse"):
        assert chosen == expected


def test_toys_choose_others_than_the_paper_does(ratings: Ratings) -> None:
    """Else the equality above would say little."""
    experiment = Experiment(ratings)
    usages = {
        name: tuple(experiment.usage(1, name, 3).tolist())
        for name in ("userknn", "userknn+reuse", "expect", *(toy.name for toy in toys.TOYS))
    }
    assert len(set(usages.values())) == len(usages)


@pytest.mark.parametrize("check", SUITE)
@pytest.mark.parametrize("strategy", [toy.name for toy in toys.TOYS])
def test_the_suite_of_every_strategy(strategy: str, check: str) -> None:
    SUITE[check](strategy)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_toys_run_in_other_processes(ratings: Ratings, backend: str) -> None:
    fold = Experiment(ratings).fold(1)
    cells = [(toy.name, 3) for toy in toys.TOYS]
    alone = choose_neighbors(fold, cells, jobs=1, similarity="jaccard")
    shared = choose_neighbors(fold, cells, jobs=2, similarity="jaccard", backend=backend)
    for cell in cells:
        for name in ("place", "similarity", "co_ratings"):
            assert np.array_equal(getattr(shared[cell], name), getattr(alone[cell], name))


def test_another_similarity_in_one_store_is_another_result(ratings: Ratings, store: Store) -> None:
    usages = [
        Experiment(ratings, similarity=similarity, store=store).usage(1, "userknn", 3).tolist()
        for similarity in ("cosine", "jaccard", "cosine")
    ]
    assert usages[0] == usages[2] != usages[1]


def test_a_similarity_of_its_own_is_not_that_of_the_experiment(ratings: Ratings) -> None:
    own, set_to = (
        Experiment(ratings).outcome(Setting("jaccardknn", 3, 9)),
        Experiment(ratings, similarity="jaccard").outcome(Setting("jaccardknn", 3, 9)),
    )
    for name in own.metrics:
        assert own.in_folds(name).tolist() == pytest.approx(set_to.in_folds(name), nan_ok=True)


# --- on the command line -------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["evaluate", "sweep", "front", "users", "choose", "attack"])
def test_the_help_names_them(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for name in (*(toy.name for toy in toys.TOYS), "jaccard"):
        assert name in text


@pytest.mark.parametrize(("strategy", "similarity", "similar_to"), CASES)
def test_evaluate_gives_the_figures_of_the_oracle(
    run: Run,
    source: str,
    ratings: Ratings,
    strategy: str,
    similarity: str,
    similar_to: oracle.Similar,
) -> None:
    (row, _) = run(
        "evaluate", source, "--strategies", strategy, "--similarity", similarity, "--k", "3",
        "--only-fold", "1", "--tau", "5", "--protection", "none",
    )  # fmt: skip
    train, queries, truths = oracle_fold(ratings, 1)
    chosen = expected_neighbors(ratings, strategy, 3, similar_to)
    usage = oracle.data_usage(chosen, ratings.n_users)
    errors = []
    for (user, item), neighbors, truth in zip(queries, chosen, truths, strict=True):
        similar = similar_to(train, user)
        # The oracle's cosine is squared, so that it is exact.
        weights = [
            float(similar[n]) if similar_to is toys.jaccard_to else float(similar[n]) ** 0.5
            for n in neighbors
        ]
        answers = [float(train.by_item[item][n]) for n in neighbors]
        predicted = np.dot(weights, answers) / sum(weights) if sum(weights) else train.mean
        errors.append(abs(float(truth) - float(predicted)))
    assert row["strategy"] == strategy
    assert row["mae"] == pytest.approx(np.mean(errors), rel=1e-9)
    assert row["data_usage"] == pytest.approx(np.mean(usage))
    assert row["vulnerable_share"] == pytest.approx(oracle.vulnerable_share(usage, 5))
    assert row["secure_risk"] == pytest.approx(oracle.secure_risk(usage, 5))


def test_sweep_front_and_users_have_them(run: Run, source: str, ratings: Ratings) -> None:
    options = ("--similarity", "jaccard", "--k", "3")
    both = ("--strategies", "busy", "jaccardknn", *options)
    experiment = Experiment(ratings, similarity="jaccard")
    swept = run("sweep", source, *both)
    assert {row["strategy"] for row in swept} == {"busy", "jaccardknn"}
    for strategy in ("busy", "jaccardknn"):
        maes = [r["mae"] for r in swept if r["strategy"] == strategy and r["fold"] == 2]
        assert maes == experiment.sweep(2, strategy, 3).mae.tolist()
    front = run("front", source, *both)
    assert {row["strategy"] for row in front} <= {"busy", "jaccardknn"}
    on_front = {(row["privacy_risk"], row["mae"]) for row in front}
    means = {(r["privacy_risk"], r["mae"]) for r in swept if r["fold"] == "mean"}
    assert on_front <= means
    used = run("users", source, "--strategies", "busy", *options, "--tau", "5")
    usage = [experiment.usage(fold, "busy", 3) for fold in range(5)]
    assert [row["data_usage"] for row in used] == pytest.approx(
        sorted(np.mean(usage, axis=0), reverse=True)
    )


def test_choose_and_attack_have_them(run: Run, source: str, ratings: Ratings) -> None:
    options = ("--strategies", "busy", "jaccardknn", "--similarity", "jaccard", "--k", "3")
    experiment = Experiment(ratings, similarity="jaccard")
    chosen = run("choose", source, *options, "--max-risk", "4")
    assert [row["strategy"] for row in chosen] == ["busy", "jaccardknn"]
    for row in chosen:
        risks = experiment.sweep_over_folds(row["strategy"], 3).mean("privacy_risk")
        assert row["tau_high"] == int(np.flatnonzero(risks <= 4)[-1])
    attacked = run("attack", source, *options, "--victims", "3", "--tau", "2")
    assert {row["strategy"] for row in attacked} == {"busy", "jaccardknn"}
    assert all(row["exact"] is not None for row in attacked)


def test_a_run_of_them_can_be_estimated(ratings: Ratings) -> None:
    assert estimate(ratings, [toy.name for toy in toys.TOYS], [3]).seconds > 0


def test_tau_by_a_rule_is_still_that_of_userknn(ratings: Ratings) -> None:
    experiment = Experiment(ratings)
    outcome = experiment.outcome(Setting("busy", 3, "q90"), [1], metrics=["vulnerable_share"])
    assert outcome.tau == np.quantile(experiment.usage(1, "userknn", 3), 0.9)
    assert ("userknn", 3) in Settings(ks=(3,), strategies=("busy",)).selections


# --- registries ----------------------------------------------------------------------------------


def test_what_is_not_registered_is_refused_with_what_there_is(ratings: Ratings) -> None:
    for registry, ask in (
        (STRATEGIES, lambda: Setting("best")),
        (SIMILARITIES, lambda: Experiment(ratings, similarity="best")),
        (PREDICTIONS, lambda: Experiment(ratings, prediction="best")),
    ):
        with pytest.raises(InputError) as refused:
            ask()
        assert str(refused.value) == (
            f"There is no {registry.kind} 'best'; choose from {', '.join(registry)}."
        )


def test_items_are_known_by_their_names_in_the_order_of_registration() -> None:
    kinds: Registry[Strategy] = Registry("kind")
    first, second = Strategy("z", "First"), Strategy("a", "Second")
    assert kinds.register(first) is first
    kinds.register(second)
    assert list(kinds) == ["z", "a"]
    assert kinds.named("a") is second


@pytest.mark.parametrize("name", ["MyKNN", "my_knn", "my knn", "", "a,b", "a=b", "kéy", "a\n"])
def test_a_name_that_no_address_and_no_option_can_hold_is_refused(name: str) -> None:
    kinds: Registry[Strategy] = Registry("kind")
    with pytest.raises(InputError, match="must be of small letters"):
        kinds.register(Strategy(name, "Title"))
    assert not kinds


def test_a_name_that_is_taken_is_refused_unless_the_item_replaces_the_one_before() -> None:
    kinds: Registry[Strategy] = Registry("kind")
    first, second = Strategy("z", "First"), Strategy("z", "Second")
    kinds.register(first)
    with pytest.raises(InputError, match="The name of the kind 'z' is taken"):
        kinds.register(second)
    assert kinds["z"] is first
    assert kinds.register(second, replace=True) is second
    assert kinds["z"] is second


def test_a_definition_that_changes_under_its_name_is_computed_anew(
    ratings: Ratings, store: Store
) -> None:
    def usage(similarity: str = "cosine") -> list[int]:
        counts: list[int] = (
            Experiment(ratings, similarity=similarity, store=store).usage(1, "busy", 3).tolist()
        )
        return counts

    before, busy = usage(), STRATEGIES["busy"]
    STRATEGIES.register(replace(busy, reuse_strength=3), replace=True)
    assert usage() == Experiment(ratings).usage(1, "busy@3", 3).tolist() != before
    STRATEGIES.register(busy, replace=True)
    assert usage() == before
    cosine_under_another_name = replace(SIMILARITIES["cosine"], name="jaccard", version=2)
    before = usage("jaccard")
    SIMILARITIES.register(cosine_under_another_name, replace=True)
    assert usage("jaccard") == usage("cosine") != before


def test_the_store_knows_what_the_engine_defines_by_its_name() -> None:
    shipped = {name for name in STRATEGIES if name not in {toy.name for toy in toys.TOYS}}
    assert all(STRATEGIES[name].stored_as == name for name in shipped)
    assert PREDICTIONS["weighted"].stored_as == "weighted"
    assert SIMILARITIES["cosine"].stored_as == "cosine"
