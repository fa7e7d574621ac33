"""`front SOURCE`: the settings that no other setting beats in both error and privacy risk."""

from __future__ import annotations

import argparse

from engine.analysis_tables import front
from engine.cli.command import Command
from engine.cli.run_options import add_run_options, run_with_progress, warn_of_other_queries
from engine.output import write_table


def _run(options: argparse.Namespace) -> None:
    warn_of_other_queries(options)
    write_table(run_with_progress(options, front), options.format, options.out)


FRONT = Command("front", "the settings that no other beats", add_run_options, _run)
