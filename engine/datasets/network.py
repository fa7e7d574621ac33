"""How connections are retried, and the messages when they fail for good."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import requests
from urllib3 import Retry
from urllib3.exceptions import HTTPError, MaxRetryError, ReadTimeoutError

from engine.datasets.wording import printable, quoted
from engine.errors import InputError

DOWNLOAD_URL_VARIABLE = "REUSEKNN_DOWNLOAD_URL"


def retries() -> Retry:
    """Return the policy of two more attempts after a failed one, the last after a second."""
    return Retry(
        2,
        read=1,
        backoff_factor=0.5,
        status_forcelist=(502, 503, 504),
        raise_on_status=False,
        respect_retry_after_header=False,  # A server may ask for hours.
    )


def host(url: str) -> str:
    """Return the host of an address, for a sentence."""
    return printable(urlsplit(url).hostname or url)


def refusal(url: str, status: int) -> str:
    """Return the sentence on an answer that brings no file."""
    if status in (404, 410):
        return (
            f"{host(url)} has no {printable(urlsplit(url).path)} ({status}): check the download "
            f"address, which {DOWNLOAD_URL_VARIABLE} sets."
        )
    return f"{host(url)} refuses the download ({status}): try again later."


@contextlib.contextmanager
def as_input_errors(url: str, part: Path, timeout: float) -> Iterator[None]:
    """Say in one sentence what stopped a download."""
    part_stays = " What has come is kept: another try goes on from there."
    slow = f"{host(url)} sent nothing, or hardly anything, for {timeout:g} seconds: try again."
    try:
        yield
    except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{quoted(url)} is no download address: {DOWNLOAD_URL_VARIABLE} must start with "
            "https:// or http://."
        ) from None
    except requests.Timeout:
        raise InputError(slow + (part_stays if part.exists() else "")) from None
    except requests.RequestException:
        raise InputError(
            f"{host(url)} cannot be reached: check the network, or the download address, which "
            f"{DOWNLOAD_URL_VARIABLE} sets."
        ) from None
    except HTTPError as error:
        cause = error.reason if isinstance(error, MaxRetryError) else error
        if isinstance(cause, ReadTimeoutError):
            raise InputError(slow + part_stays) from None
        raise InputError(f"The connection to {host(url)} broke off.{part_stays}") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            part.unlink(missing_ok=True)
            raise InputError(
                "There is no room for the archive in the data folder "
                f"({printable(str(part.parent))}): make some, and try again."
            ) from None
        reason = error.strerror or str(error)
        raise InputError(
            f"The data folder ({printable(str(part.parent))}) cannot be written to: {reason}."
        ) from None
