"""`attack SOURCE`: how many ratings of others an adversary recovers."""

from __future__ import annotations

import argparse

from engine.attack import AttackPlan
from engine.attack.table import KNOWLEDGE, attack_table
from engine.cli.command import Command
from engine.cli.messages import say
from engine.cli.run_options import add_run_options, add_tau_option, run_with_progress
from engine.output import write_table


def _add_options(parser: argparse.ArgumentParser) -> None:
    default = AttackPlan()
    add_run_options(parser)
    add_tau_option(parser)
    parser.add_argument(
        "--protection",
        nargs="+",
        metavar="P",
        help="none, vulnerable, full (default: all; full stands as tau 0)",
    )
    parser.add_argument(
        "--knowledge",
        nargs="+",
        type=float,
        default=list(KNOWLEDGE),
        metavar="SHARE",
        help="known shares of a victim's ratings (default: 0.2 0.5)",
    )
    parser.add_argument(
        "--accounts",
        type=int,
        metavar="N",
        help="fake accounts beside the one that asks; 0: none (default: k - 1)",
    )
    parser.add_argument(
        "--repeats",
        type=int,
        default=default.repeats,
        metavar="N",
        help="how often each query is put (default: %(default)s)",
    )
    parser.add_argument(
        "--victims",
        type=int,
        default=default.victims,
        metavar="N",
        help="users attacked, drawn by --seed (default: %(default)s)",
    )
    parser.add_argument(
        "--victim-ratings",
        type=int,
        metavar="N",
        help="draw from users with at least N ratings (default: as many as the median user has)",
    )
    parser.add_argument(
        "--probes",
        type=int,
        default=default.probes,
        metavar="N",
        help="items asked about each victim, at most (default: %(default)s)",
    )
    parser.add_argument(
        "--details",
        action="store_true",
        help="add columns, and rows of the secure and of the vulnerable victims",
    )


def _run(options: argparse.Namespace) -> None:
    plan = AttackPlan(
        accounts=options.accounts,
        repeats=options.repeats,
        victims=options.victims,
        probes=options.probes,
        min_ratings=options.victim_ratings,
    )
    table = run_with_progress(
        options,
        attack_table,
        knowledge=tuple(dict.fromkeys(options.knowledge)),
        plan=plan,
        details=options.details,
    )
    if options.format == "table":
        say(
            "exact: share of the asked ratings that the adversary recovers, with its 95 % interval;"
            " baseline: share that is right by guessing the most common rating of the item. Rows"
            " without a mechanism are without protection, those with tau 0 have full protection."
        )
    write_table(table, options.format, options.out)


ATTACK = Command("attack", "how many ratings of others an adversary recovers", _add_options, _run)
