"""The expensive station: folds and the neighbors chosen in them, kept in the store."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np

from cache import Key, Store
from engine.datasets import Ratings
from engine.folds import Fold, check_folds, split
from engine.neighborhoods import Neighborhoods, bounds, choose, passes
from engine.strategies import get_strategy

#: Part of every key of the store: results of another version are never read.
ENGINE_VERSION = 1

#: Strategies without +Reuse are selected at this k at least: one selection serves every smaller k.
_SELECTED_K = 30


class Selection:
    """The folds of a set of ratings and the neighbors of their queries; neither tau nor mechanism.

    What was chosen is kept in the store. Without a store it is kept in a temporary folder for as
    long as the selection lives. Raises `InputError` if the ratings cannot be split.

    >>> from engine.datasets import generate
    >>> selection = Selection(generate(users=40, items=60, ratings=900))
    >>> neighborhoods = selection.neighborhoods(0, "gain", 5)
    >>> len(neighborhoods.users(selection.fold(0), query=0)) <= 5
    True
    """

    def __init__(
        self,
        ratings: Ratings,
        *,
        folds: int = 5,
        seed: int = 42,
        store: Store | None = None,
        jobs: int = -1,
    ) -> None:
        check_folds(ratings, folds, seed)
        self.ratings = ratings
        self.folds = folds
        self.seed = seed
        self.jobs = jobs
        if store is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="reuseknn-")
            store = Store(Path(self._temporary.name))
        self.store = store
        self.fold = lru_cache(maxsize=folds)(self._split)
        #: Neighborhoods just chosen, until those of another fold are.
        self._held: dict[tuple[int, str, int], Neighborhoods] = {}

    @property
    def fold_numbers(self) -> tuple[int, ...]:
        """The numbers of the folds, from 0."""
        return tuple(range(self.folds))

    def choose(
        self,
        number: int,
        cells: Iterable[tuple[str, int]],
        *,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Choose and keep the neighborhoods of a fold for each (strategy, k) that lacks them."""
        self._held = {key: held for key, held in self._held.items() if key[0] == number}
        missing = []
        for strategy, k in sorted({(strategy, _selected_k(strategy, k)) for strategy, k in cells}):
            key = self._key(number, "neighborhoods", strategy=strategy, k=k)
            if (number, strategy, k) not in self._held and not self.store.contains(key):
                missing.append((strategy, k))
        if not missing:
            return
        planned = passes(self.fold(number), missing)
        for done, wanted in enumerate(planned):

            def report(share: float, done: int = done) -> None:
                if progress is not None:
                    progress((done + share) / len(planned))

            chosen = choose(
                self.fold(number), wanted, jobs=self.jobs, progress=report, cancelled=cancelled
            )
            for (strategy, k), neighborhoods in chosen.items():
                self._keep(number, strategy, k, neighborhoods)
                if len(planned) == 1:
                    self._held[number, strategy, k] = neighborhoods

    def neighborhoods(self, number: int, strategy: str, k: int) -> Neighborhoods:
        """Return the k best neighbors of every query of a fold."""
        selected = _selected_k(strategy, k)
        held = self._held.get((number, strategy, selected))
        if held is None:
            held = self._keep(number, strategy, selected, None)
        return held.first(k)

    def release(self) -> None:
        """Let go of the neighborhoods in memory; the store has them."""
        self._held = {}

    def _split(self, number: int) -> Fold:
        return split(self.ratings, number, self.folds, self.seed)

    def _key(self, number: int, station: str, **settings: str | float | bool) -> Key:
        return {
            "engine": ENGINE_VERSION,
            "ratings": self.ratings.fingerprint,
            "folds": self.folds,
            "seed": self.seed,
            "fold": number,
            "station": station,
            **settings,
        }

    def _keep(
        self, number: int, strategy: str, k: int, chosen: Neighborhoods | None
    ) -> Neighborhoods:
        """Return the neighborhoods that the store has under this key; put these there if none."""
        fold = self.fold(number)

        def arrays() -> dict[str, np.ndarray]:
            found = chosen or choose(fold, [(strategy, k)], jobs=self.jobs)[strategy, k]
            return {
                "place": found.place,
                "similarity": found.similarity,
                "co_ratings": found.co_ratings,
            }

        kept = self.store.get_or_compute(
            self._key(number, "neighborhoods", strategy=strategy, k=k), arrays
        )
        bound = bounds(fold, k)
        return Neighborhoods(bound[:-1], bound[1:], **kept)


def _selected_k(strategy: str, k: int) -> int:
    return k if get_strategy(strategy).reuse else max(k, _SELECTED_K)
