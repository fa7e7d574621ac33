"""Parts of a page that draw again by themselves, and the run that follows theirs."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[3]


def test_what_polls_is_alone_in_a_container():
    def script() -> None:
        import streamlit as st

        from pages.parts.polling import polling

        st.title("first")
        polling("60s")(lambda: st.caption("looks by itself"))()
        st.header("last")

    app = AppTest.from_function(script).run()
    first, alone, last = app.main.children.values()
    assert (first.type, last.type) == ("title", "header")
    (fragment,) = alone.children.values()
    (caption,) = fragment.children.values()
    assert caption.value == "looks by itself"


def test_nothing_else_makes_fragments():
    sources = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]
    makers = [source.name for source in sources if "st.fragment" in source.read_text("utf-8")]
    assert makers == ["polling.py"]


def test_a_page_is_drawn_at_the_top_also_after_the_run_of_a_fragment():
    def script() -> None:
        import streamlit as st

        from pages.parts.frame import begin_at_the_top

        st.container().__enter__()  # as a fragment's run leaves the thread behind
        begin_at_the_top()
        st.title("top")

    app = AppTest.from_function(script).run()
    assert [child.type for child in app.main.children.values()][-1] == "title"
    assert "begin_at_the_top()" in (ROOT / "app.py").read_text("utf-8")
