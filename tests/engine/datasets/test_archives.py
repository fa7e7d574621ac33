"""Packed files: read from memory, refused where they are damaged, dangerous or not clear."""

from __future__ import annotations

import bz2
import gzip
import io
import time
import zipfile
from pathlib import Path

import pytest

from engine.datasets import load
from engine.errors import InputError
from tests.engine.datasets.uploads import rows, upload, zipped

TEXT = "user,item,rating\na,x,3\nb,y,4\n"
READ = [("a", "x", 3.0), ("b", "y", 4.0)]


def test_gzip() -> None:
    assert rows(upload(gzip.compress(TEXT.encode()), "mine.csv.gz")) == READ


def test_what_a_file_is_shows_in_its_bytes_not_its_name() -> None:
    assert rows(upload(TEXT, "mine.zip")) == READ
    assert rows(upload(gzip.compress(TEXT.encode()), "mine.csv")) == READ
    assert rows(upload(zipped({"a.csv": TEXT}), "mine.gz")) == READ


@pytest.mark.parametrize(
    "files",
    [
        {"mine.csv": TEXT},
        {"deep/er/mine.txt": TEXT, "deep/README.txt": "hello", "LICENSE": "MIT"},
        {"mine.csv": TEXT, "__MACOSX/._mine.csv": "\0", ".DS_Store": "\0"},
        {"ratings.csv": TEXT, "tags.csv": "1,2,3", "links.csv": "1,2,3"},
        {"set/u.data": TEXT, "set/u1.base": "1,2,3", "set/u.user": "1|2|3"},
        {"mine.csv.gz": gzip.compress(TEXT.encode())},
        {"set.inter": TEXT, "set.item": "item_id:token\ttitle:token_seq\nx\tThe X\n"},
    ],
    ids=lambda files: next(iter(files)),
)
def test_zip(files: dict[str, bytes | str]) -> None:
    assert rows(upload(zipped(files), "mine.zip")) == READ


def test_titles_stand_beside_the_ratings() -> None:
    movies = "1::Café (1995)::Drama\n3::Unrated (1996)::Comedy\n".encode("latin-1")
    ratings = upload(
        zipped({"m/ratings.dat": "7::2::3\n7::1::4\n", "m/movies.dat": movies}), "m.zip"
    )
    assert ratings.item_titles is not None
    assert ratings.item_titles.tolist() == ["2", "Café (1995)"]
    csv = 'movieId,title,genres\n1,"Café, The (1995)",Drama\n'
    ratings = upload(zipped({"ratings.csv": "7,1,3\n", "movies.csv": csv}), "m.zip")
    assert ratings.item_titles is not None
    assert ratings.item_titles.tolist() == ["Café, The (1995)"]


def test_titles_that_cannot_be_read_do_no_harm() -> None:
    ratings = upload(zipped({"ratings.csv": "7,1,3\n", "movies.csv": b"\xff\xfe\0\xd8"}), "m.zip")
    assert ratings.item_titles is None


def encrypted() -> bytes:
    content = bytearray(zipped({"a.csv": TEXT}))
    content[6] |= 1  # the flag in the entry itself ...
    content[content.rindex(b"PK\x01\x02") + 8] |= 1  # ... and in the index
    return bytes(content)


def damaged() -> bytes:
    content = bytearray(zipped({"a.csv": TEXT * 50}))
    content[60] ^= 0xFF
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (zipped({}), "an empty archive"),
        (zipped({"README": "x"}), "holds no ratings file"),
        (zipped({"a.csv": TEXT, "b.csv": TEXT}), r'could be the ratings \("a.csv", "b.csv"\)'),
        (zipped({"a/ratings.csv": TEXT, "b/ratings.csv": TEXT}), "could be the ratings"),
        (zipped({"../a.csv": TEXT}), "outside of the archive's folder"),
        (zipped({"a/../../b.csv": TEXT}), "outside of the archive's folder"),
        (zipped({"/etc/a.csv": TEXT}), "outside of the archive's folder"),
        (zipped({"..\\a.csv": TEXT}), "outside of the archive's folder"),
        (zipped({"C:/a.csv": TEXT}), "outside of the archive's folder"),
        (zipped({"a.csv": TEXT, "../evil": "x"}), "outside of the archive's folder"),
        (zipped({"a.zip.csv": zipped({"b.csv": TEXT})}), "packed twice"),
        (zipped({"a.csv": TEXT}, zipfile.ZIP_BZIP2), "packed in an unusual way"),
        (zipped({"a.csv": TEXT}, zipfile.ZIP_LZMA), "packed in an unusual way"),
        (zipped({"[Content_Types].xml": "", "xl/a.xml": ""}), "office document"),
        (zipped({"a.csv": TEXT})[:-10], "damaged or incomplete"),
        (zipped({"a.csv": TEXT})[:40], "damaged or incomplete"),
        (damaged(), "damaged or incomplete"),
        (encrypted(), "password"),
        (gzip.compress(TEXT.encode() * 100)[:-9], "damaged or incomplete"),
        (b"\x1f\x8b\x08", "damaged or incomplete"),
        (gzip.compress(gzip.compress(TEXT.encode())), "packed twice"),
        (gzip.compress(b""), "no ratings in the file"),
        (bz2.compress(TEXT.encode()), "bzip2"),
    ],
)
def test_refused(content: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        upload(content, "mine.zip")


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "evil.zip").write_bytes(zipped({"../evil.csv": TEXT}))
    with pytest.raises(InputError):
        load(folder / "evil.zip")
    load(io.BytesIO(zipped({"in/mine.csv": TEXT})))
    assert [path.name for path in tmp_path.rglob("*")] == ["here", "evil.zip"]


def bomb_of_zip() -> bytes:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("ratings.csv", "w") as file,
    ):
        for _ in range(60):
            file.write(b"1,2,3\n" * 300_000)
    return buffer.getvalue()


def bomb_that_lies() -> bytes:
    """A zip that says its file unpacks to 100 bytes."""
    content = bytearray(bomb_of_zip())
    index = content.rindex(b"PK\x01\x02")
    content[index + 24 : index + 28] = (100).to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(b"1,2,3\n" * 18_000_000, 9),
        bomb_of_zip(),
        bomb_that_lies(),
        zipped({"ratings.csv.gz": gzip.compress(b"1,2,3\n" * 18_000_000)}),
    ],
    ids=["gzip", "zip", "zip that lies", "gzip in zip"],
)
def test_a_small_archive_that_unpacks_to_much_is_refused_at_once(content: bytes) -> None:
    assert len(content) < 250_000
    start = time.perf_counter()
    with pytest.raises(InputError):
        upload(content, "bomb.zip")
    assert time.perf_counter() - start < 1


def test_an_open_file_that_fails_while_it_is_read() -> None:
    class Failing(io.RawIOBase):
        def seekable(self) -> bool:
            return False

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            raise OSError(5, "Input/output error")

    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        load(io.BufferedReader(Failing()), name="ratings.csv")
