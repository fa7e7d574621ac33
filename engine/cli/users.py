"""`users SOURCE`: what each user is exposed to."""

from __future__ import annotations

import argparse

from engine.analysis_tables import users
from engine.cli.command import Command
from engine.cli.messages import say
from engine.cli.run_options import (
    add_run_options,
    add_tau_option,
    read_settings,
    run_with_progress,
)
from engine.errors import InputError
from engine.output import write_table

#: Rows of a table on the screen.
_MOST_ROWS = 20


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_run_options(parser)
    add_tau_option(parser)
    parser.set_defaults(strategies=["userknn"])


def _run(options: argparse.Namespace) -> None:
    settings = read_settings(options)
    if len(settings.strategies) > 1 or len(settings.ks) > 1:
        raise InputError("A row is about a user under one strategy and one k: name one of each.")
    table = run_with_progress(options, users)
    if options.format == "table" and len(table) > _MOST_ROWS:
        say(f"The {_MOST_ROWS} users used most; --format csv or json has all {len(table):,}.")
        table = table.head(_MOST_ROWS)
    write_table(table, options.format, options.out)


USERS = Command("users", "uses, protection and privacy risk of each user", _add_options, _run)
