"""Downloads a GroupLens archive into the data folder, on request only.

The file gets its name when it is complete and verified. Until then it is a hidden ``.part``. The
next attempt goes on from there if the server can do that.

Pooch 1.9 was tried instead. It begins again after a break. With a connection that broke after each
2.5 MB it gave up: 7.5 MB were sent and nothing was kept. This module fetched the 6 MB, each byte
once. Pooch does not bound the size and cannot be cancelled. A server that sends a byte a second
holds it for as long as that goes on.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError

from engine.datasets.catalog import data_folder
from engine.datasets.grouplens import ADDRESS, ARCHIVES
from engine.datasets.network import DOWNLOAD_URL_VARIABLE, as_input_errors, host, refusal, retries
from engine.datasets.verifying import fault, published_md5
from engine.datasets.wording import listed, quoted
from engine.errors import Cancelled, InputError

# The largest archive offered has 6 MB; a larger answer is not what was asked for.
MAX_BYTES = 256 << 20
TIMEOUT = 15.0  # seconds without a byte
SLOWEST = 1 << 10  # bytes a second, over a whole timeout
BLOCK = 1 << 16

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True)
class Downloaded:
    """A complete file; ``verified`` if it was compared with a published checksum."""

    path: Path
    verified: bool


def download_address() -> str:
    """Return where archives come from: ``REUSEKNN_DOWNLOAD_URL``, or GroupLens itself."""
    return (os.environ.get(DOWNLOAD_URL_VARIABLE, "").strip() or ADDRESS).rstrip("/")


def download(
    name: str,
    *,
    folder: Path | None = None,
    address: str | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    timeout: float = TIMEOUT,
) -> Downloaded:
    """Fetch an archive into the data folder, verified.

    The MD5 checksum beside the archive decides. At GroupLens the known one decides if there is
    none; elsewhere the checksums inside of the archive do.

    Args:
        name: a key of `ARCHIVES`, such as "ml-1m".
        folder: where the archive goes, by default the data folder; it is made if it is absent.
        address: the folder of the archives on the server, by default `download_address`.
        progress: called with the bytes that are there and, if known, the bytes there will be.
        cancelled: asked between blocks.
        timeout: seconds to wait for an answer, or for the next byte.

    Raises:
        InputError: one sentence says what failed: no such archive, no connection, a break, a
            refusal, a wrong checksum, no room. The bytes before a break are kept.
        Cancelled: the bytes that came are kept, too.
    """
    if name not in ARCHIVES:
        known = listed([quoted(other) for other in ARCHIVES], 5)
        raise InputError(f"{quoted(name)} cannot be downloaded, only {known} can.")
    archive = ARCHIVES[name]
    folder = folder or data_folder()
    address = (address or download_address()).rstrip("/")
    part = folder / f".{archive.file}.part"
    url = f"{address}/{archive.file}"
    with requests.Session() as session, as_input_errors(url, part, timeout):
        folder.mkdir(parents=True, exist_ok=True)
        adapter = HTTPAdapter(max_retries=retries())
        for scheme in ("http://", "https://"):
            session.mount(scheme, adapter)
        fetch = _Fetch(session, url, part, progress, cancelled or (lambda: False), timeout)
        went_on = part.exists()
        fetch.whole()
        md5 = published_md5(session, url, timeout)
        if md5 is None and address == ADDRESS:
            md5 = archive.md5  # A mirror may have packed the files anew.
        if went_on and fault(part, md5):
            # The file on the server may have changed since the first part of it came.
            part.unlink()
            fetch.whole()
        if wrong := fault(part, md5):
            part.unlink()
            raise InputError(f"What {host(url)} sent as {archive.file} {wrong}: try again later.")
        path = folder / archive.file
        part.replace(path)
    return Downloaded(path, md5 is not None)


@dataclass(frozen=True)
class _Fetch:
    session: requests.Session
    url: str
    part: Path
    progress: Progress | None
    cancelled: Callable[[], bool]
    timeout: float

    def whole(self) -> None:
        """Fetch until all is there, going on after a break."""
        attempts, furthest = retries(), 0
        while True:
            try:
                return self._go_on()
            except (HTTPError, ConnectionError) as error:
                received = self._have()
                if received > furthest:  # A connection that breaks later each time gets there.
                    attempts, furthest = retries(), received
                attempts = attempts.increment("GET", self.url, error=error)
                attempts.sleep()

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _go_on(self) -> None:
        have = self._have()
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        with self.session.get(
            self.url, headers=headers, stream=True, timeout=self.timeout
        ) as response:
            if have and (response.status_code == 416 or not _fits(response, have)):
                self.part.unlink()
                raise HTTPError("the part does not fit")
            if response.status_code not in (200, 206):
                raise InputError(refusal(self.url, response.status_code))
            have = have if response.status_code == 206 else 0
            length = response.headers.get("Content-Length", "")
            total = have + int(length) if length.isdecimal() else None
            self._check_room(have, total)
            with self.part.open("ab" if have else "wb") as file:
                self._copy(response, file.write, have, total)

    def _check_room(self, have: int, total: int | None) -> None:
        if (total or have) > MAX_BYTES:
            self.part.unlink(missing_ok=True)
            raise InputError(
                f"{host(self.url)} wants to send more than {MAX_BYTES >> 20} MB, which is not the "
                "archive asked for: check the download address."
            )
        if total and total - have > shutil.disk_usage(self.part.parent).free:
            raise OSError(errno.ENOSPC, "no room")

    def _copy(
        self,
        response: requests.Response,
        write: Callable[[bytes], int],
        have: int,
        total: int | None,
    ) -> None:
        since, before = time.monotonic(), have
        while True:
            if self.cancelled():
                raise Cancelled
            if self.progress:
                self.progress(have, total)
            if time.monotonic() - since > self.timeout:
                if have - before < SLOWEST * self.timeout:
                    raise requests.Timeout
                since, before = time.monotonic(), have
            # Reads only what is there, so that a download from a slow server can be cancelled.
            if not (block := response.raw.read1(BLOCK)):
                break
            write(block)
            have += len(block)
            self._check_room(have, None)
        if total is not None and have < total:
            raise HTTPError("the end is missing")


def _fits(response: requests.Response, have: int) -> bool:
    start = response.headers.get("Content-Range", "")
    return response.status_code != 206 or start.startswith(f"bytes {have}-")
