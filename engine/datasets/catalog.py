"""Which datasets there are, and `load` for any of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import platformdirs

from engine.datasets import sample
from engine.datasets.counts import counts_to_ratings
from engine.datasets.known import KNOWN
from engine.datasets.naming import COUNT_NAMES, bare
from engine.datasets.ratings import Ratings
from engine.datasets.reading import SUFFIXES, read, stem
from engine.datasets.scale import Scale
from engine.datasets.wording import listed, quoted
from engine.errors import InputError

DATA_DIR_VARIABLE = "REUSEKNN_DATA_DIR"


@dataclass(frozen=True)
class DatasetInfo:
    """A dataset of the catalog; figures are None where nobody has counted yet."""

    name: str
    title: str
    users: int | None
    items: int | None
    ratings: int | None
    license: str
    where: str
    source: Path | None = None
    present: bool = True


def data_folder() -> Path:
    """The folder of the user's own files: ``REUSEKNN_DATA_DIR``, else where programs keep data."""
    chosen = os.environ.get(DATA_DIR_VARIABLE, "").strip()
    # Unlike Path.expanduser, this leaves the name of a user that does not exist as it is.
    return Path(os.path.expanduser(chosen) if chosen else platformdirs.user_data_dir("reuseknn"))


def available() -> list[DatasetInfo]:
    """What `load` knows by name: the built-in sample, then the files of the data folder.

    >>> available()[0].name
    'sample'
    """
    return [info for info in catalog() if info.present]


def catalog() -> list[DatasetInfo]:
    """As `available`, and the known datasets that are not there yet, with how to get them."""
    built_in = DatasetInfo("sample", sample.TITLE, 943, 1700, 100_000, "MIT", "built in, generated")
    found = _files()
    infos = [built_in]
    for name, path in found.items():
        known = KNOWN.get(name)
        where = f"{path.name} in the data folder"
        if known:
            infos.append(
                DatasetInfo(
                    name,
                    known.title,
                    known.users,
                    known.items,
                    known.ratings,
                    known.license,
                    where,
                    path,
                )
            )
        else:
            infos.append(DatasetInfo(name, name, None, None, None, "your own", where, path))
    for known in KNOWN.values():
        if known.name not in found:
            infos.append(
                DatasetInfo(
                    known.name,
                    known.title,
                    known.users,
                    known.items,
                    known.ratings,
                    known.license,
                    known.how_to_get,
                    present=False,
                )
            )
    return infos


def _files() -> dict[str, Path]:
    try:
        paths = sorted(data_folder().iterdir())
    except OSError:
        return {}
    files: dict[str, Path] = {}
    for path in paths:
        readable = path.suffix.lower() in SUFFIXES and not path.name.startswith(".")
        # Of ciao.csv and ciao.csv.gz the first counts; "sample" is taken. (os.path.isfile is False
        # where Path.is_file raises: in a folder whose files may not be looked at.)
        if readable and os.path.isfile(path) and stem(path.name) != "sample":
            files.setdefault(stem(path.name), path)
    return files


def load(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    name: str | None = None,
    scale: Scale | None = None,
    columns: Mapping[str, str | int] | None = None,
    counts: bool = False,
) -> Ratings:
    """Ratings from a name of the catalog, a path, or a file open for reading bytes.

    Args:
        source: a name such as "sample" or "ml-1m", the path of a file (text in any common layout,
            .gz, .zip, .parquet), or a binary file object. A name counts before a path.
        name: what to call the ratings, else as the file is called.
        scale: the scale of the ratings, else it is found from them.
        columns: which column is the "user", "item", "rating" (name, or number from 1).
        counts: the file counts how often someone listened: ratings are made of the counts, see
            `counts_to_ratings`, and a scale is not to be given.

    Raises:
        InputError: nothing by that name, or a file that cannot be read, in one sentence.

    >>> load("sample").title
    'Sample: generated movie ratings'
    """
    path: str | os.PathLike[str] | IO[bytes] = source
    title = None
    if isinstance(source, str):
        if source == "sample":
            found = sample.built_in()
            return replace(found, name=name) if name else found
        files = _files()
        if source in files:
            path = files[source]
        elif not os.path.lexists(source):
            raise InputError(_nothing_there(source, list(files)))
    if isinstance(path, (str, os.PathLike)):
        known = KNOWN.get(stem(Path(path).name))
        title = known.title if known and name is None else None
    if counts and scale is not None:
        raise InputError("Counts become ratings from 1 to 1000: do not set a scale as well.")
    ratings = read(path, name=name, title=title, scale=scale, columns=columns)
    if counts:
        return counts_to_ratings(ratings)
    if bare(ratings.report.columns.get("rating", "")) in COUNT_NAMES:
        note = "The ratings look like counts: they can be read as counts."
        return replace(ratings, report=ratings.report.noting(note))
    return ratings


def _nothing_there(source: str, files: list[str]) -> str:
    names = listed([quoted(name) for name in ["sample", *files]], 12)
    known = KNOWN.get(source)
    if known:
        return (
            f"{known.title} is not in the data folder ({data_folder()}), where there are {names}: "
            f"{known.how_to_get[0].lower()}{known.how_to_get[1:]}"
        )
    return f"There is no dataset or file {quoted(source)}: name a ratings file, or one of {names}."


def describe(ratings: Ratings) -> dict[str, Any]:
    """What is in the ratings and what was done to get them, as plain values for JSON.

    >>> describe(load("sample"))["ratings"]
    100000
    """
    return {
        "dataset": ratings.name,
        "title": ratings.title,
        "users": ratings.n_users,
        "items": ratings.n_items,
        "ratings": ratings.n_ratings,
        "rating_min": float(ratings.value.min()),
        "rating_max": float(ratings.value.max()),
        "step": ratings.scale.step,
        "fingerprint": ratings.fingerprint,
        "report": ratings.report.to_dict(),
    }
