"""A lesson of 90 minutes around the tour, and the handout that is made of it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pages.contents.learn.glossary import GLOSSARY
from pages.contents.learn.tour import TOUR, answer_of
from pages.parts.address import View, write_address
from pages.parts.drawing.standalone import render


@dataclass(frozen=True)
class LessonPart:
    """A part of the lesson: how long it takes, where it happens, and what there is to do."""

    minutes: int
    title: str
    link: str  # relative to the address of the dashboard
    task: str
    answer: str = ""  # the expected answer


_HANDOUT: Final = Path(__file__).with_name("lesson.html")
_TEXTS: Final = tomllib.loads(Path(__file__).with_name("lesson.toml").read_text(encoding="utf-8"))


def _part(
    minutes: int, *, step: int = 0, title: str = "", page: str = "", task: str = ""
) -> LessonPart:
    if step:
        tour = TOUR[step - 1]
        return LessonPart(minutes, tour.title, tour.link, tour.question, answer_of(tour))
    return LessonPart(minutes, title, f"{page}?{write_address(View())}", task)


TITLE: Final[str] = _TEXTS["title"]
NEEDS: Final[str] = _TEXTS["needs"]
GOALS: Final[tuple[str, ...]] = tuple(_TEXTS["goals"])
PARTS: Final = tuple(_part(**part) for part in _TEXTS["part"])
#: Claims that are often believed, each with its answer.
MISCONCEPTIONS: Final[list[dict[str, str]]] = _TEXTS["misconception"]
#: Each has a title, a task, an answer, and data of its own: columns and rows.
EXERCISES: Final[list[dict[str, Any]]] = _TEXTS["exercise"]
MINUTES: Final = sum(part.minutes for part in PARTS)


def make_handout(url: str, *, answers: bool) -> str:
    """Return the lesson as a page of HTML to print, for teachers with the answers.

    `url` is the address of the dashboard, which the links of the parts begin with.

    >>> "Sequence" in make_handout("http://127.0.0.1:8501", answers=False)
    True
    """
    return render(
        _HANDOUT,
        title=TITLE,
        minutes=MINUTES,
        needs=NEEDS,
        goals=GOALS,
        parts=PARTS,
        misconceptions=MISCONCEPTIONS,
        exercises=EXERCISES,
        glossary=GLOSSARY,
        answers=answers,
        url=url.rstrip("/"),
    )
