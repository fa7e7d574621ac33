"""Downloads from servers of the tests' own on 127.0.0.1; nothing here asks for another host."""

from __future__ import annotations

import errno
import hashlib
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from engine.datasets import download as module
from engine.datasets import load
from engine.datasets.download import download
from engine.datasets.verifying import fault
from engine.errors import Cancelled, InputError
from tests.engine.datasets.uploads import zipped

RATINGS = "".join(f"{u}::{i}::{1 + (u * i) % 5}::9\n" for u in range(1, 40) for i in range(1, 60))
NOISE = random.Random(1).randbytes(400_000)  # so that it is larger than one block
ARCHIVE = zipped({"ml-1m/ratings.dat": RATINGS, "ml-1m/users.dat": NOISE})


@dataclass
class Site:
    """What the server has, and how badly it serves it."""

    files: dict[str, bytes]
    ranges: bool = True
    breaks: list[int] = field(default_factory=list)  # bytes after which the next answers break
    stalls: float = 0.0  # seconds before the body
    drips: float = 0.0  # seconds between single bytes
    says_length: bool = True
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    address: str = ""

    def archive_requests(self) -> list[str | None]:
        return [start for path, start in self.asked if path.endswith(".zip")]


def handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            site.asked.append((self.path, asked))
            self.close_connection = True
            content = site.files.get(self.path)
            if site.statuses and self.path.endswith(".zip"):
                return self.send_error(site.statuses.pop(0))
            if content is None:
                return self.send_error(404)
            start = int(re.findall(r"\d+", asked)[0]) if asked and site.ranges else 0
            if start >= len(content):
                return self.send_error(416)
            body = content[start:]
            self.send_response(206 if start else 200)
            if start:
                end = f"{len(content) - 1}/{len(content)}"
                self.send_header("Content-Range", f"bytes {start}-{end}")
            if site.says_length:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not self.path.endswith(".zip"):
                return self._send(body)
            time.sleep(site.stalls)
            for _ in range(200 if site.drips else 0):
                self._send(body[:1])
                time.sleep(site.drips)
            self._send(body[: site.breaks.pop(0)] if site.breaks else body)

        def _send(self, body: bytes) -> None:
            try:
                self.wfile.write(body)
                self.wfile.flush()
            except OSError:
                pass  # They went away, as some tests do.

    return Handler


