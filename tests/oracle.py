"""A slow, obvious second implementation, written from the definitions alone.

Plain loops over dictionaries; whole numbers and fractions wherever ties must be exact. It imports
nothing of the engine, so that where the two agree, they agree about the definitions. Numbers in
square brackets, as in [6], point at the list "Definitions that bind" of the design.

Users and items are integer codes, as in the engine. A strategy is one of the names in
`STRATEGIES`; a *query* is a pair (user, item); *chosen* is, for every query of a fold in order,
the list of its neighbors, best first.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

Row = tuple[int, int, Fraction]
Query = tuple[int, int]
Tie = Callable[[int, int, int], Any]  # (user, item, candidate) -> smaller goes first
Answer = Callable[[int, int, int], float]  # (user, item, neighbor) -> the protected rating

STRATEGIES = (
    "userknn",
    "userknn+reuse",
    "expect",
    "gain",
    "expect+reuse",
    "gain+reuse",
)
TOP = 10
LARGEST_Q = 100
DIGITS = 50


# --- ratings and folds ---------------------------------------------------------------------------


def exact(value: float) -> Fraction:
    """The decimal number that is written in the file, not the double nearest to it."""
    return Fraction(repr(float(value)))


def deduplicated(rows: Iterable[tuple[Any, Any, Any]]) -> list[tuple[Any, Any, Any]]:
    """[1] Of duplicates the last stays, where it stands."""
    rows = list(rows)
    unique = []
    for position, (user, item, value) in enumerate(rows):
        repeated_later = any((u, i) == (user, item) for u, i, _ in rows[position + 1 :])
        if not repeated_later:
            unique.append((user, item, value))
    return unique


def split_positions(n: int, folds: int, seed: int) -> list[list[int]]:
    """[2] Positions of the test ratings of each fold, in the order in which they are asked."""
    order = np.arange(n)
    np.random.RandomState(seed).shuffle(order)
    size, longer = divmod(n, folds)
    parts, start = [], 0
    for f in range(folds):
        end = start + size + (1 if f < longer else 0)
        parts.append([int(p) for p in order[start:end]])
        start = end
    return parts


@dataclass
class Train:
    """The training part of a fold; `users` and `items` are all of the file."""

    users: range
    items: range
    by_user: dict[int, dict[int, Fraction]]
    by_item: dict[int, dict[int, Fraction]]
    mean: Fraction
    whole: dict[int, dict[int, int]] = field(repr=False)  # by_user times a common denominator


def train_of(rows: Iterable[Row], n_users: int, n_items: int) -> Train:
    rows = list(rows)
    by_user: dict[int, dict[int, Fraction]] = {}
    by_item: dict[int, dict[int, Fraction]] = {}
    for user, item, value in rows:
        by_user.setdefault(user, {})[item] = value
        by_item.setdefault(item, {})[user] = value
    denominator = lcm(*(value.denominator for _, _, value in rows))
    whole = {
        user: {item: int(value * denominator) for item, value in rated.items()}
        for user, rated in by_user.items()
    }
    mean = sum((value for _, _, value in rows), Fraction(0)) / len(rows)
    return Train(range(n_users), range(n_items), by_user, by_item, mean, whole)


def fold_of(
    rows: Sequence[Row], n_users: int, n_items: int, fold: int, folds: int = 5, seed: int = 42
) -> tuple[Train, list[Query], list[Fraction]]:
    """Training part, queries in their order, and the true ratings of the queries."""
    test = split_positions(len(rows), folds, seed)[fold]
    hidden = set(test)
    train = train_of((r for p, r in enumerate(rows) if p not in hidden), n_users, n_items)
    return train, [rows[p][:2] for p in test], [rows[p][2] for p in test]


def popularity(rows: Iterable[Row], n_items: int) -> list[int]:
    """How many ratings each item has in the whole file."""
    counts = [0] * n_items
    for _, item, _ in rows:
        counts[item] += 1
    return counts


def answered(train: Train, query: Query) -> bool:
    """[6] A query can be answered when its user and its item are known in train."""
    user, item = query
    return user in train.by_user and item in train.by_item


# --- similarity, reusability, rank ---------------------------------------------------------------


def co_ratings(train: Train, a: int, b: int) -> int:
    """How many items both rated in train."""
    return len(train.by_user.get(a, {}).keys() & train.by_user.get(b, {}).keys())


def similarity_squared(train: Train, a: int, b: int) -> Fraction:
    """[3] Sign times square of the cosine over co-rated items: exact, and in the same order."""
    rated_a, rated_b = train.whole.get(a, {}), train.whole.get(b, {})
    dot = norm_a = norm_b = 0
    for item, value in rated_a.items():
        if item in rated_b:
            dot += value * rated_b[item]
            norm_a += value * value
            norm_b += rated_b[item] * rated_b[item]
    if norm_a == 0 or norm_b == 0:
        return Fraction(0)
    return Fraction(dot * abs(dot), norm_a * norm_b)


def root(signed_square: Fraction) -> Decimal:
    """sign * sqrt, to 50 digits: similarity_squared as the similarity it stands for."""
    with localcontext() as context:
        context.prec = DIGITS
        magnitude = Decimal(abs(signed_square).numerator) / Decimal(signed_square.denominator)
        return -magnitude.sqrt() if signed_square < 0 else magnitude.sqrt()


def expect_score(train: Train, candidate: int) -> int:
    """[4] Sum of |U_i| over the candidate's items (without 1/|U|, which changes no rank)."""
    return sum(len(train.by_item[item]) for item in train.by_user.get(candidate, {}))


