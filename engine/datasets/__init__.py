"""From files that people have to `Ratings`: reading, the catalog of datasets, generated samples."""

from __future__ import annotations

from engine.datasets.catalog import DatasetInfo, available, catalog, data_folder, describe, load
from engine.datasets.prepare import Dropped, Preparation, prepare
from engine.datasets.ratings import Ratings
from engine.datasets.report import LoadReport
from engine.datasets.sample import generate
from engine.datasets.scale import Scale

__all__ = [
    "DatasetInfo",
    "Dropped",
    "LoadReport",
    "Preparation",
    "Ratings",
    "Scale",
    "available",
    "catalog",
    "data_folder",
    "describe",
    "generate",
    "load",
    "prepare",
]
