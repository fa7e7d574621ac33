"""Limits on a choice of tau as one word of the address, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.errors import InputError
from engine.limits import LIMITS, Limits

_NO_LIMITS = Limits()


def write_limits(limits: Limits) -> str:
    """Return limits as a text; an empty one if all is as it is at first.

    >>> write_limits(Limits(max_vulnerable=0.2, criterion="risk"))
    'max_vulnerable:20%;criterion:risk'
    >>> write_limits(Limits())
    ''
    """
    entries = [f"{name}:{LIMITS[name].text(value)}" for name, value in limits.stated.items()]
    for name in ("baseline", "criterion"):
        if getattr(limits, name) != getattr(_NO_LIMITS, name):
            entries.append(f"{name}:{getattr(limits, name)}")
    if limits.allow_unprotected:
        entries.append("allow_unprotected:yes")
    return ";".join(entries)


def parse_limits(text: str) -> Limits:
    """Return the limits that a text of the address says.

    Raises `InputError` with one sentence that says which part cannot be used.

    >>> parse_limits("max_vulnerable:20%;criterion:risk").stated
    {'max_vulnerable': 0.2}
    >>> parse_limits("max_fun:3")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: There is no limit 'max_fun'.
    """
    limits = _NO_LIMITS
    for entry in filter(None, text.split(";")):
        name, _, value = entry.partition(":")
        limits = set_limit(limits, name.strip(), value)
    return limits


def set_limit(limits: Limits, name: str, text: str) -> Limits:
    """Return limits with one of them set to what a text says. Raises `InputError`.

    A share may be written with or without its percent sign beside a box that shows the sign; in the
    address it always has the sign.

    >>> set_limit(Limits(), "max_risk", "40").max_risk
    40.0
    """
    if name in LIMITS:
        value = LIMITS[name].read(text)
        changed: dict[str, Any] = {name: int(value) if LIMITS[name].form == "whole" else value}
        return replace(limits, **changed)
    if name == "baseline":
        return replace(limits, baseline=text.strip().lower())
    if name == "criterion":
        return replace(limits, criterion=text.strip().lower())
    if name == "allow_unprotected":
        if text.strip().lower() not in ("yes", "no"):
            raise InputError(f"allow_unprotected must be yes or no, not {text!r}.")
        return replace(limits, allow_unprotected=text.strip().lower() == "yes")
    raise InputError(f"There is no limit {name!r}.")
