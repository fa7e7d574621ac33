from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.adam import rows_of, step_sizes
from engine.embedding_model import add_gradient, learn, mean_error
from engine.embeddings import EMBEDDING_MODELS, EmbeddingSettings, RatingColumns, train
from engine.errors import Cancelled, InputError
from tests import embedding_oracle as oracle

FORMS = pytest.mark.parametrize("form", EMBEDDING_MODELS)


def columns(rated: Sequence[oracle.Rated]) -> RatingColumns:
    user, item, rating = zip(*rated, strict=True)
    return RatingColumns(
        np.array(user, dtype=np.int32),
        np.array(item, dtype=np.int32),
        np.array(rating, dtype=float),
    )


def random_rated(seed: int, n_users: int, n_items: int, n: int) -> list[oracle.Rated]:
    random = np.random.default_rng(seed)
    pairs = random.choice(n_users * n_items, n, replace=False)
    return [(int(p // n_items), int(p % n_items), float(random.integers(1, 6))) for p in pairs]


def random_model(
    seed: int, n_users: int, n_items: int, size: int, bias: float = 1.0
) -> oracle.Model:
    random = np.random.default_rng(seed)
    output = np.array([random.normal(), bias])
    return random.normal(size=(n_users, size)), random.normal(size=(n_items, size)), output


@FORMS
@pytest.mark.parametrize("bias", [1.0, -0.2, 6.0])  # ReLU mostly open, now and then, errors above 0
def test_gradients_against_finite_differences(form: str, bias: float) -> None:
    rated = random_rated(3, 6, 7, 25)
    model = random_model(4, 6, 7, 5, bias)
    users, items, output = (np.zeros_like(part) for part in model)
    for u, i, r in rated:
        add_gradient(
            model[0][u], model[1][i], model[2], form == "paper", r, 1 / len(rated),
            users[u], items[i], output,
        )  # fmt: skip
    for ours, theirs in zip((users, items, output), oracle.slope(model, rated, form), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-7)


def test_a_closed_relu_teaches_nothing_in_the_published_model_and_the_bias_in_the_paper_s() -> None:
    x, y, output = np.ones(2), np.ones(2), np.array([-1.0, 0.0])
    for inner_product, bias_slope in ((False, 0.0), (True, -1.0)):
        gradients = np.zeros(2), np.zeros(2), np.zeros(2)
        assert add_gradient(x, y, output, inner_product, 3.0, 1.0, *gradients) == 3.0
        assert [part.tolist() for part in gradients] == [[0, 0], [0, 0], [0, bias_slope]]


@FORMS
def test_the_mean_error(form: str) -> None:
    rated = random_rated(5, 6, 7, 20)
    model = random_model(6, 6, 7, 3)
    ours = mean_error(*columns(rated), *model, form == "paper")
    assert ours == pytest.approx(oracle.loss(model, rated, form), rel=1e-14)


@FORMS
def test_steps_against_finite_differences_and_dense_adam(form: str) -> None:
    rated = random_rated(8, 5, 6, 23)
    model = random_model(9, 5, 6, 4)
    users, items, output = rows_of(model[0]), rows_of(model[1]), rows_of(model[2])
    sizes = step_sizes(0.01, 12)
    summed = 0.0
    for epoch in range(2):
        summed = learn(*columns(rated), 4, 6 * epoch, form == "paper", users, items, output, sizes)

    adam = oracle.Adam(0.01)
    expected = 0.0
    for _ in range(2):
        expected = 0.0
        for start in range(0, 23, 4):  # the last batch has three ratings
            batch = rated[start : start + 4]
            expected += oracle.loss(model, batch, form) * len(batch)
            adam.step(model, oracle.slope(model, batch, form))
    assert summed == pytest.approx(expected, rel=1e-5)
    # a user or an item of an earlier batch goes on moving; the engine takes those steps later
    last = {u for u, _, _ in rated[20:]}, {i for _, i, _ in rated[20:]}
    for u in last[0]:
        assert users.values[u] == pytest.approx(model[0][u], abs=2e-5)
    for i in last[1]:
        assert items.values[i] == pytest.approx(model[1][i], abs=2e-5)
    assert output.values[0] == pytest.approx(model[2], abs=2e-5)


def small_training(**changes: object) -> dict[str, object]:
    rated = random_rated(1, 30, 40, 700)
    return {
        "training": columns(rated[:600]),
        "validation": columns(rated[600:]),
        "n_users": 31,
        "n_items": 41,
        "settings": EmbeddingSettings(size=8, step_size=0.01, batch=32),
        **changes,
    }


def test_the_vectors_of_the_best_epoch_are_kept_and_training_stops_after_ten_worse_ones() -> None:
    arguments = small_training()
    embeddings = train(**arguments)  # type: ignore[arg-type]
    n_epochs = embeddings.validation_error.size
    assert n_epochs == embeddings.training_error.size == embeddings.best_epoch + 11 < 50
    validation = arguments["validation"]
    assert isinstance(validation, RatingColumns)
    error = mean_error(*validation, embeddings.user, embeddings.item, embeddings.output, False)
    assert error == embeddings.validation_error.min()


def test_training_ends_after_the_last_epoch() -> None:
    settings = EmbeddingSettings(size=8, step_size=0.01, batch=32, epochs=3)
    embeddings = train(**small_training(settings=settings))  # type: ignore[arg-type]
    assert embeddings.training_error.size == 3


def test_it_learns_a_structure() -> None:
    random = np.random.default_rng(2)
    liked = np.add.outer(np.arange(30) % 2, np.arange(40) % 2) % 2 == 0
    rated = [(u, i, 5.0 if liked[u, i] else 1.0) for u in range(30) for i in range(40)]
    random.shuffle(rated)
    embeddings = train(
        columns([(int(u), int(i), r) for u, i, r in rated[:900]]),
        columns([(int(u), int(i), r) for u, i, r in rated[900:]]),
        n_users=30,
        n_items=40,
        settings=EmbeddingSettings(step_size=0.02),
    )
    assert embeddings.validation_error.min() < 0.1
    same, other = embeddings.user[0] @ embeddings.user[2], embeddings.user[0] @ embeddings.user[1]
    assert same > 0 > other


def test_the_vectors_follow_from_seed_and_fold() -> None:
    first = train(**small_training(seed=7, number=3))  # type: ignore[arg-type]
    again = train(**small_training(seed=7, number=3))  # type: ignore[arg-type]
    for name, array in first.to_arrays().items():
        assert np.array_equal(array, again.to_arrays()[name]), name
    for changes in ({"seed": 8, "number": 3}, {"seed": 7, "number": 4}):
        other = train(**small_training(**changes))  # type: ignore[arg-type]
        assert not np.array_equal(first.user, other.user)


def test_who_has_no_training_rating_has_no_vector() -> None:
    embeddings = train(**small_training())  # type: ignore[arg-type]
    assert not embeddings.user[30].any()
    assert not embeddings.item[40].any()
    assert embeddings.user[:30].any(axis=1).all()


def test_ratings_below_zero_are_raised() -> None:
    arguments = small_training()
    lowered = {
        name: columns_._replace(rating=columns_.rating - 6)
        for name in ("training", "validation")
        if isinstance(columns_ := arguments[name], RatingColumns)
    }
    raised = {
        name: columns_._replace(rating=columns_.rating - 1)
        for name in ("training", "validation")
        if isinstance(columns_ := arguments[name], RatingColumns)
    }
    ours = train(**small_training(**lowered))  # type: ignore[arg-type]
    theirs = train(**small_training(**raised))  # type: ignore[arg-type]
    assert np.array_equal(ours.user, theirs.user)


def test_progress_goes_up_to_the_last_epoch() -> None:
    shares: list[float] = []
    settings = EmbeddingSettings(size=8, batch=32, epochs=2)
    train(**small_training(settings=settings), progress=shares.append)  # type: ignore[arg-type]
    assert shares == [0.5, 1.0]


def test_a_training_can_be_cancelled() -> None:
    answers = iter([False, False, True])
    with pytest.raises(Cancelled):
        train(**small_training(), cancelled=lambda: next(answers))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["training", "validation"])
def test_without_ratings_it_says_so(name: str) -> None:
    nothing = RatingColumns(
        np.array([], dtype=np.int32), np.array([], dtype=np.int32), np.array([])
    )
    with pytest.raises(InputError, match="use more ratings"):
        train(**small_training(**{name: nothing}))  # type: ignore[arg-type]


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(InputError, match="'deep'; choose from published, paper"):
        EmbeddingSettings(model="deep")
