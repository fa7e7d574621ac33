"""What a choice of tau is made from: a strategy and k, with all that limits are set on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from engine.errors import InputError
from engine.experiment import Experiment
from engine.input_checks import check_several
from engine.limits import LIMITS, Limits
from engine.metrics import mean_where_defined
from engine.popularity_sweep import PopularitySweep
from engine.sweep import SWEPT, SweepOverFolds

#: Values are compared to this many decimals: sums of the same numbers differ in the last digits.
_DECIMALS = 9


def comparable(values: np.ndarray | float) -> np.ndarray:
    """Return values rounded to nine decimals, so that what is equal but for rounding is equal.

    >>> bool(comparable(0.1 + 0.2) == comparable(0.3))
    True
    """
    return np.round(values, _DECIMALS)


@dataclass(frozen=True)
class TauOutcome:
    """What one strategy, k and whole tau come to: means over the folds, tau the same in each.

    `error_increase` and `error_points` are the MAE over the baseline's: as a share of it, and in
    points of the scale. `real_uses` is the largest number of uses of one user's real ratings in a
    fold. Coverage and PP-Corr, from the top lists of all folds together, are None where the lists
    were not followed.
    """

    strategy: str
    k: int
    tau: int
    mae: float
    error_increase: float
    error_points: float
    vulnerable_share: float
    privacy_risk: float
    secure_risk: float
    protected_uses: float
    real_uses: int
    protects_nobody: bool
    coverage: float | None = None
    pp_corr: float | None = None

    def has_setting_of(self, other: TauOutcome) -> bool:
        """Return whether both are of one strategy, k and tau."""
        return (self.strategy, self.k, self.tau) == (other.strategy, other.k, other.tau)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A strategy and k, with every quantity that a limit can be set on, at every whole tau.

    >>> from engine.sweep import Sweep
    >>> def over_folds(name, errors):
    ...     return SweepOverFolds(name, 10, [Sweep(np.array(errors), np.array([0, 1, 2, 2]))])
    >>> gain, userknn = over_folds("gain", [0.9, 0.8, 0.6]), over_folds("userknn", [0.9, 0.9, 0.75])
    >>> candidate = Candidate(gain, userknn)
    >>> candidate.quantity("error_increase", "userknn-none").round(3).tolist()
    [0.2, 0.067, -0.2]
    >>> candidate.quantity("real_uses").tolist()
    [0.0, 1.0, 2.0]
    >>> candidate.outcome(1, "same-none").error_points.__round__(3)
    0.2
    """

    sweep: SweepOverFolds
    userknn: SweepOverFolds  # UserKNN at the same k, whose error without protection is a baseline
    popularity: PopularitySweep | None = None

    @property
    def strategy(self) -> str:
        """The name of the strategy."""
        return self.sweep.strategy

    @property
    def k(self) -> int:
        """The number of neighbors."""
        return self.sweep.k

    @property
    def largest(self) -> int:
        """The largest usage in any fold: from this tau on nobody is protected."""
        return self.sweep.largest

    def baseline_mae(self, baseline: str) -> float:
        """Return the MAE that the error is compared with: one of `engine.limits.BASELINES`."""
        unprotected = self.userknn if baseline == "userknn-none" else self.sweep
        return float(unprotected.mean("mae")[-1])

    def quantity(self, name: str, baseline: str = "userknn-none") -> np.ndarray:
        """Return what a limit is set on: (largest + 1,) float64, tau = 0, 1, ..., mean over folds.

        error_points = mae - b and error_increase = mae / b - 1, b the baseline's MAE; where b is 0
        an error of 0 is no increase and any other is infinite. real_uses = min(tau, largest usage
        in any fold). The others are as in `SWEPT` and in `PopularitySweep`.
        """
        if name in SWEPT:
            return self.sweep.mean(name)
        if name == "real_uses":
            return self.sweep.taus.astype(np.float64)
        if name in ("error_points", "error_increase"):
            mae, base = self.sweep.mean("mae"), self.baseline_mae(baseline)
            if name == "error_points":
                return mae - base
            return _increase(mae, base)
        if self.popularity is None:
            raise InputError(f"{name} needs the top lists: gather the candidates with them.")
        return np.asarray(getattr(self.popularity, name))

    def rounded(self, name: str, baseline: str = "userknn-none") -> np.ndarray:
        """Return a quantity as it is compared, to nine decimals (see `comparable`)."""
        key = (name, baseline)
        if key not in self._rounded:
            self._rounded[key] = comparable(self.quantity(name, baseline))
        return self._rounded[key]

    def met(self, limit: str, value: float, baseline: str) -> np.ndarray:
        """Return at which whole taus a limit holds: (largest + 1,) bool. NaN meets no limit."""
        known = LIMITS[limit]
        values = self.rounded(known.quantity, baseline)
        bound = comparable(value)
        return np.asarray(values >= bound if known.at_least else values <= bound)

    @cached_property
    def protects_somebody(self) -> np.ndarray:
        """(largest + 1,) bool: tau is below the largest usage in some fold."""
        return self.sweep.taus < self.largest

    def bounds(self, limits: Limits) -> dict[str, float]:
        """Return where the limits lie on the curves, by metric: what a chart draws as lines.

        The error has one line, the stricter of both limits on it. `real_uses` is a bound on tau.

        >>> from engine.sweep import Sweep
        >>> swept = SweepOverFolds("userknn", 10, [Sweep(np.array([0.9, 0.8]), np.array([0, 1]))])
        >>> bounds = Candidate(swept, swept).bounds(Limits(max_error_increase=0.05, max_risk=40))
        >>> {name: round(value, 3) for name, value in bounds.items()}
        {'privacy_risk': 40.0, 'mae': 0.84}
        """
        bounds = {LIMITS[name].quantity: value for name, value in limits.stated.items()}
        base = self.baseline_mae(limits.baseline)
        errors = [
            base * (1 + bounds.pop("error_increase", np.inf)) if base else np.inf,
            base + bounds.pop("error_points", np.inf),
        ]
        if limits.max_error_increase is not None and not base:
            errors.append(0.0 if limits.max_error_increase >= 0 else -np.inf)
        if np.isfinite(min(errors)):
            bounds["mae"] = min(errors)
        return bounds

    def outcome(self, tau: int, baseline: str = "userknn-none") -> TauOutcome:
        """Return what a whole tau comes to; above the largest usage nothing changes any more."""
        place = min(tau, self.largest)
        folds = self.in_folds(tau)
        values = {name: float(mean_where_defined(folds[name])) for name in SWEPT}
        base = self.baseline_mae(baseline)
        mae = np.array(values["mae"])
        lists = ("coverage", "pp_corr") if self.popularity is not None else ()
        return TauOutcome(
            self.strategy,
            self.k,
            tau,
            **values,
            error_increase=float(_increase(mae, base)),
            error_points=float(mae - base),
            real_uses=place,
            protects_nobody=place == self.largest,
            **{name: float(self.quantity(name)[place]) for name in lists},
        )

    def in_folds(self, tau: int) -> dict[str, np.ndarray]:
        """Return each metric of `SWEPT` at a whole tau in each fold: (n_folds,) float64 by name."""
        if tau not in self._at_taus:
            folds = [fold.metrics_at(tau) for fold in self.sweep.sweeps]
            self._at_taus[tau] = {name: np.array([fold[name] for fold in folds]) for name in SWEPT}
        return self._at_taus[tau]

    @cached_property
    def _at_taus(self) -> dict[int, dict[str, np.ndarray]]:
        return {}  # a few hundred bytes for each tau that is asked for

    @cached_property
    def _rounded(self) -> dict[tuple[str, str], np.ndarray]:
        return {}


