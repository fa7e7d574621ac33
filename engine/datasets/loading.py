"""`load`: ratings from a name of the catalog, a file, or an open file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO

from engine.datasets import sample
from engine.datasets.catalog import data_files, data_folder
from engine.datasets.counts import counts_to_ratings
from engine.datasets.doubts import find_doubts
from engine.datasets.known import KNOWN, Preset
from engine.datasets.originals import reader_of
from engine.datasets.prepare import Preparation, prepare
from engine.datasets.ratings import Ratings
from engine.datasets.reading import read_ratings, stem
from engine.datasets.scale import Scale, ScaleChoice
from engine.datasets.wording import listed, quoted
from engine.errors import InputError


def load(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    name: str | None = None,
    scale: Scale | ScaleChoice | None = None,
    columns: Mapping[str, str | int] | None = None,
    has_header: bool | None = None,
    counts: bool = False,
) -> Ratings:
    """Return ratings from a name of the catalog, a path, or a file open for reading bytes.

    Args:
        source: a name such as "sample" or "ml-1m", the path of a file (text in any common layout,
            .gz, .zip, .parquet), or a binary file object. A name counts before a path.
        name: the name of the ratings, by default that of the file.
        scale: the scale of the ratings, or a part of it; the ratings tell what is not set.
        columns: which column is the "user", "item", "rating" (name, or number from 1).
        has_header: whether the first line of a text names its columns; None means that it tells.
        counts: whether the file counts how often someone listened. Ratings are then made of the
            counts, see `counts_to_ratings`, and no scale may be given.

    Raises:
        InputError: nothing has that name, or the file cannot be read; one sentence says why.

    A file with the name of one of the paper's datasets is prepared as in the paper: see `Preset`.
    A file with another name is read as it is.

    >>> load("sample").title
    'Sample: generated movie ratings'
    """
    if counts and scale is not None:
        raise InputError("Counts become ratings from 1 to 1000: do not set a scale as well.")
    if source == "sample":
        options = _options(scale, columns, has_header, counts)
        if options:
            raise InputError(f"The sample is built in: leave out --{next(iter(options))}.")
        ratings = sample.built_in()
        return replace(ratings, name=name) if name else ratings
    path = _find(source) if isinstance(source, str) else source
    file = Path(path) if isinstance(path, (str, os.PathLike)) else None
    known = KNOWN.get(stem(file.name)) if file and name is None else None
    preset = known.preset if known else Preset()
    counts = counts or (preset.are_counts and scale is None)
    options = _options(scale, columns, has_header, counts)
    original = reader_of(file) if file and preset != Preset() and not columns else None
    if known and file and original:
        ratings = original(file, known.name, known.title, preset.sample_users)
    else:
        # The catalog's name: the stem may be that of another file or of the sample.
        ratings = read_ratings(
            path,
            name=name or (source if path is not source and isinstance(source, str) else None),
            title=known.title if known else None,
            columns=columns,
            has_header=has_header,
        )
    if preset.zero_is_unrated and (ratings.value == 0).any():
        ratings = _without_zeros(ratings)
    if scale is not None:
        chosen = scale.complete(ratings.scale) if isinstance(scale, ScaleChoice) else scale
        ratings = ratings.derive(scale=chosen, note=f"The scale was set to {chosen}.")
    doubts = find_doubts(ratings, are_counts=counts)
    report = ratings.report.warning(*doubts).reading_with(options)
    ratings = replace(ratings, report=report)
    if preset.sample_users is not None and ratings.n_users > preset.sample_users:
        ratings, _ = prepare(ratings, Preparation(sample_users=preset.sample_users))
    return counts_to_ratings(ratings) if counts else ratings


def _without_zeros(ratings: Ratings) -> Ratings:
    is_rated = ratings.value != 0
    if not is_rated.any():
        raise InputError("All ratings are 0, and here 0 means that there is no rating.")
    unrated = ratings.n_ratings - int(is_rated.sum())
    return ratings.derive(
        rows=is_rated,
        scale=Scale.of(ratings.value[is_rated]),
        note=f"{unrated:,} items without a rating (0) were left out.",
    )


def _options(
    scale: Scale | ScaleChoice | None,
    columns: Mapping[str, str | int] | None,
    has_header: bool | None,
    counts: bool,
) -> dict[str, str]:
    """Return the options of the command line that say the same, see `LoadReport`."""
    options = {}
    if columns:
        options["columns"] = ",".join(f"{role}={column}" for role, column in columns.items())
    if has_header is not None:
        options["header"] = "yes" if has_header else "no"
    if isinstance(scale, Scale):
        scale = ScaleChoice(scale.minimum, scale.maximum, scale.step or 0.0)
    if scale:
        options["scale"] = str(scale)
    if counts:
        options["counts"] = ""
    return options


def _find(source: str) -> Path | str:
    files = data_files()
    if source not in files and not os.path.lexists(source):
        raise InputError(_nothing_there(source, list(files)))
    return files.get(source, source)


def _nothing_there(source: str, files: list[str]) -> str:
    names = listed([quoted(name) for name in ["sample", *files]], 12)
    known = KNOWN.get(source)
    if known:
        return (
            f"{known.title} is not in the data folder ({data_folder()}), where there are {names}. "
            f"{known.how_to_get}"
        )
    return f"There is no dataset or file {quoted(source)}: name a ratings file, or one of {names}."
