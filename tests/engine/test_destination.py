"""What is written goes to what a name stands for, whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.destination import check_destination, write_text
from engine.errors import InputError

ROOT = Path(__file__).parents[2]


def put(out: Path, text: str = "new\n") -> None:
    check_destination(out)
    write_text(text, out)


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    target, link, chain = (tmp_path / name for name in ("target", "link", "chain"))
    target.write_text("old\n")
    link.symlink_to("target")
    chain.symlink_to("link")
    put(chain)
    assert (chain.is_symlink(), link.is_symlink(), target.read_text()) == (True, True, "new\n")


def test_a_link_to_what_is_not_there_yet_makes_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("later")
    put(tmp_path / "link")
    assert (tmp_path / "later").read_text() == "new\n"


def test_every_name_of_a_file_shows_what_was_written(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("old\n")
    os.link(tmp_path / "one", tmp_path / "two")
    put(tmp_path / "one")
    assert (tmp_path / "two").read_text() == "new\n"


def test_permissions_stay_and_new_files_have_those_of_others(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old\n")
    old.chmod(0o640)
    put(old)
    put(new)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    (tmp_path / "usual").touch()
    assert new.stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    put(pipe)
    reader.join(timeout=10)
    assert read == ["new\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
@pytest.mark.parametrize(
    "name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout"]
)
def test_the_screen_by_its_name_is_the_screen(name: str, tmp_path: Path) -> None:
    before = os.lstat("/dev/stdout")
    code = (
        "import sys; from pathlib import Path; from engine.destination import *;"
        "out = Path(sys.argv[1]); print('first'); check_destination(out); write_text('new\\n', out)"
    )
    out = tmp_path / "out"
    out.write_text("kept\n")
    with out.open("a") as file:
        subprocess.run([sys.executable, "-c", code, name], cwd=ROOT, stdout=file, check=True)
    assert out.read_text() == "kept\nfirst\nnew\n"
    assert os.lstat("/dev/stdout").st_ino == before.st_ino


def test_what_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    places = [tmp_path, tmp_path / "none" / "rows.csv", tmp_path / "circle", tmp_path / ("n" * 300)]
    places += [Path("/proc/rows.csv")] if Path("/proc").is_dir() else []
    for out in places:
        with pytest.raises(InputError, match=r"cannot be written|is a folder") as error:
            check_destination(out)
        assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["circle"]


def test_checking_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    check_destination(out)
    assert not list(tmp_path.iterdir())
    out.write_text("old\n")
    written = out.stat().st_mtime_ns
    check_destination(out)
    assert (out.read_text(), out.stat().st_mtime_ns) == ("old\n", written)


def test_the_ratings_are_not_replaced_by_any_name(tmp_path: Path) -> None:
    source = tmp_path / "ratings.csv"
    source.write_text("a,x,3\n")
    (tmp_path / "link").symlink_to("ratings.csv")
    os.link(source, tmp_path / "other")
    for name in ("ratings.csv", "link", "other"):
        with pytest.raises(InputError, match="another file"):
            check_destination(tmp_path / name, str(source))


def test_nothing_is_left_of_a_write_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "rows.csv"
    out.write_text("old\n")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match="No space left on device"):
        write_text("new\n", out)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
    assert out.read_text() == "old\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_in_a_closed_folder_is_written_in_place(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    out.write_text("old\n")
    tmp_path.chmod(0o555)
    try:
        put(out)
        assert out.read_text() == "new\n"
        with pytest.raises(InputError, match="cannot be written"):
            check_destination(tmp_path / "other.csv")
    finally:
        tmp_path.chmod(0o755)
