"""Finds the columns of user, item and rating: as told, or by their names, or by their content.

Each step takes only what it can tell. A warning says what is taken on weak evidence. If the
evidence fits several columns alike, the file is refused, and the error names the option to use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.datasets.matrix_hints import hint_at_matrix, words_in_cells
from engine.datasets.naming import ROLES, bare, named_columns, rivals
from engine.datasets.profiles import is_determined
from engine.datasets.remedies import Advice, ChooseColumn, ChooseColumns
from engine.datasets.sheet import Sheet
from engine.datasets.wording import agreeing, listed, quoted
from engine.errors import InputError


class UnclearColumns(InputError):
    """The file does not tell the columns of user, item and rating: they must be chosen."""

    def __init__(self, reason: str | Advice) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass
class _Choice:
    """What has been decided so far."""

    roles: dict[str, int]
    warnings: list[str | Advice] = field(default_factory=list)

    def missing(self) -> list[str]:
        return [role for role in ROLES if role not in self.roles]


def find_roles(
    sheet: Sheet, columns: Mapping[str, str | int]
) -> tuple[dict[str, int], tuple[str | Advice, ...]]:
    """Return the column of user, item and rating, and warnings about what was not certain.

    Args:
        sheet: the first rows.
        columns: the user's choice: "user", "item" or "rating" to a name or 1-based number.

    Raises:
        UnclearColumns: the file does not tell which column is which.
        InputError: `columns` names a column that is not there.

    >>> sheet = Sheet.of(None, 4, [["u1", "i1", "20150309", "4"], ["u1", "i2", "20150310", "5"]])
    >>> find_roles(sheet, {})
    ({'user': 0, 'item': 1, 'rating': 3}, ())
    """
    choice = _as_told(sheet, columns)
    named = named_columns(sheet.header or ())
    _take_named(sheet, choice, named)
    taken = {*choice.roles.values(), *(column for group in named.values() for column in group)}
    free = [column for column in range(sheet.width) if column not in taken]
    if choice.missing():
        if any(role in named for role in ROLES):
            _take_left_over(sheet, choice, free)
        else:
            _take_by_position(sheet, choice, free)
    return {role: choice.roles[role] for role in ROLES}, tuple(choice.warnings)


def _as_told(sheet: Sheet, columns: Mapping[str, str | int]) -> _Choice:
    choice = _Choice({})
    names = [bare(name) for name in sheet.header or ()]
    for role, column in columns.items():
        if role not in ROLES:
            raise InputError(f"A column is chosen for {listed(ROLES)}, not for {quoted(role)}.")
        if isinstance(column, str) and column and bare(column) in names:
            number = names.index(bare(column))
            if names.count(bare(column)) > 1:
                choice.warnings.append(_twice(sheet, number, role))
        elif str(column) in map(str, range(1, sheet.width + 1)):
            number = int(column) - 1
        else:
            raise InputError(f"There is no column {quoted(str(column))}; {_there_are(sheet)}.")
        if number in choice.roles.values():
            raise InputError(f"Column {quoted(str(column))} was chosen twice.")
        choice.roles[role] = number
    return choice


def _there_are(sheet: Sheet) -> str:
    if sheet.header is None:
        return f"there are 1 to {sheet.width}"
    return f"there are {listed([quoted(name) for name in sheet.header], 9)}"


def _twice(sheet: Sheet, column: int, role: str) -> Advice:
    names = [bare(name) for name in sheet.header or ()]
    count = names.count(names[column])
    return Advice(
        f"{'Two' if count == 2 else count} columns are named {sheet.name(column)}: the first, "
        f"column {column + 1}, was taken for the {role}; if another is meant, ",
        _choose(sheet, role, names.index(names[column], column + 1)),
    )


def _take_named(sheet: Sheet, choice: _Choice, named: Mapping[str, Sequence[int]]) -> None:
    """Take the columns that the header names; say where it names several."""
    header = sheet.header or ()
    names = [bare(name) for name in header]
    for role, candidates in named.items():
        free = [column for column in candidates if column not in choice.roles.values()]
        if role == "rating":  # A "score" may be a word, while "stars" holds numbers.
            free.sort(key=lambda column: not _may_be(sheet, column, "rating"))
        if role in choice.roles or not free or role not in ROLES:
            continue
        column = choice.roles[role] = free[0]
        if names.count(names[column]) > 1:
            choice.roles[role] = column = names.index(names[column])
            choice.warnings.append(_twice(sheet, column, role))
        others = [other for other in rivals(header, column, free) if _may_be(sheet, other, role)]
        if others:
            choice.warnings.append(_may_be_meant(sheet, role, column, others))


def _may_be(sheet: Sheet, column: int, role: str) -> bool:
    return role != "rating" or not sheet.columns[column] or sheet.profiles[column].may_be_rating


def _take_left_over(sheet: Sheet, choice: _Choice, free: list[int]) -> None:
    """Take the columns that are left for the roles without a name, if that is certain."""
    missing = choice.missing()
    free = [column for column in free if not _names_rows(sheet, column)]
    if missing == ["rating"] and len(free) > 1:
        free = _likely_ratings(sheet, choice, free)
    if len(free) != len(missing):
        raise _names_nothing(sheet, missing)
    choice.roles.update(zip(missing, free, strict=True))
    taken = [f"{sheet.name(choice.roles[role])} for the {role}" for role in missing]
    choice.warnings.append(f"Taken by position: {listed(taken)}.")


def _names_nothing(sheet: Sheet, missing: Sequence[str]) -> UnclearColumns:
    header = quoted(", ".join(sheet.header or ()))
    finding = f"The header ({header}) names no {' and no '.join(missing)} column: "
    return UnclearColumns(Advice(finding, ChooseColumns(), hint_at_matrix(sheet)))


def _names_rows(sheet: Sheet, column: int) -> bool:
    """Return whether a column holds row names of R or pandas: no name above, no value twice."""
    return bool(sheet.header) and not sheet.name_of(column) and sheet.all_differ(column)


def _take_by_position(sheet: Sheet, choice: _Choice, free: list[int]) -> None:
    """Take the user first, then the item, then what looks like ratings: no role is named."""
    missing = choice.missing()
    if len(missing) == len(ROLES):
        free = _without_rows_and_times(sheet, choice, free)
    if len(free) < len(missing):
        raise _names_nothing(sheet, missing)
    if "user" in missing:
        choice.roles["user"] = free.pop(0)
    if "item" in missing:
        free = _without_attributes(sheet, choice, free)
        choice.roles["item"] = free.pop(0)
    if "rating" in missing:
        choice.roles["rating"] = _rating_by_content(sheet, choice, free)


def _without_rows_and_times(sheet: Sheet, choice: _Choice, free: list[int]) -> list[int]:
    """Leave out columns in front that number or date the rows, if enough others are left."""
    ids = [column for column in free if not sheet.profiles[column].is_no_id]
    if len(ids) >= len(ROLES):
        times, free = [column for column in free if column not in ids], ids
        if times and times[0] < free[1]:
            choice.warnings.append(_may_be_user(sheet, times[0], "times"))
    first, others = free[0], free[1:]
    may_spare = len(others) >= len(ROLES) and any(
        sheet.profiles[column].may_be_rating for column in others[2:]
    )
    if may_spare and (sheet.profiles[first].counts_up or _names_rows(sheet, first)):
        choice.warnings.append(_may_be_user(sheet, first, "the number of the row"))
        return others
    return free


def _without_attributes(sheet: Sheet, choice: _Choice, free: list[int]) -> list[int]:
    """Leave out columns behind the user that say something about the user, such as a name or age.

    A user who comes again has the same value there each time: it is no item.
    """
    needed = len([role for role in choice.missing() if role != "user"])
    spare = 0
    while len(free) - spare > needed and is_determined(
        sheet.columns[free[spare]], sheet.columns[choice.roles["user"]]
    ):
        spare += 1
    if not spare:
        return free
    left_out = free[:spare]
    finding = (
        f"{_capital(sheet.names(left_out))} {agreeing(spare, 'was', 'were')} left out, as a user "
        f"always has the same there. {_capital(sheet.name(free[spare]))} was taken for the item: "
        "if another is meant, "
    )
    choice.warnings.append(Advice(finding, _choose(sheet, "item", left_out[0])))
    return free[spare:]


def _rating_by_content(sheet: Sheet, choice: _Choice, free: Sequence[int]) -> int:
    numeric = [column for column in free if sheet.profiles[column].is_numeric]
    if not numeric:
        if reason := words_in_cells(sheet):
            raise UnclearColumns(reason)
        return free[0]  # The error on its first row says what is wrong.
    if all(sheet.profiles[column].time in ("date", "seconds") for column in numeric):
        times = sheet.name(numeric[0])
        finding = f"There is no column of ratings: {times} holds times, so "
        raise UnclearColumns(Advice(finding, ChooseColumns()))
    likely = _likely_ratings(sheet, choice, numeric)
    if len(likely) == 1:
        return likely[0]
    hint = hint_at_matrix(sheet)
    if len(free) == 2:  # The custom is user, item, rating, and then the time in any unit.
        choice.warnings.append(_may_be_meant(sheet, "rating", likely[0], likely[1:], hint))
        return likely[0]
    finding = f"Several columns may be the rating ({sheet.names(likely)}): "
    raise UnclearColumns(Advice(finding, ChooseColumns({"rating": likely[0] + 1}), hint))


def _likely_ratings(sheet: Sheet, choice: _Choice, columns: Sequence[int]) -> list[int]:
    """Return those of several columns that may be the rating; warn if that is not certain.

    These speak against a column, the strongest first: it holds no numbers, or times; it never
    changes; it counts up; its user or its item determines it; it has no steps and another has.
    """
    profiles = sheet.profiles
    candidates = [column for column in columns if profiles[column].may_be_rating]
    candidates = _without(candidates, lambda column: profiles[column].is_constant)
    certain = list(candidates)
    for speaks_against in (
        lambda column: profiles[column].counts_up,
        lambda column: _is_determined(sheet, choice, column),
        lambda column: not profiles[column].has_step,
    ):
        candidates = _without(candidates, speaks_against)
    if len(candidates) == 1 < len(certain):
        others = [column for column in certain if column not in candidates]
        choice.warnings.append(_may_be_meant(sheet, "rating", candidates[0], others))
    return candidates


def _without(columns: list[int], speaks_against: Callable[[int], bool]) -> list[int]:
    """Leave out the columns against which something speaks, unless that is all of them."""
    left = [column for column in columns if not speaks_against(column)]
    return left or columns


def _is_determined(sheet: Sheet, choice: _Choice, column: int) -> bool:
    owners = (choice.roles[role] for role in ("user", "item") if role in choice.roles)
    return any(is_determined(sheet.columns[column], sheet.columns[owner]) for owner in owners)


def _may_be_meant(
    sheet: Sheet, role: str, taken: int, others: Sequence[int], hint: str = ""
) -> Advice:
    finding = (
        f"{_capital(sheet.name(taken))} was taken for the {role}; {sheet.names(others)} may be "
        "meant instead: if so, "
    )
    return Advice(finding, _choose(sheet, role, others[0]), hint)


def _may_be_user(sheet: Sheet, column: int, taken_for: str) -> Advice:
    finding = (
        f"{_capital(sheet.name(column))} was taken for {taken_for}; it may be the user instead: "
        "if so, "
    )
    return Advice(finding, _choose(sheet, "user", column))


def _choose(sheet: Sheet, role: str, column: int) -> ChooseColumn:
    name, header = sheet.name(column), sheet.header or ()
    if header.count(sheet.name_of(column)) > 1:
        name = f"{name} (column {column + 1})"
    return ChooseColumn(role, column + 1, name)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
