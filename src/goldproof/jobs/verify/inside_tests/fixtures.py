"""Fixtures of tests: those that the file of the test makes, and `tmp_path`, `monkeypatch`, `capsys`.

Runs in the sandbox as `goldproof_fixtures`, Python 3.9 or newer. A fixture that is not known raises `CannotRunError`.
"""

from __future__ import annotations

import asyncio
import inspect
import io
import os
import sys
import tempfile
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable
    from types import ModuleType


def fixtures_of(module: ModuleType) -> dict[str, Any]:
    """Return the fixtures that a module makes, by name."""
    found = {name: one for name, one in vars(module).items() if inspect.isfunction(one)}
    marked = {name: one for name, one in found.items() if hasattr(one, "goldproof_fixture")}
    return {str(one.goldproof_fixture.get("name") or name): one for name, one in marked.items()}


class Fixtures:
    """The fixtures of one test, each made once."""

    def __init__(self, own: dict[str, Any], given: dict[str, Any], pytest: Any, stack: contextlib.ExitStack) -> None:  # noqa: ANN401
        self._own, self._values, self._pytest, self._stack = own, dict(given), pytest, stack

    def arguments(self, function: Callable[..., Any]) -> dict[str, Any]:
        """Return what a function asks for by the names of its parameters."""
        wanted = inspect.signature(function).parameters.values()
        return {one.name: self.value(one.name) for one in wanted if one.default is one.empty or one.name in self._own}

    def value(self, name: str) -> Any:  # noqa: ANN401
        """Return the value of a fixture."""
        if name not in self._values:
            self._values[name] = self._made(name)
        return self._values[name]

    def _made(self, name: str) -> Any:  # noqa: ANN401
        if name in self._own:
            return self._from_own(self._own[name])
        maker = {"tmp_path": _tmp_path, "monkeypatch": _MonkeyPatch, "capsys": _Capture}.get(name)
        if maker is None:
            raise self._pytest.CannotRunError(f"the test uses the fixture {name!r}, which cannot be had in the sandbox")
        made = maker()
        self._stack.callback(getattr(made, "undo", lambda: None))
        return made

    def _from_own(self, function: Callable[..., Any]) -> Any:  # noqa: ANN401
        if function.goldproof_fixture.get("params"):  # type: ignore[attr-defined]
            raise self._pytest.CannotRunError("the test uses a fixture with params, which cannot be had in the sandbox")
        made = function(**self.arguments(function))
        if inspect.isasyncgen(made):
            return finished(made.__anext__())
        if not inspect.isgenerator(made):
            return finished(made)
        self._stack.callback(lambda: next(made, None))
        return next(made)


def finished(result: Any) -> Any:  # noqa: ANN401
    """Return a result, awaited where it can be."""
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def _awaited(result: Any) -> Any:  # noqa: ANN401
    return await result


def _tmp_path() -> Path:
    return Path(tempfile.mkdtemp(dir=Path.cwd()))


class _MonkeyPatch:
    """Changes that are undone after the test."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def setattr(self, owner: Any, name: Any, *value: Any, raising: bool = True) -> None:  # noqa: ANN401
        if isinstance(owner, str):
            path, _, attribute = owner.rpartition(".")
            owner, name, value = resolve_name(path), attribute, (name,)
        had, before = hasattr(owner, name), getattr(owner, name, None)
        if not had and raising:
            raise AttributeError(f"{owner!r} has no attribute {name!r}")
        self._undo.append(lambda: setattr(owner, name, before) if had else delattr(owner, name))
        setattr(owner, name, value[0])

    def setitem(self, owner: Any, key: Any, value: Any) -> None:  # noqa: ANN401
        had, before = key in owner, owner.get(key)
        self._undo.append(lambda: owner.__setitem__(key, before) if had else owner.pop(key, None))
        owner[key] = value

    def setenv(self, name: str, value: str) -> None:
        self.setitem(os.environ, name, value)

    def delenv(self, name: str, raising: bool = True) -> None:  # noqa: FBT001, FBT002 - as pytest has it
        if name in os.environ or raising:
            before = os.environ.pop(name)
            self._undo.append(lambda: os.environ.__setitem__(name, before))

    def chdir(self, path: Any) -> None:  # noqa: ANN401
        before = Path.cwd()
        self._undo.append(lambda: os.chdir(before))
        os.chdir(path)

    def undo(self) -> None:
        while self._undo:
            self._undo.pop()()


class _Captured(NamedTuple):
    out: str
    err: str


class _Capture:
    """What is printed during the test."""

    def __init__(self) -> None:
        self._before = (sys.stdout, sys.stderr)
        self._renew()

    def _renew(self) -> None:
        self._out, self._err = io.StringIO(), io.StringIO()
        sys.stdout, sys.stderr = self._out, self._err

    def readouterr(self) -> _Captured:
        taken = _Captured(self._out.getvalue(), self._err.getvalue())
        self._renew()
        return taken

    def undo(self) -> None:
        sys.stdout, sys.stderr = self._before
