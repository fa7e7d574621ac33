"""Makes `Ratings` of files: reading, the catalog of datasets, generated samples."""

from __future__ import annotations

from engine.datasets.catalog import DatasetInfo, available, catalog, data_folder, describe
from engine.datasets.loading import load
from engine.datasets.prepare import Dropped, Preparation, prepare
from engine.datasets.ratings import Ratings
from engine.datasets.report import LoadReport
from engine.datasets.sample import generate
from engine.datasets.scale import Scale, ScaleChoice

__all__ = [
    "DatasetInfo",
    "Dropped",
    "LoadReport",
    "Preparation",
    "Ratings",
    "Scale",
    "ScaleChoice",
    "available",
    "catalog",
    "data_folder",
    "describe",
    "generate",
    "load",
    "prepare",
]
