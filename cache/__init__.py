"""A keyed store of arrays on disk: get or compute. Knows neither the engine nor the dashboard."""

from __future__ import annotations

from cache.store import Key, Store, StoreWarning

__all__ = ["Key", "Store", "StoreWarning"]
