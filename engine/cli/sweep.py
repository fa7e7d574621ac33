"""`sweep SOURCE`: MAE and privacy risk at every whole tau."""

from __future__ import annotations

import argparse

import pandas as pd

from engine.cli.command import Command
from engine.cli.messages import say
from engine.cli.run_options import add_run_options, run_with_progress
from engine.evaluation import sweep
from engine.output import write_table
from engine.round_numbers import round_numbers


def _run(options: argparse.Namespace) -> None:
    table = run_with_progress(options, sweep)
    if options.format == "table":
        say("Means over the folds at some tau; --format csv or json has every whole tau.")
        table = table[(table["fold"] == "mean") & _round_taus(table)]
    write_table(table, options.format, options.out)


def _round_taus(table: pd.DataFrame) -> pd.Series[bool]:
    """Return which rows have a tau of 0, 1, 2, 5, 10, 20, 50, ... or the largest."""
    tau = table["tau"]
    largest = table.groupby(["strategy", "k"])["tau"].transform("max")
    return tau.isin([0, *round_numbers(1, max(1, tau.max()))]) | (tau == largest)


SWEEP = Command("sweep", "what every tau costs and protects", add_run_options, _run)
