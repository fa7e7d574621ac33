"""`datasets`: what is there by name, and what else is known."""

from __future__ import annotations

import argparse

import pandas as pd

from engine.cli.command import Command
from engine.cli.messages import say
from engine.cli.output_options import add_output_options
from engine.datasets import catalog, data_folder
from engine.output import write_table


def _run(options: argparse.Namespace) -> None:
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
        say(f"Data folder: {data_folder()}; --format json says where to get what is absent.")
        table = table.drop(columns=["licence", "where_from"])
    write_table(table, options.format, options.out)


DATASETS = Command(
    "datasets", "the datasets that are there", add_output_options, _run, reads_source=False
)
