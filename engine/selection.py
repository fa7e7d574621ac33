"""The expensive station: the neighbors that are chosen in the folds, kept in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.errors import InputError
from engine.folds import Fold
from engine.folds_of_ratings import FoldsOfRatings
from engine.neighborhoods import Neighborhoods, bounds, choose_neighbors, passes
from engine.strategies import STRATEGIES

#: A selection that does not depend on k is made for at least this k: it serves every smaller one.
_SELECTED_K = 30


class Selection(FoldsOfRatings):
    """The folds of a set of ratings and the neighbors of their queries; neither tau nor mechanism.

    What was chosen is kept in the store.

    >>> from engine.datasets import generate
    >>> selection = Selection(generate(users=40, items=60, ratings=900))
    >>> neighborhoods = selection.neighborhoods(0, "gain", 5)
    >>> len(neighborhoods.users(selection.fold(0), query=0)) <= 5
    True
    """

    @cached_property
    def _held(self) -> dict[tuple[int, str, int], Neighborhoods]:
        """Neighborhoods just chosen, until those of another fold are."""
        return {}

    def choose(
        self,
        number: int,
        cells: Iterable[tuple[str, int]],
        *,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Choose and keep the neighborhoods of a fold for each (strategy, k) that lacks them."""
        wanted_cells = set()
        for strategy, k in cells:
            self.check(number, k)
            wanted_cells.add((strategy, _selected_k(strategy, k)))
        self._held = {key: held for key, held in self._held.items() if key[0] == number}
        missing = []
        for strategy, k in sorted(wanted_cells):
            key = self.key(number, "neighborhoods", strategy=strategy, k=k)
            if (number, strategy, k) not in self._held and not self.store.contains(key):
                missing.append((strategy, k))
        planned = self._plan(number, missing)
        for done, wanted in enumerate(planned):

            def report(share: float, done: int = done) -> None:
                if progress is not None:
                    progress((done + share) / len(planned))

            chosen = self._choose(number, wanted, progress=report, cancelled=cancelled)
            for (strategy, k), neighborhoods in chosen.items():
                self._keep(number, strategy, k, neighborhoods)
                if len(planned) == 1:
                    self._held[number, strategy, k] = neighborhoods

    def neighborhoods(self, number: int, strategy: str, k: int) -> Neighborhoods:
        """Return the k best neighbors of every query of a fold.

        Raises `InputError` for an unknown fold or strategy, or a k below 1.
        """
        self.check(number, k)
        selected = _selected_k(strategy, k)
        held = self._held.get((number, strategy, selected))
        if held is None:
            held = self._keep(number, strategy, selected, None)
        return held.first(k)

    def neighborhoods_again(
        self,
        number: int,
        strategy: str,
        k: int,
        *,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Neighborhoods:
        """Return the neighbors of the queries of a fold when all are put again, after the first.

        Without +Reuse they are the same. With it, all neighbors of the first round are previous
        neighbors from then on. They are enough for every query, so no neighbor is added. Each query
        takes the most similar of them, and all rounds from the second on are alike. The second
        round is computed and kept; this takes as long as `choose_neighbors` for twice the queries.

        Raises `InputError` where reusability grows over time: then every round may be another.

        >>> from engine.datasets import generate
        >>> selection = Selection(generate(users=40, items=60, ratings=900))
        >>> again = selection.neighborhoods_again(0, "userknn+reuse", 5)
        >>> again.place.size == selection.neighborhoods(0, "userknn+reuse", 5).place.size
        True
        """
        first, named = self.neighborhoods(number, strategy, k), STRATEGIES.named(strategy)
        if named.reuses_over_time:
            raise InputError(
                f"What comes of {named.title} when queries are put again is not known: "
                "its neighbors can change with every round; choose another strategy."
            )
        if not named.reuse:
            return first
        n_uses = first.place.size

        def arrays() -> dict[str, np.ndarray]:
            twice = self._choose(
                number,
                [(strategy, k)],
                self.fold(number, strategy).repeated(2),
                progress=progress,
                cancelled=cancelled,
            )[strategy, k]
            return {
                "place": twice.place[n_uses:].copy(),
                "similarity": twice.similarity[n_uses:].copy(),
                "co_ratings": twice.co_ratings[n_uses:].copy(),
            }

        key = self.key(number, "neighborhoods again", strategy=strategy, k=k)
        return replace(first, **self.store.get_or_compute(key, arrays))

    def release(self) -> None:
        """Let go of the neighborhoods in memory; the store has them."""
        self._held = {}

    def _plan(self, number: int, missing: list[tuple[str, int]]) -> list[list[tuple[str, int]]]:
        """Divide what is missing by the folds it is chosen in, and so that it fits the memory."""
        planned = []
        for embedded in (False, True):
            cells = [cell for cell in missing if self.needs_embeddings(cell[0]) == embedded]
            if cells:
                planned += passes(self.fold(number, cells[0][0]), cells)
        return planned

    def _choose(
        self, number: int, wanted: list[tuple[str, int]], fold: Fold | None = None, **options: Any
    ) -> dict[tuple[str, int], Neighborhoods]:
        strategy, _ = wanted[0]
        return choose_neighbors(
            fold or self.fold(number, strategy),
            wanted,
            jobs=self.jobs,
            similarity=self.similarity,
            embeddings=self.embeddings(number) if self.needs_embeddings(strategy) else None,
            **options,
        )

    def _keep(
        self, number: int, strategy: str, k: int, chosen: Neighborhoods | None
    ) -> Neighborhoods:
        """Return the neighborhoods that the store has under this key; put these there if none."""

        def arrays() -> dict[str, np.ndarray]:
            neighborhoods = chosen or self._choose(number, [(strategy, k)])[strategy, k]
            return {
                "place": neighborhoods.place,
                "similarity": neighborhoods.similarity,
                "co_ratings": neighborhoods.co_ratings,
            }

        stored = self.store.get_or_compute(
            self.key(number, "neighborhoods", strategy=strategy, k=k), arrays
        )
        bound = bounds(self.fold(number, strategy), k)
        return Neighborhoods(bound[:-1], bound[1:], **stored)


def _selected_k(strategy: str, k: int) -> int:
    return k if STRATEGIES.named(strategy).depends_on_k else max(k, _SELECTED_K)
