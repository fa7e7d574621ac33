"""Rules that suggest the threshold tau from UserKNN's data usage (paper, section 4.5)."""

from __future__ import annotations

import re

import numpy as np

from engine.errors import InputError

_BINS = 25
_BANDWIDTH = 50.0
_POINTS = 1000


def published_tau(data_usage: np.ndarray) -> float:
    """Return tau as the published code computes it.

    1. counts = histogram of the data usage of all users in 25 bins (from its minimum to maximum);
    2. density of these 25 *counts*, Gaussian kernels with bandwidth 50, on 1000 points from 0 to
       the largest usage; 3. tau is the first point with the largest second difference.

    The paper describes the density of the usage itself (see `tail_tau`). What is computed comes
    out near sqrt(3) * 50 = 86.6 wherever the most frequent counts are small, because a Gaussian of
    bandwidth 50 bends most there: this value says more about the bandwidth than about the data.

    >>> published_tau(np.zeros(10))
    0.0
    >>> published_tau(np.array([0, 0, 1, 1, 2, 3, 500]))
    87.087...
    """
    largest = float(data_usage.max(initial=0))
    if largest == 0:
        return 0.0
    counts, _ = np.histogram(data_usage, bins=_BINS)
    points = np.linspace(0, largest, _POINTS)
    density = np.exp(-0.5 * ((points[:, None] - counts) / _BANDWIDTH) ** 2).sum(axis=1)
    return _largest_bend(points, density)


def tail_tau(data_usage: np.ndarray) -> float:
    """Return where the tail of the usage begins, the paper's words taken literally.

    The density of the usage (Gaussian kernels, Scott's bandwidth) on 1000 points from 0 to the
    largest usage; tau is the point right of its mode with the largest second difference. If all
    users are used equally often there is no tail, and tau is that usage.

    >>> 0 < tail_tau(np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 9])) < 9
    True
    >>> tail_tau(np.array([7, 7, 7]))
    7.0
    """
    from scipy.stats import gaussian_kde  # half a second that most starts can do without

    largest = float(data_usage.max(initial=0))
    if data_usage.size < 2 or np.ptp(data_usage) == 0:
        return largest
    points = np.linspace(0, largest, _POINTS)
    density = gaussian_kde(data_usage)(points)
    mode = int(np.argmax(density))
    return _largest_bend(points, density, beyond=mode)


def _largest_bend(points: np.ndarray, density: np.ndarray, beyond: int = -1) -> float:
    bend = np.gradient(np.gradient(density))
    first = min(beyond + 1, points.size - 1)
    return float(points[first + np.argmax(bend[first:])])


def check_tau(rule: str | float) -> str | float:
    """Return the rule in its plain form: a name in lower case, or a number.

    Raises `InputError` for anything but `published`, `tail`, a quantile such as `q90`, or a number
    that is not negative.

    >>> check_tau("Q90"), check_tau("92.89"), check_tau(5)
    ('q90', 92.89, 5.0)
    """
    name = str(rule).strip().lower()
    if name in ("published", "tail"):
        return name
    quantile = re.fullmatch(r"q(\d{1,2}(\.\d+)?|100)", name)
    if quantile:
        return name
    try:
        tau = float(name)
    except ValueError:
        raise InputError(
            f"tau must be published, tail, a quantile such as q90, or a number, not {rule!r}."
        ) from None
    if not 0 <= tau < np.inf:
        raise InputError(f"tau must be a finite number of at least 0, not {rule}.")
    return tau


def rule_name(rule: str | float) -> str:
    """Return the rule's name for the output: `number` for a number.

    >>> rule_name("q90"), rule_name(12.5)
    ('q90', 'number')
    """
    checked = check_tau(rule)
    return checked if isinstance(checked, str) else "number"


def resolve_tau(rule: str | float, userknn_usage: np.ndarray) -> float:
    """Return tau under a rule, from UserKNN's data usage at the same fold and k.

    >>> resolve_tau("q90", np.arange(11))
    9.0
    """
    checked = check_tau(rule)
    if isinstance(checked, float):
        return checked
    if checked == "published":
        return published_tau(userknn_usage)
    if checked == "tail":
        return tail_tau(userknn_usage)
    return float(np.quantile(userknn_usage, float(checked[1:]) / 100))
