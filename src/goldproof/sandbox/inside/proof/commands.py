"""Observing a command: a console script of an installed distribution, or `python -m`, run in this process.

It sees a terminal of 200 columns without colours.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from importlib.metadata import entry_points
from importlib.util import find_spec
from os import environ
from re import compile as _pattern
from runpy import run_module
from typing import TYPE_CHECKING

from .attempts import attempt
from .texts import Foreign, cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OPTION = _pattern(r"(?<![\w/.-])--?[A-Za-z0-9][\w-]*")
_TERMINAL = {"COLUMNS": "200", "LINES": "50", "TERM": "dumb", "NO_COLOR": "1", "TERMINAL_WIDTH": "200"}
_MOST = 500


def command_seen(*argv: str) -> dict[str, object]:
    """Run a command and return what became of it. argv: as it is typed, in parts."""
    if not argv or not all(type(one) is str for one in argv):
        raise TypeError('observe_command takes the parts of a command as texts, as in observe_command("adk", "--help")')
    said: dict[str, object] = {"kind": "command", "name": cut(" ".join(argv), 200), "argv": list(argv), "why": None}
    run, rest = _runner(argv)
    if run is None:
        return {
            **said,
            "outcome": "missing",
            "why": f"no console script or module is called {argv[0]!r}",
            "options": [],
        }
    with _terminal([argv[0], *rest]):
        seen = attempt(run, given=frozenset(), awaits=False)
    printed = f"{seen['stdout']}\n{seen['stderr']}"
    if seen["outcome"] == "returned":
        seen["code"] = 0
    return {**said, **seen, "options": list(dict.fromkeys(_OPTION.findall(printed)))[:_MOST]}


def _runner(argv: tuple[str, ...]) -> tuple[Callable[[], Foreign] | None, tuple[str, ...]]:
    """Return what runs a command, None where nothing does, and its arguments."""
    if argv[0] in {"python", "python3"} and len(argv) > 2 and argv[1] == "-m":
        return _module(argv[2]), argv[3:]
    for one in _scripts():
        if one.name == argv[0]:
            return partial(_load_and_run, one), argv[1:]
    return _module(argv[0]), argv[1:]


def _load_and_run(script: Foreign) -> Foreign:
    return script.load()()


def _scripts() -> list[Foreign]:
    found: Foreign = entry_points()
    select = getattr(found, "select", None)
    return list(select(group="console_scripts") if select else found.get("console_scripts", []))


def _module(name: str) -> Callable[[], Foreign] | None:
    try:
        known = find_spec(name) is not None
    except (ImportError, ValueError):
        known = False
    return (lambda: run_module(name, run_name="__main__", alter_sys=True) and None) if known else None


@contextmanager
def _terminal(argv: list[str]) -> Iterator[None]:
    before, environment = sys.argv, dict(environ)
    sys.argv = argv
    environ.update(_TERMINAL)
    try:
        yield
    finally:
        sys.argv = before
        environ.clear()
        environ.update(environment)
