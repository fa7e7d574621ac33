from __future__ import annotations

import math
from functools import partial

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.privacy import PROTECTIONS
from engine.strategies import STRATEGIES
from pages.parts import wording
from pages.parts.looks import PROTECTION_LOOKS, STRATEGY_LOOKS
from pages.parts.sections import Exhibit


def test_the_dashboard_draws_what_the_engine_has():
    assert set(STRATEGY_LOOKS) == set(STRATEGIES)
    assert set(PROTECTION_LOOKS) == set(PROTECTIONS)
    looks = [(look.color, look.symbol, look.glyph) for look in STRATEGY_LOOKS.values()]
    assert len(set(looks)) == len(looks)


@given(st.floats(0, 1))
def test_percent_is_never_nothing_or_everything_unless_it_is(share: float):
    text = wording.percent(share)
    assert (text == "0\xa0%") == (share == 0)
    assert (text == "100\xa0%") == (share == 1)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0994, "9.9\xa0%"),
        (0.0999, "10\xa0%"),
        (0.996, "99.6\xa0%"),
        (math.nan, "n/a"),
        (0.05, "5\xa0%"),
    ],
)
def test_percent(share: float, text: str):
    assert wording.percent(share) == text


def test_what_looks_the_same_is_called_the_same():
    text = partial(wording.number, decimals=2)
    assert wording.comparison(0.8201, 0.8199, text, "less", "more", "same") == "same"
    assert wording.comparison(0.81, 0.82, text, "less", "more", "same") == "less"
    assert wording.comparison(0.83, 0.82, text, "less", "more", "same") == "more"


def test_a_difference_that_rounds_to_nothing_has_no_sign():
    assert wording.signed(-0.00001, 3) == "0.000"
    assert wording.points(-0.0001) == "0\xa0% points"


@given(st.text(max_size=200))
def test_text_of_users_has_no_markup_left(text: str):
    text = wording.verbatim(text)
    rest = text.replace("\\\\", "")
    for mark in "*_`<>[]()!#$:~|&":
        assert rest.replace(f"\\{mark}", "").count(mark) == 0


@given(st.text("ab ", min_size=1, max_size=300))
def test_lines_of_a_title_are_of_bounded_length(title: str):
    for line in wording.wrapped(title).split("<br>"):
        assert len(line) <= 84


@pytest.mark.parametrize(
    "mark", "\u061c\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069"
)
def test_a_mark_that_turns_the_text_around_a_name_is_not_shown(mark: str):
    assert wording.verbatim(f"ann{mark}bob") == "ann�bob"
    exhibit = Exhibit("names", "Names", table=pd.DataFrame({"user": [f"ann{mark}bob"], "uses": 3}))
    assert exhibit.readable_rows.to_dict("records") == [{"user": "ann�bob", "uses": 3}]
    assert exhibit.table["user"][0] == f"ann{mark}bob"  # as a file of numbers has it
