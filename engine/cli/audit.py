"""`audit`: what many answers of the mechanism prove about its epsilon."""

from __future__ import annotations

import argparse

import pandas as pd

from engine.audit import LEVELS, SAMPLES, Audit, audit_all
from engine.cli.command import Command
from engine.cli.messages import say, warn
from engine.cli.output_options import add_output_options
from engine.input_checks import DEFAULT_SEED
from engine.output import write_table
from engine.privacy import MECHANISMS


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--levels",
        nargs="+",
        type=int,
        default=list(LEVELS),
        metavar="M",
        help="numbers of values on the scale (default: 2 3 5 10)",
    )
    parser.add_argument(
        "--mechanism",
        nargs="+",
        default=list(MECHANISMS),
        metavar="NAME",
        help="discrete or continuous noise (default: both)",
    )
    parser.add_argument(
        "--memoised", action="store_true", help="audit answers that are drawn once and kept"
    )
    parser.add_argument(
        "--samples",
        type=int,
        default=SAMPLES,
        metavar="N",
        help="answers about each rating (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=DEFAULT_SEED, help="of the coins (default: %(default)s)"
    )
    add_output_options(parser)


def _run(options: argparse.Namespace) -> None:
    audits = audit_all(
        tuple(dict.fromkeys(options.levels)),
        tuple(dict.fromkeys(options.mechanism)),
        memoised=options.memoised,
        samples=options.samples,
        seed=options.seed,
    )
    _comment(audits)
    rows = [
        {
            "mechanism": finding.mechanism.name,
            "levels": finding.levels,
            "epsilon_stated": finding.epsilon_stated,
            "epsilon_lower_bound": finding.epsilon_lower_bound,
            "samples": finding.samples,
        }
        for finding in audits
    ]
    write_table(pd.DataFrame(rows), options.format, options.out)


def _comment(audits: list[Audit]) -> None:
    for finding in audits:
        if finding.refuted:
            name = f"{finding.mechanism.name} noise on {finding.levels} values"
            warn(f"The answers refute the stated epsilon of {name}.")
    without = [finding for finding in audits if not finding.finite]
    if without:
        share = min(finding.certain_share for finding in without)
        say(
            f"No finite epsilon holds for {without[0].mechanism.name} noise: "
            f"{100 * share:.0f} % of its answers are values of the scale, and such an answer "
            "is certainly the real rating. "
            "Its lower bound grows with the number of samples."
        )


AUDIT = Command(
    "audit",
    "what many answers prove about the epsilon of the noise",
    _add_options,
    _run,
    reads_source=False,
)
