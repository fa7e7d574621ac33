"""Tables of users by items: a row a user, a column an item, or the other way round."""

from __future__ import annotations

import pytest

from engine.errors import InputError
from tests.engine.datasets.uploads import Row, rows, upload, warnings

Content = bytes | str

BOTH: list[Row] = [("7", "A", 5.0), ("7", "C", 1.0), ("8", "B", 4.0), ("8", "C", 3.0)]
MATRICES: dict[str, tuple[Content, list[Row]]] = {
    "item ids, empty cells": ("userId,A,B,C\n7,5,,1\n8,,4,3\n", BOTH),
    "pandas without a name": (",A,B,C\n7,5.0,,1.0\n8,,4.0,3.0\n", BOTH),
    "NaN where nobody rated": ("user_id,A,B,C\n7,5,NaN,1\n8,nan,4,3\n", BOTH),
    "a spreadsheet in Europe": (";A;B;C\n7;5,0;;1\n8;;4;3,0\n", BOTH),
    "0 where nobody rated": (",A,B,C\n7,5,0,1\n8,0,4,3\n", BOTH),
    "-1 where nobody rated": ("user,A,B,C\n7,5,-1,1\n8,-1,4,3\n", BOTH),
    "rows are items": ("movieId,7,8,9\nA,5,,\nB,,4,\nC,1,3,2\n", [*BOTH, ("9", "C", 2.0)]),
    "titles": (
        'name,"Alien (1979)","Brazil, 1985",Dune\nann,5,1,3\nbob,2,,4\n',
        [
            *(("ann", "Alien (1979)", 5.0), ("ann", "Brazil, 1985", 1.0), ("ann", "Dune", 3.0)),
            *(("bob", "Alien (1979)", 2.0), ("bob", "Dune", 4.0)),
        ],
    ),
    "percentages": (
        ",A,B,C\n7,50,,75\n8,,90,20\n9,10,,\n",
        [
            *(("7", "A", 50.0), ("7", "C", 75.0), ("8", "B", 90.0)),
            *(("8", "C", 20.0), ("9", "A", 10.0)),
        ],
    ),
    "no header, fractions": (
        "-7.5,99,3.25\t\n".replace("\t\n", ",99\n") + "99,0.5,99,2.25\n",
        [("1", "1", -7.5), ("1", "3", 3.25), ("2", "2", 0.5), ("2", "4", 2.25)],
    ),
    "no header, decimal commas": (
        "99;-7,5;3,1;99\n4,25;99;-9,9;2\n",
        [("1", "2", -7.5), ("1", "3", 3.1), ("2", "1", 4.25), ("2", "3", -9.9), ("2", "4", 2.0)],
    ),
    "R with names of its rows": ('"A" "B" "C"\n"7" 5 NA 1\n"8" NA 4 3\n', BOTH),
    "R with names between tabs": ("A\tB\tC\n8\tNA\t4\t3\n7\t5\tNA\t1\n", BOTH),
    "two values where nobody rated": (
        "user,A,B,C,D\n7,5,98,1,2\n8,99,4,3,98\n",
        [*BOTH, ("7", "D", 2.0)],
    ),
    "a header of numbers": (
        "0,1,2,3\n99,-7.5,3.25,99\n0.5,99,99,2.25\n",
        [("1", "1", -7.5), ("1", "2", 3.25), ("2", "0", 0.5), ("2", "3", 2.25)],
    ),
    "no header, named rows": (
        "ann,4.5,,3.5\nbob,,2.5,1\n",
        [("ann", "1", 4.5), ("ann", "3", 3.5), ("bob", "2", 2.5), ("bob", "3", 1.0)],
    ),
}


@pytest.mark.parametrize("name", MATRICES)
def test_a_table_of_users_by_items_is_read_and_named(name: str) -> None:
    content, expected = MATRICES[name]
    ratings = upload(content)
    assert sorted(rows(ratings)) == sorted(expected)
    assert "Read as a table of users by items" in warnings(ratings)


def test_a_table_of_jokes_as_pandas_writes_it_has_no_item_of_counts() -> None:
    text = ",0,1,2,3,4\n0,3,-7.82,99,8.79,1.5\n1,1,99,99,4.08,99\n2,2,9.03,9.27,99,99\n"
    without_names = "\n".join(line.split(",", 1)[1] for line in text.splitlines())
    for table in (text, without_names, text[text.index("\n") + 1 :]):
        ratings = upload(table)
        assert (ratings.n_users, ratings.n_items, ratings.n_ratings) == (3, 4, 6)
        assert "Read as a table of users by items" in " ".join(ratings.report.notes)


def test_sums_and_means_at_the_edges_are_left_out_and_named() -> None:
    plain = upload("user,A,B,C\nann,5,1,3\nbob,2,,4\ncid,,3,5\n")
    sums = upload("user,A,B,C,Total\nann,5,1,3,9\nbob,2,,4,6\ncid,,3,5,8\nTotal,7,4,12,23\n")
    assert sorted(rows(sums)) == sorted(rows(plain))
    assert 'The last column, "Total", holds the sum of the others: it was left' in warnings(sums)
    assert 'The last row, "Total", holds the sum of the others: it was left out' in warnings(sums)
    means = upload("user,A,B,C,D,Average\na,5,1,3,4,3.25\nb,2,,4,3,3\nc,,3,5,1,3\n")
    assert "Average" not in means.items
    assert 'The last column, "Average", holds the mean of the others' in warnings(means)


@pytest.mark.parametrize("last", ["4,4,4", "5,2,1", "3,3,4", "1,1,1"])
def test_an_item_at_the_edge_stays(last: str) -> None:
    cells = ["ann,5,1,3", "bob,2,,4", "cid,,3,5"]
    text = "".join(f"{row},{value}\n" for row, value in zip(cells, last.split(","), strict=True))
    assert upload("user,A,B,C,D\n" + text).n_items == 4


def test_items_of_one_name_are_named() -> None:
    ratings = upload("user,A,B,A\nann,5,1,3\nbob,2,,4\ncid,4,3,\n")
    assert 'Several columns are named "A": they were read as one.' in warnings(ratings)


def test_a_matrix_of_whole_numbers_is_known_by_pairs_that_come_again() -> None:
    text = "".join(f"{n % 5 + 1},{n % 3 + 1},{(2 * n) % 5 + 1},{n % 4 + 1}\n" for n in range(40))
    assert upload(text).n_users == 40


def test_a_matrix_may_have_more_columns_than_a_list() -> None:
    header = "userId," + ",".join(str(item) for item in range(5_000))
    row = ",".join("" if item % 7 else str(item % 5 + 1) for item in range(5_000))
    ratings = upload(f"{header}\na,{row}\nb,{row}\n")
    assert (ratings.n_users, ratings.n_items) == (2, 715)


def test_a_faulty_cell_of_a_matrix_is_named_by_its_line() -> None:
    good = "".join(f"u{n},5,,3\n" for n in range(300))
    with pytest.raises(InputError, match='Line 302 has the rating "good"'):
        upload(f"user,A,B,C\n{good}v,5,good,3\n")
    with pytest.raises(InputError, match="Line 302 has no user"):
        upload(f"user,A,B,C\n{good},5,2,3\n")


def test_chosen_columns_make_a_list_of_what_looks_like_a_matrix() -> None:
    columns = {"user": 1, "item": 2, "rating": 3}
    assert rows(upload("userId,A,B,C\n7,5,2,1\n8,2,4,3\n", columns=columns)) == [
        ("7", "5", 2.0),
        ("8", "2", 4.0),
    ]
