"""A guided tour over the pages, a lesson around it, and the words of the paper."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from pages.contents.learn import lesson
from pages.contents.learn.glossary import GLOSSARY
from pages.contents.learn.tour import TOUR, answer_of
from pages.parts import memory
from pages.parts.drawing.download import draw_download
from pages.parts.drawing.page import draw_question
from pages.parts.frame import TITLES, in_frame

#: Streamlit has no color for links of one's own; these are those of the two themes.
_LINK = "color: inherit; color: light-dark(#005A8C, #56B4E9); font-weight: 600"

in_frame()
draw_question("What is this all about, what is there to find out, and what do the words mean?")

st.header("Tour", anchor="tour")
st.markdown(
    "Six questions on the generated sample, a few minutes each, and [the words of the paper]"
    "(#glossary). Each link opens a page with everything set. The question goes with you, and "
    "“Next question” leads on."
)
for number, step in enumerate(TOUR, start=1):
    with st.container(border=True):
        st.subheader(f"{number}. {step.title}", anchor=f"step-{number}")
        st.markdown(step.question)
        # In the same window: Markdown and buttons would open another one.
        st.html(
            f'<a href="{escape(step.link_from(memory.view()))}" target="_self" style="{_LINK}">'
            f"Open {escape(TITLES[step.page])} with these settings</a>"
        )
        with st.container(gap="xsmall"):
            with st.expander("A hint", type="compact", icon=":material/lightbulb:"):
                st.markdown(step.hint)
            with st.expander("The answer", type="compact", icon=":material/check:"):
                st.markdown(answer_of(step))
address = (st.context.url or "").rpartition("/")[0]
with st.expander("Links to hand out", type="compact", icon=":material/link:"):
    st.code("\n".join(f"{address}/{step.link}" for step in TOUR), language=None, wrap_lines=True)

st.header("Lesson", anchor="lesson")
st.markdown(
    f"**{lesson.TITLE}** The tour as a lesson of {lesson.MINUTES} minutes, with exercises that "
    "bring their own data, and what is often misunderstood. Afterwards everybody can:"
)
st.markdown("\n".join(f"- {goal}" for goal in lesson.GOALS))
with st.container(horizontal=True):
    for label, answers, name in (
        ("Handout to print", False, "reuseknn-handout"),
        ("For teachers, with answers", True, "reuseknn-lesson"),
    ):
        draw_download(
            label, partial(lesson.make_handout, address, answers=answers), f"{name}.html", name
        )
with st.expander("The sequence", type="compact", icon=":material/schedule:"):
    st.table(
        {
            "part": [part.title for part in lesson.PARTS],
            "minutes": [str(part.minutes) for part in lesson.PARTS],
        },
        alt="The parts of the lesson and their minutes",
    )

st.header("Glossary", anchor="glossary")
st.caption(
    "Every section and every word here has an address of its own: point at its heading, and copy "
    "the link beside it."
)
for group, terms in GLOSSARY.items():
    st.subheader(group, divider="gray")
    places = st.grid(2, min_column_width=560, gap="medium")
    for term in terms:
        with places.cell(), st.container(gap="xsmall"):
            st.subheader(term.name, anchor=term.anchor)
            st.markdown(term.sentence)
            if term.formula:
                with st.expander("The formula", type="compact", icon=":material/function:"):
                    st.markdown(term.formula.words)
                    st.latex(term.formula.latex)
