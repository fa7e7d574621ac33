"""How strategies and protections are said and drawn, everywhere in the dashboard.

A strategy is registered in the engine, where its name and its order stand, and once more here. Each
keeps its color and its marker in every figure (Okabe-Ito, readable on the light and the dark
theme). Sky blue and orange are too light to stand alone on white, so a marker or a label always
goes with them. The dash shows the protection, as in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.strategies import STRATEGIES


@dataclass(frozen=True)
class StrategyLook:
    """One sentence on a strategy, without a formula; its color, marker, and marker as a letter."""

    sentence: str
    color: str
    symbol: str
    glyph: str


@dataclass(frozen=True)
class ProtectionLook:
    """The words for a protection, the dash of its lines, both as letters, and its marker's form."""

    words: str
    dash: str
    glyph_dash: str
    glyph: str  # of the marker in a list; empty for the strategy's own
    form: str  # what Plotly adds to the name of a filled marker


STRATEGY_LOOKS: Final = {
    "userknn": StrategyLook(
        "The most similar users become neighbors; nothing is reused on purpose.",
        "#7F7F7F", "circle", "●",
    ),
    "userknn+reuse": StrategyLook(
        "Neighbors of earlier queries first, then the most similar users.",
        "#56B4E9", "square", "■",
    ),
    "expect": StrategyLook(
        "Similar users who rated many popular items, so that they can serve many queries.",
        "#E69F00", "triangle-up", "▲",
    ),
    "gain": StrategyLook(
        "Similar users who rated much of what the target user rated.",
        "#009E73", "diamond", "◆",
    ),
    "expect+reuse": StrategyLook(
        "Neighbors of earlier queries first, then those that Expect would take.",
        "#E69F00", "triangle-up-open", "△",
    ),
    "gain+reuse": StrategyLook(
        "Neighbors of earlier queries first, then those that Gain would take.",
        "#009E73", "diamond-open", "◇",
    ),
    "neuknn": StrategyLook(
        "The users with the most similar learned vectors. All strategies are asked half of the "
        "queries; the other half says when learning stops.",
        "#CC79A7", "star", "★",
    ),
    "neuknn+reuse": StrategyLook(
        "As NeuKNN, and users who were neighbors for similar items before. All strategies are "
        "asked half of the queries; the other half says when learning stops.",
        "#CC79A7", "star-open", "☆",
    ),
}  # fmt: skip
PROTECTION_LOOKS: Final = {
    "none": ProtectionLook("without DP", "dash", "╌", "○", "-open"),
    "vulnerable": ProtectionLook("with DP", "solid", "", "", ""),
    "full": ProtectionLook("full DP", "dot", "┈", "⊕", "-cross-open"),
}


def shown_strategies(*, embeddings: bool = False) -> tuple[str, ...]:
    """Return the strategies that have a look, in the engine's order.

    Those that learn embeddings come only on demand: beside them all strategies are asked half of
    the queries, so that the same queries are compared.

    >>> "neuknn" in shown_strategies(), "neuknn" in shown_strategies(embeddings=True)
    (False, True)
    """
    return tuple(
        name
        for name in STRATEGIES
        if name in STRATEGY_LOOKS and (embeddings or not STRATEGIES[name].needs_embeddings)
    )


def name_of(strategy: str) -> str:
    """Return the name of a strategy to read.

    >>> name_of("userknn+reuse")
    'UserKNN+Reuse'
    """
    return STRATEGIES[strategy].title


def named(strategy: str, protection: str) -> str:
    """Return the name of a strategy under a protection.

    >>> named("expect", "vulnerable")
    'Expect with DP'
    """
    return f"{name_of(strategy)} {PROTECTION_LOOKS[protection].words}"


def color_of(strategy: str) -> str:
    """Return the color of a strategy."""
    return STRATEGY_LOOKS[strategy].color


def symbol_of(strategy: str, protection: str = "vulnerable", *, filled: bool = False) -> str:
    """Return the marker of a strategy under a protection.

    With DP it is the strategy's own, or its filled form, where the label says which strategy it is.

    >>> symbol_of("expect"), symbol_of("userknn", "full"), symbol_of("gain+reuse", filled=True)
    ('triangle-up', 'circle-cross-open', 'diamond')
    """
    own = STRATEGY_LOOKS[strategy].symbol
    if protection == "vulnerable" and not filled:
        return own
    return own.removesuffix("-open") + PROTECTION_LOOKS[protection].form


def glyph_of(strategy: str, glyph: str = "") -> str:
    """Return the marker of a strategy, or another letter, in its color, for a label of a figure.

    >>> glyph_of("gain")
    '<span style="color:#009E73">◆</span>'
    """
    look = STRATEGY_LOOKS[strategy]
    return f'<span style="color:{look.color}">{glyph or look.glyph}</span>'


def bar_label(strategy: str, *, strong: bool) -> str:
    """Return the name of a strategy beside a bar of it, with its marker.

    >>> bar_label("userknn", strong=True)
    '<b>UserKNN</b> <span style="color:#7F7F7F">●</span>'
    """
    name = name_of(strategy)
    return f"{f'<b>{name}</b>' if strong else name} {glyph_of(strategy)}"
