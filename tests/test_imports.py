"""Imports run one way: frame, pages, what the pages share, engine, store."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

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


def names_imported(code: str) -> set[str]:
    """Return all names that a code imports, anywhere in it; a relative one begins with a dot."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            # What is imported from a package is a module of it, or something in the package.
            for alias in node.names:
                full = f"{source}.{alias.name}"
                names.add(full if full in SOURCES else source)
    return names


def imports_of(module: str) -> set[str]:
    """Return the modules of the project that a module imports."""
    return names_imported(SOURCES[module].read_text("utf-8")) & SOURCES.keys() - {module}


def hidden_imports(code: str) -> set[str]:
    """Return what a code imports so that `imports_of` does not see which module it is.

    That is relative, by a text, or a folder alone, such as `import pages`. The tests stand above
    the whole project, so nothing in it imports them.
    """
    tops = {name.split(".")[0] for name in SOURCES} | {"tests"}
    hidden = {
        name
        for name in names_imported(code)
        if name.startswith(".") or (name.split(".")[0] in tops and name not in SOURCES)
    }
    called = {
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else node.name
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Name | ast.Attribute | ast.alias)
    }
    return hidden | (called & {"import_module", "__import__", "run_module"})


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


def test_no_import_is_hidden():
    assert not {
        module: hidden
        for module, source in SOURCES.items()
        if (hidden := hidden_imports(source.read_text("utf-8")))
    }


@pytest.mark.parametrize(
    "code",
    [
        "from ..contents.overview import words",
        "from . import looks",
        "import pages",
        "import importlib; importlib.import_module('pages.parts.looks')",
        "from importlib import import_module as load",
        "__import__('pages.parts.looks')",
        "from tests import oracle",
    ],
)
def test_hidden_imports_are_seen(code: str):
    assert hidden_imports(code)


def test_engine_and_store_know_no_streamlit():
    assert not [
        module
        for module, source in SOURCES.items()
        if layer_of(module) <= LAYERS.index("engine") and "streamlit" in source.read_text("utf-8")
    ]


def test_no_module_is_above_300_lines():
    assert not [
        module
        for module, source in SOURCES.items()
        if len(source.read_text("utf-8").splitlines()) > 300
    ]
