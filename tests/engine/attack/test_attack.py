"""The attack as a measurement: repeatable, comparable, and what protection changes."""

from __future__ import annotations

import numpy as np
import pytest

from cache import Store
from engine.attack import AttackPlan, Probes, attack
from engine.attack.outcome import summarize
from engine.datasets import Ratings, generate
from engine.errors import Cancelled, InputError
from engine.experiment import Experiment
from engine.neighborhoods import choose_neighbors
from engine.privacy import PROTECTIONS
from tests.examples import VALUES, random_rows, ratings_of

COLUMNS = ("victim", "item", "rating", "raters", "item_mean", "most_common", "data_usage")


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return generate(users=150, items=120, ratings=6000)


@pytest.fixture(scope="module")
def experiment(ratings: Ratings) -> Experiment:
    return Experiment(ratings, jobs=1)


def same(one: Probes, other: Probes) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in COLUMNS) and (
        np.array_equal(one.predict("vulnerable", 20), other.predict("vulnerable", 20))
        and np.array_equal(one.ordinal, other.ordinal)
    )


def test_the_same_with_any_number_of_jobs_and_from_the_store(
    ratings: Ratings, store: Store
) -> None:
    plan = AttackPlan(victims=20, repeats=3)
    alone = attack(Experiment(ratings, jobs=1), 0, "gain", 5, plan)
    together = attack(Experiment(ratings, jobs=2, store=store), 0, "gain", 5, plan)
    assert same(alone, together)
    stored = attack(Experiment(ratings, store=store), 0, "gain", 5, plan)
    assert same(alone, stored)
    files = sorted(store.folder.iterdir())
    attack(Experiment(ratings, store=store), 0, "gain", 5, plan)
    assert sorted(store.folder.iterdir()) == files


@pytest.mark.parametrize(
    "other",
    [
        AttackPlan(0.3, victims=20),
        AttackPlan(victims=20, accounts=0),
        AttackPlan(victims=20, repeats=2),
        AttackPlan(victims=20, probes=3),
        AttackPlan(victims=21),
        AttackPlan(victims=20, min_ratings=2),
    ],
)
def test_every_part_of_the_plan_makes_a_difference_also_in_the_store(
    ratings: Ratings, store: Store, other: AttackPlan
) -> None:
    experiment = Experiment(ratings, store=store)
    plan = AttackPlan(victims=20)
    assert not same(
        attack(experiment, 0, "expect", 5, plan), attack(experiment, 0, "expect", 5, other)
    )


def test_k_minus_1_is_the_default_number_of_fake_accounts(experiment: Experiment) -> None:
    default = attack(experiment, 0, "userknn", 5, AttackPlan(victims=5))
    assert same(default, attack(experiment, 0, "userknn", 5, AttackPlan(victims=5, accounts=4)))


def test_another_seed_or_fold_is_another_attack(ratings: Ratings) -> None:
    plan = AttackPlan(victims=10)
    first = attack(Experiment(ratings, jobs=1), 0, "gain", 5, plan)
    for other in (
        attack(Experiment(ratings, jobs=1), 1, "gain", 5, plan),
        attack(Experiment(ratings, jobs=1, seed=7), 0, "gain", 5, plan),
    ):
        assert set(first.victim.tolist()) != set(other.victim.tolist())


def test_more_victims_or_knowledge_leave_victims_and_probes_as_they_are(
    experiment: Experiment,
) -> None:
    few = attack(experiment, 0, "gain", 5, AttackPlan(0.2, victims=5))
    many = attack(experiment, 0, "gain", 5, AttackPlan(0.2, victims=15))
    assert np.array_equal(many.victim[: few.victim.size], few.victim)
    assert np.array_equal(many.item[: few.victim.size], few.item)
    assert np.array_equal(many.predict("none", 0)[:, : few.victim.size], few.predict("none", 0))
    knowing = attack(experiment, 0, "gain", 5, AttackPlan(0.5, victims=5))
    assert np.array_equal(knowing.item, few.item)


