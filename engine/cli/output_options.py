"""The options that say in which form a result is written, and where."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.output import FORMATS


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add `--format` and `--out`."""
    parser.add_argument("--format", choices=FORMATS, default="table")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there, not to the screen")
