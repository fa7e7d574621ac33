"""The options that say which ratings are read, and how."""

from __future__ import annotations

import argparse
import re

from engine.cli.messages import say, warn
from engine.datasets import Preparation, Ratings, ScaleChoice, load, prepare
from engine.datasets.naming import ROLES
from engine.errors import InputError

_HEADER = {"yes": True, "no": False}
_NEXT_ROLE = re.compile(rf",(?=\s*(?:{'|'.join(ROLES)})=)", re.IGNORECASE)


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Add `SOURCE` and all that `load_source` needs."""
    default = Preparation()
    parser.add_argument(
        "source",
        type=str,  # Elsewhere capitals do not matter, in names of files they do.
        metavar="SOURCE",
        help="a dataset's name (see `datasets`), or a ratings file or zip",
    )
    parser.add_argument(
        "--columns",
        type=parse_columns,
        metavar="C",
        help="which columns of the file are what, by name or number: user=2,item=3,rating=stars; "
        "a role that is left out is found",
    )
    parser.add_argument(
        "--header",
        choices=_HEADER,
        help="whether the first line names the columns (default: it is found)",
    )
    parser.add_argument(
        "--scale",
        type=_parse_scale,
        metavar="S",
        help="the ratings there can be: min=1,max=5,step=0.5 or a part of it; step=none for any "
        "value between (default: what is found)",
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
        "--sample-seed",
        type=int,
        metavar="N",
        help="of that draw, where it is another than --seed",
    )
    parser.add_argument(
        "--k-core",
        type=int,
        default=default.k_core,
        metavar="N",
        help="then keep the largest part where every user and item has N ratings",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=default.seed,
        help="of all that is drawn at random (default: %(default)s)",
    )


def parse_columns(text: str) -> dict[str, str]:
    """Return the column of each role; a name may hold a comma.

    >>> parse_columns("user=2,item=Title, long,rating=stars")
    {'user': '2', 'item': 'Title, long', 'rating': 'stars'}
    """
    parts = [part.partition("=") for part in _NEXT_ROLE.split(text)]
    columns = {role.strip().lower(): column.strip() for role, _, column in parts}
    if not all(columns.values()) or len(columns) < len(parts) or not set(columns) <= set(ROLES):
        raise argparse.ArgumentTypeError(
            f"columns are given as user=1,item=2,rating=3 or a part of it, not as {text!r}"
        )
    return columns


def _parse_scale(text: str) -> ScaleChoice:
    try:
        return ScaleChoice.parse(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(error.clause) from None


def load_source(options: argparse.Namespace) -> Ratings:
    """Load the source and prepare it as asked; say what was odd in it and what was dropped."""
    preparation = Preparation(
        min_ratings=options.min_ratings,
        sample_users=options.sample_users,
        k_core=options.k_core,
        seed=options.seed if options.sample_seed is None else options.sample_seed,
    )
    ratings = load(
        options.source,
        columns=options.columns,
        has_header=_HEADER.get(options.header),
        scale=options.scale,
        counts=options.counts,
    )
    ratings, dropped = prepare(ratings, preparation)
    for warning in ratings.report.warnings:
        warn(warning)
    for step in dropped:
        say(str(step))
    return ratings
