"""Ratings of users for items, in the form that everything after reading works on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.datasets.limits import LARGEST_RATING
from engine.datasets.report import LoadReport
from engine.datasets.scale import Scale
from engine.datasets.wording import counted
from engine.errors import InputError


@dataclass(frozen=True, eq=False)
class Ratings:
    """Unique ratings of users for items, immutable, rows in the order of the file.

    Shapes: ``users`` (n_users,) and ``items`` (n_items,) text labels in order of first appearance;
    ``user``, ``item`` (n_ratings,) int32 codes into them; ``value`` (n_ratings,) float64;
    ``item_titles`` (n_items,) text, where the file names its items.
    ``fingerprint`` is the SHA-256 of labels, codes, values and scale: equal content, equal results.

    >>> ratings = Ratings.from_columns(["7", "007"], ["x", "x"], [3, 4.5], name="two")
    >>> ratings.users.tolist(), ratings.value.tolist(), ratings.scale.step
    (['7', '007'], [3.0, 4.5], 0.5)
    """

    name: str
    title: str
    users: np.ndarray
    items: np.ndarray
    user: np.ndarray
    item: np.ndarray
    value: np.ndarray
    scale: Scale
    fingerprint: str
    report: LoadReport
    item_titles: np.ndarray | None = None

    @property
    def n_users(self) -> int:
        return len(self.users)

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_ratings(self) -> int:
        return len(self.value)

    @property
    def item_names(self) -> np.ndarray:
        """The titles of the items, their ids where there are no titles."""
        return self.items if self.item_titles is None else self.item_titles

    def __repr__(self) -> str:
        return (
            f"Ratings({self.name!r}, {self.n_users:,} users, {self.n_items:,} items, "
            f"{self.n_ratings:,} ratings, {self.scale})"
        )

    @classmethod
    def from_columns(
        cls,
        users: Iterable[object],
        items: Iterable[object],
        values: Iterable[float],
        *,
        name: str,
        title: str | None = None,
        scale: Scale | None = None,
        report: LoadReport | None = None,
        item_titles: Mapping[str, str] | Sequence[str] | np.ndarray | None = None,
    ) -> Ratings:
        """Return ratings from three columns of equal length; of duplicates the last stays.

        Ids become text without surrounding spaces: ``7`` and ``"7"`` are one user, ``"007"`` is
        another. ``item_titles`` maps ids to titles, or lists them in order of first appearance.

        Raises:
            InputError: there are no ratings, lengths differ, an id is empty, or a rating is not
                finite or lies outside a set scale.

        >>> Ratings.from_columns(["a", "b", "a"], "xxx", [1, 2, 5], name="d").value.tolist()
        [2.0, 5.0]
        """
        user_labels, user = _encode(users, "user")
        item_labels, item = _encode(items, "item")
        return cls.from_codes(
            user_labels,
            user,
            item_labels,
            item,
            _numbers(values),
            name=name,
            title=title,
            scale=scale,
            report=report,
            item_titles=item_titles,
        )

    @classmethod
    def from_codes(
        cls,
        user_labels: Sequence[str] | np.ndarray,
        user: np.ndarray,
        item_labels: Sequence[str] | np.ndarray,
        item: np.ndarray,
        value: np.ndarray,
        *,
        name: str,
        title: str | None = None,
        scale: Scale | None = None,
        report: LoadReport | None = None,
        item_titles: Mapping[str, str] | Sequence[str] | np.ndarray | None = None,
    ) -> Ratings:
        """Return ratings from ids already coded: ``user_labels[user[j]]`` rated row j.

        Labels are unique text; those without a rating are dropped and the rest put in order of
        first appearance. ``item_titles`` as a list belongs to ``item_labels``.

        >>> r = Ratings.from_codes(["a", "b"], np.array([1]), ["x"], np.array([0]), [4], name="d")
        >>> r.users.tolist()
        ['b']
        """
        report = report or LoadReport()
        value = np.asarray(value, np.float64)
        value = value + 0.0  # A copy, as the caller may write to theirs; + 0.0 removes -0.
        if not len(user) == len(item) == len(value):
            raise InputError(
                "Users, items and ratings must be equally many, "
                f"not {len(user)}, {len(item)} and {len(value)}."
            )
        if len(value) == 0:
            raise InputError("There are no ratings.")
        if not np.isfinite(value).all():
            row = int(np.argmin(np.isfinite(value))) + 1
            raise InputError(f"Ratings must be finite: row {row} holds {value[row - 1]}.")
        largest = float(np.abs(value).max())
        if largest > LARGEST_RATING or 0 < largest < 1 / LARGEST_RATING:
            raise InputError(
                f"The largest rating is {largest:g}, and the squares of such numbers cannot be "
                "summed: rescale the ratings, for example to 0 to 100."
            )
        titles = None
        if item_titles is not None:
            titles = (
                [item_titles.get(label, label) for label in item_labels]
                if isinstance(item_titles, Mapping)
                else item_titles
            )
            if len(titles) != len(item_labels):
                raise InputError(f"{len(titles)} titles do not fit {len(item_labels)} items.")
        kept_users, user = _in_order_of_appearance(user)
        kept_items, item = _in_order_of_appearance(item)
        last = _last_of_duplicates(user, item, len(kept_items))
        rows, duplicates = len(value), 0
        if last is not None:
            duplicates = rows - int(last.sum())
            user, item, value = user[last], item[last], value[last]
            report = report.warning(
                f"{counted(duplicates, 'duplicate')} (same user and "
                "item) dropped: the last rating stays."
            )
        report = replace(report, rows=rows, duplicates=duplicates)
        if scale is None:
            scale = Scale.of(value)
        else:
            scale.check(value)
        users = _text(user_labels)[kept_users]
        items = _text(item_labels)[kept_items]
        arrays = [users, items, user, item, value]
        if titles is not None:
            arrays.append(_text(titles)[kept_items])
        for array in arrays:
            array.setflags(write=False)
        return cls(
            name=name,
            title=title or name,
            users=users,
            items=items,
            user=user,
            item=item,
            value=value,
            scale=scale,
            fingerprint=_fingerprint(users, items, user, item, value, scale),
            report=report,
            item_titles=arrays[5] if titles is not None else None,
        )

    def derive(
        self,
        *,
        note: str,
        rows: np.ndarray | None = None,
        value: np.ndarray | None = None,
        scale: Scale | None = None,
    ) -> Ratings:
        """Return new ratings: some of these rows (bool) or other values, with a note on it.

        Names, titles, report and (unless given) scale stay; users and items without a rating go.
        """
        rows = np.ones(self.n_ratings, dtype=bool) if rows is None else rows
        derived = Ratings.from_codes(
            self.users,
            self.user[rows],
            self.items,
            self.item[rows],
            (self.value if value is None else value)[rows],
            name=self.name,
            title=self.title,
            scale=scale or self.scale,
            item_titles=self.item_titles,
        )
        return replace(derived, report=self.report.noting(note))


def _text(labels: Sequence[str] | np.ndarray) -> np.ndarray:
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def _encode(column: Iterable[object], role: str) -> tuple[list[str], np.ndarray]:
    if not isinstance(column, Iterable):
        raise InputError(f"The {role}s must be a column of ids, not {column!r}.")
    codes: dict[str, int] = {}
    coded = []
    for row, entry in enumerate(column, start=1):
        text = "" if entry is None else str(entry).strip()
        if not text:
            raise InputError(f"Row {row} has no {role}.")
        coded.append(codes.setdefault(text, len(codes)))
    return list(codes), np.array(coded, dtype=np.int32)


def _numbers(values: Iterable[float]) -> np.ndarray:
    try:
        listed = values if hasattr(values, "__len__") else list(values)
        return np.asarray(listed, np.float64)
    except (TypeError, ValueError):
        raise InputError("Ratings must be numbers, one for each user and item.") from None


def _in_order_of_appearance(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes in use, by first appearance, and the rows numbered in that order."""
    rows = len(codes)
    first = np.full(int(codes.max()) + 1, rows, dtype=np.int64)
    # The last row is written first, so that the first appearance of a code stays.
    first[codes[::-1]] = np.arange(rows - 1, -1, -1)
    codes_in_use = np.argsort(first, kind="stable")[: int((first < rows).sum())]
    number = np.zeros(len(first), dtype=np.int32)
    number[codes_in_use] = np.arange(len(codes_in_use), dtype=np.int32)
    return codes_in_use, number[codes]


