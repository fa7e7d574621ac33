"""Numbers that are asked for: one rule for each kind, and one sentence for what breaks it."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

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


def check_several(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """Return several values as a tuple.

    Raises `InputError` for a single one, also for a text, whose letters are not meant.

    >>> check_several("ks", [5, 10])
    (5, 10)
    >>> check_several("ks", 5)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: ks must be a list, such as [5], not 5.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a list, such as [{values!r}], not {values!r}.")
    return tuple(values)


def check_threshold(tau: object) -> None:
    """Raise `InputError` for a tau that is not a number, or below 0.

    >>> check_threshold(-4)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: tau must be at least 0, not -4.
    >>> check_threshold("published")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: tau must be a number of at least 0, not 'published'.
    """
    if not isinstance(tau, Real):
        raise InputError(f"tau must be a number of at least 0, not {tau!r}.")
    if not float(tau) >= 0:
        raise InputError(f"tau must be at least 0, not {tau}.")


def check_whole_taus(taus: object) -> np.ndarray:
    """Return whole numbers of uses as an array, (n_taus,) int64, also if they are a list.

    Raises `InputError` for anything else.

    >>> check_whole_taus([0, 5])
    array([0, 5])
    >>> check_whole_taus([1.5])
    Traceback (most recent call last):
    ...
    engine.errors.InputError: tau must be a whole number of at least 0, not 1.5.
    """
    array = numbers_or_none(taus)
    if array is None or array.ndim != 1:
        raise InputError(f"taus must be a list of whole numbers, not {taus!r}.")
    is_whole = np.isfinite(array) & (array >= 0) & (array == np.floor(array))
    if not is_whole.all():
        raise InputError(f"tau must be a whole number of at least 0, not {array[~is_whole][0]}.")
    return array.astype(np.int64)


def check_data_usage(data_usage: object) -> np.ndarray:
    """Return the data usage of users as an array, also if it is a list.

    Raises `InputError` for anything that does not hold a number of at least 0 for each user.

    >>> check_data_usage([2, 90])
    array([ 2, 90])
    >>> check_data_usage("gain")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: data usage must be a number for each user, not 'gain'.
    """
    array = numbers_or_none(data_usage)
    if array is None or array.ndim != 1:
        raise InputError(f"data usage must be a number for each user, not {data_usage!r}.")
    if not (array >= 0).all():
        raise InputError(f"data usage must be at least 0, not {array[~(array >= 0)][0]}.")
    return array


def numbers_or_none(values: object) -> np.ndarray | None:
    """Return numbers as an array; None for anything that does not hold real numbers.

    >>> numbers_or_none([1, 2.5]), numbers_or_none(["a"])
    (array([1. , 2.5]), None)
    """
    try:
        array = np.asarray(values)
    except ValueError:  # Rows differ in length.
        return None
    return array if array.dtype.kind in "biuf" else None


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
