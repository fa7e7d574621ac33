"""The command line: `python -m engine evaluate|sweep|describe|datasets`."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd
from tqdm import tqdm

from cache import Store, StoreWarning
from engine.datasets import Ratings, catalog, data_folder, describe, load
from engine.datasets.prepare import Preparation, prepare
from engine.errors import InputError
from engine.evaluation import evaluate, sweep
from engine.output import check_out, write, write_table
from engine.settings import Settings
from engine.strategies import STRATEGIES

#: What fits a terminal.
_TABLE_COLUMNS = (
    "strategy", "protection", "k", "tau", "mae", "vulnerable_share", "privacy_risk", "secure_risk",
    "ndcg", "pp_corr", "coverage", "neighbors_at_20", "coratings_at_20",
)  # fmt: skip
_BAD_INPUT = 2
_INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as all errors of this program."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status: 0, 2 for bad input, 130 when interrupted."""
    warnings.showwarning = _show_warning
    warnings.simplefilter("once", StoreWarning)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter
    options = argparse.Namespace(no_cache=False)
    try:
        _make_parser().parse_args(arguments, options)
        check_out(options.out, getattr(options, "source", None))
        options.command(options)
        sys.stdout.flush()
    except InputError as error:
        _say(f"error: {error}")
        return _BAD_INPUT
    except KeyboardInterrupt:
        kept = "nothing is kept." if options.no_cache else "the same command goes on from there."
        _say(f"Interrupted; {kept}")
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is wrong, and Python must not flush again.
        _forget_stdout()
    except (OSError, AttributeError) as error:
        if sys.stdout is not None and not isinstance(error, OSError):
            raise
        reason = getattr(error, "strerror", None) or "it is closed"
        _say(f"error: The output cannot be written: {reason}.")
        if sys.stdout is not None:
            _forget_stdout()
        return _BAD_INPUT
    return 0


def _forget_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    """Print a line to standard error, above a progress bar if there is one."""
    tqdm.write(text, file=sys.stderr)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _say(f"warning: {message}")


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m engine",
        allow_abbrev=False,
        description="Reproduce the figures of ReuseKNN on your ratings.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    command = _add_command(commands, "evaluate", "metrics of strategies and protections")
    _add_run_options(command)
    command.add_argument(
        "--protection",
        nargs="+",
        metavar="P",
        help="none, vulnerable, full (default: all; full for userknn only)",
    )
    command.add_argument(
        "--tau",
        default="published",
        metavar="RULE",
        help="published, tail, a quantile such as q90, or a number (default: published, "
        "which says more about its bandwidth of 50 than about the data: see the README)",
    )
    command.add_argument(
        "--curves", action="store_true", help="add Neighbors@q and CoRatings@q for q = 1 to 100"
    )
    command.set_defaults(command=_evaluate)

    command = _add_command(commands, "sweep", "what every tau costs and protects")
    _add_run_options(command)
    command.set_defaults(command=_sweep)

    command = _add_command(commands, "describe", "what a ratings file holds")
    _add_source(command)
    _add_output(command)
    command.set_defaults(command=_describe)

    command = _add_command(commands, "datasets", "the datasets that are there")
    _add_output(command)
    command.set_defaults(command=_datasets)
    return parser


def _add_command(commands: Any, name: str, text: str) -> argparse.ArgumentParser:
    source = "" if name == "datasets" else " SOURCE"
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=f"{text[:1].upper()}{text[1:]}.",
        usage=f"python -m engine {name}{source} [options]",
        allow_abbrev=False,
    )
    return parser


def _add_source(parser: argparse.ArgumentParser) -> None:
    default = Preparation()
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a dataset's name (see `datasets`), or a ratings file or zip",
    )
    parser.add_argument(
        "--counts",
        action="store_true",
        help="the file holds (user, item, count): make ratings of 1 to 1000 of each user's counts",
    )
    parser.add_argument(
        "--min-ratings",
        type=int,
        default=default.min_ratings,
        metavar="N",
        help="keep users with at least N ratings",
    )
    parser.add_argument(
        "--sample-users", type=int, metavar="N", help="then keep N users, drawn at random by --seed"
    )
    parser.add_argument(
        "--k-core",
        type=int,
        default=default.k_core,
        metavar="N",
        help="then keep the largest part where every user and item has N ratings",
    )


