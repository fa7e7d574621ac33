"""Ties are broken at random, for each query anew."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.examples import chosen_labels

without_reuse = pytest.mark.parametrize("strategy", ["userknn", "expect", "gain"])
with_reuse = pytest.mark.parametrize("strategy", ["userknn+reuse", "expect+reuse", "gain+reuse"])

CANDIDATES = 8
ITEMS = 64


def tied(strategy: str, k: int, seed: int = 42, targets: str = "t") -> list[list[set[str]]]:
    """What each target chooses for 64 items that 8 candidates, equal in every respect, rated."""
    known: list[tuple[str, str, float]] = [(target, "a", 4) for target in targets]
    for c in range(CANDIDATES):
        known += [(f"c{c}", "a", 4), *((f"c{c}", f"i{n}", 3) for n in range(ITEMS))]
    asked = [(target, f"i{n}", 3.0) for target in targets for n in range(ITEMS)]
    labels = chosen_labels(known, asked, strategy, k, seed)
    return [labels[t * ITEMS : (t + 1) * ITEMS] for t in range(len(targets))]


@without_reuse
def test_ties_are_broken_per_query_and_not_once_per_user(strategy: str) -> None:
    """A draw per user would choose the same candidate 64 times, a draw per query each about 8."""
    (choices,) = tied(strategy, k=1)
    counts = Counter(label for one in choices for label in one)
    assert len(counts) == CANDIDATES
    expected = ITEMS / CANDIDATES
    chi_squared = sum((n - expected) ** 2 / expected for n in counts.values())
    assert chi_squared < 24.3  # 0.1 % of 7 degrees of freedom


@without_reuse
def test_each_tied_candidate_is_as_likely_over_seeds(strategy: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(12):
        (choices,) = tied(strategy, 3, seed)
        counts.update(label for one in choices for label in one)
    draws = 12 * ITEMS
    assert sum(counts.values()) == 3 * draws
    share = 3 / CANDIDATES
    deviation = (draws * share * (1 - share)) ** 0.5
    assert all(abs(n - draws * share) < 4 * deviation for n in counts.values())


def test_tied_candidates_are_drawn_anew_for_each_user_and_seed() -> None:
    choices = [mine for seed in (1, 2) for mine in tied("userknn", 1, seed, targets="ts")]
    for a in range(4):
        for b in range(a):
            same = sum(x == y for x, y in zip(choices[a], choices[b], strict=True))
            assert same < ITEMS / CANDIDATES + 4 * (ITEMS / CANDIDATES) ** 0.5


@with_reuse
def test_first_choices_of_reuse_are_drawn_per_user(strategy: str) -> None:
    """With k = 1 and equal candidates the first one chosen stays; who that is differs by user."""
    known = [(f"t{t}", "a", 4) for t in range(20)]
    for c in range(CANDIDATES):
        known += [(f"c{c}", "a", 4), *((f"c{c}", f"i{n}", 3) for n in range(4))]
    asked = [(f"t{t}", f"i{n}", 3) for n in range(2) for t in range(20)]
    labels = [min(one) for one in chosen_labels(known, asked, strategy, k=1)]
    assert labels[:20] == labels[20:]
    assert len(set(labels)) > CANDIDATES / 2
