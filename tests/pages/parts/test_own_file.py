"""A file of the visitor's own, from upload to what is explored, without a page."""

from __future__ import annotations

import gzip
import io
import time
import zipfile
from pathlib import Path

import pytest

from engine.datasets import Preparation, load
from pages.parts.own_file import OwnFile, Refused, Understood
from pages.parts.reading_choices import CONTINUOUS, Choices
from pages.parts.upload_name import UploadName
from tests.engine.datasets.handed_out import Case, read_cases
from tests.engine.datasets.uploads import zipped

GOOD = "user,item,rating\na,x,3\na,y,4\nb,x,1\nb,y,2\nc,z,5\n"


def uploaded(content: bytes | str, name: str = "mine.csv") -> io.BytesIO:
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = name
    return file


def taken(content: bytes | str, name: str = "mine.csv") -> OwnFile:
    own = OwnFile()
    own.take(uploaded(content, name))
    return own


def draft_of(own: OwnFile) -> Understood:
    assert own.draft is not None
    return own.draft


def refused_of(own: OwnFile) -> Refused:
    assert own.refused is not None
    return own.refused


@pytest.mark.skipif(not read_cases(), reason="needs shared/cases beside the repository")
@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_a_handed_out_case_gives_what_it_says(case: Case) -> None:
    own = taken(case.path.read_bytes(), case.name)
    if case.figures is None:
        assert case.said in str(refused_of(own).reason)
        assert own.draft is own.prepared is None
        return
    ratings = draft_of(own).ratings
    figures = ratings.n_users, ratings.n_items, ratings.n_ratings
    assert (*figures, ratings.value.min(), ratings.value.max()) == case.figures
    assert case.said in " ".join(map(str, ratings.report.warnings))


def test_a_corrected_file_says_the_options_that_read_it_so() -> None:
    own = taken("a,b,c,d\n1,2,3,4\n5,6,7,1\n")
    own.correct(draft_of(own), Choices((2, 1, 4), 0.0, None, 0.5, has_header=False))
    assert "Line 1" in own.problem
    own.correct(draft_of(own), Choices((2, 1, 4), 0.0, None, 0.5, has_header=True))
    own.prepare(Preparation(min_ratings=1, sample_users=1))
    assert own.prepared is not None
    assert own.prepared.report.arguments() == [
        *("--columns", "user=2,item=1,rating=4", "--header", "yes", "--scale", "min=0,step=0.5"),
        *("--sample-users", "1", "--sample-seed", "42"),
    ]


SWAPPED = "item,user,mood,rating\na,u,1,3\na,v,2,4\nb,u,1,5\nb,w,2,2\nc,v,1,1\n"
CORRECTED = [
    (Choices((1, 2, 4)), Preparation()),
    (Choices((2, 1, 3), 0.0, 5.0, 0.125, has_header=True), Preparation()),
    (Choices(step=CONTINUOUS), Preparation(min_ratings=2, k_core=1)),
    (Choices(counts=True), Preparation(sample_users=2, seed=7)),
    (Choices(minimum=-1.0), Preparation(min_ratings=2)),
]


@pytest.mark.parametrize(("choices", "preparation"), CORRECTED)
def test_a_link_reads_the_file_as_its_owner_did(choices: Choices, preparation: Preparation) -> None:
    own = taken(SWAPPED)
    own.correct(draft_of(own), choices)
    assert not own.problem
    own.prepare(preparation)
    assert own.prepared is not None
    name = UploadName.parse(str(UploadName.of(own.prepared)))
    assert name == UploadName.of(own.prepared)
    assert name.options
    elsewhere = OwnFile()
    elsewhere.take(uploaded(SWAPPED, "a copy.csv"), name)
    assert elsewhere.prepared is not None
    assert elsewhere.prepared.fingerprint == own.prepared.fingerprint
    assert (elsewhere.refused, elsewhere.problem) == (None, "")
    # What the forms show is what was chosen.
    assert draft_of(elsewhere).choices == choices
    assert elsewhere.preparation is not None
    assert elsewhere.preparation.options() == preparation.options()


