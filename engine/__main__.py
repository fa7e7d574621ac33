"""`python -m engine`: see `engine.cli`."""

from __future__ import annotations

import signal
import sys
from types import FrameType

from engine.cli import main
from engine.starting import end_loading


def _stop(number: int, frame: FrameType | None) -> None:
    """End as after an exception, so that temporary files are removed."""
    sys.exit(128 + number)


if __name__ == "__main__":
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP.
        number = getattr(signal, name, None)
        # Under `nohup` the signal is ignored, and stays so.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    end_loading()
    sys.exit(main())