def gain_score(train: Train, user: int, candidate: int) -> int:
    """[4] |I_u and I_c| (without 1/|I_u|, which changes no rank)."""
    return co_ratings(train, user, candidate)


def ranks(scores: dict[int, Any]) -> dict[int, int]:
    """[5] How many users have a score <= one's own, oneself included."""
    in_order = sorted(scores.values())
    return {candidate: bisect_right(in_order, own) for candidate, own in scores.items()}


def similarities(train: Train, user: int) -> dict[int, Fraction]:
    return {c: similarity_squared(train, user, c) for c in train.users if c != user}


def strategy_ranks(
    train: Train, user: int, strategy: str, similar: dict[int, Fraction] | None = None
) -> dict[int, int]:
    """[5] What the strategy orders the candidates of a user by; the larger the better."""
    similar = similarities(train, user) if similar is None else similar
    by_similarity = ranks(similar)
    base = strategy.removesuffix("+reuse")
    if base == "userknn":
        return by_similarity
    if base == "expect":
        reusable = ranks({c: expect_score(train, c) for c in similar})
    elif base == "gain":
        reusable = ranks({c: gain_score(train, user, c) for c in similar})
    else:
        raise ValueError(strategy)
    return {c: by_similarity[c] + reusable[c] for c in similar}


# --- choosing neighbors --------------------------------------------------------------------------

Similar = Callable[[Train, int], dict[int, Fraction]]
RankBy = Callable[[Train, int, str, dict[int, Fraction]], dict[int, int]]


def best(
    candidates: Iterable[int], score: dict[int, Any], k: int, tie: Callable[[int], Any]
) -> list[int]:
    """The k candidates with the largest score, best first; among equals the smaller tie."""
    in_tie_order = sorted(candidates, key=tie)
    return sorted(in_tie_order, key=lambda c: score[c], reverse=True)[:k]  # both sorts are stable


def candidates_of(train: Train, query: Query) -> set[int]:
    """[6] The users other than u who rated i in train; nobody where u or i is unknown."""
    if not answered(train, query):
        return set()
    user, item = query
    return set(train.by_item[item]) - {user}


