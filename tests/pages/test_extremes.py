"""What the pages say at the extremes is true and reads as what it is: no page, section by section.

At tau = 0, in the middle and above all; with one user, one fold, and ratings that are all the same.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.experiment import Experiment
from pages.contents.data_usage import sections as usage
from pages.contents.neighborhoods import sections as neighborhoods
from pages.contents.overview import sections as overview
from pages.contents.people import sections as people
from pages.contents.popularity_bias import sections as popularity
from pages.contents.privacy_lab import sections as lab
from pages.contents.tradeoff import sections as tradeoff
from pages.parts.address import View
from pages.parts.runs.results import Results
from pages.parts.screen import Screen
from pages.parts.sections import unfolded
from tests.examples import ratings_of

PAGES = (overview, usage, neighborhoods, tradeoff, popularity, lab, people)
STRATEGIES = ("userknn", "userknn+reuse", "expect", "gain")
ABOVE_ALL = 1_000_000
#: A comparison of a number with itself.
SAME = re.compile(r"\b(\d[\d.,]*) (?:points of the scale )?instead of \1(?![\d.])")


def screen_of(results: Results, tau: int, strategy: str = "gain") -> Screen:
    return Screen(View(dataset="small", tau=tau, strategy=strategy), tau, "small", results)


def said_on(page: object, screen: Screen) -> str:
    """Return all sentences and titles of a page."""
    sentences: list[str] = []
    for section in unfolded(page.make_sections(screen)):  # type: ignore[attr-defined]
        sentences += [*section.finding, *section.points, section.caption]
        sentences += [exhibit.title for exhibit in section.exhibits]
    return "\n".join(sentences)


def results_of(rows: list[tuple[str, str, float]]) -> Results:
    experiment = Experiment(ratings_of(rows))
    experiment.run(STRATEGIES, (10,))
    done = {(fold, s, 10) for fold in experiment.fold_numbers for s in STRATEGIES}
    return Results(experiment).with_done(done)


def reads_well(said: str) -> None:
    assert said.strip()
    assert not re.search(r"\bnan\b|\binf\b|None", said)
    assert not SAME.search(said), SAME.search(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__.split(".")[2])
@pytest.mark.parametrize("strategy", ["userknn", "gain"])
@pytest.mark.parametrize("tau", [0, 1, 30, ABOVE_ALL])
def test_every_sentence_reads_at_every_tau(results: Results, tau: int, strategy: str, page: object):
    said = said_on(page, screen_of(results, tau, strategy))
    reads_well(said)
    if tau == ABOVE_ALL:
        assert "protected from then on" not in said
        assert "are answered with noise" not in said
    if tau == 0:
        assert "first 0 uses" not in said
        assert "at most 0 times" not in said


def test_protecting_nobody_is_never_a_success(results: Results):
    screen = screen_of(results, ABOVE_ALL)
    assert said_on(overview, screen).startswith("**Nobody is protected with Gain**")
    assert said_on(usage, screen).startswith("**Nobody is vulnerable with Gain**")
    assert "Nothing is protected." in said_on(usage, screen)
    for metric in overview.make_sections(screen)[0].key_numbers:
        if metric.label == "Used more than τ times":
            assert metric.value == "0\xa0%"
            assert metric.difference.startswith("0\xa0")


def test_one_fold_is_no_proof(results: Results):
    first = {cell for cell in results.done if cell[0] == 0}
    one = replace(results, done=frozenset(first))
    screen = screen_of(one, 30)
    for page in PAGES:
        reads_well(said_on(page, screen))
    assert "one fold cannot tell" in said_on(overview, screen) or "as they do there" in said_on(
        overview, screen
    )


def test_one_user_has_no_neighbor():
    rows = [("u", str(item), float(1 + item % 5)) for item in range(30)]
    screen = screen_of(results_of(rows), 3)
    for page in PAGES:
        reads_well(said_on(page, screen))
    said = said_on(overview, screen)
    assert "no person is used at all" in said
    assert "**Never used in a fold (1 person, 100\xa0%):**" in said


def test_constant_ratings_hide_nothing():
    rows = [(str(u), str(i), 3.0) for u in range(12) for i in range(20) if (u + i) % 3]
    screen = screen_of(results_of(rows), 3)
    for page in PAGES:
        reads_well(said_on(page, screen))
    said = said_on(overview, screen)
    assert "nothing to hide" in said
    assert "times as likely" not in said
