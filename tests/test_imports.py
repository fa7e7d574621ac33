"""Imports run one way: frame, pages, what the pages share, engine, store."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: From the bottom to the top; the scripts of the pages stand beside the frame.
LAYERS = ("cache", "engine", "pages.parts", "pages.contents", "pages.report", "pages.sidebar")
TOP = len(LAYERS)


def module_name(source: Path) -> str:
    """Return the name under which a file is imported."""
    return ".".join(source.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = {
    module_name(source): source
    for folder in ("cache", "engine", "pages")
    for source in sorted((ROOT / folder).rglob("*.py"))
} | {"app": ROOT / "app.py"}


def imports_of(module: str) -> set[str]:
    """Return the modules of the project that a module imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(SOURCES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            # What is imported from a package is a module of it, or something in the package.
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                names.add(full if full in SOURCES else node.module)
    return names & SOURCES.keys() - {module}


def layer_of(module: str) -> int:
    """Return how high a module stands."""
    for height, layer in enumerate(LAYERS):
        if module == layer or module.startswith(f"{layer}."):
            return height
    return TOP


def test_every_layer_has_modules():
    assert {layer_of(module) for module in SOURCES} == {*range(TOP + 1)}


def test_there_is_no_circle():
    order = TopologicalSorter({module: imports_of(module) for module in SOURCES})
    assert len(list(order.static_order())) == len(SOURCES)


def test_imports_run_down():
    upward = [
        (module, name)
        for module in SOURCES
        for name in imports_of(module)
        if layer_of(name) > layer_of(module)
    ]
    assert not upward


def test_engine_and_store_know_no_streamlit():
    assert not [
        module
        for module, source in SOURCES.items()
        if layer_of(module) <= LAYERS.index("engine") and "streamlit" in source.read_text("utf-8")
    ]
