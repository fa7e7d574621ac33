"""What is stated about the mechanism is proved by its answers, and a false statement is refuted."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from engine.audit import LEVELS, Audit, audit, audit_all, bound_epsilon
from engine.errors import InputError


@pytest.fixture(scope="module")
def audits() -> dict[tuple[str, int], Audit]:
    return {(result.mechanism.name, result.levels): result for result in audit_all()}


@pytest.mark.parametrize("levels", LEVELS)
def test_discrete_noise_is_what_is_stated(
    audits: dict[tuple[str, int], Audit], levels: int
) -> None:
    discrete = audits["discrete", levels]
    assert discrete.epsilon_stated == pytest.approx(math.log(1 + 3 * levels))
    assert 0.95 * discrete.epsilon_stated < discrete.epsilon_lower_bound < discrete.epsilon_stated
    assert not discrete.refuted
    assert discrete.certain_share == 0
    # the pair and the answer that are named do tell the ratings apart
    ratio = (
        discrete.counts[discrete.rating, discrete.answer]
        / discrete.counts[discrete.other_rating, discrete.answer]
    )
    assert discrete.answer == discrete.rating != discrete.other_rating
    assert math.log(ratio) > discrete.epsilon_lower_bound


@pytest.mark.parametrize("levels", LEVELS)
def test_continuous_noise_on_whole_stars_holds_no_finite_epsilon(
    audits: dict[tuple[str, int], Audit], levels: int
) -> None:
    continuous = audits["continuous", levels]
    assert continuous.epsilon_stated == math.inf
    assert not continuous.finite
    assert continuous.certain_share == pytest.approx(0.75, abs=0.01)
    # the more answers the larger the bound, without end
    fewer = audit(levels, "continuous", samples=1000)
    assert continuous.epsilon_lower_bound > fewer.epsilon_lower_bound + math.log(50) > 7


def test_memoised_answers_are_as_noisy_as_fresh_ones() -> None:
    memoised = audit(5, memoised=True, samples=50_000)
    assert 0.95 * math.log(16) < memoised.epsilon_lower_bound < math.log(16)


def test_the_epsilon_of_the_paper_is_no_local_differential_privacy() -> None:
    """ln 3 compares other probabilities: it does not bound what one answer tells of a rating."""
    assert replace(audit(5, samples=10_000), epsilon_stated=math.log(3)).refuted


@pytest.mark.parametrize("levels", [2, 5])
def test_the_bound_is_wrong_in_at_most_5_of_100_audits(levels: int) -> None:
    """The largest of many estimates is too large more often; all bounds hold at once."""
    rng = np.random.default_rng(levels)
    for share_real, epsilon in ((0.0, 0.0), (0.75, math.log(1 + 3 * levels))):
        probability = share_real * np.eye(levels) + (1 - share_real) / levels
        counts = rng.multinomial(200, probability, size=(300, levels))
        bounds = [bound_epsilon(counted)[0] for counted in counts]
        assert sum(bound > epsilon for bound in bounds) <= 15
        naive = np.log(counts.max(axis=(1, 2)) / np.maximum(counts.min(axis=(1, 2)), 1))
        assert (naive > epsilon).mean() > 0.5


def test_counts_are_those_of_the_definition(audits: dict[tuple[str, int], Audit]) -> None:
    counts = audits["discrete", 5].counts
    expected = 100_000 * (0.75 * np.eye(5) + 0.05)
    assert (counts[:, 5] == 0).all()
    for rating in range(5):
        assert stats.chisquare(counts[rating, :5], expected[rating]).pvalue > 1e-4


def test_what_cannot_be_audited() -> None:
    with pytest.raises(InputError, match="2 to 101 values"):
        audit(1)
    with pytest.raises(InputError, match="at least 100 samples"):
        audit(5, samples=99)
    with pytest.raises(InputError, match="laplace"):
        audit(5, "laplace")
