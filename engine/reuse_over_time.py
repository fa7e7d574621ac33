"""Neighbors whose reusability grows with every query of the target user (paper, appendix C)."""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.best_candidates import insert, tie_key
from engine.draws import TIES, stream
from engine.vectors import dot


@njit(nogil=True, cache=True)
def add_reuse(
    query, first, last, queries, query_item, size_of, chosen_from, place, item_users,
    item_directions, reusability,
):  # fmt: skip
    """Add up how much each earlier neighbor of a user can be used again for a query.

    reusability(c | u, i, t) = sum over the earlier queries j of u in which c was a neighbor of
    max(0, cosine(i, j)). The earlier queries are `queries[first:last]`; the neighbors of the a-th
    query of all `queries` stand in `place` from `chosen_from[a]` on, as many as `size_of` says.
    """
    for earlier in range(first, last):
        asked = queries[earlier]
        if size_of[asked] == 0:
            continue
        cosine = dot(item_directions[query_item[query]], item_directions[query_item[asked]])
        if cosine > 0.0:
            start = chosen_from[earlier]
            for use in range(start, start + size_of[asked]):
                reusability[item_users[place[use]]] += cosine


@njit(nogil=True, cache=True)
def choose_over_time(
    seed, fold_number, targets, first_query, queries, query_item, size_of, item_start, item_users,
    ranks, strength, similarity, shared, item_directions, out_place, out_similarity, out_shared,
):  # fmt: skip
    """Choose the neighbors of all queries of the target users, one query after the other.

    The neighbors of a query are the raters of its item with the largest rank(similarity) +
    `strength` * rank(reusability), with the reusability that the user's earlier queries give; ranks
    are among the users other than the target, and equals share the larger rank. Ties are broken at
    random for each query. `ranks`, `similarity` and `shared` are rows of the targets, (n_targets,
    n_users); `item_directions` is (n_items, size). The outputs have the neighbors of one query
    after the other, in the order of targets and queries, best first.
    """
    n_users = ranks.shape[1]
    reusability = np.zeros(n_users)
    above_zero = np.zeros(n_users, dtype=np.int64)  # rank(reusability) above that of reusability 0
    is_previous = np.zeros(n_users, dtype=np.bool_)
    previous = np.empty(n_users, dtype=np.int64)  # the target's neighbors so far, each once
    chosen_from = np.zeros(queries.size, dtype=np.int64)
    out = 0
    for b in range(targets.size):
        u = targets[b]
        n_previous = 0
        for index in range(first_query[u], first_query[u + 1]):
            q = queries[index]
            size = size_of[q]
            chosen_from[index] = out
            if size == 0:
                continue
            i = query_item[q]
            reusability[previous[:n_previous]] = 0.0
            add_reuse(
                q, first_query[u], index, queries, query_item, size_of, chosen_from, out_place,
                item_users, item_directions, reusability,
            )  # fmt: skip
            amounts = np.sort(reusability[previous[:n_previous]])
            n_zero = np.searchsorted(amounts, 0.0, side="right")
            for c in previous[:n_previous]:
                above_zero[c] = np.searchsorted(amounts, reusability[c], side="right") - n_zero
            # Users who cannot be used again share one rank, the largest among them.
            zero_rank = n_users - 1 - (n_previous - n_zero)

            state = stream(seed, fold_number, TIES, u, i)
            keys = np.empty(size, dtype=np.int64)
            places = np.empty(size, dtype=np.int32)
            filled = 0
            for place in range(item_start[i], item_start[i + 1]):
                c = item_users[place]
                score = np.int64(ranks[b, c]) + strength * (zero_rank + above_zero[c])
                filled = insert(keys, places, filled, tie_key(score, state, c), place)
            for place in places:
                c = item_users[place]
                out_place[out] = place
                out_similarity[out] = similarity[b, c]
                out_shared[out] = shared[b, c]
                out += 1
                if not is_previous[c]:
                    is_previous[c] = True
                    previous[n_previous] = c
                    n_previous += 1
        for c in previous[:n_previous]:
            reusability[c] = 0.0
            above_zero[c] = 0
            is_previous[c] = False
