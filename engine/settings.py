"""What is asked of an evaluation, checked when it is made."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InputError
from engine.privacy import MECHANISMS, check_protection
from engine.strategies import PAPER_STRATEGIES, get_strategy
from engine.tau import check_tau

#: The numbers of neighbors that the paper compares (section 4.2.2).
PAPER_KS = (5, 10, 15, 20, 25, 30)
#: More threads than any machine has cores only cost memory.
_MOST_JOBS = 1024


@dataclass(frozen=True)
class Settings:
    """The settings of an evaluation. Raises `InputError` for a value that makes no sense.

    `protections` None means the paper's: each strategy without and with protection of vulnerable
    users, and UserKNN also with full protection. `mechanism` None means discrete noise where the
    scale has steps. `only_fold` None means all folds; `jobs` -1 means all cores.

    >>> Settings(ks=(0,))
    Traceback (most recent call last):
    ...
    engine.errors.InputError: k must be a whole number of at least 1, not 0.
    """

    ks: tuple[int, ...] = (10,)
    strategies: tuple[str, ...] = PAPER_STRATEGIES
    protections: tuple[str, ...] | None = None
    tau: str | float = "published"
    mechanism: str | None = None
    memoised: bool = False
    folds: int = 5
    only_fold: int | None = None
    seed: int = 42
    jobs: int = -1

    def __post_init__(self) -> None:
        for name in ("ks", "strategies", "protections"):
            values = getattr(self, name)
            if values is not None and not values:
                raise InputError(f"{name} must not be empty.")
        for k in self.ks:
            if not isinstance(k, int) or k < 1:
                raise InputError(f"k must be a whole number of at least 1, not {k}.")
        for strategy in self.strategies:
            get_strategy(strategy)
        for protection in self.protections or ():
            check_protection(protection)
        check_tau(self.tau)
        if self.mechanism is not None and self.mechanism not in MECHANISMS:
            raise InputError(
                f"There is no mechanism {self.mechanism!r}; choose from {', '.join(MECHANISMS)}."
            )
        if self.folds < 2:
            raise InputError(f"folds must be at least 2, not {self.folds}.")
        if self.only_fold is not None and not 0 <= self.only_fold < self.folds:
            raise InputError(f"fold must be between 0 and {self.folds - 1}, not {self.only_fold}.")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed must be between 0 and {2**32 - 1}, not {self.seed}.")
        if self.jobs == 0:
            raise InputError("jobs must be a number of threads, or -1 for all cores, not 0.")
        if abs(self.jobs) > _MOST_JOBS:
            raise InputError(f"jobs must be at most {_MOST_JOBS} threads, not {self.jobs}.")

    def protections_of(self, strategy: str) -> tuple[str, ...]:
        """Return how a strategy's neighbors are to be protected.

        >>> Settings().protections_of("userknn"), Settings().protections_of("gain")
        (('none', 'vulnerable', 'full'), ('none', 'vulnerable'))
        """
        if self.protections is not None:
            return self.protections
        return ("none", "vulnerable") + (("full",) if strategy == "userknn" else ())

    @property
    def fold_numbers(self) -> tuple[int, ...]:
        """The folds to evaluate."""
        return tuple(range(self.folds)) if self.only_fold is None else (self.only_fold,)
