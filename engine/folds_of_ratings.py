"""The first stations: the folds of a set of ratings, and the embeddings learned in them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from cache import Key, Store
from engine.datasets import Ratings
from engine.embeddings import DEFAULT_EMBEDDING_MODEL, Embeddings, EmbeddingSettings, train
from engine.errors import InputError
from engine.folds import Fold, training_columns
from engine.input_checks import DEFAULT_SEED, check_jobs, check_several, check_whole
from engine.side_by_side import run_side_by_side
from engine.similarity import DEFAULT_SIMILARITY, SIMILARITIES
from engine.splits import QUERIES, check_folds, check_queries, split, split_with_validation
from engine.strategies import DEFAULT_STRATEGY, STRATEGIES

#: Part of every key of the store: results of another version are never read.
ENGINE_VERSION = 1


class FoldsOfRatings:
    """The folds of a set of ratings, and the embeddings of those strategies that learn them.

    A strategy whose similarity comes from embeddings has folds of its own: half of the queries of a
    fold validate the embeddings, and the other half are asked (see `split_with_validation`). With
    `queries="half"` all strategies are asked that half, so that they can be compared.

    Embeddings are kept in the store. Without a store they are kept in a temporary folder for as
    long as the folds live. Raises `InputError` if the ratings cannot be split, and for other
    `queries` than "all" and "half".

    >>> from engine.datasets import generate
    >>> folds = FoldsOfRatings(generate(users=40, items=60, ratings=900))
    >>> folds.fold(0).n_queries, folds.fold(0, "neuknn").n_queries
    (180, 90)
    >>> FoldsOfRatings(folds.ratings, queries="half").fold(0).n_queries
    90
    >>> folds.embeddings(0).user.shape
    (40, 16)
    """

    def __init__(
        self,
        ratings: Ratings,
        *,
        folds: int = 5,
        seed: int = DEFAULT_SEED,
        similarity: str = DEFAULT_SIMILARITY,
        embedding_model: str = DEFAULT_EMBEDDING_MODEL,
        queries: str = QUERIES[0],
        store: Store | None = None,
        jobs: int = -1,
    ) -> None:
        if not isinstance(ratings, Ratings):
            raise InputError(
                f"Ratings are needed, not {ratings!r}: load them, for example with "
                'engine.load("sample").'
            )
        check_folds(ratings, folds, seed)
        self.queries = check_queries(queries)
        self.ratings = ratings
        self.folds = int(folds)
        self.seed = int(seed)
        self.similarity = SIMILARITIES.named(similarity).name
        self.embedding_settings = EmbeddingSettings(embedding_model)
        self.jobs = check_jobs(jobs)
        if store is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="reuseknn-")
            store = Store(Path(self._temporary.name))
        self.store = store
        # Typed, so that a fold 0.0 is refused also where fold 0 is remembered.
        self._whole_fold = lru_cache(self.folds, typed=True)(
            lambda number: split(ratings, number, folds, seed)
        )
        self._halved_fold = lru_cache(self.folds, typed=True)(
            lambda number: split_with_validation(ratings, number, folds, seed)
        )

    @property
    def fold_numbers(self) -> tuple[int, ...]:
        """The numbers of the folds, from 0."""
        return tuple(range(self.folds))

    def check(self, number: int, k: int) -> None:
        """Raise `InputError` if there is no such fold, or k makes no sense."""
        check_whole("k", k, least=1)
        check_whole("fold", number, least=0, most=self.folds - 1)

    def check_user(self, user: int) -> None:
        """Raise `InputError` if no user has this code."""
        check_whole("user", user, least=0, most=self.ratings.n_users - 1)

    def numbers_of(self, folds: Iterable[int] | None) -> tuple[int, ...]:
        """Return the numbers of some folds, of all for None.

        Raises `InputError` if there is no fold among them, or one that does not exist.

        >>> from engine.datasets import generate
        >>> FoldsOfRatings(generate(users=40, items=60, ratings=900)).numbers_of(None)
        (0, 1, 2, 3, 4)
        """
        if folds is None:
            return self.fold_numbers
        numbers = tuple(
            check_whole("fold", number, least=0, most=self.folds - 1)
            for number in check_several("folds", folds)
        )
        if not numbers:
            raise InputError("At least one fold must be named.")
        return numbers

    def needs_embeddings(self, strategy: str) -> bool:
        """Return whether the similarity or the reusability of a strategy comes from embeddings."""
        named = STRATEGIES.named(strategy)
        similarity = SIMILARITIES[named.similarity or self.similarity]
        return named.needs_embeddings or similarity.needs_embeddings

    def fold(self, number: int, strategy: str = DEFAULT_STRATEGY) -> Fold:
        """Return what a strategy knows, and what it is asked, in a fold."""
        if self.asks_half(strategy):
            return self._halved_fold(number)[0]
        return self._whole_fold(number)

    def asks_half(self, strategy: str) -> bool:
        """Return whether a strategy is asked half of the queries of a fold."""
        return self.queries == "half" or self.needs_embeddings(strategy)

    def embeddings(self, number: int) -> Embeddings:
        """Return the vectors of users and items that are learned in a fold, and the loss curve."""
        return self._learn(number)

    def unlearned(self, strategies: Iterable[str], numbers: Iterable[int]) -> list[int]:
        """Return the folds whose embeddings these strategies need and the store does not have."""
        if not any(self.needs_embeddings(strategy) for strategy in strategies):
            return []
        return [n for n in numbers if not self.store.contains(self._embeddings_key(n))]

    def learn(
        self,
        numbers: Sequence[int],
        *,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """Learn the embeddings of some folds side by side, and keep them."""
        tasks = [partial(self._learn, number) for number in numbers]
        run_side_by_side(tasks, jobs=self.jobs, progress=progress, cancelled=cancelled)

    def _learn(
        self,
        number: int,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Embeddings:
        def arrays() -> dict[str, np.ndarray]:
            fold, validation = self._halved_fold(number)
            return train(
                training_columns(fold),
                validation,
                n_users=fold.n_users,
                n_items=fold.n_items,
                seed=fold.seed,
                number=fold.number,
                settings=self.embedding_settings,
                progress=progress,
                cancelled=cancelled,
            ).to_arrays()

        return Embeddings(**self.store.get_or_compute(self._embeddings_key(number), arrays))

    def _embeddings_key(self, number: int) -> Key:
        return {**self._fold_key(number, "embeddings"), "model": self.embedding_settings.model}

    def _fold_key(self, number: int, station: str) -> Key:
        return {
            "engine": ENGINE_VERSION,
            "ratings": self.ratings.fingerprint,
            "folds": self.folds,
            "seed": self.seed,
            "fold": number,
            "station": station,
        }

    def key(
        self,
        number: int,
        station: str,
        strategy: str,
        **settings: str | float | bool | tuple[int, ...] | None,
    ) -> Key:
        """Return the key under which the store keeps what one station makes of a fold."""
        if self.needs_embeddings(strategy):
            settings["embedding_model"] = self.embedding_settings.model
        elif self.queries == "half":
            settings["queries"] = self.queries
        return {
            **self._fold_key(number, station),
            "similarity": SIMILARITIES[self.similarity].stored_as,
            "strategy": STRATEGIES.named(strategy).stored_as,
            **settings,
        }
