"""Five-fold cross-validation (paper, section 4.4): a fold of ratings, split off at random."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.datasets import Ratings
from engine.datasets.wording import counted
from engine.errors import InputError
from engine.folds import Fold, RatingColumns, training_columns
from engine.input_checks import DEFAULT_SEED, check_seed, check_whole

#: Which queries of a fold are asked: all, or the half that does not validate embeddings.
QUERIES: Final = ("all", "half")


def check_folds(ratings: Ratings, folds: int, seed: int) -> None:
    """Raise `InputError` if these ratings cannot be split into that many folds."""
    check_whole("folds", folds, least=2)
    check_seed(seed)
    if ratings.n_ratings < folds:
        raise InputError(
            f"{counted(ratings.n_ratings, 'rating')} cannot be split into {folds} folds; "
            "use fewer folds or more ratings."
        )


def check_queries(queries: str) -> str:
    """Return which queries are asked. Raises `InputError` if it is none of `QUERIES`."""
    if queries not in QUERIES:
        raise InputError(f"There are no queries {queries!r}; choose from {', '.join(QUERIES)}.")
    return queries


def split(ratings: Ratings, number: int, folds: int = 5, seed: int = DEFAULT_SEED) -> Fold:
    """Return fold `number` (0 to `folds` - 1) of a random split of the ratings.

    The rows, in file order, are shuffled by `RandomState(seed)` and cut into `folds` parts; part
    `number` holds the queries, in that order, and the rest is for training. Seed 42 is the split
    of the published code.

    Raises `InputError` if there are fewer ratings than folds, or no such fold.

    >>> from engine.datasets import Ratings
    >>> ratings = Ratings.from_columns(list("aabbc"), list("xyxyx"), [1, 2, 3, 4, 5], name="tiny")
    >>> fold = split(ratings, 0)
    >>> fold.query_user.tolist(), fold.query_item.tolist(), fold.query_rating.tolist()
    ([0], [1], [2.0])
    >>> fold.train_mean
    3.25
    """
    check_folds(ratings, folds, seed)
    check_whole("fold", number, least=0, most=folds - 1)
    rows = np.arange(ratings.n_ratings)
    np.random.RandomState(seed).shuffle(rows)
    asked = np.array_split(rows, folds)[number]
    is_train = np.ones(ratings.n_ratings, dtype=bool)
    is_train[asked] = False
    train = np.flatnonzero(is_train)

    return Fold.of(
        (ratings.user[train], ratings.item[train], ratings.value[train]),
        (ratings.user[asked], ratings.item[asked], ratings.value[asked]),
        n_users=ratings.n_users,
        n_items=ratings.n_items,
        number=number,
        seed=seed,
    )


def split_with_validation(
    ratings: Ratings, number: int, folds: int = 5, seed: int = DEFAULT_SEED
) -> tuple[Fold, RatingColumns]:
    """Return a fold with half of its queries, and the ratings that the other half asks for.

    The training ratings are those of `split`. Of its queries, which stand in random order, the
    second half is asked; the first half, one less if their number is odd, validates what is learned
    from the training ratings (paper, appendix C). Five folds are 80, 10 and 10 % of the ratings.

    Raises `InputError` as `split` does.

    >>> from engine.datasets import Ratings
    >>> ratings = Ratings.from_columns(list("aabbc"), list("xyxyx"), [1, 2, 3, 4, 5], name="tiny")
    >>> split(ratings, 0, folds=2).query_rating.tolist()
    [2.0, 5.0, 3.0]
    >>> fold, validation = split_with_validation(ratings, 0, folds=2)
    >>> fold.query_rating.tolist(), validation.rating.tolist()
    ([5.0, 3.0], [2.0])
    """
    whole = split(ratings, number, folds, seed)
    queries = RatingColumns(whole.query_user, whole.query_item, whole.query_rating)
    half = whole.n_queries // 2
    fold = Fold.of(
        training_columns(whole),
        RatingColumns(*(column[half:] for column in queries)),
        n_users=whole.n_users,
        n_items=whole.n_items,
        number=number,
        seed=seed,
    )
    return fold, RatingColumns(*(column[:half] for column in queries))
