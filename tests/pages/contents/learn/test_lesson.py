"""The lesson: its answers follow from the engine, and the handout holds what it is to hold."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.attack.inference import subtract
from engine.datasets import Scale
from engine.privacy import Mechanism, is_vulnerable, privacy_risk
from engine.randomized_response import answer_probabilities, estimate_rating
from pages.contents.learn import lesson
from pages.parts.frame import TITLES

COUNT, SUBTRACT, UNDO = lesson.EXERCISES


def test_the_lesson_takes_ninety_minutes_and_leads_to_pages_that_are_there():
    assert lesson.MINUTES == 90
    assert {part.link.partition("?")[0] for part in lesson.PARTS} <= set(TITLES)


def test_the_answer_to_the_count_of_uses():
    names = ["Ben", "Cy", "Dora", "Eve"]
    neighbors = [name for row in COUNT["rows"] for name in row[1:]]
    usage = np.array([neighbors.count(name) for name in names])
    assert usage.tolist() == [4, 2, 1, 1]
    assert is_vulnerable(usage, 2).tolist() == [True, False, False, False]
    real = int(privacy_risk(usage, "vulnerable", 2).sum())
    assert f"Of the {usage.sum()} uses {real} are real" in COUNT["answer"]


def test_the_answer_to_the_subtraction():
    planted, predictions = (
        np.array([float(row[column]) for row in SUBTRACT["rows"]]) for column in (1, 2)
    )
    n = len(SUBTRACT["rows"])
    victim = subtract(predictions[None], np.full(n, 3), 2, float(planted[0]), np.zeros(n))[0]
    assert np.abs(victim - victim.round()).max() < 0.02  # predictions stand with two decimals
    elf, fargo, gandhi = victim.round().astype(int)
    assert f"Elf {elf}, Fargo {fargo} and Gandhi {gandhi}" in SUBTRACT["answer"]


def test_the_answer_to_the_noise():
    values, counts = (np.array([int(row[column]) for row in UNDO["rows"]]) for column in (0, 1))
    assert counts.sum() == 1000
    answers = np.repeat(values.astype(float), counts)
    estimate = estimate_rating(answers, Mechanism.for_scale(Scale(1.0, 5.0, 1.0)))[-1]
    assert f"= {estimate:.2f}" in UNDO["answer"]
    assert f"The mean is {answers.mean():.3f}" in UNDO["answer"]
    assert answer_probabilities(5)[3].tolist() == pytest.approx([0.05, 0.05, 0.05, 0.8, 0.05])


@pytest.mark.parametrize("answers", [False, True])
def test_the_handout_has_answers_for_teachers_only(answers: bool):
    handout = lesson.make_handout("http://127.0.0.1:8501/", answers=answers)
    assert handout.count("<strong>Answer:</strong>") == (3 if answers else 0)
    assert ("What is often misunderstood" in handout) == answers
    for part in lesson.PARTS:
        assert part.title in handout
    links = re.findall(r'href="(http[^"]+)"', handout)
    assert len(links) == len(lesson.PARTS)
    assert all(link.startswith("http://127.0.0.1:8501/") for link in links)
    assert "<script" not in handout
    assert "**" not in handout
