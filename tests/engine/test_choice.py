"""The answer of `choose` against brute force: `outcome` at every whole tau, and plain loops."""

from __future__ import annotations

import math
import random
from dataclasses import asdict, dataclass, replace
from functools import cache

import numpy as np
import pytest

from engine.candidates import gather_candidates
from engine.choice import Decision, choose_tau
from engine.datasets import Ratings, generate
from engine.experiment import Experiment
from engine.judgement import Judgement
from engine.limits import CRITERIA, LIMITS, PROTECTS_SOMEBODY, Limits
from engine.settings import Setting
from engine.sweep import Sweep, SweepOverFolds
from engine.tau_choice import come_to_the_same, compare_choices
from tests.examples import random_rows, ratings_of

METRICS = (
    "mae", "vulnerable_share", "privacy_risk", "secure_risk", "protected_uses", "coverage",
    "pp_corr", "mae_users",
)  # fmt: skip
Cell = tuple[str, int]


@dataclass
class World:
    """Some cells of an experiment, and what each whole tau comes to in them."""

    experiment: Experiment
    cells: list[Cell]
    folds: tuple[int, ...]

    def __post_init__(self) -> None:
        self.largest = {
            (strategy, k): max(
                int(self.experiment.usage(fold, strategy, k).max()) for fold in self.folds
            )
            for strategy, k in self.cells
        }
        self.outcomes = {
            (strategy, k): [
                self._value(Setting(strategy, k, tau), METRICS)
                for tau in range(self.largest[strategy, k] + 1)
            ]
            for strategy, k in self.cells
        }
        self.baselines = {
            (strategy, k): self._value(Setting(strategy, k, 0, "none"), ("mae_users", "mae"))["mae"]
            for strategy, k in {*self.cells, *(("userknn", k) for _, k in self.cells)}
        }
        self.candidates = gather_candidates(
            self.experiment,
            list(dict.fromkeys(strategy for strategy, _ in self.cells)),
            list(dict.fromkeys(k for _, k in self.cells)),
            self.folds,
            top_lists=True,
        )
        assert [(c.strategy, c.k) for c in self.candidates] == self.cells

    def _value(self, setting: Setting, metrics: tuple[str, ...]) -> dict[str, float]:
        outcome = self.experiment.outcome(setting, self.folds, metrics=metrics, keep=False)
        return {name: outcome.value(name) for name in metrics}

    def quantities(self, cell: Cell, tau: int, limits: Limits) -> dict[str, float]:
        values = dict(self.outcomes[cell][tau])
        base = self.baselines[("userknn", cell[1]) if limits.baseline == "userknn-none" else cell]
        values["error_points"] = values["mae"] - base
        if base:
            values["error_increase"] = values["mae"] / base - 1
        else:
            values["error_increase"] = 0.0 if values["mae"] == 0 else math.inf
        values["real_uses"] = min(tau, self.largest[cell])
        return values


@cache
def world(name: str) -> World:
    """Return one of the sets of ratings: each is small, and brute force over it takes a second."""
    cells = [(strategy, k) for strategy in ("userknn", "gain") for k in (2, 5)]
    if name == "generated":
        return World(Experiment(generate(users=40, items=60, ratings=900)), cells, (0, 1, 2, 3, 4))
    if name == "one fold":
        cells = [("expect", 3), ("userknn+reuse", 3)]
        rows = random_rows(5, users=12, items=40, share=0.5, values=[0.5, 1, 3.5, 4])
        return World(Experiment(ratings_of(rows), mechanism="continuous"), cells, (1,))
    if name == "one user":
        rows = [("only", f"i{i}", 1 + i % 5) for i in range(12)]
    elif name == "nobody is used":
        rows = [(f"u{i}", f"i{i}", 1 + i % 5) for i in range(12)]
    elif name == "constant":
        rows = [(u, i, 3.0) for u, i, _ in random_rows(4, 15, 20, 0.5, [3])]
    else:
        raise KeyError(name)
    return World(Experiment(ratings_of(rows), folds=3), cells, (0, 1, 2))


