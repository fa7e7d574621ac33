"""What all numbers on the screen are computed under: noise, rules, seed, and which queries."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from engine.datasets import Ratings, Scale
from engine.input_checks import DEFAULT_SEED
from engine.predictions import DEFAULT_PREDICTION
from engine.similarity import DEFAULT_SIMILARITY
from engine.strategies import STRATEGIES
from pages.parts.address import View
from pages.parts.address_values import DEFAULT_MECHANISM
from pages.parts.wording import listed


@dataclass(frozen=True)
class Conditions:
    """The mechanism, whether its answers are kept, the seed, the queries asked, and the rules.

    The rules are the similarity of users and how ratings are predicted.

    An empty mechanism is discrete noise where the scale has steps. Half of the queries are asked
    where a strategy learns embeddings: so all strategies answer the same queries.

    >>> Conditions(mechanism="discrete").name_for(Scale(0.0, 1.0)), Conditions().differences
    ('continuous', '')
    >>> Conditions("continuous", memoised=True, seed=7).differences
    'continuous noise, memoised answers and seed 7'
    >>> Conditions.of(View(strategy="neuknn")).differences
    'half of the queries'
    """

    mechanism: str = ""
    memoised: bool = False
    seed: int = DEFAULT_SEED
    half: bool = False
    similarity: str = DEFAULT_SIMILARITY
    prediction: str = DEFAULT_PREDICTION

    @classmethod
    def of(cls, view: View) -> Conditions:
        """Return the conditions that a view, with what is pinned, asks for."""
        strategies = [side.strategy for side in (view, view.pin) if side]
        half = any(STRATEGIES[strategy].needs_embeddings for strategy in strategies)
        return cls(view.mechanism, view.memoised, view.seed, half, view.similarity, view.prediction)

    def name_for(self, scale: Scale) -> str:
        """Return the mechanism for a scale: without steps there is only continuous noise."""
        return "continuous" if scale.levels is None else self.mechanism or DEFAULT_MECHANISM

    def key(self, ratings: Ratings) -> Hashable:
        """Return what tells the runs of ratings apart."""
        mechanism = self.name_for(ratings.scale)
        return ratings.fingerprint, replace(self, mechanism=mechanism)

    def arguments(self, ratings: Ratings) -> dict[str, Any]:
        """Return what an experiment is told."""
        return {
            "mechanism": self.name_for(ratings.scale),
            "memoised": self.memoised,
            "seed": self.seed,
            "queries": "half" if self.half else "all",
            "similarity": self.similarity,
            "prediction": self.prediction,
        }

    @property
    def differences(self) -> str:
        """What of this is not the default, in words; empty if all is."""
        different = []
        if self.mechanism not in ("", DEFAULT_MECHANISM):
            different.append(f"{self.mechanism} noise")
        if self.memoised:
            different.append("memoised answers")
        if self.similarity != DEFAULT_SIMILARITY:
            different.append(f"similarity {self.similarity}")
        if self.prediction != DEFAULT_PREDICTION:
            different.append(f"prediction rule {self.prediction}")
        if self.seed != DEFAULT_SEED:
            different.append(f"seed {self.seed}")
        if self.half:
            different.append("half of the queries")
        return listed(different) if different else ""