def choose_neighbors(
    train: Train,
    queries: Sequence[Query],
    strategy: str,
    k: int,
    tie: Tie,
    *,
    similar_to: Similar = similarities,
    rank_by: RankBy = strategy_ranks,
) -> list[list[int]]:
    """[6, 7] The neighbors of every query, in the order of the queries.

    Without +Reuse best first by the strategy's rank; with it the reused ones first. Other
    similarities and other ranks may be given.
    """
    similar: dict[int, dict[int, Fraction]] = {}
    rank: dict[int, dict[int, int]] = {}
    previous: dict[int, set[int]] = {}
    chosen = []
    for user, item in queries:
        candidates = candidates_of(train, (user, item))
        if not candidates:
            chosen.append([])
            continue
        if user not in rank:
            similar[user] = similar_to(train, user)
            rank[user] = rank_by(train, user, strategy, similar[user])
            previous[user] = set()

        def in_tie(c: int, user: int = user, item: int = item) -> Any:
            return tie(user, item, c)

        if strategy.endswith("+reuse"):
            known = previous[user] & candidates
            neighbors = best(known, similar[user], k, in_tie)
            neighbors += best(candidates - known, rank[user], k - len(neighbors), in_tie)
        else:
            neighbors = best(candidates, rank[user], k, in_tie)
        previous[user] |= set(neighbors)
        chosen.append(neighbors)
    return chosen


def is_top(chosen: Iterable[int], candidates: set[int], score: dict[int, Any], k: int) -> bool:
    """Whether `chosen` are k (or all) of the candidates and nobody left out is better."""
    chosen = list(chosen)
    if len(chosen) != len(set(chosen)) or not set(chosen) <= candidates:
        return False
    if len(chosen) != min(k, len(candidates)):
        return False
    left_out = candidates - set(chosen)
    return all(score[c] >= score[other] for c in chosen for other in left_out)


def invalid_choices(
    train: Train, queries: Sequence[Query], strategy: str, k: int, chosen: Sequence[Sequence[int]]
) -> list[str]:
    """[6, 7] What is wrong with a choice of neighbors, however ties were broken; [] if nothing."""
    similar: dict[int, dict[int, Fraction]] = {}
    rank: dict[int, dict[int, int]] = {}
    previous: dict[int, set[int]] = {}
    wrong = []
    for number, ((user, item), neighbors) in enumerate(zip(queries, chosen, strict=True)):
        candidates = candidates_of(train, (user, item))
        if user not in rank:
            similar[user] = similarities(train, user)
            rank[user] = strategy_ranks(train, user, strategy, similar[user])
            previous[user] = set()
        if strategy.endswith("+reuse"):
            known = previous[user] & candidates
            if len(known) >= k:
                right = is_top(neighbors, known, similar[user], k)
            else:
                fresh = [c for c in neighbors if c not in known]
                right = known <= set(neighbors) and len(neighbors) == len(set(neighbors))
                right = right and is_top(fresh, candidates - known, rank[user], k - len(known))
        else:
            right = is_top(neighbors, candidates, rank[user], k)
        if not right:
            wrong.append(f"query {number} (user {user}, item {item}): {list(neighbors)}")
        previous[user] |= set(neighbors)
    return wrong


# --- usage, vulnerable users, risk ---------------------------------------------------------------


def data_usage(chosen: Iterable[Iterable[int]], n_users: int) -> list[int]:
    """[8, 10] How often each user was chosen."""
    usage = [0] * n_users
    for neighbors in chosen:
        for neighbor in neighbors:
            usage[neighbor] += 1
    return usage


def ordinals(chosen: Iterable[Iterable[int]]) -> list[list[int]]:
    """For every use: the how-manieth use of this neighbor it is, from 1, in query order."""
    so_far: dict[int, int] = {}
    numbered = []
    for neighbors in chosen:
        row = []
        for neighbor in neighbors:
            so_far[neighbor] = so_far.get(neighbor, 0) + 1
            row.append(so_far[neighbor])
        numbered.append(row)
    return numbered


def is_protected(protection: str, ordinal: int, tau: float) -> bool:
    """[11] Whether a use is answered by the mechanism."""
    return {"none": False, "vulnerable": ordinal > tau, "full": True}[protection]


def vulnerable_share(usage: Sequence[int], tau: float) -> float:
    return sum(1 for uses in usage if uses > tau) / len(usage)