def holds(name: str, value: float, bound: float) -> bool:
    value, bound = round(value, 9), round(bound, 9)
    return value >= bound if LIMITS[name].at_least else value <= bound


def broken(values: dict[str, float], protects: bool, limits: Limits) -> set[str]:
    names = {n for n, b in limits.stated.items() if not holds(n, values[LIMITS[n].quantity], b)}
    return names if protects or limits.allow_unprotected else names | {PROTECTS_SOMEBODY}


def check(world: World, limits: Limits) -> Decision:
    """Compare every field of the decision with plain loops over every whole tau."""
    decision = choose_tau(world.candidates, limits)
    metric = CRITERIA[limits.criterion]
    best: list[tuple[tuple[float, ...], Cell, int]] = []
    needs: dict[str, list[tuple[float, ...]]] = {}
    for position, (cell, choice) in enumerate(zip(world.cells, decision.choices, strict=True)):
        largest, meeting = world.largest[cell], []
        rule_of: list[set[str]] = []
        for tau in range(largest + 1):
            values = world.quantities(cell, tau, limits)
            names = broken(values, tau < largest, limits)
            rule_of.append(names)
            if not names:
                meeting.append((round(values[metric], 9), tau))
            elif len(names) == 1:
                [name] = names
                change = 0.0
                if name != PROTECTS_SOMEBODY:
                    change = abs(values[LIMITS[name].quantity] - limits.stated[name])
                if math.isfinite(change):
                    needs.setdefault(name, []).append(
                        (round(change, 9), *preference(values, metric), cell[1], position, tau)
                    )
        taus = [tau for _, tau in meeting]
        assert np.flatnonzero(choice.meets).tolist() == taus
        assert (choice.tau_low, choice.tau_high) == ((taus[0], taus[-1]) if taus else (None, None))
        covered = [tau for first, last in choice.ranges for tau in range(first, last + 1)]
        assert covered == taus
        if not taus:
            assert choice.tau is choice.outcome is None
            continue
        around = [rule_of[tau] for tau in (taus[0] - 1, taus[-1] + 1) if 0 <= tau <= largest]
        assert set(choice.binds) == set().union(*around)
        tau = min(meeting)[1]
        values = world.quantities(cell, tau, limits)
        assert choice.tau == tau
        outcome = asdict(choice.outcome)
        for name in set(values) - {"mae_users"}:
            assert outcome[name] == pytest.approx(values[name], rel=1e-9, abs=1e-9, nan_ok=True), (
                name
            )
        assert outcome["protects_nobody"] == (tau == largest)
        best.append(((*preference(values, metric), cell[1], position), cell, tau))
    if best:
        _, cell, tau = min(best)
        assert decision.best is not None
        assert (decision.best.candidate.strategy, decision.best.candidate.k) == cell
        assert decision.best.tau == tau
        assert not decision.relaxations
        assert sum(map(len, decision.groups)) == len(best)
        return decision
    assert decision.best is None
    assert {relaxation.limit for relaxation in decision.relaxations} == needs.keys()
    for relaxation in decision.relaxations:
        change, *_, position, tau = min(needs[relaxation.limit])
        outcome = relaxation.outcome
        assert (outcome.strategy, outcome.k) == world.cells[int(position)]
        assert outcome.tau == tau
        if relaxation.needed is not None:
            assert relaxation.change == pytest.approx(change, abs=2e-9)
    return decision


def preference(values: dict[str, float], metric: str) -> tuple[float, ...]:
    return tuple(round(values[name], 9) for name in (metric, "privacy_risk", "mae"))


