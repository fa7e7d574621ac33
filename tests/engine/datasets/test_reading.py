"""Ordinary files of all kinds: read right, or refused in one sentence with line and cause."""

from __future__ import annotations

import codecs
from typing import Any

import pytest

from engine.datasets import Scale
from engine.errors import InputError
from tests.engine.datasets.uploads import Row, rows, upload

A_B: list[Row] = [("a", "x", 3.0), ("b", "y", 4.5)]
BODY = "a,x,3\nb,y,4.5\n"
HALF_STARS = {"scale": Scale(0.5, 5.0, 0.5)}

READ_RIGHT: dict[str, tuple[bytes | str, list[Row]]] = {
    # separators
    "commas": ("user,item,rating\n" + BODY, A_B),
    "tabs": ("user\titem\trating\na\tx\t3\nb\ty\t4.5\n", A_B),
    "double colons": ("a::x::3::978300760\nb::y::4.5::978300760\n", A_B),
    "double colon, colon in id": (
        "a:1::x::3::9\nb::y:2::4.5::9\n",
        [("a:1", "x", 3.0), ("b", "y:2", 4.5)],
    ),
    "semicolons": ("user;item;rating\na;x;3\nb;y;4,5\n", A_B),
    "semicolons and points": ("user;item;rating\na;x;3\nb;y;4.5\n", A_B),
    "bars": ("a|x|3\nb|y|4.5\n", A_B),
    "spaces (FilmTrust)": ("a x 3\nb y 4.5\n", A_B),
    "ragged spaces": ("  a   x 3  \nb\ty \t4.5\n\n", A_B),
    "double tabs (Jester)": ("a\t\tx\t\t3\t\t\nb\t\ty\t\t4.5\t\t\n", A_B),
    "comma and space": ("user, item, rating\na, x, 3\nb, y, 4.5\n", A_B),
    "commas within semicolons": (
        "user;item;rating\na;x, y, z;3\nb;y, z, w;4,5\n",
        [("a", "x, y, z", 3.0), ("b", "y, z, w", 4.5)],
    ),
    "semicolons within commas": (
        "user,item,rating\na,x;y;z,3\nb,y;z;w,4.5\n",
        [("a", "x;y;z", 3.0), ("b", "y;z;w", 4.5)],
    ),
    # decimals
    "quoted decimal commas": ('user,item,rating\na,x,"3,0"\nb,y,"4,5"\n', A_B),
    "thousands and decimal comma": (
        "u;i;r\na;x;1.234,5\nb;y;4,5\n",
        [("a", "x", 1234.5), ("b", "y", 4.5)],
    ),
    "thousands and decimal point": (
        'u,i,r\na,x,"1,234.5"\nb,y,4.5\n',
        [("a", "x", 1234.5), ("b", "y", 4.5)],
    ),
    "signs and exponents": ("a,x,+3\nb,y,-4.5e0\n", [("a", "x", 3.0), ("b", "y", -4.5)]),
    # headers and columns
    "no header": (BODY, A_B),
    "one row": ("a,x,3\n", A_B[:1]),
    "no last line end": ("user,item,rating\na,x,3\nb,y,4.5", A_B),
    "other order": ("rating,timestamp,movieId,userId\n3,978300760,x,a\n4.5,978300760,y,b\n", A_B),
    "quoted header": ('"user","item","rating"\n"a","x","3"\n"b","y","4.5"\n', A_B),
    "spelling": ("User_ID;Book-Rating;ISBN\na;3;x\nb;4.5;y\n", A_B),
    "reviewer and stars": ("stars,asin,reviewerID\n3,x,a\n4.5,y,b\n", A_B),
    "RecBole": ("user_id:token\titem_id:token\trating:float\na\tx\t3\nb\ty\t4.5\n", A_B),
    "id before title": ("user,title,movieId,rating\na,T,x,3\nb,T,y,4.5\n", A_B),
    "row numbers of pandas": (",user,item,rating\n0,a,x,3\n1,b,y,4.5\n", A_B),
    "unknown names": ("foo,bar,baz\n" + BODY, A_B),
    "one unknown name": ("wer,movieId,rating\n" + BODY, A_B),
    "all other names unknown": ("Nutzer;Film;Bewertung\na;x;3,0\nb;y;4,5\n", A_B),
    "timestamp before rating": ("a,x,978300760,3\nb,y,978300760,4.5\n", A_B),
    "name of the artist": ("a\tx\tThe Xs\t3\nb\ty\tThe Ys\t4.5\n", A_B),
    "date with spaces": (
        "user,item,rating,date\na,x,3,2001-01-01 12:00\nb,y,4.5,2001-01-02 12:00\n",
        A_B,
    ),
    "comment and header": ("# from our shop\n# user item rating\na x 3\nb y 4.5\n", A_B),
    "KONECT": ("% bip weighted\n% 2 2 2\na x 3 978300760\nb y 4.5 978300760\n", A_B),
    "sep= of Excel": ("sep=;\nuser;item;rating\na;x;3,0\nb;y;4,5\n", A_B),
    # lines
    "CRLF": ("user,item,rating\r\na,x,3\r\nb,y,4.5\r\n", A_B),
    "CR": ("user,item,rating\ra,x,3\rb,y,4.5\r", A_B),
    "mixed line ends": ("user,item,rating\r\na,x,3\rb,y,4.5\n", A_B),
    "blank lines": ("\n  \nuser,item,rating\n\n\na,x,3\n   \nb,y,4.5\n\n", A_B),
    "empty rows of a spreadsheet": ("user,item,rating\na,x,3\n,,\nb,y,4.5\n,,\n", A_B),
    "empty columns of a spreadsheet": ("user,item,rating,,\na,x,3,,\nb,y,4.5,,\n", A_B),
    "comma at the end of rows": ("user,item,rating\na,x,3,\nb,y,4.5,\n", A_B),
    # quotation marks
    "quoted separators": ('u,i,r\n"a, b","x ""y""",3\n', [("a, b", 'x "y"', 3.0)]),
    "quotes behind spaces": ('u,i,r\n"a", "x", 3\n"b", "y", 4.5\n', A_B),
    "lines within a quoted text": (
        'user,item,rating,text\na,x,3,"good,\nreally"\nb,y,4.5,"bad"\n',
        A_B,
    ),
    "marks within an id": (
        'user,item,rating\na,12" vinyl,3\nb,5" tape,4.5\n',
        [("a", '12" vinyl', 3.0), ("b", '5" tape', 4.5)],
    ),
    "one mark in a title between tabs": (
        'user\titem\trating\na\t"Heroes\t3\nb\ty\t4.5\n',
        [("a", '"Heroes', 3.0), ("b", "y", 4.5)],
    ),
    "one mark in the first line": (
        'a\t"Heroes\t3\nb\ty\t4.5\n',
        [("a", '"Heroes', 3.0), ("b", "y", 4.5)],
    ),
    # ids
    "ids like missing values": (
        "NA,null,3\nnan,None,4.5\n",
        [("NA", "null", 3.0), ("nan", "None", 4.5)],
    ),
    "ids like numbers": ("007,1e5,3\n7,1.0,4.5\n", [("007", "1e5", 3.0), ("7", "1.0", 4.5)]),
    "ids with a hash": ("#1,x,3\n#2,y,4.5\n", [("#1", "x", 3.0), ("#2", "y", 4.5)]),
    "ids with spaces around": ("user,item,rating\n a,x ,3\nb , y,4.5\n", A_B),
    "ids with letters of the world": (
        "дима,北京,3\nzoë,☃,4.5\n",
        [("дима", "北京", 3.0), ("zoë", "☃", 4.5)],
    ),
    # encodings
    "byte order mark": (codecs.BOM_UTF8 + b"user,item,rating\na,x,3\nb,y,4.5\n", A_B),
    "UTF-16": (("user,item,rating\n" + BODY).encode("utf-16"), A_B),
    "UTF-16 big end first": (codecs.BOM_UTF16_BE + BODY.encode("utf-16-be"), A_B),
    "UTF-16 without mark": (BODY.encode("utf-16-le"), A_B),
    "UTF-32": (BODY.encode("utf-32"), A_B),
    "Latin-1": (b"zo\xeb,caf\xe9,3\n", [("zoë", "café", 3.0)]),
    "Windows-1252": (b"a,5\x80,3\n", [("a", "5€", 3.0)]),
}