def mean_privacy_risk(usage: Sequence[int], tau: float, protection: str) -> float:
    """[10] min(tau, usage); usage itself under none; 0 under full."""
    if protection == "none":
        risks: list[float] = list(usage)
    elif protection == "full":
        risks = [0.0 for _ in usage]
    else:
        risks = [min(tau, uses) for uses in usage]
    return math.fsum(risks) / len(risks)


def secure_risk(usage: Sequence[int], tau: float) -> float | None:
    """[10] Mean usage of the users with usage <= tau."""
    secure = [uses for uses in usage if uses <= tau]
    return sum(secure) / len(secure) if secure else None


def protected_uses(chosen: Iterable[Iterable[int]], protection: str, tau: float) -> float:
    """[11] Share of all uses that the mechanism answers; 0 where there is no use."""
    uses = [ordinal for row in ordinals(chosen) for ordinal in row]
    return sum(is_protected(protection, u, tau) for u in uses) / len(uses) if uses else 0.0


def epsilon_paper(usage: Sequence[int], tau: float, protection: str) -> float | None:
    """[19] Mean epsilon over vulnerable users; nothing where there are none, or it is infinite."""
    vulnerable = [uses for uses in usage if uses > tau]
    if protection == "none" or not vulnerable:
        return None
    if protection == "full":
        return math.log(3)
    epsilons = [math.log(3 + 4 * tau / (uses - tau)) for uses in vulnerable]
    return math.fsum(epsilons) / len(epsilons)


# --- predictions ---------------------------------------------------------------------------------


def predict(
    train: Train,
    queries: Sequence[Query],
    chosen: Sequence[Sequence[int]],
    protection: str = "none",
    tau: float = math.inf,
    answer: Answer | None = None,
) -> list[Decimal]:
    """[9, 11] Predictions to 40 digits, so that what is equal by definition compares equal."""
    predictions = []
    weights: dict[tuple[int, int], Decimal] = {}
    with localcontext() as context:
        context.prec = DIGITS
        fallback = Decimal(train.mean.numerator) / Decimal(train.mean.denominator)
        for (user, item), neighbors, numbers in zip(queries, chosen, ordinals(chosen), strict=True):
            above = below = Decimal(0)
            for neighbor, ordinal in zip(neighbors, numbers, strict=True):
                pair = (user, neighbor)
                if pair not in weights:
                    weights[pair] = root(similarity_squared(train, *pair))
                if weights[pair] <= 0:
                    continue
                if is_protected(protection, ordinal, tau):
                    assert answer is not None
                    rating = exact(answer(user, item, neighbor))
                else:
                    rating = train.by_item[item][neighbor]
                above += weights[pair] * Decimal(rating.numerator) / Decimal(rating.denominator)
                below += weights[pair]
            value = above / below if below > 0 else fallback
            predictions.append(value.quantize(Decimal(1).scaleb(-40)))
    return predictions


def predicted_share(
    train: Train, queries: Sequence[Query], chosen: Sequence[Sequence[int]]
) -> float:
    """[9] Share of the queries predicted from a neighbor with similarity > 0."""
    from_neighbors = 0
    for (user, _), neighbors in zip(queries, chosen, strict=True):
        if any(similarity_squared(train, user, n) > 0 for n in neighbors):
            from_neighbors += 1
    return from_neighbors / len(queries)


# --- metrics -------------------------------------------------------------------------------------


def absolute_errors(predictions: Sequence[Any], truths: Sequence[Any]) -> list[float]:
    return [abs(float(p) - float(t)) for p, t in zip(predictions, truths, strict=True)]


def mae(predictions: Sequence[Any], truths: Sequence[Any]) -> float:
    """[14] Mean over the queries."""
    errors = absolute_errors(predictions, truths)
    return math.fsum(errors) / len(errors)


def mae_users(queries: Sequence[Query], predictions: Sequence[Any], truths: Sequence[Any]) -> float:
    """[14] Mean over the users with a query of their own mean."""
    of_user: dict[int, list[float]] = {}
    for (user, _), error in zip(queries, absolute_errors(predictions, truths), strict=True):
        of_user.setdefault(user, []).append(error)
    means = [math.fsum(errors) / len(errors) for errors in of_user.values()]
    return math.fsum(means) / len(means)


