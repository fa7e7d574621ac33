from __future__ import annotations

import numpy as np

from engine.protection_summary import PROTECTION_CLASSES, ProtectionSummary
from pages.contents.people.sections import ALL_PEOPLE
from pages.contents.people.summary import (
    make_summary_figure,
    protection_sentence,
    protection_table,
    summary_title,
)
from pages.contents.people.user_choice import TAB
from tests.pages.driving import figures, open_page, texts

SUMMARIES = {
    "userknn": ProtectionSummary.of([np.array([0, 5, 40, 90])], 10),
    "gain": ProtectionSummary.of([np.array([0, 0, 2, 12])], 10),
}
NOBODY = {strategy: ProtectionSummary.of([np.array([0, 2])], 10) for strategy in SUMMARIES}


def test_the_words_and_the_figure_say_the_same():
    table = protection_table(SUMMARIES).set_index("strategy")
    assert table.loc["UserKNN"].tolist()[:5] == [25, 25, 0, 50, 0]
    title = summary_title(SUMMARIES, "gain", "userknn")
    assert title == (
        "0\xa0% of the users have half or more of their uses protected with Gain, "
        "50\xa0% with UserKNN"
    )
    figure = make_summary_figure(SUMMARIES, "gain")
    assert [trace.name for trace in figure.data] == list(PROTECTION_CLASSES)
    assert [sum(trace.x[row] for trace in figure.data) for row in (0, 1)] == [1, 1]
    sentence = protection_sentence(SUMMARIES, 10, "gain", "userknn")
    assert "**25\xa0% of the users are used, but at most τ times" in sentence
    assert "50\xa0% are never used" in sentence
    assert "Nobody is vulnerable" in protection_sentence(NOBODY, 10, "gain", "userknn")


def test_the_page_shows_all_users_and_says_how_to_find_one_without_a_mouse(folders):
    app = open_page("people", dataset="small", strategy="gain", tau=20)
    app.session_state[TAB] = ALL_PEOPLE
    app.run()
    bars = figures(app)[-1]["data"]
    assert [bar["name"] for bar in bars] == list(PROTECTION_CLASSES)
    assert "or type the id on the tab “One person”" in texts(app)