def _load(options: argparse.Namespace) -> Ratings:
    """Load the source and prepare it as asked; say what that dropped."""
    preparation = Preparation(
        min_ratings=options.min_ratings,
        sample_users=options.sample_users,
        k_core=options.k_core,
        seed=getattr(options, "seed", Preparation().seed),
    )
    ratings, dropped = prepare(load(options.source, counts=options.counts), preparation)
    for step in dropped:
        _say(str(step))
    return ratings


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there, not to the screen")


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    default = Settings()
    _add_source(parser)
    parser.add_argument(
        "--k",
        nargs="+",
        type=int,
        default=list(default.ks),
        metavar="K",
        help="numbers of neighbors (default: 10)",
    )
    parser.add_argument(
        "--strategies",
        nargs="+",
        default=list(default.strategies),
        metavar="S",
        help=f"{', '.join(STRATEGIES)} (default: the first four)",
    )
    parser.add_argument(
        "--mechanism",
        metavar="M",
        help="discrete or continuous noise (default: discrete where the scale has steps)",
    )
    parser.add_argument(
        "--memoised",
        action="store_true",
        help="answer once for each neighbor and item, and keep the answer",
    )
    parser.add_argument("--folds", type=int, default=default.folds)
    parser.add_argument("--only-fold", type=int, metavar="F", help="run one fold, from 0")
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument(
        "--jobs", type=int, default=default.jobs, metavar="N", help="threads (default: all cores)"
    )
    parser.add_argument("--no-cache", action="store_true", help="neither read nor keep results")
    _add_output(parser)


def _settings(options: argparse.Namespace) -> Settings:
    protections = getattr(options, "protection", None)
    return Settings(
        ks=tuple(dict.fromkeys(options.k)),
        strategies=tuple(dict.fromkeys(name.lower() for name in options.strategies)),
        protections=None if protections is None else tuple(dict.fromkeys(protections)),
        tau=getattr(options, "tau", 0.0),
        mechanism=options.mechanism,
        memoised=options.memoised,
        folds=options.folds,
        only_fold=options.only_fold,
        seed=options.seed,
        jobs=options.jobs,
    )


def _run(
    options: argparse.Namespace, run: Callable[..., pd.DataFrame], **more: Any
) -> pd.DataFrame:
    settings = _settings(options)
    ratings = _load(options)
    for warning in ratings.report.warnings:
        _say(f"warning: {warning}")
    store = None if options.no_cache else Store()
    with tqdm(
        total=100,
        file=sys.stderr,
        leave=False,
        delay=0.5,
        bar_format="{l_bar}{bar}| {elapsed} so far, {remaining} left",
    ) as bar:

        def show(share: float, text: str) -> None:
            bar.set_description(text, refresh=False)
            bar.update(100 * share - bar.n)

        return run(ratings, settings, store=store, progress=show, **more)


def _evaluate(options: argparse.Namespace) -> None:
    table = _run(options, evaluate, curves=options.curves)
    if (table["predicted_share"] == 0).all():
        _say(
            "warning: No query has a neighbor of positive similarity; "
            "every prediction is the mean of the training ratings."
        )
    if options.format == "table":
        _say("Means over the folds; --format csv or json has every fold and every column.")
        table = table.loc[table["fold"] == "mean", list(_TABLE_COLUMNS)]
    write_table(table, options.format, options.out)


def _sweep(options: argparse.Namespace) -> None:
    table = _run(options, sweep)
    if options.format == "table":
        _say("Means over the folds at some tau; --format csv or json has every whole tau.")
        table = table[(table["fold"] == "mean") & _round_taus(table)]
    write_table(table, options.format, options.out)


def _round_taus(table: pd.DataFrame) -> pd.Series[bool]:
    """Return which rows have a tau of 0, 1, 2, 5, 10, 20, 50, ... or the largest."""
    tau = table["tau"]
    largest = table.groupby(["strategy", "k"])["tau"].transform("max")
    steps = [0, *(digit * 10**power for power in range(12) for digit in (1, 2, 5))]
    return tau.isin(steps) | (tau == largest)


def _describe(options: argparse.Namespace) -> None:
    described = describe(_load(options))
    if options.format == "json":
        write(json.dumps(described, indent=2, ensure_ascii=False), options.out)
    else:
        flat = {**described, **{f"report.{k}": v for k, v in described["report"].items()}}
        del flat["report"]
        table = pd.DataFrame({"property": list(flat), "value": list(flat.values())})
        write_table(table, options.format, options.out)


def _datasets(options: argparse.Namespace) -> None:
    rows = [
        {
            "name": info.name,
            "title": info.title,
            "users": info.users,
            "items": info.items,
            "ratings": info.ratings,
            "licence": info.license,
            "where_from": info.where,
            "present": info.present,
        }
        for info in catalog()
    ]
    table = pd.DataFrame(rows, dtype=object)
    if options.format == "table":
        _say(f"Data folder: {data_folder()}; --format json says where to get what is absent.")
        table = table.drop(columns=["licence", "where_from"])
    write_table(table, options.format, options.out)
