"""Whatever is written in any of the layouts is read back as it was."""

from __future__ import annotations

import csv
import gzip
import io
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.datasets.uploads import Row, rows, upload, zipped

NAMES = {
    "user": ["user", "userId", "user_id", "UserID", "uid", "User-ID", "reviewerID"],
    "item": ["item", "itemId", "item_id", "movieId", "MovieID", "ISBN", "asin", "artist"],
    "rating": ["rating", "Rating", "score", "stars", "value", "Book-Rating"],
    "timestamp": ["timestamp", "Time", "date", "unixReviewTime"],
}
LABEL = st.one_of(
    st.sampled_from(["7", "007", "1e5", "NA", "null", "nan", "None", "true", "u1", "12.50"]),
    st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=1, max_size=8),
)
QUOTED_LABEL = st.text('ab,;:| "\u00e9', min_size=1, max_size=6).map(lambda text: f"x{text}x")
VALUE = st.one_of(st.integers(0, 10).map(float), st.sampled_from([0.5, 3.5, 2.25, -9.281, 4.0]))


def table_of(label: Any) -> Any:
    return st.lists(
        st.tuples(label, label, VALUE), min_size=1, max_size=12, unique_by=lambda row: row[:2]
    )


def number(value: float, decimal: str) -> str:
    text = f"{value:g}" if value == int(value) else repr(value)
    return text.replace(".", decimal)


@settings(max_examples=200)
@given(st.data())
def test_plain_text(data: Any) -> None:
    table: list[Row] = data.draw(table_of(LABEL))
    separator = data.draw(st.sampled_from([",", ";", "\t", "::", "|", " ", "\t\t"]))
    decimal = data.draw(st.sampled_from(".,")) if separator == ";" else "."
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    columns = ["user", "item", "rating"] + ["timestamp"] * data.draw(st.booleans())
    header = data.draw(st.booleans())
    if header:
        columns = data.draw(st.permutations(columns))
    lines = [separator.join(data.draw(st.sampled_from(NAMES[c])) for c in columns)] * header
    for user, item, value in table:
        fields = {"user": user, "item": item, "rating": number(value, decimal)}
        fields["timestamp"] = "978300760"
        lines.append(separator.join(fields[column] for column in columns))
        lines += [""] * data.draw(st.integers(0, 1))
    content = (end.join(lines) + end * data.draw(st.integers(0, 2))).encode(
        data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
    )
    packing = data.draw(st.sampled_from(["none", "gz", "zip"]))
    if packing == "gz":
        content = gzip.compress(content)
    elif packing == "zip":
        content = zipped({"ratings.csv": content})
    ratings = upload(content)
    assert rows(ratings) == table
    assert ratings.report.header is header


@settings(max_examples=200)
@given(
    table_of(QUOTED_LABEL), st.sampled_from(",;"), st.booleans(), st.sampled_from(["\n", "\r\n"])
)
def test_quoted_text(table: list[Row], separator: str, all_quoted: bool, end: str) -> None:
    buffer = io.StringIO()
    writer = csv.writer(
        buffer,
        delimiter=separator,
        lineterminator=end,
        quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerow(["user", "item", "rating"])
    writer.writerows((user, item, number(value, ".")) for user, item, value in table)
    assert rows(upload(buffer.getvalue())) == table


@given(table_of(st.sampled_from("abc")), st.integers(1, 3))
def test_of_duplicates_the_last_stays(table: list[Row], times: int) -> None:
    doubled = [(user, item, value - 1) for user, item, value in table] * times + table
    text = "".join(f"{user},{item},{value!r}\n" for user, item, value in doubled)
    ratings = upload("user,item,rating\n" + text)
    assert rows(ratings) == table
    assert ratings.report.duplicates == len(doubled) - len(table)
