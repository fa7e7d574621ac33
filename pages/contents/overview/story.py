"""What this is and for whom, and one drawn example: the first thing a visitor sees."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from pages.parts import memory
from pages.parts.address import address_parts

WHAT_THIS_IS: Final = (
    "Recommenders of the kind “people like you rated this” use the ratings of a few people to "
    "serve others. This tool shows whose ratings they use, how often, and what it costs to protect "
    "those people with noise. It is for students and teachers who want to understand it, for those "
    "who must decide on it, and for researchers who check it."
)
#: A drawing and the words below it. A real rating is in a warning color, a noisy one is calm.
STEPS: Final = {
    "query.svg": "**A rating query.** Ann asks what she would rate *Alien*. The recommender looks "
    "for people who rated it and who rated other films as Ann did: her neighbors.",
    "use.svg": "**A use.** Ben is a neighbor. His five stars go into Ann's prediction. Whoever "
    "sees predictions can learn what Ben rated, and the more often he is used, the more.",
    "coin.svg": "**A coin.** Cy was used τ times before. So coins are thrown from now on, and in a "
    "quarter of the uses a random rating of the scale goes out. So nobody can be sure of a single "
    "answer.",
}

#: What each drawing shows.
ALT: Final = {
    "query.svg": "Ann asks whether she would like a film",
    "use.svg": "Ben's rating of five stars goes to Ann: one use",
    "coin.svg": "Coins decide whether Cy's real rating or a random one goes out",
}


def draw_story() -> None:
    """Draw what this is, and the example unless the visitor has folded it away."""
    st.markdown(WHAT_THIS_IS)
    if memory.view().folded:
        st.button("Show the example", key="story", on_click=_fold, type="tertiary")
        return
    with st.container(border=True):
        with st.grid(3, min_column_width=230):
            for drawing, words in STEPS.items():
                with st.container(gap="small"):
                    st.image(Path(__file__).with_name(drawing), width=260, alt=ALT[drawing])
                    st.markdown(words)
        with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
            st.page_link(
                "pages/learn.py",
                label="Start the tour",
                icon=":material/school:",
                query_params=address_parts(memory.view()),
            )
            st.button("Fold the example away", key="story", on_click=_fold, type="tertiary")


def _fold() -> None:
    memory.change(folded=not memory.view().folded)
