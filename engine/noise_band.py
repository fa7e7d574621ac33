"""How much of an error curve is due to the coins alone: the same queries under other coins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.experiment import Experiment
from engine.input_checks import check_whole

#: How often coins are thrown for a band by default: those of the seed, and of the seeds after it.
DRAWS = 5


@dataclass(frozen=True, eq=False)
class NoiseBand:
    """The MAE at every whole tau, mean over the folds, a row for each draw of the coins.

    Row 0 is the curve of the sweep. Without noise, at the largest usage, all rows are equal.

    >>> band = NoiseBand(np.array([[0.9, 0.7], [0.92, 0.7]]))
    >>> band.lowest.tolist(), band.highest.tolist()
    ([0.9, 0.7], [0.92, 0.7])
    """

    in_draws: np.ndarray  # (n_draws, largest + 1) float64

    @property
    def lowest(self) -> np.ndarray:
        """(largest + 1,) float64: the value under the coins where it is lowest."""
        return np.asarray(self.in_draws.min(axis=0))

    @property
    def highest(self) -> np.ndarray:
        """(largest + 1,) float64: the value under the coins where it is highest."""
        return np.asarray(self.in_draws.max(axis=0))


def noise_band(
    experiment: Experiment,
    strategy: str,
    k: int,
    folds: Iterable[int] | None = None,
    draws: int = DRAWS,
) -> NoiseBand:
    """Return the error curve under several draws of the coins; usage and risk do not change.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> band = noise_band(experiment, "gain", 5, draws=3)
    >>> mae = experiment.sweep_over_folds("gain", 5).mean("mae")
    >>> np.array_equal(band.in_draws[0], mae), bool(band.highest[0] > band.lowest[0])
    (True, True)
    >>> bool(band.highest[-1] - band.lowest[-1] < 1e-9)
    True
    """
    numbers = experiment.numbers_of(folds)
    sweep = experiment.sweep_over_folds(strategy, k, numbers)
    rows = []
    for draw in range(check_whole("draws", draws, least=1)):
        curves = (experiment.mae_with_coins(number, strategy, k, draw) for number in numbers)
        rows.append(
            np.mean([curve[np.minimum(sweep.taus, curve.size - 1)] for curve in curves], axis=0)
        )
    return NoiseBand(np.array(rows))