def test_gain_chooses_the_copied_victim_and_full_protection_hides_the_rating(
    experiment: Experiment,
) -> None:
    probes = attack(experiment, 0, "gain", 5, AttackPlan(victims=60))
    none = probes.outcome("none", 50).everybody
    assert none.among_neighbors.value == none.exact.value == 1.0
    assert none.exact.low > 0.9
    full = probes.outcome("full", 50).everybody
    assert full.exact.high < 0.6


def test_the_first_tau_uses_are_real_so_secure_victims_are_recovered(
    experiment: Experiment,
) -> None:
    probes = attack(experiment, 0, "gain", 5, AttackPlan(victims=60))
    tau = float(np.median(probes.data_usage)) + 20
    outcome = probes.outcome("vulnerable", tau)
    assert outcome.secure.victims + outcome.vulnerable.victims == outcome.everybody.victims == 60
    assert outcome.secure.exact.value > outcome.vulnerable.exact.value
    # a use is protected iff its ordinal, the uses of the fold's queries included, is above tau
    protected = probes.ordinal[0] > tau
    recovered = probes.infer("vulnerable", tau) == probes.rating
    assert recovered[~protected].all()
    assert 0.6 < recovered[protected].mean() < 0.95  # 0.8 by the coins of five stars
    assert protected[probes.data_usage > tau].all()


def test_fresh_answers_wash_out_and_memoised_ones_do_not(ratings: Ratings) -> None:
    exact = {}
    for memoised in (False, True):
        experiment = Experiment(ratings, jobs=1, memoised=memoised)
        for repeats in (1, 25):
            plan = AttackPlan(victims=40, repeats=repeats)
            probes = attack(experiment, 0, "gain", 3, plan)
            for protection, tau in (("vulnerable", 30.0), ("full", 0.0)):
                outcome = probes.outcome(protection, tau)
                group = outcome.vulnerable if protection == "vulnerable" else outcome.everybody
                exact[memoised, repeats, protection] = group.exact.value
    assert exact[False, 25, "vulnerable"] > 0.95 > exact[False, 1, "vulnerable"]
    assert exact[False, 25, "full"] > exact[False, 1, "full"] + 0.2
    for protection in ("vulnerable", "full"):
        assert exact[True, 25, protection] == exact[True, 1, protection]


def test_the_first_asks_are_an_attack_that_asks_no_more_often(ratings: Ratings) -> None:
    for memoised in (False, True):
        experiment = Experiment(ratings, jobs=1, memoised=memoised)
        often = attack(experiment, 0, "userknn+reuse", 4, AttackPlan(victims=15, repeats=6))
        for repeats in (1, 4):
            plan = AttackPlan(victims=15, repeats=repeats)
            seldom = attack(experiment, 0, "userknn+reuse", 4, plan)
            for protection in PROTECTIONS:
                assert often.outcome(protection, 40, repeats) == seldom.outcome(protection, 40)
                assert np.array_equal(
                    often.infer(protection, 40, repeats), seldom.infer(protection, 40)
                )
        with pytest.raises(InputError, match="repeats"):
            often.infer("full", 40, 7)


def test_continuous_noise_hides_nothing_from_who_asks_again(ratings: Ratings) -> None:
    experiment = Experiment(ratings, jobs=1, mechanism="continuous")
    probes = attack(experiment, 0, "gain", 3, AttackPlan(victims=40, repeats=8))
    assert probes.outcome("vulnerable", 30.0).vulnerable.exact.value > 0.99


def test_fewer_accounts_see_less(experiment: Experiment) -> None:
    exact = [
        attack(experiment, 0, "gain", 8, AttackPlan(victims=60, accounts=accounts))
        .outcome("none", 0)
        .everybody.exact.value
        for accounts in (7, 5, 1)
    ]
    assert exact[0] > exact[1] > exact[2]


