"""What is promised: true at every tau and under every noise, odds before epsilon."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.privacy import Mechanism
from pages.parts.address import View
from pages.parts.promises import adding_up_sentences, noisy_answer_sentence, promises_section
from pages.parts.runs.results import Results
from pages.parts.screen import Screen


def promised(results: Results, tau: int) -> str:
    screen = Screen(View(dataset="small", tau=tau, strategy="gain"), tau, "small", results)
    return "\n".join(promises_section(screen).points)


def test_three_groups_of_people_are_told_what_is_released(results: Results):
    said = promised(results, 30)
    usages = np.concatenate(results.usages("gain", 10))
    above = round(80 * (usages > 30).mean())
    assert f"**Used more than 30 times in a fold ({above} people, " in said
    assert "The first 30 uses in a fold release the real rating" in said
    assert "**Used 1 to 30 times in a fold (" in said
    assert "All that spares them is that they are used less often" in said
    assert "**Never used" in said
    assert said.index("16 times as likely") < said.index("ε = ln 16")
    assert "16 × 16 = 256" in said
    assert "**No odds cover the choice of neighbors.**" in said
    assert "Whatever falls into the first 30 uses of a fold is answered truly" in said


def test_at_tau_zero_nobody_is_said_to_be_used_rarely_or_truly(results: Results):
    said = promised(results, 0)
    assert "**Used at all in a fold (" in said
    assert "Every use releases a noisy answer" in said
    assert "not protected" not in said
    assert "answered truly" not in said
    assert "averages the noise away" in said


@pytest.mark.parametrize("tau", [1_000_000, 10**9])
def test_above_the_largest_usage_nothing_is_promised(results: Results, tau: int):
    said = promised(results, tau)
    assert "(nobody):** so no answer is noisy, and nothing is promised to anybody" in said
    assert "times as likely" not in said
    assert "add up" not in said
    assert "These people are not protected" in said
    assert "spares" not in said


def test_at_tau_one_a_use_is_one(results: Results):
    said = promised(results, 1)
    assert "**Used more than once in a fold" in said
    assert "The first use in a fold releases the real rating" in said
    assert "**Used once in a fold" in said


def test_noise_that_hides_nothing_is_called_that():
    continuous = Mechanism("continuous", False, 1.0, 5.0, np.empty(0))
    assert "promises nothing that can be shown" in noisy_answer_sentence(continuous)
    assert "×" not in adding_up_sentences(continuous)[0]
    constant = Mechanism("discrete", False, 3.0, 3.0, np.array([3.0]))
    assert "nothing to hide" in noisy_answer_sentence(constant)
    assert adding_up_sentences(constant) == []


def test_kept_answers_do_not_add_up():
    stars = Mechanism("discrete", False, 1.0, 5.0, np.arange(1.0, 6.0))
    memoised = replace(stars, memoised=True)
    assert "do not add up" in adding_up_sentences(memoised)[0]
    assert "256" in adding_up_sentences(stars)[0]
