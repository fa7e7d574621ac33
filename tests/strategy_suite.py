"""What every strategy must pass, registered here or elsewhere: plain checks that take its name.

They ask nothing of the order in which a strategy ranks, only of what a choice of neighbors must be.
"""

from __future__ import annotations

import numpy as np

from engine.datasets import Ratings
from engine.experiment import Experiment
from engine.folds import Fold
from engine.neighborhoods import Neighborhoods, choose_neighbors
from engine.outcome import METRICS
from engine.privacy import PROTECTIONS
from engine.settings import Setting
from engine.splits import split
from engine.strategies import STRATEGIES
from engine.target_blocks import target_blocks
from tests.examples import arranged, collinear_rows, random_rows, ratings_of

STARS = [1.0, 2.0, 3.0, 4.0, 5.0]
#: Ratings by what is odd in them: (user, item, rating).
ODD_ROWS = {
    "stars": random_rows(7, users=30, items=25, share=0.4, values=STARS),
    "constant raters": [
        (user, item, 3.0 if int(user[1:]) % 2 else value)
        for user, item, value in random_rows(5, users=20, items=15, share=0.5, values=STARS)
    ],
    "zeros": random_rows(6, users=20, items=15, share=0.5, values=[0, 0, 0, 1, 5]),
    "nothing but zeros": random_rows(6, users=12, items=10, share=0.5, values=[0]),
    "collinear": collinear_rows(3, users=20, items=15, share=0.5),
    "negative": random_rows(8, users=20, items=15, share=0.5, values=[-10, -2.5, 0, 10]),
    "strangers": [(f"u{n}", f"i{n * m % 11}", 1.0 + n % 3) for n in range(30) for m in (1, 2)],
    "alone": [("only", f"i{n}", 1.0 + n % 5) for n in range(10)],
}


def chosen(fold: Fold, strategy: str, k: int, **options: object) -> Neighborhoods:
    return choose_neighbors(fold, [(strategy, k)], **{"jobs": 1, **options})[strategy, k]


def everything(neighborhoods: Neighborhoods) -> list[list[tuple[int, float, int]]]:
    """The place, similarity and co-ratings of every neighbor of every query."""
    return [
        [
            (int(neighborhoods.place[use]), float(neighborhoods.similarity[use]), shared)
            for use in range(start, stop)
            for shared in (int(neighborhoods.co_ratings[use]),)
        ]
        for start, stop in zip(neighborhoods.start, neighborhoods.stop, strict=True)
    ]


def assert_well_formed(fold: Fold, neighborhoods: Neighborhoods, k: int) -> None:
    """Each answered query has min(k, raters) different raters of its item; the others nobody."""
    matrix = fold.by_user.toarray()
    rated = np.zeros(matrix.shape, dtype=bool)
    by_item = fold.by_item.tocoo()
    rated[by_item.row, by_item.col] = True
    for query, (user, item) in enumerate(zip(fold.query_user, fold.query_item, strict=True)):
        neighbors = neighborhoods.users(fold, query).tolist()
        raters = set(np.flatnonzero(rated[:, item]).tolist()) - {int(user)}
        known = rated[user].any() and rated[:, item].any()
        assert len(neighbors) == len(set(neighbors)) == (min(k, len(raters)) if known else 0)
        assert set(neighbors) <= raters
        uses = slice(neighborhoods.start[query], neighborhoods.stop[query])
        assert np.isfinite(neighborhoods.similarity[uses]).all()
        shared = (rated[neighbors] & rated[user]).sum(axis=1)
        assert neighborhoods.co_ratings[uses].tolist() == shared.tolist()
        assert fold.by_item.data[neighborhoods.place[uses]].tolist() == (
            matrix[neighbors, item].tolist()
        )


# --- what can be chosen --------------------------------------------------------------------------


def check_every_k(strategy: str) -> None:
    """k = 1, some more, and more than anybody has raters; whatever is odd in the ratings."""
    for rows in ODD_ROWS.values():
        fold = split(ratings_of(rows), 1)
        for k in (1, 3, 1000):
            assert_well_formed(fold, chosen(fold, strategy, k), k)


def check_k_above_the_raters(strategy: str) -> None:
    """Everybody is a neighbor, without padding; so a larger k changes nothing."""
    fold = split(ratings_of(ODD_ROWS["stars"]), 0)
    raters = np.diff(fold.by_item.indptr)[fold.query_item]
    everybody = chosen(fold, strategy, 1000)
    assert (everybody.stop - everybody.start).tolist() == (
        np.where(fold.answered, raters, 0).tolist()
    )
    assert everything(everybody) == everything(chosen(fold, strategy, fold.n_users))


def check_a_smaller_k_is_the_beginning_of_a_larger(strategy: str) -> None:
    """So that one selection serves every k, unless earlier neighbors decide on later ones."""
    if STRATEGIES.named(strategy).depends_on_k:
        return
    fold = split(ratings_of(ODD_ROWS["collinear"]), 1)
    large = chosen(fold, strategy, 9)
    for k in (1, 2, 5, 9):
        assert everything(large.first(k)) == everything(chosen(fold, strategy, k))


def check_unknown_users_and_items(strategy: str) -> None:
    """Nobody answers for a user or an item without training ratings."""
    known = random_rows(3, users=9, items=6, share=0.9, values=STARS)
    asked = [("new", "i1", 3.0), ("u1", "unseen", 3.0), ("new", "unseen", 3.0), ("u1", "i1", 3.0)]
    known = [row for row in known if row[:2] != ("u1", "i1")]
    ratings, folds, number = arranged(known, asked)
    fold = split(ratings, number, folds)
    sizes = [len(neighbors) for neighbors in everything(chosen(fold, strategy, 2))]
    assert sizes[:4] == [0, 0, 0, 2]
    assert_well_formed(fold, chosen(fold, strategy, 2), 2)


