"""Kinds of files that are easily misread: read as meant, read with a warning, or refused."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.errors import InputError
from tests.engine.datasets.uploads import Row, rows, upload, warnings, zipped

Content = bytes | str


def parquet(table: dict[str, Sequence[object]] | pa.Table) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(table), buffer)
    return buffer.getvalue()


def tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo("ratings.csv")
        member.size = 6
        archive.addfile(member, io.BytesIO(b"a,x,3\n"))
    return buffer.getvalue()


READ: dict[str, tuple[Content, list[Row], str]] = {
    "a day before the rating": (
        "u1,i1,20150309,4\nu1,i2,20150310,5\n",
        [("u1", "i1", 4.0), ("u1", "i2", 5.0)],
        "",
    ),
    "a year before the rating": (
        "u1,i1,1999,4\nu1,i2,2001,5\n",
        [("u1", "i1", 4.0), ("u1", "i2", 5.0)],
        "",
    ),
    "milliseconds before the rating": (
        "u1,i1,1425859200000,4\nu1,i2,1425859200000,5\n",
        [("u1", "i1", 4.0), ("u1", "i2", 5.0)],
        "",
    ),
    "the time in front": (
        "978300760,u1,i1,4\n978300761,u1,i2,5\n978300765,u2,i1,3\n",
        [("u1", "i1", 4.0), ("u1", "i2", 5.0), ("u2", "i1", 3.0)],
        "Column 1 was taken for times",
    ),
    "days in front": (
        "2001-01-01 12:00,u1,i1,4\n2001-01-01 12:00,u1,i2,5\n",
        [("u1", "i1", 4.0), ("u1", "i2", 5.0)],
        "Column 1 was taken for times",
    ),
    "row numbers with gaps": (
        "3,u1,31,2.5\n5,u1,1029,3.0\n6,u2,31,4.0\n",
        [("u1", "31", 2.5), ("u1", "1029", 3.0), ("u2", "31", 4.0)],
        "--columns user=1",
    ),
    "row numbers under a header without names": (
        ",wer,was,wie\n3,u1,i1,2\n9,u1,i2,5\n",
        [("u1", "i1", 2.0), ("u1", "i2", 5.0)],
        "number of the row",
    ),
    "row names of R": (
        '"user" "item" "rating"\n"1" "u1" "Heat (1995)" 4\n"2" "u2" "Heat (1995)" 5\n',
        [("u1", "Heat (1995)", 4.0), ("u2", "Heat (1995)", 5.0)],
        "",
    ),
    "the time in front as digits": (
        "".join(f"2015030112{n:02d},u{n % 2},i{n},4\n" for n in range(3)),
        [("u0", "i0", 4.0), ("u1", "i1", 4.0), ("u0", "i2", 4.0)],
        "Column 1 was taken for times; it may be the user instead",
    ),
    "a month before the rating": (
        "u1,i1,201501,4\nu1,i2,201502,5\n",
        [("u1", "i1", 4.0), ("u1", "i2", 5.0)],
        "",
    ),
    "long ids that are no times": (
        "".join(f"{76561197960265728 + n},i{n % 2},{n % 3 + 1},{n % 3}\n" for n in range(3)),
        [(str(76561197960265728 + n), f"i{n % 2}", n % 3 + 1.0) for n in range(3)],
        "Column 3 was taken for the rating; column 4 may be meant instead",
    ),
    "what is known of a user before the item": (
        "".join(f"u{n % 2},{20 + n % 2},MF,i{n},{n % 3 + 1}\n" for n in range(6)),
        [(f"u{n % 2}", f"i{n}", n % 3 + 1.0) for n in range(6)],
        "Columns 2 and 3 were left out, as a user always has the same there",
    ),
    "the number of a review in front": (
        "".join(f"R{n * n}X,u{n % 3},i{n % 4},4\n" for n in range(12)),
        [(f"R{n * n}X", f"u{n % 3}", 4.0) for n in range(12)],
        "Each user has one rating: is column 1 the number of the row, or of the rating?",
    ),
    "row names of R in another order": (
        '"user" "item" "rating"\n"7" "u1" "a" 4\n"2" "u2" "b" 5\n"12" "u2" "a" 1\n',
        [("u1", "a", 4.0), ("u2", "b", 5.0), ("u2", "a", 1.0)],
        "",
    ),
    "row names of R in words": (
        "user item rating\nann.1 ann a 4\nbob.1 bob b 5\nbob.2 bob a 1\n",
        [("ann", "a", 4.0), ("bob", "b", 5.0), ("bob", "a", 1.0)],
        "",
    ),
    "two columns of one name, as pandas renames them": (
        "user,item,rating,rating.1\na,x,5,1\nb,y,4,2\n",
        [("a", "x", 5.0), ("b", "y", 4.0)],
        'Two columns are named "rating"',
    ),
    "a name with the scale in brackets": (
        "user,item,Rating (1-5),helpful\na,x,5,31\nb,y,4,2\n",
        [("a", "x", 5.0), ("b", "y", 4.0)],
        "",
    ),
    "a byte order mark read as three letters": (
        "\u00ef\u00bb\u00bf1,x,3\n1,y,4\n",
        [("1", "x", 3.0), ("1", "y", 4.0)],
        "",
    ),
    "a byte order mark within quotation marks": (
        '"\ufeffa","x","3"\n"a","y","4"\n',
        [("a", "x", 3.0), ("a", "y", 4.0)],
        "",
    ),
    "row names of R with gaps": (
        "user\titem\trating\n2\tu1\ta\t4\n7\tu2\tb\t5\n12\tu2\ta\t1\n",
        [("u1", "a", 4.0), ("u2", "b", 5.0), ("u2", "a", 1.0)],
        "",
    ),
    "a category and a review's number before the rating": (
        "".join(f"{u},{i},{i % 2 + 1},{9 * u + i},{(u * i) % 5 + 1}\n" for u, i in
                [(1, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 2), (3, 3)]),
        [*(("1", "1", 2.0), ("1", "2", 3.0), ("2", "1", 3.0), ("2", "3", 2.0)),
         *(("3", "1", 4.0), ("3", "2", 2.0), ("3", "3", 5.0))],
        "Column 5 was taken for the rating; columns 3 and 4 may be meant instead",
    ),
    "four columns of small numbers": (
        "1,10,4,7\n1,20,3,9\n2,10,5,7\n",
        [("1", "10", 4.0), ("1", "20", 3.0), ("2", "10", 5.0)],
        "column 4 may be meant instead: if so, say --columns rating=4",
    ),
    "two columns of one name": (
        "user,item,rating,rating\na,x,5,1\nb,y,4,2\n",
        [("a", "x", 5.0), ("b", "y", 4.0)],
        "Two columns are named",
    ),
    "two names for the rating": (
        "user,item,rating,score\na,x,5,90\nb,y,4,80\n",
        [("a", "x", 5.0), ("b", "y", 4.0)],
        '"score" may be meant instead: if so, say --columns rating=4',
    ),
    "two names for the item": (
        "user,artist,track,rating\na,x,x1,5\nb,y,y1,4\n",
        [("a", "x", 5.0), ("b", "y", 4.0)],
        '"track" may be meant instead',
    ),
    "the name that holds numbers": (
        "user,item,score,stars\na,x,good,5\nb,y,bad,1\n",
        [("a", "x", 5.0), ("b", "y", 1.0)],
        "",
    ),
    "a second byte order mark": (
        b"\xef\xbb\xbf\xef\xbb\xbfuser,item,rating\na,x,3\n",
        [("a", "x", 3.0)],
        "",
    ),
    "joined files, each with a mark": (
        b"\xef\xbb\xbfa,x,3\n\xef\xbb\xbfa,y,4\n",
        [("a", "x", 3.0), ("a", "y", 4.0)],
        "",
    ),
    "a mark in text of 16 bits": (
        "\ufeff\ufeffa\tx\t3\na\ty\t4\n".encode("utf-16-le"),
        [("a", "x", 3.0), ("a", "y", 4.0)],
        "",
    ),
    "points that mark thousands": (
        "user;item;plays\na;x;1.234.567\nb;y;2.500\nc;z;12\n",
        [("a", "x", 1_234_567.0), ("b", "y", 2_500.0), ("c", "z", 12.0)],
        "look like counts",
    ),
    "points beside a decimal comma": (
        "user;item;score\na;x;1.234\nb;y;0,5\n",
        [("a", "x", 1_234.0), ("b", "y", 0.5)],
        "",
    ),
    "commas that mark thousands": (
        'user,item,plays\na,x,"1,234,567"\nb,y,12\n',
        [("a", "x", 1_234_567.0), ("b", "y", 12.0)],
        "look like counts",
    ),
    "three decimals everywhere": (
        "user\titem\tscore\na\tx\t3.667\nb\ty\t4.000\n",
        [("a", "x", 3.667), ("b", "y", 4.0)],
        "",
    ),
    "three decimals with a certain one": (
        "user;item;score\na;x;3.667\nb;y;0.5\n",
        [("a", "x", 3.667), ("b", "y", 0.5)],
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_read_with_or_without_a_warning(name: str) -> None:
    content, expected, warning = READ[name]
    ratings = upload(content)
    assert rows(ratings) == expected
    assert bool(warning) == bool(ratings.report.warnings), warnings(ratings)
    assert warning in warnings(ratings)


REFUSED: dict[str, tuple[Content, str]] = {
    "six columns of small numbers": (
        "1,101,7,5,4,11\n1,102,3,2,5,9\n2,101,7,4,4,11\n",
        "Several columns may be the rating (columns 3, 4, 5 and 6): say which, as in --columns",
    ),
    "a small table of users by items without header": (
        "ann,5,1,3,1\nbob,2,4,2,5\ncid,1,3,4,5\n",
        'keep one column in front of the items, under the name "user"',
    ),
    "no ratings but times": ("1,10,978300760\n1,20,978300761\n", "no column of ratings: column 3"),
    "no ratings but days": ("a,x,20150309\nb,x,20150310\n", "no column of ratings: column 3"),
    "a point of what kind": ("u;i;r\na;x;1.234\nb;y;2.500\nc;z;12\n", "thousands or decimals"),
    "a point of what kind, between tabs": (
        "u\ti\tr\na\tx\t1.234\nb\ty\t2.500\nc\tz\t12\n",
        "thousands or decimals",
    ),
    "a point of what kind, in counts": (
        "user\titem\tplays\na\tx\t1.234\nb\ty\t2.001\nc\tz\t3.100\n",
        "thousands or decimals",
    ),
    "Parquet with two columns of one name": (
        parquet(pa.Table.from_arrays([pa.array([1, 2])] * 4, names=["user", "item", "r", "r"])),
        '2 columns named "r"',
    ),
    "Parquet with NaN as user": (
        parquet({"user": [1.0, float("nan")], "item": [1, 2], "rating": [3, 4]}),
        "Row 2 has no user",
    ),
    "Parquet with a column an item": (
        parquet({"userId": [7, 8], "A": [5, None], "B": [None, 4], "C": [1, 3]}),
        "a table of users by items",
    ),
    "tar": (tar(), "a tar archive: unpack it"),
    "tar.gz": (gzip.compress(tar()), "a tar archive: unpack it"),
    "ARFF": ("% c\n@RELATION r\n@ATTRIBUTE u NUMERIC\n@DATA\n1,2,3\n", "an ARFF file"),
    "dictionaries": ("{'user': 1, 'item': 2, 'rating': 3}\n", "made of Python dictionaries"),
    "a list of dictionaries": ("[{'user': 1, 'item': 2},\n{'user': 2}]\n", "Python dictionaries"),
    "Matrix Market": ("%%MatrixMarket matrix coordinate\n3 3 1\n1 1 5\n", "a Matrix Market file"),
    "Netflix": ("1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n", "the Netflix Prize"),
    "LIBSVM": ("5 1:3 2:4\n3 1:2 3:1\n", "LIBSVM"),
    "SQL": ("-- dump\nCREATE TABLE r (u int);\nINSERT INTO r VALUES (1,2,3);\n", "SQL"),
    "Markdown": ("| user | item | rating |\n|---|---|---|\n| a | x | 3 |\n", "Markdown"),
    "blocks of lines": (
        "product/productId: B1\nreview/userId: A1\nreview/score: 5.0\n\n" * 2,
        "made of lines with a key and a value",
    ),
    "YAML": ("- user: a\n  item: x\n  rating: 3\n", "YAML"),
    "tuples": ("(1, 10, 4.0)\n(1, 11, 3.0)\n", "Python tuples"),
    "psql": (" u | i | r \n---+---+---\n a | x | 3\n", "drawn with lines"),
    "MySQL": ("+---+---+---+\n| u | i | r |\n+---+---+---+\n| a | x | 3 |\n", "drawn with lines"),
    "LIBSVM with queries": ("5 qid:1 1:1 7:1\n3 qid:2 2:1 8:1\n", "LIBSVM"),
    "a NumPy archive": (zipped({"user.npy": b"", "item.npy": b""}), "a NumPy archive"),
    "a pivot table with several lines above": (
        ",rating,rating,rating\nitem,A,B,C\nuser,,,\nu1,5.0,,1.0\n",
        'Line 1 has the name "rating" in every column',
    ),
    "row numbers before a table of users by items": (
        ",user,A,B,C,D\n0,ann,5,,3,1\n1,bob,,4,2,5\n",
        "keep one column in front of the items",
    ),
    "a table of users by items with signs": (
        "user,A,B,C,D\nann,x,,,x\nbob,,x,x,\n",
        'The first row ("user, A, B, C, D") names columns, but none of them holds numbers',
    ),
    "R": (gzip.compress(b"RDX3\nX\n"), "an R data file"),
    "Feather": (b"ARROW1\0\0", "Feather"),
    "old pickle": (b"\x80\x02}q\0.", "pickle"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_one_sentence(name: str) -> None:
    content, reason = REFUSED[name]
    with pytest.raises(InputError) as error:
        upload(content)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
