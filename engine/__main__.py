"""`python -m engine`: see `engine.cli`."""

from __future__ import annotations

import signal
import sys
from types import FrameType


def _stop(number: int, frame: FrameType | None) -> None:
    """End as after an exception, so that temporary files are removed."""
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    try:
        from engine.cli import main

        status = main()
    except KeyboardInterrupt:  # while modules are still being imported
        status = 130
    sys.exit(status)
