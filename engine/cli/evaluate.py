"""`evaluate SOURCE`: all metrics of the strategies, without, with and with full protection."""

from __future__ import annotations

import argparse

from engine.cli.command import Command
from engine.cli.messages import say, warn
from engine.cli.run_options import add_run_options, add_tau_option, run_with_progress
from engine.evaluation import evaluate
from engine.output import write_table

#: What fits a terminal.
_TABLE_COLUMNS = (
    "strategy", "protection", "k", "tau", "mae", "vulnerable_share", "privacy_risk", "secure_risk",
    "ndcg", "pp_corr", "coverage", "neighbors_at_20", "coratings_at_20",
)  # fmt: skip


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_run_options(parser)
    parser.add_argument(
        "--protection",
        nargs="+",
        metavar="P",
        help="none, vulnerable, full (default: all; full for userknn and neuknn only)",
    )
    add_tau_option(parser)
    parser.add_argument(
        "--curves", action="store_true", help="add Neighbors@q and CoRatings@q for q = 1 to 100"
    )


def _run(options: argparse.Namespace) -> None:
    table = run_with_progress(options, evaluate, curves=options.curves)
    if (table["predicted_share"] == 0).all():
        warn(
            "No query has a neighbor of positive similarity; "
            "every prediction is the mean of the training ratings."
        )
    if options.format == "table":
        say("Means over the folds; --format csv or json has every fold and every column.")
        table = table.loc[table["fold"] == "mean", list(_TABLE_COLUMNS)]
    write_table(table, options.format, options.out)


EVALUATE = Command("evaluate", "metrics of strategies and protections", _add_options, _run)
