"""User and item vectors that are learned from ratings (paper, appendix C)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from engine.adam import catch_up_all, rows_of, step_sizes
from engine.embedding_model import learn, mean_error
from engine.errors import Cancelled, InputError
from engine.folds import Fold, RatingColumns, training_columns
from engine.input_checks import DEFAULT_SEED

#: How a rating is predicted while the vectors are learned; see `EmbeddingSettings`.
EMBEDDING_MODELS = ("published", "paper")
DEFAULT_EMBEDDING_MODEL = "published"
#: Ratings between two looks at `cancelled`: some tens of milliseconds.
_RATINGS_AT_ONCE = 64_000


@dataclass(frozen=True)
class EmbeddingSettings:
    """How vectors are learned; the defaults are those of the paper and its published code.

    `model` is how the vectors x of a user and y of an item, a weight w and a bias b predict a
    rating: "published" is ReLU(w cos(x, y) + b), "paper" is b + ReLU(w x.y). The loss is the mean
    absolute error. `patience` is the number of epochs without a better validation error after
    which training stops.

    Raises `InputError` for a model that does not exist.
    """

    model: str = DEFAULT_EMBEDDING_MODEL
    size: int = 16
    step_size: float = 0.001
    batch: int = 128
    epochs: int = 50
    patience: int = 10
    deviation: float = 0.01  # of the normal distribution that the first values are drawn from

    def __post_init__(self) -> None:
        if self.model not in EMBEDDING_MODELS:
            raise InputError(
                f"There is no embedding model {self.model!r}; "
                f"choose from {', '.join(EMBEDDING_MODELS)}."
            )


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Vectors of users and items, and how they were learned.

    The vectors are those of the epoch with the smallest validation error. A user or an item without
    a training rating has the vector 0: there is nothing to learn it from.
    """

    user: np.ndarray  # (n_users, size) float32
    item: np.ndarray  # (n_items, size) float32
    output: np.ndarray  # (2,) float32: weight and bias
    training_error: np.ndarray  # (n_epochs,) float64: mean absolute error while learning
    validation_error: np.ndarray  # (n_epochs,) float64: mean absolute error after each epoch

    @property
    def best_epoch(self) -> int:
        """The epoch, from 0, whose vectors were kept."""
        return int(np.argmin(self.validation_error))

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return all as arrays, which a store can keep."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def train(
    training: RatingColumns,
    validation: RatingColumns,
    *,
    n_users: int,
    n_items: int,
    seed: int = DEFAULT_SEED,
    number: int = 0,
    settings: EmbeddingSettings | None = None,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Embeddings:
    """Learn the vectors of users and items from the training ratings.

    Batches of the training ratings, shuffled anew for every epoch, change the vectors by Adam.
    After each epoch the validation ratings are predicted; the vectors of the best epoch are
    returned. First values and shuffles follow from `seed` and `number` of the fold alone, and one
    thread does all steps, so that equal arguments give equal vectors. Where the smallest rating is
    below 0, all ratings are raised by as much, because ReLU gives nothing below 0.

    `progress` is called with the share that is done, which grows in leaps where training stops
    early; `cancelled` is asked in between.

    Raises `InputError` without training or without validation ratings, `Cancelled` when asked to
    stop.

    >>> ratings = RatingColumns(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([5.0, 1.0, 1.0]))
    >>> settings = EmbeddingSettings(size=2, step_size=0.05, epochs=200, patience=200)
    >>> embeddings = train(ratings, ratings, n_users=2, n_items=2, settings=settings)
    >>> bool(embeddings.validation_error.min() < 0.1 < embeddings.validation_error[0])
    True
    """
    settings = settings or EmbeddingSettings()
    if training.rating.size == 0 or validation.rating.size == 0:
        raise InputError(
            "NeuKNN needs ratings to learn from and others to say when learning stops; use more "
            "ratings, or another strategy."
        )
    raised = -min(0.0, float(training.rating.min()))
    training, validation = (
        columns._replace(rating=columns.rating + raised) for columns in (training, validation)
    )
    learner = _Learner(training, n_users, n_items, np.random.RandomState([seed, number]), settings)
    training_errors: list[float] = []
    validation_errors: list[float] = []
    best_epoch, best, done = 0, learner.copies(), 0.0
    for epoch in range(settings.epochs):
        # Where training will end if no later epoch is better.
        last = min(best_epoch + settings.patience + 1, settings.epochs)
        for share in learner.learn_epoch():
            done = max(done, (epoch + share) / last)
            if progress is not None:
                progress(done)
            if cancelled is not None and cancelled():
                raise Cancelled
        training_errors.append(learner.training_error)
        validation_errors.append(learner.error(validation))
        if epoch == 0 or validation_errors[epoch] < validation_errors[best_epoch]:
            best_epoch, best = epoch, learner.copies()
        if epoch - best_epoch >= settings.patience:
            break
    users, items, output = best
    return Embeddings(
        _known_only(users, training.user),
        _known_only(items, training.item),
        output,
        np.array(training_errors),
        np.array(validation_errors),
    )


