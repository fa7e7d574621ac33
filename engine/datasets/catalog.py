"""The datasets that there are: the built-in sample, the data folder's files, the known ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from engine.datasets import sample
from engine.datasets.known import KNOWN
from engine.datasets.ratings import Ratings
from engine.datasets.reading import SUFFIXES, stem
from engine.datasets.wording import printable

DATA_DIR_VARIABLE = "REUSEKNN_DATA_DIR"
#: Names that no dataset of the data folder gets, alone or before a colon.
TAKEN_NAMES = ("sample", "upload")


@dataclass(frozen=True)
class DatasetInfo:
    """A dataset of the catalog; figures are None if nobody has counted yet."""

    name: str
    title: str
    users: int | None
    items: int | None
    ratings: int | None
    license: str
    where: str
    source: Path | None = None
    present: bool = True

    @property
    def file(self) -> str:
        """The name of its file, fit to be shown; "" if it has none."""
        return printable(self.source.name) if self.source else ""


def data_folder() -> Path:
    """Return the folder of the user's files: ``REUSEKNN_DATA_DIR``, or the system's for data."""
    chosen = os.environ.get(DATA_DIR_VARIABLE, "").strip()
    # Unlike Path.expanduser, this leaves the name of a user that does not exist as it is.
    return Path(os.path.expanduser(chosen) if chosen else platformdirs.user_data_dir("reuseknn"))


def available() -> list[DatasetInfo]:
    """Return what `load` knows by name: the built-in sample, then the files of the data folder.

    >>> available()[0].name
    'sample'
    """
    return [info for info in catalog() if info.present]


def catalog() -> list[DatasetInfo]:
    """Return `available`, and then the known datasets that are absent, with how to get them."""
    built_in = DatasetInfo("sample", sample.TITLE, 943, 1700, 100_000, "MIT", "built in, generated")
    files = data_files()
    infos = [built_in]
    for name, path in files.items():
        known = KNOWN.get(name)
        where = f"{printable(path.name)} in the data folder"
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
        if known.name not in files:
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


def data_files() -> dict[str, Path]:
    """Return the ratings files of the data folder by the name of their dataset.

    The name of a dataset is its file's without the endings. It has the endings if that name is
    taken by the built-in sample, by a visitor's own file in the dashboard, or by another file.
    """
    try:
        paths = sorted(data_folder().iterdir())
    except OSError:
        return {}
    files: dict[str, Path] = {}
    for path in paths:
        readable = path.suffix.lower() in SUFFIXES and not path.name.startswith(".")
        # In a folder without permission Path.is_file raises; os.path.isfile returns False.
        if readable and os.path.isfile(path):
            files[_free_name(path, files)] = path
    return files


def _free_name(path: Path, files: Mapping[str, Path]) -> str:
    whole = printable(path.name)
    # The dashboard's name for a visitor's own file goes on after a colon.
    whole = f"file {whole}" if whole.split(":")[0] in TAKEN_NAMES else whole
    names = (stem(path.name), whole, *(f"{whole} ({number})" for number in range(2, 1000)))
    return next(
        name for name in names if name not in files and name.split(":")[0] not in TAKEN_NAMES
    )


def describe(ratings: Ratings) -> dict[str, Any]:
    """Return what is in the ratings and how they were read, as plain values for JSON.

    >>> describe(sample.built_in())["ratings"]
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
