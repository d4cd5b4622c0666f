"""The rooms of `goldproof.retrieve` are a tree: none needs one that needs it."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import goldproof.retrieve

HOME = Path(goldproof.retrieve.__file__).parent
PREFIX = "goldproof.retrieve."


def imported(path: Path) -> set[str]:
    """The rooms that a file imports from, also late and for types alone."""
    modules = [node.module or "" for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
    return {module.removeprefix(PREFIX).partition(".")[0] for module in modules if module.startswith(PREFIX)}


def test_no_room_imports_one_that_imports_it() -> None:
    rooms = sorted(path.name for path in HOME.iterdir() if (path / "__init__.py").is_file())
    needs = {
        room: {one for path in (HOME / room).glob("*.py") for one in imported(path)} & set(rooms) - {room}
        for room in rooms
    }
    assert needs["external"] == {"language", "stages"}  # that something is found at all
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(f"imports go in a circle: {' -> '.join(error.args[1])}")