def growth_of_users(
    train: Train, queries: Sequence[Query], chosen: Sequence[Sequence[int]]
) -> dict[int, list[tuple[int, float]]]:
    """[15] For every user, after each answered query: |N_u| and the mean co-ratings with N_u."""
    together: dict[int, set[int]] = {}
    grown: dict[int, list[tuple[int, float]]] = {}
    for query, neighbors in zip(queries, chosen, strict=True):
        if not answered(train, query):
            continue
        user = query[0]
        known = together.setdefault(user, set())
        known.update(neighbors)
        shared = sum(co_ratings(train, user, n) for n in known)
        grown.setdefault(user, []).append((len(known), shared / len(known)))
    return grown


def growth_at_q(
    train: Train, queries: Sequence[Query], chosen: Sequence[Sequence[int]]
) -> tuple[list[float | None], list[float | None]]:
    """[15] Neighbors@q and CoRatings@q for q = 1..100; None where nobody has q answered queries."""
    grown = growth_of_users(train, queries, chosen)
    sizes: list[float | None] = []
    shared: list[float | None] = []
    for q in range(1, LARGEST_Q + 1):
        reached = [steps[q - 1] for steps in grown.values() if len(steps) >= q]
        sizes.append(sum(s for s, _ in reached) / len(reached) if reached else None)
        shared.append(math.fsum(c for _, c in reached) / len(reached) if reached else None)
    return sizes, shared


def top_queries(queries: Sequence[Query], predictions: Sequence[Any]) -> dict[int, list[int]]:
    """[16] For every user with a query, numbers of the 10 queries predicted highest, best first."""
    of_user: dict[int, list[int]] = {}
    for number, (user, _) in enumerate(queries):
        of_user.setdefault(user, []).append(number)
    return {
        user: sorted(numbers, key=lambda n: (-predictions[n], n))[:TOP]
        for user, numbers in of_user.items()
    }


def item_frequency(queries: Sequence[Query], predictions: Sequence[Any], n_items: int) -> list[int]:
    """[16] ItemFreq+ of one fold: how many users have the item among their top items."""
    frequency = [0] * n_items
    for numbers in top_queries(queries, predictions).values():
        for n in numbers:
            frequency[queries[n][1]] += 1
    return frequency


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Pearson's correlation; None for fewer than two points or where one does not vary."""
    n = len(x)
    if n < 2:
        return None
    exact_x, exact_y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    mean_x, mean_y = sum(exact_x) / n, sum(exact_y) / n
    xy = sum((a - mean_x) * (b - mean_y) for a, b in zip(exact_x, exact_y, strict=True))
    xx = sum((a - mean_x) ** 2 for a in exact_x)
    yy = sum((b - mean_y) ** 2 for b in exact_y)
    return float(xy) / math.sqrt(float(xx * yy)) if xx and yy else None


def pp_corr(frequency: Sequence[int], popular: Sequence[int]) -> float | None:
    """[16] Over the items that are a top item at least once."""
    on_top = [i for i, f in enumerate(frequency) if f > 0]
    return pearson([frequency[i] for i in on_top], [popular[i] for i in on_top])


def pp_corr_all(frequency: Sequence[int], popular: Sequence[int]) -> float | None:
    """[16] Over all items."""
    return pearson(list(frequency), list(popular))


def coverage(frequency: Sequence[int]) -> float:
    """[16] Share of all items that are a top item."""
    return sum(1 for f in frequency if f > 0) / len(frequency)


def _gain_of(places: Iterable[int]) -> float:
    return math.fsum(1 / math.log2(place + 1) for place in places)