def _last_of_duplicates(user: np.ndarray, item: np.ndarray, n_items: int) -> np.ndarray | None:
    """Return which rows stay (bool), or None if no user rated an item twice."""
    pair = user.astype(np.int64) * n_items + item
    ordered = np.sort(pair)
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    by_pair = np.argsort(pair, kind="stable")
    last = np.ones(len(pair), dtype=bool)
    last[by_pair[:-1]] = pair[by_pair[1:]] != pair[by_pair[:-1]]
    return last


def _fingerprint(
    users: np.ndarray,
    items: np.ndarray,
    user: np.ndarray,
    item: np.ndarray,
    value: np.ndarray,
    scale: Scale,
) -> str:
    digest = hashlib.sha256(b"ratings 1\0")
    for labels in (users, items):
        # The lengths in front keep two different lists of labels from giving the same bytes.
        encoded = [label.encode("utf-8", "surrogatepass") for label in labels]
        digest.update(np.array([len(encoded), *map(len, encoded)], dtype="<i8").tobytes())
        digest.update(b"".join(encoded))
    for array, kind in ((user, "<i4"), (item, "<i4"), (value, "<f8")):
        digest.update(np.ascontiguousarray(array, dtype=kind).data)
    digest.update(repr((scale.minimum, scale.maximum, scale.step)).encode())
    return digest.hexdigest()
