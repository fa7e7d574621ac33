"""What is asked: one setting, or the settings of a whole evaluation. Checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass

from engine.embeddings import DEFAULT_EMBEDDING_MODEL, EmbeddingSettings
from engine.errors import InputError
from engine.input_checks import DEFAULT_SEED, check_jobs, check_seed, check_several, check_whole
from engine.predictions import DEFAULT_PREDICTION, PREDICTIONS
from engine.privacy import MECHANISMS, check_protection
from engine.similarity import DEFAULT_SIMILARITY, SIMILARITIES
from engine.splits import QUERIES, check_queries
from engine.strategies import PAPER_STRATEGIES, STRATEGIES
from engine.tau import check_tau, rule_name

#: The numbers of neighbors that the paper compares (section 4.2.2).
PAPER_KS = (5, 10, 15, 20, 25, 30)
#: The one that its tables show.
DEFAULT_K = 10


@dataclass(frozen=True)
class Setting:
    """One way to recommend: a strategy, k neighbors, a threshold tau, and whom it protects.

    `tau` is a number or a rule (see `engine.tau`), which gives each fold a number of its own. It
    also decides who is vulnerable where `protection` is "none" or "full".

    Raises `InputError` for a value that makes no sense.

    >>> Setting("gain", 10, 93)
    Setting(strategy='gain', k=10, tau=93.0, protection='vulnerable')
    >>> Setting("gain", tau=-4)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: tau must be a finite number of at least 0, not -4.
    """

    strategy: str
    k: int = DEFAULT_K
    tau: str | float = "published"
    protection: str = "vulnerable"

    def __post_init__(self) -> None:
        STRATEGIES.named(self.strategy)
        check_protection(self.protection)
        object.__setattr__(self, "k", check_whole("k", self.k, least=1))
        object.__setattr__(self, "tau", check_tau(self.tau))


@dataclass(frozen=True)
class Settings:
    """The settings of an evaluation. Raises `InputError` for a value that makes no sense.

    `protections` None means the paper's: each strategy without and with protection of vulnerable
    users, and UserKNN and NeuKNN also with full protection. `mechanism` None means discrete noise
    where the scale has steps. `only_fold` None means all folds; `jobs` -1 means all cores.

    >>> Settings(ks=(0,))
    Traceback (most recent call last):
    ...
    engine.errors.InputError: k must be a whole number of at least 1, not 0.
    """

    ks: tuple[int, ...] = (DEFAULT_K,)
    strategies: tuple[str, ...] = PAPER_STRATEGIES
    protections: tuple[str, ...] | None = None
    tau: str | float = "published"
    mechanism: str | None = None
    memoised: bool = False
    folds: int = 5
    only_fold: int | None = None
    seed: int = DEFAULT_SEED
    jobs: int = -1
    similarity: str = DEFAULT_SIMILARITY
    prediction: str = DEFAULT_PREDICTION
    embedding_model: str = DEFAULT_EMBEDDING_MODEL
    queries: str = QUERIES[0]

    def __post_init__(self) -> None:
        for name in ("ks", "strategies", "protections"):
            values = getattr(self, name)
            if values is not None and not check_several(name, values):
                raise InputError(f"{name} must not be empty.")
        object.__setattr__(self, "ks", tuple(check_whole("k", k, least=1) for k in self.ks))
        SIMILARITIES.named(self.similarity)
        PREDICTIONS.named(self.prediction)
        EmbeddingSettings(self.embedding_model)
        check_queries(self.queries)
        for strategy in self.strategies:
            STRATEGIES.named(strategy)
        for protection in self.protections or ():
            check_protection(protection)
        check_tau(self.tau)
        if self.mechanism is not None and self.mechanism not in MECHANISMS:
            raise InputError(
                f"There is no mechanism {self.mechanism!r}; choose from {', '.join(MECHANISMS)}."
            )
        object.__setattr__(self, "folds", check_whole("folds", self.folds, least=2))
        if self.only_fold is not None:
            number = check_whole("fold", self.only_fold, least=0, most=self.folds - 1)
            object.__setattr__(self, "only_fold", number)
        object.__setattr__(self, "seed", check_seed(self.seed))
        object.__setattr__(self, "jobs", check_jobs(self.jobs))

    def protections_of(self, strategy: str) -> tuple[str, ...]:
        """Return how a strategy's neighbors are to be protected.

        >>> Settings().protections_of("userknn"), Settings().protections_of("gain")
        (('none', 'vulnerable', 'full'), ('none', 'vulnerable'))
        """
        if self.protections is not None:
            return self.protections
        return ("none", "vulnerable") + (
            ("full",) if strategy == STRATEGIES.named(strategy).baseline else ()
        )

    @property
    def selections(self) -> list[tuple[str, int]]:
        """Every (strategy, k) whose neighbors are needed; a rule for tau needs the baseline's."""
        pairs = [(strategy, k) for strategy in self.strategies for k in self.ks]
        if rule_name(self.tau) != "number":
            pairs += [(STRATEGIES[strategy].baseline, k) for strategy, k in pairs]
        return list(dict.fromkeys(pairs))

    @property
    def settings(self) -> list[Setting]:
        """Every single setting, in the order of the table: by strategy, protection and k.

        >>> len(Settings().settings)  # two for each strategy, and full protection for UserKNN
        9
        """
        return [
            Setting(strategy, k, self.tau, protection)
            for strategy in self.strategies
            for protection in self.protections_of(strategy)
            for k in self.ks
        ]

    @property
    def fold_numbers(self) -> tuple[int, ...]:
        """The folds to evaluate."""
        return tuple(range(self.folds)) if self.only_fold is None else (self.only_fold,)