def ndcg(
    queries: Sequence[Query], predictions: Sequence[Any], truths: Sequence[Any], mean: Any
) -> tuple[float | None, int]:
    """[17] nDCG@10 over users with a relevant test item, and how many users have none."""
    relevant_of: dict[int, int] = {}
    for (user, _), truth in zip(queries, truths, strict=True):
        relevant_of[user] = relevant_of.get(user, 0) + (truth > mean)
    scores, without = [], 0
    for user, numbers in top_queries(queries, predictions).items():
        if relevant_of[user] == 0:
            without += 1
            continue
        hits = [place for place, n in enumerate(numbers, start=1) if truths[n] > mean]
        ideal = range(1, min(TOP, relevant_of[user]) + 1)
        scores.append(_gain_of(hits) / _gain_of(ideal))
    return (math.fsum(scores) / len(scores) if scores else None), without


def ndcg_published(
    queries: Sequence[Query], predictions: Sequence[Any], truths: Sequence[Any], mean: Any
) -> float:
    """[17] As the published code has it: every place of the list counts as ideal."""
    scores = []
    for numbers in top_queries(queries, predictions).values():
        hits = [place for place, n in enumerate(numbers, start=1) if truths[n] >= mean]
        scores.append(_gain_of(hits) / _gain_of(range(1, len(numbers) + 1)))
    return math.fsum(scores) / len(scores)


# --- tau -----------------------------------------------------------------------------------------


def gradient(values: Sequence[float]) -> list[float]:
    """Central differences, one-sided at the ends."""
    last = len(values) - 1
    steps = [values[1] - values[0]]
    steps += [(values[n + 1] - values[n - 1]) / 2 for n in range(1, last)]
    return [*steps, values[last] - values[last - 1]]


def histogram_counts(usage: Sequence[int], bins: int = 25) -> list[int]:
    """Counts of equal bins from the least to the largest usage; the last bin is closed."""
    low, high = min(usage), max(usage)
    if low == high:
        return [len(usage)] + [0] * (bins - 1)
    edges = np.linspace(low, high, bins + 1)
    counts = [0] * bins
    for uses in usage:
        fits = [b for b in range(bins) if edges[b] <= uses < edges[b + 1]]
        counts[fits[0] if fits else bins - 1] += 1
    return counts


def published_curve(usage: Sequence[int]) -> tuple[list[float], list[float]]:
    """[13] The 1000 points and the second differences of the density of the 25 counts."""
    counts, width, points = histogram_counts(usage), 50.0, 1000
    grid = [max(usage) * n / (points - 1) for n in range(points)]
    scale = 1 / (len(counts) * width * math.sqrt(2 * math.pi))
    density = [
        scale * math.fsum(math.exp(-(((x - c) / width) ** 2) / 2) for c in counts) for x in grid
    ]
    return grid, gradient(gradient(density))


def tau_published(usage: Sequence[int]) -> float:
    if max(usage) == 0:
        return 0.0
    grid, bend = published_curve(usage)
    return grid[bend.index(max(bend))]


def tail_curve(usage: Sequence[int], grid: Sequence[float]) -> tuple[list[float], list[float]]:
    """[13] Density of the usage with Scott's bandwidth, and its second derivative, exactly."""
    n = len(usage)
    mean = math.fsum(usage) / n
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in usage) / (n - 1))
    width = spread * n ** (-1 / 5)
    scale = 1 / (n * width * math.sqrt(2 * math.pi))
    density, bend = [], []
    for x in grid:
        z = [(x - uses) / width for uses in usage]
        bells = [math.exp(-v * v / 2) for v in z]
        density.append(scale * math.fsum(bells))
        bend.append(
            scale / width**2 * math.fsum((v * v - 1) * b for v, b in zip(z, bells, strict=True))
        )
    return density, bend


def tau_tail(usage: Sequence[int], points: int = 1000) -> float:
    grid = [max(usage) * n / (points - 1) for n in range(points)]
    density, bend = tail_curve(usage, grid)
    mode = density.index(max(density))
    right = range(mode + 1, points)
    return grid[max(right, key=lambda n: bend[n])]


def quantile(usage: Sequence[int], share: float) -> float:
    """Linear interpolation between the order statistics."""
    in_order = sorted(usage)
    place = share * (len(in_order) - 1)
    low = math.floor(place)
    high = min(low + 1, len(in_order) - 1)
    return in_order[low] + (place - low) * (in_order[high] - in_order[low])
