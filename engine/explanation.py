"""One rating query, step by step: who could be a neighbor, who is, and what they answer.

Everything comes from the functions with which the engine chooses, counts and predicts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.coins import Coins, throw_coins
from engine.embeddings import Embeddings, learn_from
from engine.experiment import Experiment
from engine.folds import Fold
from engine.input_checks import check_whole
from engine.neighborhoods import Neighborhoods, choose_neighbors
from engine.predictions import DEFAULT_PREDICTION, PREDICTIONS, Predictor
from engine.privacy import Mechanism, is_protected, unprotected_uses
from engine.settings import Setting
from engine.similarity import DEFAULT_SIMILARITY, SIMILARITIES
from engine.standing import Standing, standing_of
from engine.strategies import STRATEGIES
from engine.usage import Usage, count_usage


@dataclass(frozen=True)
class Use:
    """One use of a neighbor: which one it is, whether it is protected, and what is answered.

    The coins are thrown for every use, and decide only about protected ones. The first coin showing
    heads gives the real rating; else the second coin showing heads gives the real rating, and tails
    a random one.
    """

    ordinal: int  # the first use of the neighbor in the fold has 1
    protected: bool
    first_heads: bool
    second_heads: bool
    noisy_answer: float  # what the coins make of the rating
    answer: float  # what counts: the noisy answer if the use is protected, else the real rating
    weight: float  # of the answer in the prediction: the similarity, 0 if it is not positive


@dataclass(frozen=True)
class CandidateNeighbor:
    """Another user who rated the item, and how the strategy sees that user.

    Both ranks are among all users other than the one who asks, so candidates of one query do not
    have the ranks 1, 2, 3, ...; the larger the better. `score` is what the strategy orders by:
    rank(similarity), with a reusability plus rank(reusability). Equal scores are ordered at random.
    The reusability is None for strategies without one.
    """

    user: int
    rating: float  # the real rating of the item
    co_ratings: int  # items that both rated
    similarity: float
    similarity_rank: int
    reusability: float | None
    reusability_rank: int | None
    score: int
    previous: bool  # was a neighbor in an earlier query of the same user
    position: int | None  # place among the neighbors, the best has 1; None if not chosen
    use: Use | None  # None if not chosen

    @property
    def chosen(self) -> bool:
        """Whether the candidate is a neighbor."""
        return self.position is not None


@dataclass(frozen=True)
class Explanation:
    """All that happens to one rating query.

    `candidates` has the neighbors first, in their order, and then the others, best first. Without a
    neighbor of positive similarity, the prediction is the mean of the training ratings.
    """

    user: int
    item: int
    ask: int  # 1 the first time that the query is put, then 2, 3, ...
    rating: float  # the true one; NaN where nobody knows it
    strategy: str
    k: int
    protection: str
    tau: float
    candidates: tuple[CandidateNeighbor, ...]
    prediction: float
    prediction_without_protection: float
    from_neighbors: bool
    train_mean: float

    @property
    def neighbors(self) -> tuple[CandidateNeighbor, ...]:
        """The candidates that are chosen, best first."""
        return tuple(candidate for candidate in self.candidates if candidate.chosen)


def explain(
    fold: Fold,
    query: int,
    *,
    strategy: str,
    k: int,
    mechanism: Mechanism,
    protection: str = "vulnerable",
    tau: float,
    similarity: str = DEFAULT_SIMILARITY,
    prediction: str = DEFAULT_PREDICTION,
    embeddings: Embeddings | None = None,
    neighborhoods: Neighborhoods | None = None,
    predictor: Predictor | None = None,
) -> Explanation:
    """Explain a query of any fold, given by its place among the fold's queries.

    The uses by earlier queries of the fold count. Where the `neighborhoods` of all queries, the
    `predictor` or the `embeddings` are at hand, they need not be computed. Raises `InputError` for
    a query that does not exist, an unknown strategy, similarity, prediction rule or protection, and
    a k below 1.

    >>> from engine.datasets import Scale
    >>> fold = Fold.of(  # Ann asks for item 2; Bob and Cem rated it
    ...     (np.array([0, 0, 1, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 2, 0, 2]),
    ...      np.array([5., 1., 5., 1., 4., 1., 2.])),
    ...     (np.array([0]), np.array([2]), np.array([4.])), n_users=3, n_items=3)
    >>> mechanism = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> steps = explain(fold, 0, strategy="gain", k=1, mechanism=mechanism, tau=20)
    >>> [(c.user, c.similarity_rank, c.reusability_rank, c.score) for c in steps.candidates]
    [(1, 2, 2, 4), (2, 2, 1, 3)]
    >>> steps.neighbors[0].user, steps.neighbors[0].use.ordinal, steps.prediction
    (1, 1, 4.0)
    """
    query = check_whole("query", query, least=0, most=fold.n_queries - 1)
    k = check_whole("k", k, least=1)
    real_uses = unprotected_uses(protection, tau)
    named = STRATEGIES.named(strategy)
    measure = SIMILARITIES.named(named.similarity or similarity)
    if embeddings is None and (named.needs_embeddings or measure.needs_embeddings):
        embeddings = learn_from(fold)
    if neighborhoods is None:
        selections = [(strategy, k)]
        neighborhoods = choose_neighbors(
            fold, selections, jobs=1, similarity=similarity, embeddings=embeddings
        )[strategy, k]
    usage = count_usage(fold, neighborhoods)
    if predictor is None:
        make_predictor = PREDICTIONS.named(prediction).make_predictor
        predictor = make_predictor(fold, neighborhoods, usage, mechanism)
    standing = standing_of(fold, query, named, measure, embeddings, neighborhoods)
    coins = throw_coins(fold, neighborhoods, mechanism)
    uses = _uses(fold, neighborhoods, query, usage, coins, real_uses)
    return Explanation(
        user=int(fold.query_user[query]),
        item=int(fold.query_item[query]),
        ask=int(fold.query_ask[query]),
        rating=float(fold.query_rating[query]),
        strategy=strategy,
        k=k,
        protection=protection,
        tau=tau,
        candidates=_candidates(fold, neighborhoods, query, standing, uses),
        prediction=float(predictor.predict(real_uses)[query]),
        prediction_without_protection=float(predictor.predict(np.inf)[query]),
        from_neighbors=bool(predictor.predicted[query]),
        train_mean=fold.train_mean,
    )


def explain_query(experiment: Experiment, number: int, query: int, setting: Setting) -> Explanation:
    """Explain a query of an experiment's fold; neighborhoods and predictions come from its store.

    Raises `InputError` for an unknown fold or query.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> steps = explain_query(experiment, 0, 3, Setting("expect", k=5, tau=20))
    >>> 0 < len(steps.neighbors) <= min(5, len(steps.candidates))
    True
    """
    strategy = setting.strategy
    return explain(
        experiment.fold(number, strategy),
        query,
        strategy=strategy,
        k=setting.k,
        mechanism=experiment.mechanism,
        protection=setting.protection,
        tau=experiment.tau(setting.tau, number, setting.k, strategy),
        similarity=experiment.similarity,
        embeddings=(
            experiment.embeddings(number) if experiment.needs_embeddings(strategy) else None
        ),
        neighborhoods=experiment.neighborhoods(number, strategy, setting.k),
        predictor=experiment.predictor(number, strategy, setting.k),
    )


def _uses(
    fold: Fold,
    neighborhoods: Neighborhoods,
    query: int,
    usage: Usage,
    coins: Coins,
    real_uses: float,
) -> dict[int, Use]:
    """Return the use of each neighbor of a query, best first."""
    sizes = neighborhoods.stop - neighborhoods.start
    first = int(sizes[:query].sum())  # uses stand as in the neighborhoods, but without gaps
    places = range(int(neighborhoods.start[query]), int(neighborhoods.stop[query]))
    uses = {}
    for index, place in enumerate(places, start=first):
        rating = neighborhoods.place[place]
        protected = bool(is_protected(usage.ordinal[index], real_uses))
        noisy, real = float(coins.answers[index]), float(fold.by_item.data[rating])
        uses[int(fold.by_item.indices[rating])] = Use(
            ordinal=int(usage.ordinal[index]),
            protected=protected,
            first_heads=bool(coins.first_heads[index]),
            second_heads=bool(coins.second_heads[index]),
            noisy_answer=noisy,
            answer=noisy if protected else real,
            weight=max(float(neighborhoods.similarity[place]), 0.0),
        )
    return uses


def _candidates(
    fold: Fold, neighborhoods: Neighborhoods, query: int, standing: Standing, uses: dict[int, Use]
) -> tuple[CandidateNeighbor, ...]:
    """Return the neighbors in their order, then the other candidates by their score."""
    if not uses:  # user or item are unknown: nobody is a candidate
        return ()
    user, item = fold.query_user[query], fold.query_item[query]
    column = slice(fold.by_item.indptr[item], fold.by_item.indptr[item + 1])
    rating = dict(
        zip(fold.by_item.indices[column].tolist(), fold.by_item.data[column], strict=True)
    )
    queries = fold.queries_by_user[fold.first_query[user] : fold.first_query[user + 1]]
    previous = {
        int(neighbor)
        for earlier in queries[queries < query]
        for neighbor in neighborhoods.users(fold, int(earlier))
    }
    position = {neighbor: place for place, neighbor in enumerate(uses, start=1)}
    others = sorted(rating.keys() - uses.keys() - {user}, key=lambda c: (-standing.score[c], c))

    def candidate(c: int) -> CandidateNeighbor:
        value, rank = standing.reusability, standing.reusability_rank
        return CandidateNeighbor(
            user=c,
            rating=float(rating[c]),
            co_ratings=int(standing.co_ratings[c]),
            similarity=float(standing.similarity[c]),
            similarity_rank=int(standing.similarity_rank[c]),
            reusability=None if value is None else float(value[c]),
            reusability_rank=None if rank is None else int(rank[c]),
            score=int(standing.score[c]),
            previous=c in previous,
            position=position.get(c),
            use=uses.get(c),
        )

    return tuple(candidate(c) for c in (*uses, *others))