def test_it_can_be_cancelled_and_nothing_half_done_is_kept(ratings: Ratings, store: Store) -> None:
    experiment = Experiment(ratings, store=store, jobs=1)
    experiment.usage(0, "gain", 5)
    files = sorted(store.folder.iterdir())
    shares: list[float] = []
    with pytest.raises(Cancelled):
        attack(
            experiment, 0, "gain", 5, AttackPlan(victims=50),
            progress=shares.append, cancelled=lambda: len(shares) == 3,
        )  # fmt: skip
    assert shares == [1 / 50, 2 / 50, 3 / 50]
    assert sorted(store.folder.iterdir()) == files
    attack(experiment, 0, "gain", 5, AttackPlan(victims=4), progress=shares.append)
    assert shares[-1] == 1


@pytest.mark.parametrize("by", ["cancelled", "progress"])
def test_who_cancels_is_not_warned_of_what_was_under_way(
    ratings: Ratings, by: str, recwarn: pytest.WarningsRecorder
) -> None:
    """A run of the pages cancels by its progress, too."""
    experiment = Experiment(ratings, jobs=2)

    def progress(share: float) -> None:
        if by == "progress":
            raise Cancelled

    with pytest.raises(Cancelled):
        attack(
            experiment, 0, "gain", 5, AttackPlan(victims=50),
            progress=progress, cancelled=lambda: by == "cancelled",
        )  # fmt: skip
    with pytest.raises(Cancelled):
        choose_neighbors(experiment.fold(0), [("gain", 5)], jobs=2, progress=progress,
               cancelled=lambda: by == "cancelled")  # fmt: skip
    assert not [warning for warning in recwarn if "joblib" in warning.filename]


@pytest.mark.parametrize("kind", VALUES)
def test_scales_of_all_kinds(kind: str) -> None:
    ratings = ratings_of(random_rows(5, users=25, items=30, share=0.6, values=VALUES[kind]))
    experiment = Experiment(ratings, jobs=1)
    probes = attack(experiment, 0, "gain", 3, AttackPlan(victims=10, probes=4))
    assert set(probes.infer("full", 0).tolist()) <= set(probes.values.tolist())
    outcome = probes.outcome("none", 0).everybody
    if 0 not in VALUES[kind]:  # who is known to have rated all with 0 is similar to nobody
        assert outcome.exact.value == outcome.among_neighbors.value == 1


def test_nobody_to_attack() -> None:
    lonely = ratings_of([(f"u{u}", f"i{u % 3}", 1 + u % 5) for u in range(20)])
    with pytest.raises(InputError, match="no user has 2 ratings"):
        attack(Experiment(lonely, jobs=1), 0, "gain", 3)
    with pytest.raises(InputError, match="no user has 500 ratings"):
        attack(Experiment(lonely, jobs=1), 0, "gain", 3, AttackPlan(min_ratings=500))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"knowledge": 0.0}, "knowledge"),
        ({"knowledge": 1.0}, "knowledge"),
        ({"knowledge": float("nan")}, "knowledge"),
        ({"accounts": -1}, "accounts"),
        ({"repeats": 0}, "repeats"),
        ({"victims": 0}, "victims"),
        ({"probes": 0}, "probes"),
        ({"min_ratings": 1}, "min_ratings"),
        ({"probes": 2.5}, "probes"),
    ],
)
def test_plans_that_make_no_sense(plan: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        AttackPlan(**plan)


def test_outcome_by_hand() -> None:
    outcome = summarize(
        victim=np.array([4, 4, 4, 9]),
        steps=np.array([0, 0, 1, 3]),
        guess_steps=np.array([1, 0, 2, 0]),
        among_neighbors=np.array([1.0, 0.5, 0.5, 0.0]),
        vulnerable=np.array([False, False, False, True]),
    )
    both = outcome.everybody
    assert (both.victims, both.probes) == (2, 4)
    assert both.exact.value == 0.5
    assert both.within_one_step.value == 0.75
    assert both.baseline.value == 0.5
    assert both.baseline_within_one_step.value == 0.75
    assert both.among_neighbors.value == 0.5
    assert outcome.secure.exact.value == pytest.approx(2 / 3)
    assert (outcome.vulnerable.victims, outcome.vulnerable.exact.value) == (1, 0)