def random_limits(world: World, dice: random.Random) -> Limits:
    """Some limits, half of them exactly at a value that some tau has."""
    limits = Limits(
        baseline=dice.choice(["userknn-none", "same-none"]),
        criterion=dice.choice(list(CRITERIA)),
        allow_unprotected=dice.random() < 0.2,
    )
    stated: dict[str, float] = {}
    for name in dice.sample(list(LIMITS), dice.choice([0, 1, 2, 2, 3, 4])):
        limit = LIMITS[name]
        cell = dice.choice(world.cells)
        values = world.quantities(cell, dice.randrange(world.largest[cell] + 1), limits)
        value = values[limit.quantity]
        if not math.isfinite(value):
            continue
        if limit.form == "whole":
            value = int(value)
        elif dice.random() < 0.5:
            value *= dice.uniform(0.8, 1.2)
        stated[name] = min(max(value, limit.lowest), limit.highest)
    return replace(limits, **stated)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("generated", 180),
        ("one fold", 60),
        ("one user", 20),
        ("nobody is used", 20),
        ("constant", 20),
    ],
)
def test_the_decision_equals_brute_force_for_random_limits(name: str, settings: int):
    dice = random.Random(2024)
    decisions = [check(world(name), random_limits(world(name), dice)) for _ in range(settings)]
    if name in ("generated", "one fold"):  # both ends happen, so that both are tried
        without = [decision for decision in decisions if decision.best is None]
        assert len(decisions) / 10 < len(without) < len(decisions) * 9 / 10
        assert sum(len(decision.relaxations) > 0 for decision in without) > 5


def test_a_relaxed_limit_meets_and_a_smaller_change_does_not():
    dice = random.Random(7)
    relaxed = 0
    for _ in range(60):
        limits = random_limits(world("generated"), dice)
        for relaxation in choose_tau(world("generated").candidates, limits).relaxations:
            if relaxation.needed is None:
                continue
            name, step = relaxation.limit, 1e-6 * (-1 if LIMITS[relaxation.limit].at_least else 1)
            needed = int(relaxation.needed) if name == "max_real_uses" else relaxation.needed
            enough = choose_tau(world("generated").candidates, replace(limits, **{name: needed}))
            assert enough.best is not None
            less = needed - 1 if name == "max_real_uses" else needed - step
            if LIMITS[name].lowest <= less <= LIMITS[name].highest:
                assert (
                    choose_tau(world("generated").candidates, replace(limits, **{name: less})).best
                    is None
                )
            relaxed += 1
    assert relaxed > 10


def test_without_limits_everything_below_the_largest_usage_meets():
    for choice in choose_tau(world("generated").candidates, Limits()).choices:
        assert (choice.tau_low, choice.tau_high) == (0, choice.candidate.largest - 1)
        assert choice.binds == (PROTECTS_SOMEBODY,)


def test_a_tau_that_protects_nobody_meets_only_if_it_is_allowed_and_is_named():
    candidates = world("generated").candidates
    refused = choose_tau(candidates, Limits(max_error_points=0.0, baseline="same-none"))
    allowed = choose_tau(
        candidates, Limits(max_error_points=0.0, baseline="same-none", allow_unprotected=True)
    )
    assert not any(c.meets[-1] for c in refused.choices)
    assert all(c.meets[-1] for c in allowed.choices)
    for candidate in candidates:
        assert candidate.outcome(candidate.largest).protects_nobody
        assert candidate.outcome(candidate.largest + 1000).protects_nobody
        assert not candidate.outcome(candidate.largest - 1).protects_nobody


@pytest.mark.parametrize("name", ["one user", "nobody is used"])
def test_where_nobody_is_used_every_choice_protects_nobody(name: str):
    refused = choose_tau(world(name).candidates, Limits(max_vulnerable=0.0, max_risk=0.0))
    assert refused.best is None
    assert [relaxation.limit for relaxation in refused.relaxations] == [PROTECTS_SOMEBODY]
    allowed = choose_tau(world(name).candidates, Limits(max_risk=0.0, allow_unprotected=True))
    assert allowed.best is not None
    assert allowed.best.outcome.protects_nobody
    assert allowed.best.tau == 0


def test_everybody_vulnerable_and_nobody_vulnerable():
    candidates = world("generated").candidates
    everybody = choose_tau(candidates, Limits(max_real_uses=0)).best
    assert everybody is not None
    assert (everybody.tau, everybody.outcome.privacy_risk) == (0, 0.0)
    nobody = choose_tau(candidates, Limits(max_vulnerable=0.0))
    assert nobody.best is None  # whoever is used most is vulnerable below the largest usage
    assert choose_tau(candidates, Limits(max_vulnerable=0.0, allow_unprotected=True)).best


