"""Ctrl-C while `python -m engine` is still loading its modules ends it with one line.

Imported before all others. In a notebook or under another program it does nothing.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130


def _exit(number: int, frame: FrameType | None) -> NoReturn:
    # An exception would pass through modules that are half loaded, and some of them swallow it.
    os.write(2, b"Interrupted; nothing was started.\n")
    os._exit(INTERRUPTED)


def is_loading() -> bool:
    """Whether this process was started as `python -m engine` and looks for its modules."""
    # Python calls the program so until it has found the module to run.
    return sys.argv[:1] == ["-m"] and "engine" in sys.orig_argv


if is_loading() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _exit)


def end_loading() -> None:
    """From here on Ctrl-C raises KeyboardInterrupt as usual."""
    if signal.getsignal(signal.SIGINT) is _exit:
        signal.signal(signal.SIGINT, signal.default_int_handler)
