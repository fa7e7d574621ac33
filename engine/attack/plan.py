"""What an attack is: the adversary's knowledge and means, and how many victims are tried."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InputError
from engine.input_checks import check_whole


@dataclass(frozen=True)
class AttackPlan:
    """The adversary's knowledge and means. Raises `InputError` for a value that makes no sense.

    `knowledge` is the known share of a victim's ratings: at least one rating, and never
    all of them. `accounts` is the number of fake accounts beside the one that asks; None means
    k - 1. `probes` is the largest number of items asked about each victim. Victims are drawn from
    the users with at least `min_ratings` ratings; None means as many as the median user has.

    >>> AttackPlan(knowledge=1.5)
    Traceback (most recent call last):
    ...
    engine.errors.InputError: knowledge must be a share above 0 and below 1, not 1.5.
    """

    knowledge: float = 0.5
    accounts: int | None = None
    repeats: int = 1
    victims: int = 100
    probes: int = 10
    min_ratings: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.knowledge < 1:
            raise InputError(
                f"knowledge must be a share above 0 and below 1, not {self.knowledge}."
            )
        for name, least in (("repeats", 1), ("victims", 1), ("probes", 1)):
            object.__setattr__(self, name, check_whole(name, getattr(self, name), least))
        for name, least in (("accounts", 0), ("min_ratings", 2)):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check_whole(name, getattr(self, name), least))

    def fake_accounts(self, k: int) -> int:
        """Return the number of fake accounts against k neighbors.

        >>> AttackPlan().fake_accounts(10), AttackPlan(accounts=0).fake_accounts(10)
        (9, 0)
        """
        return k - 1 if self.accounts is None else self.accounts