@pytest.mark.parametrize(
    "options",
    [
        *("--", "-- ", "--columns", "--columns user=1,item=1", "--columns user=9,item=8,rating=7"),
        *("--columns user=2,item=1,rating=4 --columns user=2,item=1,rating=4", "--header maybe"),
        *("--scale", "--scale max=nan", "--scale max=1e999", "--scale step=-1", "--scale max=1"),
        *("--counts yes", "--k-core -1", "--k-core x", "--sample-seed 4294967296", "--jobs 4"),
        *("--min-ratings 99", "--sample-users 0", "x --counts", "--k-core " + "9" * 280),
    ],
)
def test_a_link_that_says_nonsense_leaves_a_file_as_it_is_found(options: str) -> None:
    as_found = draft_of(taken(SWAPPED)).ratings
    asked = UploadName("0" * 12, 5, "mine.csv", options)
    own = OwnFile()
    own.take(uploaded(SWAPPED), asked)
    assert draft_of(own).ratings.fingerprint == as_found.fingerprint
    assert draft_of(own).choices == Choices()
    assert own.preparation is None
    assert not own.give(asked)


def test_back_to_another_reading_of_the_same_file_needs_no_upload() -> None:
    own = taken(SWAPPED)
    as_found = UploadName.of(draft_of(own).ratings)
    own.correct(draft_of(own), Choices((1, 2, 3)))
    corrected = UploadName.of(draft_of(own).ratings)
    assert own.give(as_found)
    assert UploadName.of(draft_of(own).ratings) == as_found
    assert own.give(corrected)
    assert draft_of(own).choices.columns == (1, 2, 3)
    assert not own.give(UploadName("0" * 12, 5, "mine.csv"))
    assert draft_of(own).choices.columns == (1, 2, 3)


