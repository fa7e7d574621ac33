"""`describe SOURCE`: what a ratings file holds, and how it was read."""

from __future__ import annotations

import argparse

import pandas as pd

from engine.cli.command import Command
from engine.cli.output_options import add_output_options
from engine.cli.source_options import add_source_options, load_source
from engine.datasets import describe
from engine.output import write_json, write_table


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_source_options(parser)
    add_output_options(parser)


def _run(options: argparse.Namespace) -> None:
    described = describe(load_source(options))
    if options.format == "json":
        write_json(described, options.out, indent=2)
        return
    flat = {**described, **{f"report.{k}": v for k, v in described["report"].items()}}
    del flat["report"]
    table = pd.DataFrame({"property": list(flat), "value": list(flat.values())})
    write_table(table, options.format, options.out)


DESCRIBE = Command("describe", "what a ratings file holds", _add_options, _run)
