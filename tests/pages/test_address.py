from __future__ import annotations

import math
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.address import (
    KS,
    NAMES,
    View,
    parse_tau,
    read_address,
    write_address,
    write_tau,
)
from pages.parts.wording import STRATEGY

DATASETS = ["sample", "ml-1m", "a file"]


def test_an_empty_address_shows_the_defaults_without_a_note():
    assert read_address({}, DATASETS) == (View("sample", 10, "expect", None), {})
    assert read_address(dict.fromkeys(NAMES, ""), DATASETS)[1] == {}


def test_what_fits_is_shown_without_a_note():
    asked = {"dataset": "ml-1m", "k": "25", "strategy": "gain+reuse", "tau": "55.7"}
    assert read_address(asked, DATASETS) == (View("ml-1m", 25, "gain+reuse", 55.7), {})


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("dataset", "nope", "Showing sample"),
        ("k", "7", "Showing k = 10"),
        ("k", "ten", "Showing k = 10"),
        ("k", "10.0", "Showing k = 10"),
        ("k", "-5", "Showing k = 10"),
        ("strategy", "foo", "Showing Expect"),
        ("tau", "-5", "the suggested τ"),
        ("tau", "abc", "the suggested τ"),
        ("tau", "nan", "the suggested τ"),
        ("tau", "inf", "the suggested τ"),
        ("tau", "1e20", "the suggested τ"),
        ("tau", "1e999", "the suggested τ"),
    ],
)
def test_what_does_not_fit_is_replaced_and_said(name: str, value: str, shown: str):
    view, notes = read_address({name: value}, DATASETS)
    assert view == View("sample", 10, "expect", None)
    assert list(notes) == [name]
    assert shown in notes[name]
    assert f"{name} = " in notes[name]
    assert value.replace("-", "\\-").replace(".", "\\.") in notes[name]


def test_every_misfit_has_its_own_note():
    asked = {"dataset": "x", "k": "x", "strategy": "x", "tau": "x"}
    assert len(read_address(asked, DATASETS)[1]) == 4


def test_text_of_the_address_is_neither_markdown_nor_endless():
    _, notes = read_address({"dataset": "![x](http://a.b/c.png)<script>" * 50}, DATASETS)
    note = notes["dataset"]
    assert "\\!\\[x\\]\\(" in note
    assert len(note) < 250


def test_a_plus_that_was_not_encoded_is_one():
    assert read_address({"strategy": "UserKNN reuse"}, DATASETS)[0].strategy == "userknn+reuse"


@given(
    st.sampled_from(DATASETS),
    st.sampled_from(KS),
    st.sampled_from(list(STRATEGY)),
    st.floats(0, 1e9).map(lambda tau: float(write_tau(tau))),
)
def test_a_written_address_reads_as_the_same_view(dataset: str, k: int, strategy: str, tau: float):
    view = View(dataset, k, strategy, tau)
    asked = dict(parse_qsl(write_address(view, tau)))
    assert read_address(asked, DATASETS) == (view, {})


@given(st.text(max_size=30))
def test_no_text_breaks_the_reading(text: str):
    view, _ = read_address(dict.fromkeys(NAMES, text), DATASETS)
    assert view.k in KS
    assert view.strategy in STRATEGY
    assert view.tau is None or view.tau >= 0
    assert parse_tau(text)[0] in (None, view.tau)


def test_a_number_too_large_is_told_from_what_is_no_number():
    assert "above 1,000,000,000,000" in parse_tau("9" * 400)[1]
    assert "above 1,000,000,000,000" in parse_tau("inf")[1]
    assert "is not a number of at least 0" in parse_tau("nan")[1]
    assert parse_tau("1e12") == (1e12, "")
    assert math.copysign(1, parse_tau("-0.0")[0] or 0.0) == 1
