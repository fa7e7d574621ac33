"""Which strategies a run computes: those of its core in every fold first, then the others."""

from __future__ import annotations

from typing import Final

from engine.strategies import PAPER_STRATEGIES, STRATEGIES
from pages.parts.looks import shown_strategies

#: Above this many ratings Expect+Reuse and Gain+Reuse are computed only when they are looked at:
#: with six k each they take as long as all the rest.
FEW_RATINGS: Final = 300_000


def core_strategies(*, half: bool) -> tuple[str, ...]:
    """Return the paper's strategies, and NeuKNN where half of the queries are asked.

    >>> core_strategies(half=True)
    ('userknn', 'userknn+reuse', 'expect', 'gain', 'neuknn')
    """
    baselines = {STRATEGIES[name].baseline for name in _learned()} if half else set()
    return (*PAPER_STRATEGIES, *(name for name in _learned() if name in baselines))


def extra_strategies(n_ratings: int, *, half: bool) -> tuple[str, ...]:
    """Return the strategies that are computed although nobody looks at them, after the core.

    >>> extra_strategies(100, half=False), extra_strategies(100, half=True)
    (('expect+reuse', 'gain+reuse'), ('neuknn+reuse',))
    """
    if n_ratings > FEW_RATINGS and not half:
        return ()
    core = core_strategies(half=half)
    return tuple(name for name in (_learned() if half else shown_strategies()) if name not in core)


def _learned() -> tuple[str, ...]:
    strategies = shown_strategies(embeddings=True)
    return tuple(name for name in strategies if STRATEGIES[name].needs_embeddings)