def _increase(mae: np.ndarray, base: float) -> np.ndarray:
    """Return mae / base - 1; over a base of 0 an error of 0 is no increase, any other infinite."""
    return mae / base - 1 if base else np.where(mae == 0, 0.0, np.inf)


def gather_candidates(
    experiment: Experiment,
    strategies: Iterable[str],
    ks: Iterable[int],
    folds: Iterable[int] | None = None,
    *,
    top_lists: bool = False,
) -> list[Candidate]:
    """Return a candidate for each strategy and k, over some folds, by default over all.

    With `top_lists` coverage and PP-Corr are known at every tau, too; this takes some seconds for
    each strategy and k of a million ratings, once.

    >>> from engine.datasets import generate
    >>> experiment = Experiment(generate(users=40, items=60, ratings=900))
    >>> [(c.strategy, c.k) for c in gather_candidates(experiment, ["gain"], [5, 10])]
    [('gain', 5), ('gain', 10)]
    """
    numbers = experiment.numbers_of(folds)
    return [
        Candidate(
            experiment.sweep_over_folds(strategy, k, numbers),
            experiment.sweep_over_folds("userknn", k, numbers),
            experiment.popularity_sweep(strategy, k, numbers) if top_lists else None,
        )
        for strategy, k in product(check_several("strategies", strategies), check_several("ks", ks))
    ]