Serve = Callable[..., Site]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers = []

    def start(archive: bytes = ARCHIVE, md5: str | None = "right", **how: object) -> Site:
        site = Site({"/sets/ml-1m.zip": archive}, **how)  # type: ignore[arg-type]
        if md5 is not None:
            digest = hashlib.md5(ARCHIVE).hexdigest() if md5 == "right" else md5
            site.files["/sets/ml-1m.zip.md5"] = f"MD5 (ml-1m.zip) = {digest}\n".encode()
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler(site))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        site.address = f"http://127.0.0.1:{server.server_port}/sets"
        return site

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("REUSEKNN_DATA_DIR", str(folder))
    return folder


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_good_file_comes_with_progress_and_can_be_loaded(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = serve()
    monkeypatch.setenv("REUSEKNN_DOWNLOAD_URL", site.address + "/")
    seen: list[tuple[int, int | None]] = []
    downloaded = download("ml-1m", progress=lambda have, total: seen.append((have, total)))
    assert downloaded.path.read_bytes() == ARCHIVE
    assert downloaded.verified
    assert files(folder) == ["ml-1m.zip"]
    assert seen[0] == (0, len(ARCHIVE))
    assert seen[-1] == (len(ARCHIVE), len(ARCHIVE))
    assert seen == sorted(seen)
    assert load("ml-1m").n_ratings == 39 * 59


@pytest.mark.parametrize("ranges", [True, False])
def test_a_broken_connection_is_taken_up_again(serve: Serve, folder: Path, ranges: bool) -> None:
    site = serve(breaks=[100_000], ranges=ranges)
    assert download("ml-1m", address=site.address).path.read_bytes() == ARCHIVE
    first, second = site.archive_requests()
    assert first is None
    assert second is not None
    assert second.startswith("bytes=")


def test_a_connection_that_breaks_later_each_time_gets_there(serve: Serve, folder: Path) -> None:
    site = serve(breaks=[60_000] * 6)
    assert download("ml-1m", address=site.address).path.read_bytes() == ARCHIVE


@pytest.mark.parametrize("ranges", [True, False])
def test_after_it_broke_for_good_another_try_goes_on_or_starts_again(
    serve: Serve, folder: Path, ranges: bool
) -> None:
    site = serve(breaks=[100_000, 0, 0, 0], ranges=ranges)
    with pytest.raises(InputError, match=r"broke off\. What has come is kept"):
        download("ml-1m", address=site.address)
    assert files(folder) == [".ml-1m.zip.part"]
    with pytest.raises(InputError, match="not in the data folder"):
        load("ml-1m")
    site.breaks.clear()
    assert download("ml-1m", address=site.address).path.read_bytes() == ARCHIVE
    assert files(folder) == ["ml-1m.zip"]
    assert not ranges or str(site.archive_requests()[-1]).startswith("bytes=")


@pytest.mark.parametrize("rest", [b"something else" * 10_000, ARCHIVE + b"and more"])
def test_a_part_of_another_file_is_not_built_on(serve: Serve, folder: Path, rest: bytes) -> None:
    folder.mkdir()
    (folder / ".ml-1m.zip.part").write_bytes(rest)
    site = serve()
    assert download("ml-1m", address=site.address).path.read_bytes() == ARCHIVE


def test_a_wrong_checksum(serve: Serve, folder: Path) -> None:
    site = serve(md5="0" * 32)
    with pytest.raises(InputError, match=r"ml-1m\.zip differs from the published checksum"):
        download("ml-1m", address=site.address)
    assert files(folder) == []


def test_a_file_changed_on_the_way(serve: Serve, folder: Path) -> None:
    changed = bytearray(ARCHIVE)
    changed[len(changed) // 2] ^= 1
    for md5, said in (("right", "differs"), (None, "is damaged")):
        with pytest.raises(InputError, match=said):
            download("ml-1m", address=serve(bytes(changed), md5).address)
    assert files(folder) == []


def test_without_a_published_checksum_the_archive_must_be_whole(serve: Serve, folder: Path) -> None:
    assert not download("ml-1m", address=serve(md5=None).address).verified
    (folder / "ml-1m.zip").unlink()
    for content in (b"<html>Log in to the network</html>", ARCHIVE[:-50]):
        with pytest.raises(InputError, match="is no zip archive"):
            download("ml-1m", address=serve(content, md5=None).address)
    assert files(folder) == []


def test_an_answer_without_length(serve: Serve, folder: Path) -> None:
    site = serve(says_length=False, breaks=[100_000])
    with pytest.raises(InputError, match="differs from the published checksum"):
        download("ml-1m", address=site.address)
    assert download("ml-1m", address=site.address).path.read_bytes() == ARCHIVE


def test_not_found(serve: Serve, folder: Path) -> None:
    site = serve()
    with pytest.raises(InputError, match=r"127\.0\.0\.1 has no /sets/ml-100k\.zip \(404\)"):
        download("ml-100k", address=site.address)
    assert files(folder) == []


def test_a_busy_server_is_asked_again(serve: Serve, folder: Path) -> None:
    site = serve(statuses=[503])
    assert download("ml-1m", address=site.address).path.read_bytes() == ARCHIVE
    with pytest.raises(InputError, match=r"refuses the download \(403\)"):
        download("ml-1m", address=serve(statuses=[403]).address)


def test_slow_servers_do_not_hold_on_for_ever(serve: Serve, folder: Path) -> None:
    start = time.monotonic()
    for site in (serve(stalls=3.0), serve(drips=0.1)):
        with pytest.raises(InputError, match=r"for 0\.3 seconds"):
            download("ml-1m", address=site.address, timeout=0.3)
    assert time.monotonic() - start < 6


def test_no_network(folder: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    start = time.monotonic()
    with pytest.raises(InputError, match=r"127\.0\.0\.1 cannot be reached: check the network"):
        download("ml-1m", address=f"http://127.0.0.1:{port}")
    assert time.monotonic() - start < 5
    assert files(folder) == []


@pytest.mark.parametrize("address", ["file:///etc", "nonsense", "http://", "ftp://127.0.0.1/x"])
def test_addresses_that_are_none(folder: Path, address: str) -> None:
    with pytest.raises(InputError, match="REUSEKNN_DOWNLOAD_URL"):
        download("ml-1m", address=address)


def test_cancelling_keeps_what_there_is(serve: Serve, folder: Path) -> None:
    site = serve()
    have = [0]

    def progress(count: int, _: int | None) -> None:
        have[0] = count

    with pytest.raises(Cancelled):
        download(
            "ml-1m",
            address=site.address,
            progress=progress,
            cancelled=lambda: have[0] > 0,
        )
    assert files(folder) == [".ml-1m.zip.part"]
    assert download("ml-1m", address=site.address).path.read_bytes() == ARCHIVE


def test_too_large(serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 1 << 18)
    for site in (serve(), serve(says_length=False)):
        with pytest.raises(InputError, match="not the archive asked for"):
            download("ml-1m", address=site.address)
    assert files(folder) == []


def test_no_room(serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = serve()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module._Fetch, "_copy", full)
        with pytest.raises(InputError, match="no room for the archive"):
            download("ml-1m", address=site.address)
    assert files(folder) == []
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(InputError, match="no room for the archive"):
        download("ml-1m", address=site.address)


def test_a_folder_that_cannot_be_made(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written to"):
        download("ml-1m", address=serve().address, folder=tmp_path / "file" / "data")


def test_only_what_is_known_is_downloaded(folder: Path) -> None:
    for name in ("../ml-1m", "ciao"):
        with pytest.raises(InputError, match='only "ml-1m", "ml-100k" and "ml-latest-small" can'):
            download(name)


def test_the_official_checksum_holds_for_the_official_address(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = serve(md5=None)
    monkeypatch.setattr(module, "ADDRESS", site.address)
    monkeypatch.delenv("REUSEKNN_DOWNLOAD_URL", raising=False)
    assert module.download_address() == site.address
    with pytest.raises(InputError, match="differs from the published checksum"):
        download("ml-1m")


@pytest.mark.parametrize("place", ["flag", "method"])
def test_an_archive_that_python_cannot_unpack_is_at_fault(tmp_path: Path, place: str) -> None:
    content = bytearray(zipped({"a.csv": "1,2,3\n"}))
    index = content.rindex(b"PK\x01\x02")
    if place == "flag":  # encrypted
        content[6] |= 1
        content[index + 8] |= 1
    else:  # a method that there is not
        content[8] = content[index + 10] = 77
    part = tmp_path / "a.zip"
    part.write_bytes(content)
    assert "is no zip archive" in fault(part, None)
    part.write_bytes(zipped({"a.csv": "1,2,3\n"}))
    assert fault(part, None) == ""
