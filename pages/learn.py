"""A guided tour over the pages, for classes, and the words of the paper."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.frame import TITLES, in_frame
from pages.parts.learn.glossary import GLOSSARY
from pages.parts.learn.tour import TOUR, answer_of

#: Streamlit has no color for links of one's own; these are those of the two themes.
_LINK = "color: inherit; color: light-dark(#005A8C, #56B4E9); font-weight: 600"

in_frame()

st.header("Tour", anchor="tour")
st.markdown(
    "Six questions on the generated sample, a few minutes each, and [the words of the paper]"
    "(#glossary). Each link opens a page with everything set; the Back button returns here."
)
for number, step in enumerate(TOUR, start=1):
    with st.container(border=True):
        st.subheader(f"{number}. {step.title}", anchor=f"step-{number}")
        st.markdown(step.question)
        # In the same window: Markdown and buttons would open another one.
        st.html(
            f'<a href="{escape(step.link)}" target="_self" style="{_LINK}">'
            f"Open {escape(TITLES[step.page])} with these settings</a>"
        )
        with st.container(gap="xsmall"):
            with st.expander("A hint", type="compact", icon=":material/lightbulb:"):
                st.markdown(step.hint)
            with st.expander("The answer", type="compact", icon=":material/check:"):
                st.markdown(answer_of(step))
with st.expander("Links to hand out", type="compact", icon=":material/link:"):
    here = (st.context.url or "").rpartition("/")[0]
    st.code("\n".join(f"{here}/{step.link}" for step in TOUR), language=None, wrap_lines=True)

st.header("Glossary", anchor="glossary")
for group, terms in GLOSSARY.items():
    st.subheader(group)
    places = st.grid(2, min_column_width=560, gap="medium")
    for term in terms:
        with places.cell(), st.container(gap="xsmall"):
            st.markdown(f"#### {term.name}\n{term.sentence}")
            if term.formula:
                with st.expander("The formula", type="compact", icon=":material/function:"):
                    st.markdown(term.formula.words)
                    st.latex(term.formula.latex)
