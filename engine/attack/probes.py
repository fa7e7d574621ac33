"""What the adversary asked and heard, under any protection and any tau."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.attack.inference import elect, nearest, subtract
from engine.attack.outcome import AttackOutcome, summarize
from engine.attack.plan import AttackPlan
from engine.input_checks import check_whole
from engine.intervals import Share
from engine.predictions import Predictor
from engine.privacy import is_vulnerable, unprotected_uses


@dataclass(frozen=True, eq=False)
class Probes:
    """Everything the adversary asked, and what the system answers under any protection and tau.

    There are P probes, a (victim, item) each, and each is asked R times.
    """

    plan: AttackPlan
    k: int
    memoised: bool  # every answer is drawn once and kept
    values: np.ndarray  # (m,) float64: the values that a rating can have
    planted: float  # how the fake accounts rate the probed items
    victim: np.ndarray  # (P,) int64
    item: np.ndarray  # (P,) int64
    rating: np.ndarray  # (P,) float64: what the adversary wants to learn
    raters: np.ndarray  # (P,) int64: ratings of the item, the victim's among them
    item_mean: np.ndarray  # (P,) float64: their mean
    most_common: np.ndarray  # (P,) float64: the most common rating of the item by others
    data_usage: np.ndarray  # (P,) int64: uses of the victim by the queries of everybody
    ordinal: np.ndarray  # (R, P) int64: which use of the victim this is; 0 if not a neighbor
    predictor: Predictor  # of the R * P queries

    def predict(self, protection: str, tau: float) -> np.ndarray:
        """Return what the adversary is shown: (R, P) float64."""
        return self.predictor.predict(unprotected_uses(protection, tau)).reshape(self.ordinal.shape)

    def infer(self, protection: str, tau: float, repeats: int | None = None) -> np.ndarray:
        """Return what the adversary takes for the rating of each probe: (P,) float64.

        `repeats` is the number of asks that the adversary makes use of, the first ones; None means
        all. The result is that of an attack that asks no more often. Against memoised answers only
        the first ask counts: the others repeat it or, beyond tau, repeat a noisy answer.
        """
        asks = self.plan.repeats if repeats is None else repeats
        check_whole("repeats", asks, least=1, most=self.plan.repeats)
        predictions = self.predict(protection, tau)[: 1 if self.memoised else asks]
        accounts = self.plan.fake_accounts(self.k)
        if accounts == 0:
            return self.values[nearest(self.values, predictions.mean(axis=0))]
        neighbors = np.minimum(self.raters + accounts, self.k)
        answers = subtract(predictions, neighbors, accounts, self.planted, self.item_mean)
        return self.values[elect(answers, self.values)]

    def outcome(self, protection: str, tau: float, repeats: int | None = None) -> AttackOutcome:
        """Return what the attack comes to, for all victims and for the secure and vulnerable.

        Victims with more than `tau` uses are the vulnerable ones under any protection.
        """
        inferred = self.infer(protection, tau, repeats)
        inferred, real, guessed = (
            nearest(self.values, ratings) for ratings in (inferred, self.rating, self.most_common)
        )
        return summarize(
            victim=self.victim,
            steps=np.abs(inferred - real),
            guess_steps=np.abs(guessed - real),
            among_neighbors=(self.ordinal[:repeats] > 0).mean(axis=0),
            vulnerable=is_vulnerable(self.data_usage, tau),
        )

    def recovered_over_tau(self, taus: Sequence[float]) -> list[Share]:
        """Return the share of the ratings that one ask each recovers at each tau.

        The vulnerable users are protected.

        >>> from engine.attack import attack
        >>> from engine.datasets import generate
        >>> from engine.experiment import Experiment
        >>> experiment = Experiment(generate(users=60, items=50, ratings=1500))
        >>> probes = attack(experiment, 0, "gain", 5, AttackPlan(victims=20))
        >>> low, high = probes.recovered_over_tau([0, 10**6])
        >>> low.value < high.value
        True
        """
        return [self.outcome("vulnerable", tau, repeats=1).everybody.exact for tau in taus]
