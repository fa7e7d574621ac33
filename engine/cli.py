"""The command line: `python -m engine evaluate|sweep|describe|datasets`."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd
from tqdm import tqdm

from cache import Store
from engine.datasets import catalog, describe, load
from engine.errors import InputError
from engine.evaluation import evaluate, sweep
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
    try:
        options = _make_parser().parse_args(arguments)
        options.command(options)
        sys.stdout.flush()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return _BAD_INPUT
    except KeyboardInterrupt:
        print("Interrupted; finished work is kept, the same command goes on from there.",
              file=sys.stderr)  # fmt: skip
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is wrong, and Python must not flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {message}", file=sys.stderr)


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m engine",
        description="Reproduce the figures of ReuseKNN on your ratings.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    command = commands.add_parser("evaluate", help="metrics of strategies and protections")
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
        help="published, tail, a quantile such as q90, or a number (default: published)",
    )
    command.add_argument(
        "--curves", action="store_true", help="add Neighbors@q and CoRatings@q for q = 1 to 100"
    )
    command.set_defaults(command=_evaluate)

    command = commands.add_parser("sweep", help="what every tau costs and protects")
    _add_run_options(command)
    command.set_defaults(command=_sweep)

    command = commands.add_parser("describe", help="what a ratings file holds")
    _add_source(command)
    _add_output(command)
    command.set_defaults(command=_describe)

    command = commands.add_parser("datasets", help="the datasets that are there")
    _add_output(command)
    command.set_defaults(command=_datasets)
    return parser


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a dataset's name (see `datasets`), or a ratings file or zip",
    )


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
    ratings = load(options.source)
    for warning in ratings.report.warnings:
        print(f"warning: {warning}", file=sys.stderr)
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
        print(
            "warning: No query has a neighbor of positive similarity; "
            "every prediction is the mean of the training ratings.",
            file=sys.stderr,
        )
    if options.format == "table":
        print("Means over the folds; --format csv or json has every fold and every column.",
              file=sys.stderr)  # fmt: skip
        table = table.loc[table["fold"] == "mean", list(_TABLE_COLUMNS)]
    _write(table, options)


def _sweep(options: argparse.Namespace) -> None:
    table = _run(options, sweep)
    if options.format == "table":
        print("Means over the folds, every tenth of the way; --format csv or json has every tau.",
              file=sys.stderr)  # fmt: skip
        means = table[table["fold"] == "mean"]
        largest = means.groupby(["strategy", "k"], sort=False)["tau"].transform("max")
        tenth = (means["tau"] * 10 // largest.clip(lower=1)).astype(int)
        table = means[~means.assign(tenth=tenth).duplicated(["strategy", "k", "tenth"])]
    _write(table, options)


def _describe(options: argparse.Namespace) -> None:
    described = describe(load(options.source))
    if options.format == "json":
        _print(json.dumps(described, indent=2, ensure_ascii=False), options.out)
    else:
        flat = {**described, **{f"report.{k}": v for k, v in described["report"].items()}}
        del flat["report"]
        _write(pd.DataFrame({"property": list(flat), "value": list(flat.values())}), options)


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
    _write(pd.DataFrame(rows, dtype=object), options)


def _write(table: pd.DataFrame, options: argparse.Namespace) -> None:
    if options.format == "json":
        records = [
            {name: _plain(value) for name, value in record.items()}
            for record in table.to_dict("records")
        ]
        _print(json.dumps(records, ensure_ascii=False), options.out)
    elif options.format == "csv":
        _print(table.to_csv(index=False), options.out)
    else:
        _print(table.to_string(index=False, na_rep="", float_format="{:.4g}".format), options.out)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: whole numbers whole, nothing for NaN and infinity."""
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print(text: str, out: Path | None) -> None:
    text = text if text.endswith("\n") else text + "\n"
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from None
