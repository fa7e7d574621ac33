"""The words of the paper, read from glossary.toml: a sentence each, and formulas one click away."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from pages.parts import memory
from pages.parts.address import address_parts
from pages.parts.formulas import FORMULAS, Formula

#: Signs that an address cannot hold as they are.
_SPELLED: Final = {"τ": "tau", "ε": "epsilon", "@": "at", "+": "plus"}


@dataclass(frozen=True)
class Term:
    """A word, what it means in a sentence (Markdown), and its formula where it has one."""

    group: str
    name: str
    sentence: str
    formula: Formula | None = None

    @property
    def anchor(self) -> str:
        """Return the end of the term's address, `learn#...`, so that one can link to it.

        >>> TERMS["Threshold τ"].anchor, TERMS["ε, strictly"].anchor, TERMS["+Reuse"].anchor
        ('threshold-tau', 'epsilon-strictly', 'plus-reuse')
        """
        name = self.name.lower()
        for sign, word in _SPELLED.items():
            name = name.replace(sign, f" {word} ")
        return "-".join(re.findall("[a-z0-9]+", name))


_TEXTS: Final = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text(encoding="utf-8"))
#: All terms by name, each where its words have been explained.
TERMS: Final = {
    term["name"]: Term(
        term["group"], term["name"], term["sentence"], FORMULAS.get(term.get("formula", ""))
    )
    for term in _TEXTS["term"]
}
#: The same in groups.
GLOSSARY: Final = {
    group: tuple(term for term in TERMS.values() if term.group == group)
    for group in dict.fromkeys(term.group for term in TERMS.values())
}
#: The terms that a page needs, by its title; other pages have the basics.
ON_PAGE: Final[dict[str, list[str]]] = _TEXTS["on_page"]


def draw_lookup(page_title: str) -> None:
    """Draw a button that opens the terms of this page, and leads to all of them."""
    with st.popover("Glossary", icon=":material/menu_book:", width="stretch"):
        for name in ON_PAGE.get(page_title, _TEXTS["basics"]):
            st.markdown(f"**{name}**: {TERMS[name].sentence}")
        query = address_parts(memory.view())
        st.page_link("pages/learn.py", label="All terms, with formulas", query_params=query)
