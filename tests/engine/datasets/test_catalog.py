from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

from engine.datasets import available, catalog, describe, load
from engine.errors import InputError
from tests.engine.datasets.uploads import upload, zipped

TEXT = "user,item,rating\na,x,3\nb,y,4\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REUSEKNN_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_files_there_is_the_sample(folder: Path) -> None:
    assert [info.name for info in available()] == ["sample"]
    absent = {info.name: info for info in catalog() if not info.present}
    assert set(absent) == {
        *("ml-1m", "ml-100k", "ml-latest-small", "ciao", "douban", "lastfm", "goodreads")
    }
    assert absent["ml-1m"].ratings == 1_000_209
    assert "GroupLens" in absent["ml-1m"].where


def test_a_folder_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REUSEKNN_DATA_DIR", str(tmp_path / "nowhere"))
    assert [info.name for info in available()] == ["sample"]


def test_files_of_the_folder(folder: Path) -> None:
    (folder / "mine.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    (folder / "ml-1m.zip").write_bytes(zipped({"ml-1m/ratings.dat": "1::1::3::9\n"}))
    (folder / ".hidden.csv").write_text(TEXT)
    (folder / "notes.md").write_text("1,2,3")
    (folder / "sample.csv").write_text(TEXT)
    (folder / "sub.csv").mkdir()
    infos = {info.name: info for info in available()}
    assert set(infos) == {"sample", "sample.csv", "mine", "ml-1m"}
    assert (infos["mine"].ratings, infos["ml-1m"].ratings) == (None, 1_000_209)
    assert infos["mine"].source == folder / "mine.csv.gz"
    assert load("mine").n_ratings == 2
    assert (load("ml-1m").name, load("ml-1m").title) == ("ml-1m", "MovieLens 1M")


def test_a_file_whose_name_is_taken_goes_by_its_whole_name(folder: Path) -> None:
    for name in ("sample.csv", "upload.csv", "mine.csv", "mine.tsv"):
        (folder / name).write_text(TEXT.replace(",", "\t") if name.endswith("tsv") else TEXT)
    names = [info.name for info in available()]
    assert names == ["sample", "mine", "mine.tsv", "sample.csv", "upload.csv"]
    assert load("sample.csv").n_ratings == load("upload.csv").n_ratings == 2
    # It is called so wherever its figures stand, and not as the built-in sample.
    for name in names[1:]:
        ratings = load(name)
        assert (ratings.name, ratings.title) == (name, name)
    assert load("mine.tsv").report.separator == "tab"


@pytest.mark.skipif(os.name != "posix", reason="a name may hold a colon on POSIX only")
def test_no_file_is_called_as_a_visitor_s_own(folder: Path) -> None:
    for name in ("upload:0123456789ab:2:x.csv", "sample:1.csv"):
        (folder / name).write_text("a,x,3\nb,y,4\n")
    names = [info.name for info in available()]
    assert names == ["sample", "file sample:1.csv", "file upload:0123456789ab:2:x.csv"]
    assert all(load(name).n_ratings == 2 for name in names[1:])


def test_paths(folder: Path) -> None:
    (folder / "mine.csv").write_text(TEXT)
    assert load(folder / "mine.csv").name == "mine"
    assert load("mine.csv").title == "mine"
    assert load("./mine.csv", name="other").name == "other"
    with (folder / "mine.csv").open("rb") as file:
        assert load(file).name == "mine"


def test_what_is_not_there(folder: Path) -> None:
    (folder / "mine.csv").write_text(TEXT)
    with pytest.raises(InputError, match=r'"nothing".*one of "sample" and "mine"'):
        load("nothing")
    with pytest.raises(InputError, match=r"MovieLens 1M is not in the data folder.*Download"):
        load("ml-1m")
    with pytest.raises(InputError, match=r'no file "other\.csv"'):
        load(Path("other.csv"))
    with pytest.raises(InputError, match="is a folder"):
        load(folder)
    with pytest.raises(InputError):
        load("")
    with pytest.raises(InputError):
        load("a\0b")
    with pytest.raises(InputError):
        load(Path("a\0b"))
    with pytest.raises(InputError, match="bytes, not text"), (folder / "mine.csv").open() as file:
        load(file)  # type: ignore[arg-type]


def test_a_file_without_permission(folder: Path) -> None:
    path = folder / "mine.csv"
    path.write_text(TEXT)
    path.chmod(0)
    try:
        path.read_bytes()
    except PermissionError:
        with pytest.raises(InputError, match="cannot be read"):
            load(path)


def test_describe(folder: Path) -> None:
    described = describe(upload("a,x,3\nb,y,4.5\na,x,0.5\n"))
    assert described == json.loads(json.dumps(described))
    assert described["users"] == described["items"] == described["ratings"] == 2
    assert (described["rating_min"], described["rating_max"], described["step"]) == (0.5, 4.5, 1.0)
    assert described["report"]["duplicates"] == 1
    assert len(described["fingerprint"]) == 64


def test_counts() -> None:
    text = "user\tartist\tplays\na\tx\t10\na\ty\t110\na\tz\t60\nb\tx\t5\nb\ty\t5\n"
    ratings = upload(text, counts=True)
    assert ratings.value.tolist() == [1.0, 1000.0, 500.5, 1000.0, 1000.0]
    assert (ratings.scale.minimum, ratings.scale.maximum, ratings.scale.step) == (1, 1000, None)
    assert "min-max" in ratings.report.notes[-1]
    assert "look like counts" in str(upload(text).report.warnings[-1])
    assert ratings.report.warnings == ()
    assert ratings.fingerprint != upload(text).fingerprint
    with pytest.raises(InputError, match="below 0"):
        upload("a,x,-1\na,y,2\n", counts=True)
    with pytest.raises(InputError, match="do not set a scale"):
        upload(text, counts=True, scale=load("sample").scale)


@pytest.mark.parametrize(
    ("name", "size", "titled"),
    [
        ("ml-1m.zip", (6040, 3706, 1_000_209), True),
        ("ml-100k.zip", (943, 1682, 100_000), True),
        ("ml-latest-small.zip", (610, 9724, 100_836), True),
        ("ciao.csv.gz", (7375, 105_096, 282_619), False),
    ],
)
def test_real_data(shared: Path, name: str, size: tuple[int, int, int], titled: bool) -> None:
    ratings = load(shared / "data" / name)
    assert (ratings.n_users, ratings.n_items, ratings.n_ratings) == size
    assert ratings.report.warnings == ()
    if titled:
        assert ratings.item_titles is not None
        assert np.char.find(ratings.item_titles.astype(str), "Toy Story (1995)").max() >= 0
