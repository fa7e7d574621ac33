from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.settings import PAPER_KS
from pages.parts.address import View, address_parts, read_address, write_address
from pages.parts.address_values import LARGEST_TAU, Misfit, parse_tau
from pages.parts.looks import shown_strategies

DATASETS = ["sample", "ml-1m", "a file", "plus+plus", "my_data"]
PARTS = ("dataset", "k", "tau", "strategy", "pin", "user")

settings = st.builds(
    View,
    dataset=st.sampled_from(DATASETS),
    k=st.sampled_from(PAPER_KS),
    tau=st.integers(0, LARGEST_TAU),
    strategy=st.sampled_from(list(shown_strategies())),
)
views = st.builds(
    View,
    dataset=st.sampled_from(DATASETS),
    k=st.sampled_from(PAPER_KS),
    tau=st.none() | st.integers(0, LARGEST_TAU),
    strategy=st.sampled_from(list(shown_strategies())),
    pin=st.none() | settings,
    user=st.text(st.characters(exclude_categories=("C", "Z")), max_size=9),
)


def test_an_empty_address_shows_the_defaults_without_a_note():
    assert read_address({}, DATASETS) == (View(), {})
    assert read_address(dict.fromkeys(PARTS, ""), DATASETS) == (View(), {})


def test_what_fits_is_shown_without_a_note():
    asked = {"dataset": "ml-1m", "k": "25", "strategy": "gain+reuse", "tau": "55", "user": "7"}
    wanted = View(dataset="ml-1m", k=25, tau=55, strategy="gain+reuse", user="7")
    assert read_address(asked, DATASETS) == (wanted, {})


@pytest.mark.parametrize(
    ("name", "value", "instead"),
    [
        ("dataset", "nope", "Showing sample"),
        ("k", "7", "Showing k = 10"),
        ("k", "ten", "Showing k = 10"),
        ("k", "10.0", "Showing k = 10"),
        ("k", "-5", "Showing k = 10"),
        ("strategy", "foo", "Showing Expect"),
        ("tau", "-5", "the suggested τ"),
        ("tau", "abc", "the suggested τ"),
        ("tau", "12,5", "the suggested τ"),
        ("tau", "nan", "the suggested τ"),
        ("tau", "inf", "the suggested τ"),
        ("tau", "1e20", "the suggested τ"),
        ("tau", "9" * 5000, "is above 1,000,000,000,000, the largest τ"),
        ("pin", "x", "Nothing is pinned"),
        ("pin", "my_data_10_30", "Nothing is pinned"),
        ("pin", "my_data_7_30_gain", "Nothing is pinned"),
        ("pin", "my_data_10_-1_gain", "Nothing is pinned"),
        ("pin", "my_data_10_30_foo", "Nothing is pinned"),
        ("pin", "gone_10_30_gain", "has a dataset that cannot be shown"),
        ("pin", "___", "Nothing is pinned"),
    ],
)
def test_what_does_not_fit_is_replaced_and_said(name: str, value: str, instead: str):
    view, notes = read_address({name: value}, DATASETS)
    assert view == View()
    assert list(notes) == [name]
    assert instead in notes[name]
    assert f"{name} = " in notes[name]
    assert value[:30].replace("-", "\\-").replace("_", "\\_") in notes[name].replace(
        "\\.", "."
    ).replace("\\,", ",")


@pytest.mark.parametrize(("asked", "tau"), [("92.71", 93), ("96.0", 96), ("1e3", 1000)])
def test_a_tau_between_two_uses_is_rounded_and_said(asked: str, tau: int):
    view, notes = read_address({"tau": asked}, DATASETS)
    assert view == View(tau=tau)
    assert notes["tau"].endswith(f"is not a whole number of uses. Showing τ = {tau:,}.")


def test_a_link_to_an_upload_keeps_which_file_it_is():
    name = "upload:0123456789ab:108:a b_c+d.csv"
    view = View(dataset=name, k=5, pin=View(dataset=name, tau=3))
    asked = dict(parse_qsl(write_address(view)))
    assert read_address(asked, DATASETS) == (view, {})
    # The same ratings are here, in a file of another name.
    here = "upload:0123456789ab:108:copy.csv"
    assert read_address(asked, [*DATASETS, here])[0].dataset == here
    assert read_address({"dataset": "upload"}, [*DATASETS, here])[0].dataset == here
    assert read_address({"dataset": "upload"}, DATASETS) == (View(dataset="upload"), {})
    view, notes = read_address({"dataset": "upload:xyz:3:a.csv"}, DATASETS)
    assert (view, list(notes)) == (View(), ["dataset"])
    other = "upload:ffffffffffff:108:a b_c+d.csv"
    assert read_address(asked, [*DATASETS, other])[0].dataset == name


def test_every_misfit_has_its_own_note():
    asked = dict.fromkeys(("dataset", "k", "tau", "strategy", "pin"), "x")
    assert len(read_address(asked, DATASETS)[1]) == 5


def test_text_of_the_address_is_neither_markdown_nor_endless():
    _, notes = read_address({"dataset": "![x](http://a.b/c.png)<script>" * 50}, DATASETS)
    note = notes["dataset"]
    assert "\\!\\[x\\]\\(" in note
    assert len(note) < 250


def test_a_plus_that_was_not_encoded_is_one():
    assert read_address({"strategy": "UserKNN reuse"}, DATASETS)[0].strategy == "userknn+reuse"
    asked = dict(parse_qsl("dataset=plus+plus&pin=plus+plus_10_30_gain+reuse"))
    pin = View(dataset="plus+plus", tau=30, strategy="gain+reuse")
    assert read_address(asked, DATASETS) == (View(dataset="plus+plus", pin=pin), {})
    # A name that is there as it is written comes first.
    assert read_address(asked, ["plus+plus", "plus plus"])[0].dataset == "plus plus"


@given(views)
def test_a_written_address_reads_as_the_same_view(view: View):
    assert read_address(dict(parse_qsl(write_address(view))), DATASETS) == (view, {})
    assert list(address_parts(view)) == [name for name in PARTS if name in address_parts(view)]


@given(st.text(max_size=30))
def test_no_text_breaks_the_reading(text: str):
    view, _ = read_address(dict.fromkeys(PARTS, text), DATASETS)
    assert view.k in PAPER_KS
    assert view.strategy in shown_strategies()
    assert view.tau is None or 0 <= view.tau <= LARGEST_TAU
    assert read_address(address_parts(view), DATASETS) == (view, {})


@given(st.integers(0, LARGEST_TAU))
def test_tau_is_read_as_it_is_written_here(tau: int):
    assert parse_tau(str(tau)) == parse_tau(f" {tau:,} ") == tau


@pytest.mark.parametrize("text", ["12,5", "12.5", "1.000", "1,00", "1,0000", ",5", "1 000", "+1"])
def test_a_number_that_may_mean_another_is_not_taken(text: str):
    with pytest.raises(Misfit, match="is not a whole number of uses"):
        parse_tau(text)


def test_what_an_address_says_is_text_in_every_part_of_a_note():
    _, notes = read_address({"limits": "![x](http://elsewhere.example/y):1"}, ["sample"])
    assert "![" not in notes["limits"]
    assert r"There is no limit \'\!\[x\]\(http" in notes["limits"]
