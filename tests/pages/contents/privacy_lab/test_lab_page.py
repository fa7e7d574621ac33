"""The page Privacy lab, without a browser."""

from __future__ import annotations

import time

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.driving import array, figures, open_page, texts

pytestmark = pytest.mark.usefixtures("folders")


def open_tab(name: str, **address: object) -> AppTest:
    app = open_page("privacy_lab", dataset="small", **address)
    app.session_state["lab_tab"] = name
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def test_coins_are_thrown_once_and_a_thousand_times():
    app = open_tab("Coins")
    assert "Nothing is thrown yet" in app.info[0].value
    press(app, "lab_once")
    assert "coin" in texts(app)
    press(app, "lab_many")
    bars = figures(app)[0]["data"]
    assert sum(array(bar["y"]).sum() for bar in bars) == 1000
    assert "a probability of **80\xa0%**" in texts(app)


def test_the_attack_is_begun_by_a_button_and_says_what_came_out():
    app = open_tab("Adversary", strategy="gain", k=5)
    assert not app.get("plotly_chart")
    press(app, "lab_attack")
    deadline = time.monotonic() + 120
    while not app.get("plotly_chart") and time.monotonic() < deadline:
        time.sleep(0.5)
        app.run()
        assert not app.exception
    said = texts(app)
    assert "guessing" in said
    assert "no upper bound" in said
    assert "τ =" in said
    title = figures(app)[0]["layout"]["title"]["text"]
    assert "with Gain" in title.replace("<br>", " ").replace("\xa0", " ")


@pytest.mark.parametrize("tau", [0, 20, 123456])
def test_epsilon_is_explained_at_every_tau(tau: int):
    app = open_tab("What ε means", tau=tau)
    assert "16 times" in texts(app)
    assert bool(figures(app)) == (tau < 123456)


def test_the_audit_shows_what_is_stated_beside_what_is_proven():
    app = open_tab("Audit")
    assert len(figures(app)) == 1
    assert "No finite ε holds" in texts(app)


def test_the_example_goes_forth_and_back_and_asks_before_it_answers():
    app = open_page("privacy_lab", dataset="small")
    assert "Who can be a neighbor for *Elf*" in texts(app)
    assert "is a candidate" not in texts(app)
    app.toggle(key="lab_answer_0_candidates").set_value(True).run()
    assert "is a candidate: " in texts(app)
    press(app, "lab_next")
    assert "Whom does each strategy choose" in texts(app)
    app.toggle(key="lab_answer_0_ranks").set_value(True).run()
    assert "Gain takes Ben" in texts(app)
    press(app, "lab_back")
    assert "Who can be a neighbor for *Elf*" in texts(app)
    assert app.button(key="lab_back").disabled
    app.session_state["lab_step"] = 99
    app.run()
    assert app.button(key="lab_next").disabled
    assert "All queries together" in app.header[0].value


@pytest.mark.parametrize("left", [False, True])
def test_a_film_that_ends_does_not_call_back_who_has_left(left: bool):
    """Its fragment goes on while the next page is on its way."""

    def script() -> None:
        from unittest.mock import patch

        import streamlit as st

        from pages.contents.privacy_lab import coins_view
        from pages.parts import memory

        if "page" not in st.session_state:
            memory.remember_page()
        st.session_state.count = st.session_state.get("count", 0) + 1
        with patch.object(coins_view, "_draw_throws"):
            coins_view._throws(None, None, 3.0)  # type: ignore[arg-type]

    app = AppTest.from_function(script)
    app.session_state["lab_playing"], app.session_state["lab_throws"] = True, 700
    if left:
        app.session_state["page"] = "another"
    app.run()
    assert not app.exception
    assert app.session_state["lab_throws"] == 1000
    assert app.session_state["count"] == (1 if left else 2)


def test_what_is_attacked_is_kept_while_another_page_is_open():
    """Else the attack that runs would be out of sight."""
    app = open_tab("Adversary")
    app.get_by_key("lab_victims").set_value(400).run()
    app.get_by_key("lab_knowledge").set_value(0.8).run()
    app.switch_page("pages/overview.py").run()
    app.switch_page("pages/privacy_lab.py").run()
    app.session_state["lab_tab"] = "Adversary"
    app.run()
    chosen = app.get_by_key("lab_victims").value, app.get_by_key("lab_knowledge").value
    assert chosen == (400, 0.8)


def test_who_comes_back_finds_the_tab_that_was_open():
    app = open_tab("Audit")
    audit = texts(app)
    app.switch_page("pages/tradeoff.py").run()
    app.switch_page("pages/privacy_lab.py").run()
    assert not app.exception
    assert app.session_state["lab_tab"] == "Audit"
    assert texts(app) == audit