@pytest.mark.parametrize("name", READ_RIGHT)
def test_read_right(name: str) -> None:
    content, expected = READ_RIGHT[name]
    assert rows(upload(content)) == expected


REFUSED: dict[str, tuple[bytes | str, str]] = {
    "nothing": ("", "no ratings in the file"),
    "blanks only": (" \n\n\t\n", "no ratings in the file"),
    "byte order mark only": (codecs.BOM_UTF8, "no ratings in the file"),
    "header only": ("user,item,rating\n", "no ratings in the file"),
    "two columns": ("1,2\n3,4\n", "needs three columns"),
    "one column": ("1\n2\n3\n", "needs three columns"),
    "text as rating": ("user,item,rating\na,x,3\nb,y,four\n", 'Line 3 has the rating "four"'),
    "text as first rating": ("1,2,four\n1,3,4\n", 'Line 1 has the rating "four"'),
    "text as rating of one who comes again": (
        "bob,x,four\nbob,y,4\n",
        'Line 1 has the rating "four"',
    ),
    "NA as rating": ("user,item,rating\na,x,NA\n", 'Line 2 has the rating "NA"'),
    "hexadecimal": ("a,x,3\nb,y,0x1\n", 'Line 2 has the rating "0x1"'),
    "underscores": ("a,x,3\nb,y,1_0\n", 'Line 2 has the rating "1_0"'),
    "other digits": ("a,x,3\nb,y,٣\n", 'Line 2 has the rating "٣"'),
    "line after blanks": ("user,item,rating\n\n\na,x,3\n\nb,y,four\n", "Line 6 has the rating"),
    "line after CRLF": ("user,item,rating\r\na,x,3\r\nb,y,four\r\n", "Line 3 has the rating"),
    "line after CR": ("user,item,rating\ra,x,3\rb,y,four\r", "Line 3 has the rating"),
    "line after text of two lines": (
        'user,item,rating,text\na,x,3,"good,\nreally"\nb,y,four,""\n',
        "Line 4 has the rating",
    ),
    "line after sep=": ("sep=;\nuser;item;rating\na;x;3\nb;y;four\n", "Line 4 has the rating"),
    "not finite": ("a,x,3\nb,y,nan\n", "must be finite: line 2 does not"),
    "infinite": ("a,x,3\nb,y,-Infinity\nc,y,inf\n", "must be finite: lines 2 and 3 do not"),
    "too large to be finite": ("a,x,3\nb,y,1e999\n", "must be finite: line 2 does not"),
    "many not finite": ("a,x,nan\n" * 9, "lines 1, 2, 3, 4, 5 and 4 more do not"),
    "first of two faults": ("a,x,3\nb,y,nan\nc,y,four\n", "must be finite: line 2 does not"),
    "no user": ("user,item,rating\na,x,3\n ,y,4\n", "Line 3 has no user"),
    "no item": ("user,item,rating\na,x,3\nb,,4\n", "Line 3 has no item"),
    "no rating": ("user,item,rating\na,x,3\nb,y,\n", "Line 3 has no rating"),
    "quoted nothing": ('user,item,rating\na,x,3\n"",y,4\n', "Line 3 has no user"),
    "no number": ("a,x,3\na,y,NA\n", '"NA", which is not a number: mend it, or leave the line out'),
    "whole lines in quotation marks": (
        'user,item,rating\n"a,x,3"\n"b,x,4"\n',
        "Line 2 stands in quotation marks as a whole: save the table without them",
    ),
    "a field too many": ("a,x,3\na,y,3,4,5\n", "Line 2 has 5 fields where 3 were expected"),
    "a field too few": ("user,item,rating\na,x,3\na,y\n", "Line 3 has 2 fields where 3"),
    "one field": ("user,item,rating\na,x,3\nhello\n", "Line 3 has 1 field where 3"),
    "open mark": ('user,item,rating\na,x,3\n"b,y,4\nc,z,5\n', "Line 3 opens a quotation mark"),
    "open mark in a text": (
        'user,item,rating,text\na,x,3,"b\nb,y,4,c\n',
        "Line 2 opens a quotation mark",
    ),
    "mark closed too early": ('user,item,rating\n"a"b,x,3\n', "Line 2 opens a quotation mark"),
    "two decimal signs": ("u;i;r\na;x;3.5\nb;y;4,5\n", "Line 2 has the rating"),
    "comma of what kind": ('u,i,r\na,x,"1,234"\nb,y,"2,000"\n', "thousands or decimals"),
    "no telling which is the user": (
        "wer,wann,movieId,rating\na,1,x,3\nb,2,y,4\n",
        "names no user column",
    ),
    "time and two others": ("time,foo,bar\n1,a,3\n", "names no user and no item and no rating"),
    "NUL bytes": (b"user,item,rating\na\0,x,3\n", "not text"),
    "damaged UTF-16": (BODY.encode("utf-16")[:-1], "damaged"),
    "damaged UTF-8 with mark": (codecs.BOM_UTF8 + b"a,caf\xe9,3\n", "damaged"),
    "long id": ("a,x,3\n" + "b" * 1001 + ",y,4\n", "Line 2 has a user of 1,001 characters"),
    "endless field": ("a,x,3\n" + "b" * 200_000 + ",y,4\n", "or has a field of more than"),
    "web page": ("<!DOCTYPE html>\n<p>1,2,3</p>", "web page"),
    "JSON": ('[{"user": 1, "item": 2, "rating": 3}]', "JSON"),
    "JSON lines": ('{"user": 1, "item": 2, "rating": 3}\n', "JSON"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
    "pickle": (b"\x80\x04\x95\x10\0\0\0", "pickle"),
    "old Excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"),
    "thousands of columns": (",".join("1" * 2000) + "\n", "2,000 columns"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_one_sentence(name: str) -> None:
    content, reason = REFUSED[name]
    with pytest.raises(InputError) as error:
        upload(content)
    assert reason in str(error.value)
    assert str(error.value).count("\n") == 0
    assert str(error.value).endswith(".")
    assert len(str(error.value)) < 300


def test_an_odd_row_far_below_is_found_on_its_line() -> None:
    body = "".join(f"u{n % 100},i{n},3\n" for n in range(50_000))
    with pytest.raises(InputError, match='Line 50002 has the rating "four"'):
        upload("user,item,rating\n" + body + "a,b,four\n" + body)


def test_a_decimal_comma_far_below_is_read() -> None:
    body = "".join(f"u{n};x;3\n" for n in range(2_000))
    ratings = upload("user;item;rating\n" + body + "z;y;3,5\n")
    assert ratings.value[-1] == 3.5
    assert ratings.report.decimal == "comma"


def test_the_report_says_what_was_understood() -> None:
    ratings = upload(
        "when;who;film;stars\n1;a;x;3,5\n\n1;a;x;4,0\n1;b;x;3,0\n", columns={"user": "who"}
    )
    assert ratings.report.to_dict() == {
        "file": "mine.csv",
        "encoding": "UTF-8",
        "separator": "semicolon",
        "decimal": "comma",
        "header": True,
        "columns": {"user": "who", "item": "film", "rating": "stars"},
        "rows": 3,
        "blank_lines": 1,
        "duplicates": 1,
        "options": {"columns": "user=who"},
        "notes": [],
        "warnings": ["1 duplicate (same user and item) dropped: the last rating stays."],
    }


def test_blank_lines_are_counted_alike_in_both_ways_of_reading() -> None:
    clean = upload("\nuser,item,rating\n\na,x,3\n\nb,x,4\n")
    careful = upload('\nuser,item,rating\n\n"a\tb", "x",3\n\nb,x,4\n')
    assert clean.report.blank_lines == careful.report.blank_lines == 3


def test_unknown_names_and_row_numbers_are_warned_about() -> None:
    assert "taken for the header" in upload("foo,bar,baz\na,x,3\n").report.warnings[0]
    assert '"wer" for the user' in upload("wer,movie,stars\na,x,3\n").report.warnings[0]
    assert "number of the row" in str(upload("0,1,10,4\n1,1,20,3\n2,2,10,5\n").report.warnings[0])


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"user": "d", "item": "c", "rating": "b"}, [("9", "3", 2.0)]),
        ({"user": 4, "item": 3, "rating": 2}, [("9", "3", 2.0)]),
        ({"rating": "d"}, [("1", "2", 9.0)]),
    ],
)
def test_columns_can_be_chosen(columns: dict[str, str | int], expected: list[Row]) -> None:
    assert rows(upload("a,b,c,d\n1,2,3,9\n", columns=columns)) == expected


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"user": "q"}, 'no column "q"; there are "a", "b" and "c"'),
        ({"user": 4}, 'no column "4"'),
        ({"user": "9" * 5000}, "no column"),
        ({"who": "a"}, 'not for "who"'),
        ({"user": "a", "item": "a"}, "chosen twice"),
    ],
)
def test_columns_that_are_not_there(columns: dict[str, str | int], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        upload("a,b,c\nx,y,3\n", columns=columns)


def test_a_scale_can_be_set() -> None:
    assert upload(BODY, scale=Scale(0.5, 5.0, 0.5)).scale == Scale(0.5, 5.0, 0.5)
    with pytest.raises(
        InputError, match=r"1 of 2 ratings lie outside of it, the first of them 4\.5"
    ):
        upload(BODY, scale=Scale(1.0, 4.0, 1.0))
    with pytest.raises(InputError, match="between its values"):
        upload(BODY, scale=Scale(1.0, 5.0, 1.0))


def test_the_table_of_jokes() -> None:
    ratings = upload("2,99,-7.5,3.1\n1,99,99,0.5\n", name="jester.csv")
    assert rows(ratings) == [("1", "2", -7.5), ("1", "3", 3.1), ("2", "3", 0.5)]
    with pytest.raises(InputError, match="Line 202 of the table"):
        upload("2,99,-7.5,3.1\n" * 201 + "5,99,-7.5,3.1\n")


@pytest.mark.parametrize("source", ["file", "path"])
def test_names_of_files_are_text_only(source: Any, tmp_path: Any) -> None:
    ratings = upload(BODY, name="../../etc/pass\nwd.csv")
    assert ratings.name == "pass�wd"


def test_a_file_of_one_endless_word_is_not_called_empty():
    with pytest.raises(InputError, match="needs three columns"):
        upload("a" * 3_000_000)
    with pytest.raises(InputError, match="it is empty"):
        upload(" \n\n")
