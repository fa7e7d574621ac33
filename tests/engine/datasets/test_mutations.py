"""Broken files: nothing but InputError comes out of the reader, and never late."""

from __future__ import annotations

import gzip
import io
import os
import random
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.datasets import Ratings
from engine.errors import InputError
from tests.engine.datasets.uploads import upload, zipped

# A few hundred on every run; set to 10000 to look longer.
FILES = int(os.environ.get("REUSEKNN_MUTATED_FILES", "400"))


def seeds() -> dict[str, bytes]:
    comma = "".join(f"u{n % 7},i{n % 5},{n % 5 + 1}.5,97830076{n % 10}\n" for n in range(30))
    quoted = 'user,item,rating,text\n"a, b","x",3,"two\nlines"\n"c","y ""z""",4,""\n'
    buffer = io.BytesIO()
    table = {"user": ["a", "b"], "item": [1, 2], "rating": [3.0, 4.5]}
    pq.write_table(pa.table(table), buffer)
    movies = "1::Café (1995)::Drama\n"
    return {
        "commas": ("userId,movieId,rating,timestamp\n" + comma).encode(),
        "tabs": comma.replace(",", "\t").encode(),
        "double colons": comma.replace(",", "::").encode(),
        "semicolons": comma.replace(",", ";").replace(".5", ",5").encode(),
        "spaces": comma.replace(",", " ").encode(),
        "quoted": quoted.encode(),
        "utf-16": quoted.encode("utf-16"),
        "latin-1": "zoë,café,3\nzoë,thé,4\n".encode("latin-1"),
        "jester": b"2,99,-7.5,3.1\n1,99,99,0.5\n",
        "gzip": gzip.compress(comma.encode()),
        "zip": zipped({"m/ratings.dat": "1::1::3\n2::1::4\n", "m/movies.dat": movies}),
        "parquet": buffer.getvalue(),
    }


PIECES = [b",", b'"', b"\n", b"\r", b"\0", b"\xff", b"::", b"\t", b";", b"nan", b"1e999", b" "]
PIECES += [b"99", b"-", b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04", b"\x1f\x8b", b"PAR1", b"#"]


def mutate(content: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice([1, 1, 1, 2, 4, 10])):
        start = rng.randrange(len(content) + 1)
        end = min(len(content), start + rng.choice([0, 0, 1, 1, 2, 8, 100]))
        middle = rng.choice([b"", rng.choice(PIECES), rng.randbytes(1), content[start:end] * 2])
        content = content[:start] + middle + content[end:]
    return content


@pytest.mark.parametrize("kind", seeds())
def test_mutated_files(kind: str) -> None:
    seed = seeds()[kind]
    assert upload(seed).n_ratings > 0
    rng = random.Random(kind)
    slowest = 0.0
    for _ in range(FILES // len(seeds())):
        content = mutate(seed, rng)
        start = time.perf_counter()
        sentence = ""
        try:
            check(upload(content))
        except InputError as error:
            sentence = str(error)
        assert "\n" not in sentence, content
        assert len(sentence) < 600, content
        slowest = max(slowest, time.perf_counter() - start)
    assert slowest < 5


def check(ratings: Ratings) -> None:
    assert ratings.n_ratings == len(ratings.user) == len(ratings.item) > 0
    assert len({*zip(ratings.user.tolist(), ratings.item.tolist(), strict=True)}) == len(
        ratings.user
    )
    assert all(label == label.strip() != "" for label in [*ratings.users, *ratings.items])
    assert len(set(ratings.users)) == ratings.user.max() + 1 == ratings.n_users
    assert len(set(ratings.items)) == ratings.item.max() + 1 == ratings.n_items
    assert abs(ratings.value).max() < float("inf")
