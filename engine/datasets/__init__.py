"""From files that people have to `Ratings`: reading, the catalog of datasets, generated samples."""

from __future__ import annotations

from engine.datasets.catalog import DatasetInfo, available, catalog, describe, load
from engine.datasets.ratings import LoadReport, Ratings, Scale
from engine.datasets.sample import generate

__all__ = [
    "DatasetInfo",
    "LoadReport",
    "Ratings",
    "Scale",
    "available",
    "catalog",
    "describe",
    "generate",
    "load",
]
