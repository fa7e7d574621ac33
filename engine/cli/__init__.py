"""The command line, `python -m engine COMMAND`; `program` has the list of the commands."""

from __future__ import annotations

from engine.cli.program import main

__all__ = ["main"]
