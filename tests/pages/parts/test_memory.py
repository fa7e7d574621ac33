"""The memory of a visit alone decides: what comes late, gets lost or is gone changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from pages.parts import memory
from pages.parts.address import View, address_parts, read_address
from pages.parts.control import ANYTHING, NOTHING, Control, act_on, control_for
from tests.pages.driving import SessionState

DATASETS = ["sample", "small"]
SMALL = View(dataset="small", k=5, tau=12, strategy="gain")


class Address(dict[str, str]):
    """The address in the browser."""

    def to_dict(self) -> dict[str, str]:
        return dict(self)

    def from_dict(self, parts: dict[str, str]) -> None:
        parts = dict(parts)
        self.clear()
        self.update(parts)


class Visit:
    """A session as the memory sees it: its state, the address, and whether somebody went back."""

    def __init__(self, patch: pytest.MonkeyPatch, address: dict[str, str] | None = None) -> None:
        self.state = SessionState()
        self.address = Address(address or {})
        self.is_history_navigation = False
        patch.setattr(streamlit, "session_state", self.state)
        patch.setattr(streamlit, "query_params", self.address)
        patch.setattr(memory, "get_script_run_ctx", lambda: self)

    def run(self, *, back_to: dict[str, str] | None = None, datasets: list[str] = DATASETS) -> View:
        """Run the script as the browser asks for it, and return what is on the screen."""
        self.is_history_navigation = back_to is not None
        if back_to is not None:
            self.address.from_dict(back_to)
        memory.remember(datasets)
        memory.update_address(datasets)
        # Whatever happens: the address says what is on the screen.
        assert read_address(self.address, datasets) == (memory.view(), {})
        return memory.view()


def test_a_visit_begins_with_what_the_address_asks_for_and_leaves_it_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
):
    for address in ({}, {"k": "5"}, {"tau": "12", "dataset": "small", "utm": "x"}):
        visit = Visit(monkeypatch, address)
        assert visit.run() == read_address(address, DATASETS)[0]
        assert list(visit.address.items()) == list(address.items())


def test_what_does_not_fit_is_said_until_something_else_is_chosen(monkeypatch: pytest.MonkeyPatch):
    visit = Visit(monkeypatch, {"dataset": "small", "k": "7", "tau": "-5"})
    for _ in range(3):
        assert visit.run() == View(dataset="small")
        assert list(memory.notes()) == ["k", "tau"]
    memory.change(k=20)
    assert visit.run() == View(dataset="small", k=20)
    assert not memory.notes()


@pytest.mark.parametrize("told", [{}, {"dataset": "sample", "tau": "0"}, {"tau": "x", "k": "5"}])
def test_an_address_that_is_late_or_lost_is_written_again(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str]
):
    visit = Visit(monkeypatch, address_parts(SMALL))
    visit.run()
    visit.address.from_dict(told)
    assert visit.run() == SMALL
    assert visit.address == address_parts(SMALL)


def test_back_and_forward_show_what_was_seen_there(monkeypatch: pytest.MonkeyPatch):
    visit = Visit(monkeypatch)
    visit.run()
    seen = [dict(visit.address)]
    for parts in ({"k": 20}, {"tau": 12}, {"dataset": "small"}, {"tau": None}, {"pin": SMALL}):
        memory.change(**parts)
        visit.run()
        seen.append(dict(visit.address))
    for there in (*reversed(seen), *seen):
        assert visit.run(back_to=there) == read_address(there, DATASETS)[0]
        assert visit.address == there


def test_a_dataset_that_goes_away_is_replaced_and_said(monkeypatch: pytest.MonkeyPatch):
    visit = Visit(monkeypatch, address_parts(View(dataset="small", k=5, tau=12, pin=SMALL)))
    visit.run()
    assert visit.run(datasets=["sample"]) == View(k=5, tau=12)
    assert list(memory.notes()) == ["dataset", "pin"]
    assert visit.run(datasets=["sample"]) == View(k=5, tau=12)
    assert list(memory.notes()) == ["dataset", "pin"]


def test_a_control_that_is_gone_says_nothing(monkeypatch: pytest.MonkeyPatch):
    visit = Visit(monkeypatch, address_parts(SMALL))
    visit.run()
    memory.take("tau", "move_tau-1")
    assert visit.run() == SMALL


def test_only_what_the_user_sets_a_control_to_is_an_act(monkeypatch: pytest.MonkeyPatch):
    visit = Visit(monkeypatch, address_parts(replace(SMALL, tau=None)))
    visit.run()
    with control_for("move_tau", 90, "small") as old:
        pass
    with control_for("move_tau", 90, "sample") as now:
        visit.state[now.key] = 90
    # Streamlit calls back for these as well, where the browser tells them late.
    for key, held in ((old.key, 30), (old.key, 90), (now.key, 90)):
        visit.state[key] = held
        memory.take("tau", key)
        assert memory.view().tau is None
    # Moved and moved back before anything was drawn again.
    for tau in (30, 90):
        visit.state[now.key] = tau
        memory.take("tau", now.key)
        assert memory.view().tau == tau


def test_an_act_is_taken_whole_although_its_run_is_stopped(monkeypatch: pytest.MonkeyPatch):
    visit = Visit(monkeypatch, address_parts(SMALL))
    visit.run()
    visit.state |= {"move_tau-control": Control("move_tau-1", 12, (), 1, 12), "move_tau-1": 30}

    class Stopping(SessionState):
        def __getitem__(self, name: str) -> Any:
            raise StopException

        __contains__ = __setitem__ = __getitem__  # type: ignore[assignment]

        def to_dict(self) -> dict[str, Any]:
            return dict(self.items())

    monkeypatch.setattr(streamlit, "session_state", Stopping(visit.state))
    memory.take("tau", "move_tau-1")
    memory.note("typed", "Something.")
    monkeypatch.setattr(streamlit, "session_state", visit.state)
    assert memory.notes() == {"typed": "Something."}
    assert visit.run() == replace(SMALL, tau=30)


acts = st.lists(
    st.one_of(
        st.tuples(st.just("change"), st.sampled_from(["k", "tau", "dataset"]), st.integers(0, 2)),
        st.tuples(st.just("back"), st.integers(0, 20)),
        st.tuples(st.just("lose"), st.integers(0, 20)),
        st.tuples(st.just("run")),
    ),
    max_size=30,
)
VALUES: dict[str, list[Any]] = {"k": [5, 10, 20], "tau": [None, 12, 93], "dataset": DATASETS * 2}


@given(acts)
def test_only_acts_of_the_user_change_what_is_on_the_screen(steps: list[tuple[Any, ...]]):
    with pytest.MonkeyPatch.context() as patch:
        visit = Visit(patch, address_parts(SMALL))
        wanted = visit.run()
        history = [dict(visit.address)]
        for step, *how in steps:
            back_to = None
            if step == "change":
                part, value = how[0], VALUES[how[0]][how[1]]
                memory.change(**{part: value})
                wanted, _ = read_address(
                    {**address_parts(wanted), part: str(value or "")}, DATASETS
                )
            elif step == "back":
                back_to = history[how[0] % len(history)]
                wanted, _ = read_address(back_to, DATASETS)
            elif step == "lose":  # what the browser tells is older than what was written
                visit.address.from_dict(history[how[0] % len(history)] if how[0] % 2 else {})
            assert visit.run(back_to=back_to) == wanted
            history.append(dict(visit.address))
            assert urlencode(visit.address)


def test_a_control_stays_as_long_as_it_shows_what_it_is_to_show(monkeypatch: pytest.MonkeyPatch):
    state = SessionState()
    monkeypatch.setattr(streamlit, "session_state", state)

    def draw(value: object, *scope: str) -> Control[Any]:
        with control_for("move", value, *scope) as drawn:
            state.setdefault(drawn.key, drawn.initial)  # as a widget does when it is drawn
        return drawn

    first = draw(12, "small")
    assert draw(12, "small") is first
    state[first.key] = 20  # moved by the user, and the memory follows
    assert draw(20, "small") is first
    other = draw(30, "small")  # changed by another control
    assert (other.key != first.key, other.initial) == (True, 30)
    elsewhere = draw(30, "sample")
    assert elsewhere.key not in (first.key, other.key)
    del state[elsewhere.key]  # it was not drawn on another page
    again = draw(30, "sample")
    assert len({first.key, other.key, elsewhere.key, again.key}) == 4
    state[again.key] = 99  # refused: the memory keeps 30
    refused = draw(30, "sample")
    assert refused.key != again.key
    state[refused.key] = 31  # what may hold anything stays
    assert draw(ANYTHING, "sample") is refused


def test_a_control_keeps_what_was_refused_as_long_as_that_is_said(monkeypatch: pytest.MonkeyPatch):
    state = SessionState()
    monkeypatch.setattr(streamlit, "session_state", state)

    def draw(refused: bool) -> Control[Any]:
        with control_for("type", "12", "small", refused=refused) as drawn:
            state.setdefault(drawn.key, drawn.initial)
        return drawn

    box = draw(refused=False)
    state[box.key] = "12,5"
    assert act_on(box.key) == "12,5"
    assert draw(refused=True) is box
    assert act_on(box.key) is NOTHING  # the same again is no act
    state[box.key] = "12"
    assert act_on(box.key) == "12"
    state[box.key] = "-3"
    assert draw(refused=True) is not box  # not yet refused
    state[box.key] = "12,5"
    assert draw(refused=False) is not box


def test_a_control_keeps_a_text_that_means_what_it_is_to_show(monkeypatch: pytest.MonkeyPatch):
    state = SessionState()
    monkeypatch.setattr(streamlit, "session_state", state)

    def draw(number: int) -> Control[Any]:
        with control_for("type", str(number), means=lambda text: float(text) == number) as drawn:
            state.setdefault(drawn.key, drawn.initial)
        return drawn

    box = draw(12)
    for text in ("12.0", "12", "+12"):
        state[box.key] = text
        assert act_on(box.key) == text
        assert draw(12) is box
        assert act_on(box.key) is NOTHING
    other = draw(13)  # set by another control
    assert (other.key != box.key, other.initial) == (True, "13")


def test_a_control_that_takes_the_place_of_another_is_drawn_beside_it():
    """In the same place a browser would show both until the run has ended."""

    def script() -> None:
        import streamlit

        from pages.parts.control import control_for

        with control_for("name", streamlit.session_state.get("shown", "a")) as control:
            streamlit.text_input("Name", control.initial, key=control.key)

    app = AppTest.from_function(script).run()
    (places,) = app.main.children.values()
    assert [place.type for place in places.children.values()] == ["flex_container", "empty"]
    app.session_state["shown"] = "b"
    app.run()
    (places,) = app.main.children.values()
    assert [place.type for place in places.children.values()] == ["empty", "flex_container"]
    assert app.text_input[0].value == "b"
