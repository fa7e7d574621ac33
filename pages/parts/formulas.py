"""The formulas of the pages and of the glossary, read from formulas.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Formula:
    """A formula with the sentence that says it in words."""

    latex: str
    words: str


#: All formulas by their names.
FORMULAS: Final = {
    name: Formula(**formula)
    for name, formula in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
