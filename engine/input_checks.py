"""Numbers that are asked for: one rule for each kind, and one sentence for what breaks it."""

from __future__ import annotations

from numbers import Integral

from engine.errors import InputError

#: The seed of the split in the published code.
DEFAULT_SEED = 42
#: Seeds of NumPy's `RandomState` are at most this.
LARGEST_SEED = 2**32 - 1
#: More threads than any machine has cores only cost memory.
_MOST_JOBS = 1024


def check_whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return a whole number from `least` to `most` as an int, whatever library it comes from.

    Raises `InputError` for anything else, also for True and 5.0.

    >>> import numpy as np
    >>> check_whole("k", np.int64(5), least=1)
    5
    >>> check_whole("k", 0, least=1)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: k must be a whole number of at least 1, not 0.
    >>> check_whole("fold", 7, least=0, most=4)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: fold must be a whole number between 0 and 4, not 7.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if number >= least and (most is None or number <= most):
            return number
    bounds = f"of at least {least}" if most is None else f"between {least} and {most}"
    raise InputError(f"{name} must be a whole number {bounds}, not {value}.")


def check_threshold(tau: float) -> None:
    """Raise `InputError` for a tau below 0.

    >>> check_threshold(-4)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: tau must be at least 0, not -4.
    """
    if not tau >= 0:
        raise InputError(f"tau must be at least 0, not {tau}.")


def check_seed(seed: object) -> int:
    """Return a seed as an int. Raises `InputError` for anything but 0 to 2^32 - 1."""
    return check_whole("seed", seed, least=0, most=LARGEST_SEED)


def check_jobs(jobs: object) -> int:
    """Return a number of threads as an int; -1 means all cores.

    Raises `InputError` for anything that is not a number of threads.

    >>> check_jobs(0)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: jobs must be a number of threads, or -1 for all cores, not 0.
    """
    number = check_whole("jobs", jobs, least=-_MOST_JOBS, most=_MOST_JOBS)
    if number == 0:
        raise InputError("jobs must be a number of threads, or -1 for all cores, not 0.")
    return number
