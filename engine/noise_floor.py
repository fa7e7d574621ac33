"""What no strategy can change: how many uses must be answered with noise at a given tau."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from engine.input_checks import check_whole, check_whole_taus
from engine.metrics import mean_where_defined
from engine.sweep import SweepOverFolds


@dataclass(frozen=True)
class NoiseShare:
    """The share of uses answered with noise under a strategy, and the floor; means over the folds.

    `above_floor` is what the strategy's uneven load costs. `protected_per_vulnerable` is the number
    of noisy answers that a vulnerable user gives, NaN where nobody is vulnerable.
    """

    strategy: str
    k: int
    tau: int
    protected_uses: float
    floor: float
    above_floor: float
    vulnerable_share: float
    protected_per_vulnerable: float


def noise_floor(
    sweep: SweepOverFolds, taus: Sequence[int] | np.ndarray | None = None
) -> np.ndarray:
    """Return the least share of uses that must be protected at each whole tau.

    `taus` names some of them; by default all count, from 0 to the largest usage.

    Every strategy makes the same number of uses, the sum over the queries of min(k, raters of the
    item), and at most tau uses of each user are real. So with the mean usage m at least
    max(0, 1 - tau / m) of all uses are protected, whoever carries them: (n_taus,) float64, mean
    over the folds. The floor is reached if every user is used at least tau times, or if nobody is
    used more often. 0 where nobody is used.

    >>> from engine.sweep import Sweep
    >>> uneven = SweepOverFolds("gain", 10, [Sweep(np.zeros(7), np.array([0, 6]))])
    >>> noise_floor(uneven).round(2).tolist()
    [1.0, 0.67, 0.33, 0.0, 0.0, 0.0, 0.0]
    >>> uneven.mean("protected_uses").round(2).tolist()
    [1.0, 0.83, 0.67, 0.5, 0.33, 0.17, 0.0]
    """
    taus = sweep.taus if taus is None else check_whole_taus(taus)
    means = np.array([[fold.data_usage.mean()] for fold in sweep.sweeps])
    real = np.ones((means.size, taus.size))  # where nobody is used no use is protected
    np.divide(taus[np.newaxis], means, out=real, where=means > 0)
    return np.asarray(np.maximum(1 - real, 0).mean(axis=0))


def noise_share(sweep: SweepOverFolds, tau: int) -> NoiseShare:
    """Return where a strategy lies above the floor at a whole tau.

    >>> from engine.sweep import Sweep
    >>> share = noise_share(SweepOverFolds("gain", 10, [Sweep(np.zeros(7), np.array([0, 6]))]), 2)
    >>> round(share.above_floor, 2), share.vulnerable_share, share.protected_per_vulnerable
    (0.33, 0.5, 4.0)
    """
    tau = check_whole("tau", tau, least=0)
    taus = np.array([tau])
    protected = np.array([fold.curve("protected_uses", taus)[0] for fold in sweep.sweeps])
    vulnerable = np.array([fold.curve("vulnerable_share", taus)[0] for fold in sweep.sweeps])
    means = np.array([fold.data_usage.mean() for fold in sweep.sweeps])
    protected_per_vulnerable = np.divide(
        protected * means, vulnerable, out=np.full(means.size, np.nan), where=vulnerable > 0
    )
    floor = float(noise_floor(sweep, taus)[0])
    return NoiseShare(
        sweep.strategy,
        sweep.k,
        tau,
        float(protected.mean()),
        floor,
        float(protected.mean()) - floor,
        float(vulnerable.mean()),
        float(mean_where_defined(protected_per_vulnerable)),
    )


def tabulate_noise(sweeps: Iterable[SweepOverFolds], tau: int) -> pd.DataFrame:
    """Return a row for each strategy and k at a whole tau, with the fields of `NoiseShare`.

    >>> from engine.datasets import generate
    >>> from engine.experiment import Experiment
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> sweeps = [experiment.sweep_over_folds(strategy, 5) for strategy in ("userknn", "gain")]
    >>> table = tabulate_noise(sweeps, tau=20)
    >>> table.floor.nunique(), bool((table.above_floor >= 0).all())
    (1, True)
    """
    rows = [asdict(noise_share(sweep, tau)) for sweep in sweeps]
    return pd.DataFrame(rows, columns=list(NoiseShare.__dataclass_fields__))