@pytest.mark.parametrize(
    ("content", "size"),
    [
        ("1,10,3,978300760\n1,11,4,978300761\n2,10,5,978300762\n", (2, 2, 3)),
        ("1::10::3::9\n1::11::4::9\n", (1, 2, 2)),
        ("user;item;rating\na;x;1,5\nb;x;4,0\n", (2, 1, 2)),
        ("user,item,rating\nNA,x,3\nnull,x,4\nnan,x,2\n", (3, 1, 3)),
        ("\ufeffuser,item,rating\na,x,4\n", (1, 1, 1)),
        ("user\titem\trating\na\tx\t4\nb\tx\t5\n".encode("utf-16"), (2, 1, 2)),
        ("user,item,rating\ncafé,x,4\nb,x,2\n".encode("latin-1"), (2, 1, 2)),
        ('user,item,rating\n"a, b",x,3\nc,x,4\n', (2, 1, 2)),
        ("user,item,rating\na,x,1\na,x,5\n", (1, 1, 1)),
        (gzip.compress(GOOD.encode()), (3, 3, 5)),
        (zipped({"folder/mine.csv": GOOD}), (3, 3, 5)),
    ],
)
def test_ordinary_files_are_understood(content: bytes | str, size: tuple[int, int, int]) -> None:
    ratings = draft_of(taken(content)).ratings
    assert (ratings.n_users, ratings.n_items, ratings.n_ratings) == size


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "empty"),
        ("user,item,rating\n", "no ratings in the file"),
        ("1,2\n", "three columns"),
        ("user,item,rating\n1,2,3\n1,3,four\n", 'Line 3 has the rating "four"'),
        ("user,item,rating\n1,2,nan\n", "finite"),
        ("user,item,rating\n1,2,3\n,3,4\n", "Line 3 has no user"),
        (b"\x80\x04\x95\x00\x00csubprocess\n", "pickle"),
        (zipped({"../../evil.csv": GOOD}), "refused"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_lost(
    content: bytes | str, reason: str
) -> None:
    own = taken(GOOD, "good.csv")
    own.explore()
    before = own.draft, own.prepared, own.explored
    own.take(uploaded(content, "bad.csv"))
    assert reason in str(refused_of(own).reason)
    assert refused_of(own).name == "bad.csv"
    assert (own.draft, own.prepared, own.explored) == before
    own.take(uploaded(GOOD))
    assert own.refused is None


def test_columns_can_be_said_where_nobody_can_tell() -> None:
    own = taken("user,when,what,how\na,9,x,3\nb,8,y,4\n")
    refused = refused_of(own)
    assert refused.preview is not None
    assert refused.preview.columns == ("user", "when", "what", "how")
    own.correct(refused, Choices(columns=(1, 3, 3)))
    assert "chosen twice" in str(refused_of(own).reason)
    own.correct(refused_of(own), Choices(columns=(1, 3, 4)))
    assert own.refused is None
    assert draft_of(own).ratings.items.tolist() == ["x", "y"]


def test_a_correction_of_the_draft_leaves_a_refused_file_alone() -> None:
    own = taken(GOOD)
    own.take(uploaded("user,when,what,how\na,9,x,3\n"))
    refused = own.refused
    own.correct(draft_of(own), Choices(columns=(2, 1, 3)))
    assert own.refused is refused
    assert draft_of(own).ratings.users.tolist() == ["x", "y", "z"]


def test_a_scale_that_is_set_holds_the_ratings_or_is_an_error() -> None:
    own = taken(GOOD)
    narrow = draft_of(own).ratings
    own.correct(draft_of(own), Choices(minimum=0, step=0.5))
    wider = draft_of(own).ratings
    assert (wider.scale.minimum, wider.scale.maximum, wider.scale.step) == (0, 5, 0.5)
    assert wider.fingerprint != narrow.fingerprint
    assert "The scale was set to 0 to 5 in steps of 0.5." in wider.report.notes
    for choices, said in (
        (Choices(maximum=4), "1 of 5 ratings lie outside of it"),
        (Choices(minimum=9), "must not start"),
        (Choices(step=0.3), "do not lead"),
    ):
        own.correct(draft_of(own), choices)
        assert said in own.problem
        assert draft_of(own).ratings is wider
    own.correct(draft_of(own), Choices(step=CONTINUOUS))
    assert draft_of(own).ratings.scale.step is None
    assert own.problem == ""


def test_listening_counts_become_ratings_when_the_visitor_says_so() -> None:
    own = taken("user,artist,plays\na,x,10\na,y,110\na,z,60\nb,x,5\n")
    assert "look like counts" in str(draft_of(own).ratings.report.warnings[-1])
    own.correct(draft_of(own), Choices(counts=True, minimum=0.0))
    assert draft_of(own).ratings.value.tolist() == [1.0, 1000.0, 500.5, 1000.0]


def test_what_is_prepared_is_said_and_is_part_of_the_fingerprint() -> None:
    own = taken(GOOD)
    own.prepare(Preparation())
    assert own.prepared is draft_of(own).ratings
    for preparation in (
        Preparation(min_ratings=2, sample_users=1),
        Preparation(sample_users=2),
        Preparation(k_core=2),
    ):
        own.prepare(preparation)
        assert own.prepared is not None
        assert own.prepared.fingerprint != draft_of(own).ratings.fingerprint
        assert own.dropped
    assert str(own.dropped[0]) == "2-core dropped 1 user, 1 item and 1 rating."
    own.prepare(Preparation(k_core=9))
    assert own.prepared is None
    assert "No ratings are left" in own.problem
    own.prepare(Preparation())
    assert own.prepared is draft_of(own).ratings


def test_explored_stays_until_something_else_is_explored_or_forgotten() -> None:
    own = taken(GOOD)
    assert own.explore() is None
    first = own.explored
    own.take(uploaded("1,2,3\n2,2,4\n", "other.csv"))
    assert own.explored is first
    assert own.explore() is first
    assert own.explored is draft_of(own).ratings
    assert own.explore() is None
    explored = own.explored
    assert own.forget() is explored
    assert own.draft is own.prepared is own.explored is own.refused is None


def bomb(megabytes: int) -> bytes:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("ratings.csv", "w", force_zip64=True) as file,
    ):
        for _ in range(megabytes):
            file.write(b"1,2,3\n" * 174_763)
    return buffer.getvalue()


def test_a_bomb_is_refused_at_once() -> None:
    for content in (bomb(100), gzip.compress(b"1,2,3\n" * 17_000_000)):
        start = time.perf_counter()
        own = taken(content, "bomb.zip")
        assert time.perf_counter() - start < 1
        assert own.refused is not None
        assert own.draft is None


def test_too_little_memory_is_an_error_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    own = taken(GOOD)

    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("pages.parts.own_file.load", exhausted)
    own.take(uploaded(GOOD))
    assert "take a sample of its users" in str(refused_of(own).reason)
    assert own.draft is not None


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = taken(zipped({"ml-1m/ratings.dat": "1::1::3::9\n"}), "../../ml-1m.zip")
    assert draft_of(own).ratings.n_ratings == 1
    assert draft_of(own).ratings.name == "ml-1m"
    assert list(tmp_path.iterdir()) == []


def test_the_same_file_has_the_same_fingerprint_as_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(GOOD)
    assert draft_of(taken(GOOD)).ratings.fingerprint == load(tmp_path / "mine.csv").fingerprint
