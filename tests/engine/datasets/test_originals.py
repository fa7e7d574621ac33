"""Datasets of the paper as they are published, and what the paper makes of them."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from engine.datasets import Preparation, Ratings, load, prepare
from engine.datasets import known as known_datasets
from engine.datasets.known import KNOWN, Preset
from engine.errors import InputError

EVENTS = "70\t5\t1\t9\t1385212958\n7\t5\t1\t9\t1385212958\n7\t5\t2\t8\t1385212000\n7\t12\t3\t7\t0\n"
SHELVES = """user_id,book_id,is_read,rating,is_reviewed
0,948,1,5,0
0,947,1,0,1
2,948,0,0,0
1,946,1,3,0
3,946,1,1,0
"""


def rows(ratings: Ratings) -> list[tuple[str, str, float]]:
    users, items = ratings.users[ratings.user], ratings.items[ratings.item]
    return list(zip(users.tolist(), items.tolist(), ratings.value.tolist(), strict=True))


def test_events_are_counted_and_counts_become_ratings(tmp_path: Path) -> None:
    file = tmp_path / "lastfm.txt"
    file.write_text(EVENTS)
    ratings = load(file)
    # By user and artist, as numbers; what a user plays most gets 1000, what least 1.
    assert rows(ratings) == [("7", "5", 1000.0), ("7", "12", 1.0), ("70", "5", 1000.0)]
    assert ratings.title == "LastFM User Groups"
    assert str(ratings.scale) == str(load(file, counts=True).scale)
    assert any("4 events" in note for note in ratings.report.notes)
    # The options that the report names read the same.
    assert ratings.report.arguments() == ["--counts"]
    assert load(file, counts=True).fingerprint == ratings.fingerprint
    (tmp_path / "packed").mkdir()
    packed = tmp_path / "packed" / "lastfm.txt.gz"
    packed.write_bytes(gzip.compress(EVENTS.encode()))
    assert load(packed).fingerprint == ratings.fingerprint


def test_events_as_pandas_counts_them(tmp_path: Path) -> None:
    draws = np.random.RandomState(5)
    events = pd.DataFrame(draws.randint(0, 30, (4000, 5)), columns=list("uabts"))
    file = tmp_path / "lastfm.tsv"
    events.to_csv(file, sep="\t", header=False, index=False)
    counts = events.groupby(["u", "a"]).size().reset_index(name="count")
    least = counts.groupby("u")["count"].transform("min")
    most = counts.groupby("u")["count"].transform("max")
    expected = 1 + 999 * (counts["count"] - least) / (most - least)
    ratings = load(file)
    assert ratings.value == pytest.approx(expected.to_numpy())
    assert ratings.users[ratings.user].tolist() == counts["u"].astype(str).tolist()
    assert ratings.items[ratings.item].tolist() == counts["a"].astype(str).tolist()


def test_counts_and_ratings_by_the_name_of_lastfm(tmp_path: Path) -> None:
    file = tmp_path / "lastfm.csv"
    file.write_text("user,artist,count\na,x,1\na,y,3\na,z,2\n")
    ratings = load(file)
    assert ratings.value.tolist() == [1.0, 1000.0, 500.5]
    # Ratings from 1 to 1000 stay what they are.
    file.write_text("user;artist;rating\na;x;1.0\na;y;1000.0\na;z;500.5\n")
    assert load(file).fingerprint == ratings.fingerprint
    other = tmp_path / "other.csv"
    other.write_text("user,artist,count\na,x,1\na,y,3\na,z,2\n")
    assert load(other).value.tolist() == [1.0, 3.0, 2.0]


def test_books_without_a_rating_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "goodreads.csv"
    file.write_text(SHELVES)
    ratings = load(file)
    assert rows(ratings) == [("0", "948", 5.0), ("1", "946", 3.0), ("3", "946", 1.0)]
    assert ratings.scale.minimum == 1
    assert any("2 books without a rating" in note for note in ratings.report.notes)
    file.write_text("user,item,rating\n0,948,5\n0,947,0\n1,946,3\n3,946,1\n")
    again = load(file)
    assert again.fingerprint == ratings.fingerprint
    assert any("1 items without a rating" in note for note in again.report.notes)
    file.write_text("user,item,rating\n0,948,0\n")
    with pytest.raises(InputError, match="All ratings are 0"):
        load(file)


def test_the_sample_of_users_is_that_of_prepare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelves = pd.DataFrame(
        {"user_id": np.arange(300) % 50, "book_id": np.arange(300), "is_read": 1}
    )
    shelves["rating"] = np.arange(300) % 6
    shelves["is_reviewed"] = 0
    name = "goodreads"
    whole, file = tmp_path / "whole.csv", tmp_path / f"{name}.csv"
    shelves.to_csv(file, index=False)
    shelves[shelves["rating"] > 0][["user_id", "book_id", "rating"]].to_csv(whole, index=False)
    preset = Preset(zero_is_unrated=True, sample_users=20)
    known = known_datasets.KnownDataset(**{**vars(KNOWN[name]), "preset": preset})
    monkeypatch.setitem(known_datasets.KNOWN, name, known)
    drawn = load(file)
    assert drawn.n_users == 20
    expected, _ = prepare(load(whole), Preparation(sample_users=20))
    assert rows(drawn) == rows(expected)
    assert drawn.fingerprint == expected.fingerprint


def test_an_original_that_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "lastfm.txt"
    file.write_text(EVENTS + "7\tsomebody\t3\t7\t0\n")
    with pytest.raises(InputError, match=r"lastfm\.txt.* cannot be read: .*somebody"):
        load(file)
    with pytest.raises(InputError, match="There is no file"):
        load(Path(tmp_path / "goodreads.csv"))
