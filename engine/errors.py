"""The two ways a computation ends early for a reason the user should read."""

from __future__ import annotations


class InputError(ValueError):
    """Input or an option that cannot be used.

    The message is one sentence for the user: what is wrong, where, and what to do.

    >>> raise InputError("k must be at least 1, not 0.")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: k must be at least 1, not 0.
    """

    @property
    def clause(self) -> str:
        """The message without its full stop, to stand within another sentence."""
        return str(self).removesuffix(".")


class Cancelled(Exception):
    """A run was stopped on request; what it had finished is kept in the store."""
