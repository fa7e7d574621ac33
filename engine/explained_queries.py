"""All queries of a small fold, step by step: a worked example, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.explanation import Explanation, explain
from engine.folds import Fold
from engine.neighborhoods import choose_neighbors
from engine.privacy import Mechanism, is_vulnerable


def explain_all(
    fold: Fold, strategy: str, k: int, tau: float, mechanism: Mechanism
) -> list[Explanation]:
    """Explain every query of a fold in its order, with vulnerable users protected.

    >>> from engine.datasets import Scale
    >>> fold = Fold.of_missing(np.array([[5, 1, np.nan, np.nan], [4, 2, 3, 1.0]]), user=0)
    >>> stars = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> [step.neighbors[0].use.protected for step in explain_all(fold, "gain", 1, 1, stars)]
    [False, True]
    """
    neighborhoods = choose_neighbors(fold, [(strategy, k)], jobs=1)[strategy, k]
    return [
        explain(
            fold,
            query,
            strategy=strategy,
            k=k,
            mechanism=mechanism,
            tau=tau,
            neighborhoods=neighborhoods,
        )
        for query in range(fold.n_queries)
    ]


@dataclass(frozen=True, eq=False)
class UsesSoFar:
    """How often some explained queries use each user: (n_users,) int64."""

    uses: np.ndarray
    real: np.ndarray  # of these the uses that are not protected
    tau: float

    @property
    def vulnerable(self) -> np.ndarray:
        """(n_users,) bool: whom these queries use more than tau times."""
        return is_vulnerable(self.uses, self.tau)


def add_up_uses(explanations: Sequence[Explanation], n_users: int) -> UsesSoFar:
    """Return how often explained queries use each user, and how often so without protection.

    >>> from engine.datasets import Scale
    >>> fold = Fold.of_missing(np.array([[5, 1, np.nan, np.nan], [4, 2, 3, 1.0]]), user=0)
    >>> stars = Mechanism.for_scale(Scale(1.0, 5.0, 1.0))
    >>> so_far = add_up_uses(explain_all(fold, "gain", k=1, tau=1, mechanism=stars), n_users=2)
    >>> so_far.uses.tolist(), so_far.real.tolist(), so_far.vulnerable.tolist()
    ([0, 2], [0, 1], [False, True])
    """
    uses, real = np.zeros((2, n_users), dtype=np.int64)
    for explanation in explanations:
        for neighbor in explanation.neighbors:
            if neighbor.use is not None:
                uses[neighbor.user] += 1
                real[neighbor.user] += not neighbor.use.protected
    return UsesSoFar(uses, real, explanations[0].tau)