def learn_from(fold: Fold) -> Embeddings:
    """Learn vectors from the training ratings of a fold, which also say when to stop.

    The paper describes it so. The published code stops by other ratings, as `train` can.
    """
    training = training_columns(fold)
    return train(
        training,
        training,
        n_users=fold.n_users,
        n_items=fold.n_items,
        seed=fold.seed,
        number=fold.number,
    )


class _Learner:
    """Vectors, weight and bias on their way, and how far they have come."""

    def __init__(
        self,
        training: RatingColumns,
        n_users: int,
        n_items: int,
        random: np.random.RandomState,
        settings: EmbeddingSettings,
    ) -> None:
        self.training = training
        self.random = random
        self.batch = settings.batch
        self.inner_product = settings.model == "paper"
        self.users, self.items, self.output = (
            rows_of(random.normal(0.0, settings.deviation, shape))
            for shape in ((n_users, settings.size), (n_items, settings.size), (1, 2))
        )
        self.output.values[0, 1] = 0.0  # a bias starts at 0
        steps_of_epoch = -(-training.rating.size // self.batch)
        self.sizes = step_sizes(settings.step_size, steps_of_epoch * settings.epochs)
        self.step = 0
        self.training_error = np.nan  # of the last epoch

    def learn_epoch(self) -> Iterator[float]:
        """Learn from every training rating once; yield the share that is done, now and then."""
        n_ratings = self.training.rating.size
        order = self.random.permutation(n_ratings)
        at_once = -(-_RATINGS_AT_ONCE // self.batch) * self.batch
        summed = 0.0
        for start in range(0, n_ratings, at_once):
            stop = min(start + at_once, n_ratings)
            rows = order[start:stop]
            summed += learn(
                self.training.user[rows], self.training.item[rows], self.training.rating[rows],
                self.batch, self.step, self.inner_product,
                self.users, self.items, self.output, self.sizes,
            )  # fmt: skip
            self.step += -(-rows.size // self.batch)
            yield stop / n_ratings
        for vectors in (self.users, self.items):
            catch_up_all(vectors, self.step, self.sizes)
        self.training_error = summed / n_ratings

    def error(self, ratings: RatingColumns) -> float:
        """Return the mean absolute error of the predicted ratings."""
        values = self.users.values, self.items.values, self.output.values[0]
        return float(
            mean_error(ratings.user, ratings.item, ratings.rating, *values, self.inner_product)
        )

    def copies(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return copies of the vectors of users and of items, and of weight and bias."""
        users, items = self.users.values.copy(), self.items.values.copy()
        return users, items, self.output.values[0].copy()


def _known_only(vectors: np.ndarray, codes: np.ndarray) -> np.ndarray:
    is_known = np.zeros(len(vectors), dtype=bool)
    is_known[codes] = True
    return np.where(is_known[:, None], vectors, np.float32(0))
