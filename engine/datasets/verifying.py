"""Checks that an archive is as it was published."""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from pathlib import Path

import requests
from urllib3.exceptions import HTTPError


def published_md5(session: requests.Session, url: str, timeout: float) -> str | None:
    """Return the checksum that stands beside an archive, `URL.md5`; None if there is none."""
    try:
        with session.get(f"{url}.md5", stream=True, timeout=timeout) as response:
            text = response.raw.read(1000).decode("ascii", "replace") if response.ok else ""
    except (requests.RequestException, HTTPError, OSError):
        text = ""
    checksum = re.search(r"\b[0-9a-f]{32}\b", text.lower())
    return checksum.group() if checksum else None


def fault(part: Path, md5: str | None) -> str:
    """Return what is wrong with a complete file; nothing if it is as published."""
    if md5 is not None:
        with part.open("rb") as file:
            if hashlib.file_digest(file, "md5").hexdigest() != md5:
                return "differs from the published checksum, and was deleted"
    try:
        with zipfile.ZipFile(part) as archive:
            damaged = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):  # RuntimeError: encrypted, or
        # packed in a way that Python cannot unpack
        return "is no zip archive, or not all of it, and was deleted"
    return "is damaged, and was deleted" if damaged else ""
