"""The fast way to read a text and the careful one agree on whatever the fast one accepts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.datasets import fields
from engine.datasets.at_once import read_at_once
from engine.datasets.layout import find_layout
from engine.datasets.line_by_line import read_line_by_line
from engine.errors import InputError

FIELD = st.one_of(
    st.sampled_from(["1", "2", "a", "NA", "3.5", "3,5", " a", "b ", "", '"a"', '"a,b"', '"a""b"']),
    st.text(alphabet='ab1,;\t" \u00e9\u2028\x0b\x85\xa0', max_size=4),
)
RATING = st.one_of(
    st.sampled_from(["3", "4.5", "-1", "+2", " 3", "3 ", ".5", "5.", "1e2", '"3"', "3,5", "1.234"]),
    st.sampled_from(["1,234", "1.234,5", "nan", "inf", "1e999", "", "x", "0x1", "\u00a03", "1_0"]),
)
LINE_END = st.sampled_from(["\n", "\r\n", "\r", "\n\n", " \n", "\r\r\n"])


# Mostly plain rows, so that many texts are accepted by both.
PLAIN = st.tuples(
    st.sampled_from(["a", "b", "1"]),
    st.sampled_from(["x", " y", "2 "]),
    st.sampled_from(["3", "4.5"]),
    st.just("\n"),
)
ODD = st.tuples(FIELD, FIELD, RATING, LINE_END)


@settings(max_examples=300)
@given(
    st.sampled_from(list(fields.NAMES)),
    st.lists(st.one_of(PLAIN, PLAIN, PLAIN, ODD), min_size=1, max_size=6),
    st.sampled_from(["", "user{0}item{0}rating\n", "\nuser{0}item{0}rating\r\n"]),
)
def test_both_ways_agree(
    separator: str, table: list[tuple[str, str, str, str]], header: str
) -> None:
    text = header.format(separator) + "".join(separator.join(row[:3]) + row[3] for row in table)
    data = text.encode()
    try:
        layout = find_layout(data)
    except InputError:
        return
    unified, delimiter = fields.unify(data, layout.separator)
    fast = read_at_once(unified, delimiter, layout)
    if fast is None:
        return
    careful = read_line_by_line(unified, delimiter, layout)
    assert list(fast.user_labels) == list(careful.user_labels)
    assert list(fast.item_labels) == list(careful.item_labels)
    assert fast.user.tolist() == careful.user.tolist()
    assert fast.item.tolist() == careful.item.tolist()
    assert fast.value.tolist() == careful.value.tolist()
    assert fast.blank_lines == careful.blank_lines
    assert fast.decimal == careful.decimal
