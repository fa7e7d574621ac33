"""What a command tells its user beside the result: lines on standard error."""

from __future__ import annotations

import sys

from tqdm import tqdm


def say(text: str) -> None:
    """Print a line to standard error, above a progress bar if there is one."""
    if sys.stderr is not None:  # `2>&-` closes it
        tqdm.write(text, file=sys.stderr)


def warn(text: object) -> None:
    """Print a warning to standard error."""
    say(f"warning: {text}")