def test_limits_that_contradict_each_other_name_each_other():
    decision = choose_tau(
        world("generated").candidates, Limits(max_risk=0.0, max_protected=0.5, max_pp_corr=-1.0)
    )
    assert decision.best is None
    assert decision.relaxations == ()  # no single one is enough
    assert {name for choice in decision.choices for name in choice.binds} == {"max_pp_corr"}
    two = choose_tau(world("generated").candidates, Limits(max_risk=0.0, max_protected=0.5))
    assert {relaxation.limit for relaxation in two.relaxations} == {"max_risk", "max_protected"}
    assert all(set(c.binds) == {"max_risk", "max_protected"} for c in two.choices)


def test_the_same_error_everywhere_is_no_difference_and_one_group():
    decision = choose_tau(world("constant").candidates, Limits())
    assert len(decision.groups) == 1
    assert decision.best.tau == 0  # of equal ones the one that protects most
    first, *others = decision.choices
    for other in others:
        assert compare_choices(first, other, "mae").judgement is Judgement.NO_DIFFERENCE
    assert decision.best.flat_stretch("mae", 3) == (0, decision.best.candidate.largest)


def test_one_fold_has_no_noise_to_compare_with():
    decision = choose_tau(world("one fold").candidates, Limits())
    first, second = decision.choices
    assert compare_choices(first, second, "mae").judgement is Judgement.ONE_FOLD
    assert [len(group) for group in decision.groups] == [1, 1]
    assert decision.best.flat_stretch("mae", 1) is None


def test_groups_hold_what_does_not_clearly_differ_from_their_leader():
    usage = np.array([0, 3])

    def candidate(name: str, errors: list[float]) -> SweepOverFolds:
        return SweepOverFolds(name, 10, [Sweep(np.full(4, error), usage) for error in errors])

    userknn = candidate("userknn", [0.80, 0.82, 0.81])
    alike = candidate("gain", [0.81, 0.81, 0.82])
    equal = candidate("expect", [0.80, 0.82, 0.81])
    worse = candidate("userknn+reuse", [0.90, 0.92, 0.91])
    candidates = [
        replace(world("generated").candidates[0], sweep=sweep, userknn=userknn)
        for sweep in (worse, alike, userknn, equal)
    ]
    decision = choose_tau(candidates, Limits())
    names = [[choice.candidate.strategy for choice in group] for group in decision.groups]
    assert names == [["userknn", "expect", "gain"], ["userknn+reuse"]]
    leader, same, noise = decision.groups[0]
    assert come_to_the_same(leader, same)
    assert not come_to_the_same(leader, noise)
    assert compare_choices(leader, noise, "mae").judgement is Judgement.WITHIN_NOISE


def test_a_limit_on_top_lists_needs_them():
    [candidate] = [replace(c, popularity=None) for c in world("generated").candidates[:1]]
    with pytest.raises(ValueError, match="needs the top lists"):
        choose_tau([candidate], Limits(min_coverage=0.5))


def ratings_with_one_heavy_user() -> Ratings:
    """Everybody asks for things that one user alone has rated, too."""
    rows = [("heavy", f"i{i}", 1 + i % 5) for i in range(30)]
    rows += [
        (f"u{u}", f"i{i}", 1 + (u + i) % 5) for u in range(10) for i in range(u * 3, u * 3 + 3)
    ]
    return ratings_of(rows)


def test_the_real_uses_of_the_user_used_most_are_what_the_limit_says():
    experiment = Experiment(ratings_with_one_heavy_user(), folds=3)
    [candidate] = gather_candidates(experiment, ["gain"], [3])
    largest = max(int(experiment.usage(fold, "gain", 3).max()) for fold in range(3))
    choice = choose_tau([candidate], Limits(max_real_uses=2)).choices[0]
    assert choice.tau_high == 2 < largest
    loose = Limits(max_real_uses=largest + 5, allow_unprotected=True)
    assert choose_tau([candidate], loose).choices[0].tau_high == largest
