"""What a subcommand is: a name, a summary, its options, and what it does."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A subcommand of `python -m engine`.

    Attributes:
        name: as it is typed.
        summary: what it gives, in a few words that begin with a lower-case letter.
        add_options: adds its options to its parser.
        run: does the work. It raises `InputError` for what the user can mend. It returns the exit
            status where that says something about the result; None means 0.
        reads_source: whether it reads the ratings that its first argument names.
    """

    name: str
    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int | None]
    reads_source: bool = True
