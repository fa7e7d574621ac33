"""The small files that were handed out, and what each must give."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(__file__).resolve().parents[4] / "shared"

#: What a refusal says, by file.
REASONS = {
    "empty.csv": "no ratings in the file",
    "header_only.csv": "no ratings in the file",
    "two_columns.csv": "tab, semicolon, comma",
    "bad_rating.csv": 'Line 3 has the rating "four"',
    "nan_inf.csv": "Ratings must be finite: lines 3 and 4",
    "blank_id.csv": "Line 3 has no user",
    "extra_field.csv": "Line 3 has 5 fields where 3 were expected",
    "path_traversal.zip": "refused",
    "six_columns_no_header.csv": "Several columns may be the rating (columns 3, 4, 5 and 6)",
    "thousands_point.csv": 'The point in the rating "1.234" on line 2 may mean thousands',
    "name_twice.parquet": '2 columns named "rating"',
    "user_nan.parquet": "Row 2 has no user",
    "tar_archive.tar.gz": "a tar archive: unpack it",
    "dict_lines.json": "made of Python dictionaries",
}
#: What a warning says, by file.
WARNINGS = {
    "duplicates.csv": "1 duplicate",
    "latin1.csv": "Latin-1",
    "constant.csv": "All ratings equal 4",
    "wide_item_ids.csv": "a table of users by items: a row a user, a column an item",
    "wide_named_items.csv": "a table of users by items: a row a user, a column an item",
    "row_numbers_with_gaps.csv": "Column 1 was taken for the number of the row",
    "listening_weight.dat": "look like counts, up to 352,698: --counts",
    "purchases.csv": "All ratings equal 1",
    "not_rated_minus_one.csv": "The rating -1 stands apart from the rest (6 to 10), 21 times",
    "name_twice.csv": 'Two columns are named "rating": the first, column 3, was taken',
}
#: What is read of files that might have been refused as well.
FIGURES = {
    "wide_item_ids.csv": (3, 4, 12, 1.0, 5.0),
    "wide_named_items.csv": (3, 4, 12, 1.0, 5.0),
    "date_before_rating.csv": (2, 2, 3, 1.0, 5.0),
    "row_numbers_with_gaps.csv": (2, 3, 4, 2.5, 4.5),
}


@dataclass(frozen=True)
class Case:
    """A file, the figures that must be read from it (None: refused), and what is said about it."""

    path: Path
    figures: tuple[float, ...] | None
    said: str

    @property
    def name(self) -> str:
        return self.path.name


def read_cases() -> list[Case]:
    """All cases of both folders; none where the folders are absent."""
    cases = []
    for folder in (SHARED / "cases", SHARED / "cases_2"):
        try:
            with (folder / "cases.csv").open(newline="", encoding="utf-8") as file:
                cases += [_case(folder, row) for row in csv.DictReader(file)]
        except FileNotFoundError:
            continue
    return cases


def _case(folder: Path, row: dict[str, str]) -> Case:
    name = row["file"]
    if row["rating_min"]:
        keys = ("users", "items", "ratings", "rating_min", "rating_max")
        figures: tuple[float, ...] | None = tuple(float(row[key]) for key in keys)
    else:
        figures = FIGURES.get(name)
    said = REASONS[name] if figures is None else WARNINGS.get(name, "")
    return Case(folder / name, figures, said)