def check_duplicates(strategy: str) -> None:
    """Of several ratings of one item by one user the last counts, as if there were no other."""
    rows = ODD_ROWS["stars"]
    once, twice = ratings_of(rows), ratings_of([(u, i, 6 - v) for u, i, v in rows] + rows)
    assert twice.report.duplicates == len(rows)
    a, b = (everything(chosen(split(ratings, 0), strategy, 3)) for ratings in (once, twice))
    assert a == b


# --- what must not matter ------------------------------------------------------------------------


def check_relabelled_ids(strategy: str) -> None:
    ratings = ratings_of(ODD_ROWS["stars"])
    backwards = Ratings.from_columns(
        [f"person {1000 - int(label[1:])}" for label in ratings.users[ratings.user]],
        [f"thing {1000 - int(label[1:])}" for label in ratings.items[ratings.item]],
        ratings.value,
        name="relabelled",
    )
    a, b = (everything(chosen(split(r, 3), strategy, 4)) for r in (ratings, backwards))
    assert a == b


def check_shuffled_rows(strategy: str) -> None:
    """The order of the training rows, and of the queries of different users."""
    fold = split(ratings_of(ODD_ROWS["stars"]), 2)
    expected = everything(chosen(fold, strategy, 3))
    train = fold.by_user.tocoo()
    dice = np.random.RandomState(4)
    rows = dice.permutation(train.nnz)
    # Users take turns in another order; their own queries keep theirs, which +Reuse follows.
    turn = dice.permutation(fold.n_users)
    order = np.argsort(turn[fold.query_user], kind="stable")
    shuffled = Fold.of(
        (train.row[rows], train.col[rows], train.data[rows]),
        (fold.query_user[order], fold.query_item[order], fold.query_rating[order]),
        n_users=fold.n_users,
        n_items=fold.n_items,
        number=fold.number,
        seed=fold.seed,
    )
    choices = everything(chosen(shuffled, strategy, 3))
    assert [choices[place] for place in np.argsort(order)] == expected
    assert not np.array_equal(order, np.arange(fold.n_queries))


def check_jobs_and_blocks(strategy: str) -> None:
    fold = split(ratings_of(ODD_ROWS["stars"]), 0)
    alone = everything(chosen(fold, strategy, 5))
    users = np.concatenate(target_blocks(fold))
    one_by_one = [np.array([user], dtype=users.dtype) for user in users[::-1]]
    shuffled = np.array_split(np.random.RandomState(1).permutation(users), 4)
    assert everything(chosen(fold, strategy, 5, jobs=2)) == alone
    assert everything(chosen(fold, strategy, 5, jobs=2, blocks=one_by_one)) == alone
    assert everything(chosen(fold, strategy, 5, blocks=shuffled)) == alone


def check_what_else_is_chosen(strategy: str) -> None:
    """In one pass with all other strategies, and with other k."""
    fold = split(ratings_of(ODD_ROWS["zeros"]), 1)
    cells = [(name, k) for name in STRATEGIES for k in (2, 5)]
    together = choose_neighbors(fold, cells, jobs=1)
    for k in (2, 5):
        assert everything(together[strategy, k]) == everything(chosen(fold, strategy, k))


# --- what follows from the choice ----------------------------------------------------------------


def check_uses_are_conserved(strategy: str) -> None:
    """Every strategy makes the same number of uses: the sum of min(k, raters) over the queries."""
    ratings = ratings_of(ODD_ROWS["stars"])
    experiment = Experiment(ratings)
    fold = experiment.fold(0, strategy)
    raters = np.diff(fold.by_item.indptr)[fold.query_item]
    for k in (1, 4):
        usage = experiment.usage(0, strategy, k)
        assert usage.sum() == np.minimum(raters, k)[fold.answered].sum() > 0
        assert usage.shape == (ratings.n_users,)


def check_outcomes_are_finite_and_meet_the_sweep(strategy: str) -> None:
    for rows in ODD_ROWS.values():
        experiment = Experiment(ratings_of(rows))
        sweep = experiment.sweep(0, strategy, 3)
        assert np.isfinite(sweep.mae).all()
        for protection in PROTECTIONS:
            outcome = experiment.fold_outcome(0, Setting(strategy, 3, 2, protection))
            values = [value for value in outcome.metrics.values() if value is not None]
            assert np.isfinite(values).all()
            assert tuple(outcome.metrics) == tuple(METRICS)
            real_uses = {"none": sweep.largest, "vulnerable": min(2, sweep.largest), "full": 0}
            mae = outcome.metrics["mae"]
            assert mae is not None
            assert abs(mae - sweep.mae[real_uses[protection]]) < 1e-9


SUITE = {
    check.__name__.removeprefix("check_"): check
    for check in (
        check_every_k,
        check_k_above_the_raters,
        check_a_smaller_k_is_the_beginning_of_a_larger,
        check_unknown_users_and_items,
        check_duplicates,
        check_relabelled_ids,
        check_shuffled_rows,
        check_jobs_and_blocks,
        check_what_else_is_chosen,
        check_uses_are_conserved,
        check_outcomes_are_finite_and_meet_the_sweep,
    )
}
