"""Things that are known by name, such as the strategies."""

from __future__ import annotations

import re
from typing import Protocol, TypeVar

from engine.errors import InputError


class Named(Protocol):
    """Whatever has a name."""

    @property
    def name(self) -> str:
        """The name by which settings, the command line and the address call it."""
        ...


#: What a name may hold. Capitals do not matter in options and in the address, and an underscore
#: separates the settings that are pinned there.
_NAME = re.compile(r"[a-z0-9+@.-]+")

Item = TypeVar("Item", bound=Named)


class Registry(dict[str, Item]):
    """Items of one kind by their names, in the order in which they were registered.

    What is registered is known to settings, to the command line and to the dashboard.

    >>> from engine.strategies import STRATEGIES
    >>> STRATEGIES.named("gain").title
    'Gain'
    >>> STRATEGIES.named("best")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: There is no strategy 'best'; choose from userknn, ...
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def register(self, item: Item, *, replace: bool = False) -> Item:
        """Make an item known by its name; return it.

        `replace` is for a name that is taken: the item takes the place of the one before.

        Raises `InputError` if the name is taken and the item is not to replace another, or if the
        name cannot stand in an address and on the command line.

        >>> from engine.strategies import STRATEGIES, Strategy
        >>> STRATEGIES.register(Strategy("gain", "My Gain"))
        Traceback (most recent call last):
        ...
        engine.errors.InputError: The name of the strategy 'gain' is taken; choose another name, ...
        """
        if not _NAME.fullmatch(item.name):
            raise InputError(
                f"The name of the {self.kind} {item.name!r} must be of small letters, digits and "
                "+ - . @ only."
            )
        if item.name in self and not replace:
            raise InputError(
                f"The name of the {self.kind} {item.name!r} is taken; choose another name, or "
                "replace it: register(..., replace=True)."
            )
        self[item.name] = item
        return item

    def named(self, name: str) -> Item:
        """Return the item of that name. Raises `InputError` for an unknown name."""
        try:
            return self[name]
        except (KeyError, TypeError):  # A list, for example, cannot be a key.
            raise InputError(
                f"There is no {self.kind} {name!r}; choose from {', '.join(self)}."
            ) from None


def versioned(name: str, version: int) -> str:
    """Return what the store calls something: its name, and its version after the first.

    >>> versioned("cosine", 1), versioned("cosine", 2)
    ('cosine', 'cosine, version 2')
    """
    return name if version == 1 else f"{name}, version {version}"
