"""What tests of a case take from pytest, so that they run where it is not installed, and the same everywhere.

Runs in the sandbox as `goldproof_pytest`, Python 3.9 or newer. A name that is not here raises `CannotRunError`: then
the test says nothing about the case.
"""

from __future__ import annotations

import importlib
import math
import re
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["CannotRunError", "approx", "fail", "fixture", "importorskip", "mark", "param", "raises", "skip", "warns"]


class CannotRunError(Exception):
    """A test that cannot be run here, whatever the code under test does."""


class Failed(AssertionError):  # noqa: N818 - as pytest calls it
    """What `fail` raises."""


class Skipped(Exception):  # noqa: N818 - as pytest calls it
    """What `skip` raises."""


def fail(reason: str = "", **_: object) -> None:
    """Fail the test."""
    raise Failed(reason)


def skip(reason: str = "", **_: object) -> None:
    """Leave the test out."""
    raise Skipped(reason)


def importorskip(name: str, **_: object) -> Any:  # noqa: ANN401 - any module
    """Return a module, or leave the test out."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skipped(f"{name} is not installed") from error


class _Caught:
    """What was raised: `value`, `type`, and `match`."""

    def __init__(self) -> None:
        self.value: BaseException | None = None

    @property
    def type(self) -> type:
        return type(self.value)

    def match(self, pattern: str) -> bool:
        if not re.search(pattern, str(self.value)):
            raise Failed(f"{pattern!r} is not in {str(self.value)!r}")
        return True


class _Raises:
    def __init__(self, expected: Any, match: str | None) -> None:  # noqa: ANN401 - a type or a tuple of them
        self._expected = expected
        self._match = match
        self._caught = _Caught()

    def __enter__(self) -> _Caught:
        return self._caught

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> bool:
        if error is None:
            raise Failed(f"did not raise {self._expected}")
        if not isinstance(error, self._expected):
            return False
        self._caught.value = error
        if self._match is not None:
            self._caught.match(self._match)
        return True


def raises(expected: Any, *call: Any, match: str | None = None, **named: Any) -> Any:  # noqa: ANN401
    """Expect an exception: of a block, or of a call."""
    block = _Raises(expected, match)
    if not call:
        return block
    with block as caught:
        call[0](*call[1:], **named)
    return caught


class _Warns:
    def __init__(self, expected: Any, match: str | None) -> None:  # noqa: ANN401
        self._expected, self._match = expected, match
        self._catching = warnings.catch_warnings(record=True)
        self._seen: Any = None

    def __enter__(self) -> Any:  # noqa: ANN401
        self._seen = self._catching.__enter__()
        warnings.simplefilter("always")
        return self._seen

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> None:  # noqa: ANN401
        self._catching.__exit__(kind, error, trace)
        fits = (one for one in self._seen if issubclass(one.category, self._expected))
        if error is None and not any(re.search(self._match or "", str(one.message)) for one in fits):
            raise Failed(f"did not warn {self._expected}")


def warns(expected: Any = Warning, *, match: str | None = None) -> Any:  # noqa: ANN401
    """Expect a warning of a block."""
    return _Warns(expected, match)


class approx:  # noqa: N801 - as pytest calls it
    """A number, or a sequence or mapping of them, that equals what is near it."""

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None) -> None:  # noqa: A002, ANN401
        self._expected = expected
        self._rel, self._abs = (1e-6 if rel is None and abs is None else rel or 0.0), (1e-12 if abs is None else abs)

    def __eq__(self, other: object) -> bool:
        return self._near(self._expected, other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"approx({self._expected!r})"

    def _near(self, one: Any, other: Any) -> bool:  # noqa: ANN401
        if isinstance(one, dict):
            return one.keys() == other.keys() and all(self._near(one[key], other[key]) for key in one)
        if isinstance(one, (list, tuple)):
            return len(one) == len(other) and all(map(self._near, one, other))
        if isinstance(one, (int, float)) and isinstance(other, (int, float)):
            return math.isclose(one, other, rel_tol=self._rel, abs_tol=self._abs)
        return bool(one == other)


class _Mark:
    """A mark: `@mark.name`, or `@mark.name(...)`; noted on the function."""

    def __init__(self, name: str, given: tuple[Any, ...] = (), named: dict[str, Any] | None = None) -> None:
        self.name, self.given, self.named = name, given, named or {}

    def __call__(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        # `@mark.skip` is called with the test; `@mark.skip(...)` with its arguments first.
        configured = bool(self.given or self.named)
        if not configured and not (len(given) == 1 and not named and callable(given[0])):
            return _Mark(self.name, given, named)
        marked = given[0]
        marked.goldproof_marks = [*getattr(marked, "goldproof_marks", ()), self]
        return marked


class _Marks:
    def __getattr__(self, name: str) -> _Mark:
        return _Mark(name)


mark = _Marks()


class _Parameters:
    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values


def param(*values: Any, **_: object) -> _Parameters:  # noqa: ANN401
    """Return one set of values of `parametrize`."""
    return _Parameters(values)


def fixture(function: Callable[..., Any] | None = None, **named: Any) -> Any:  # noqa: ANN401
    """Note a function as a fixture."""
    if function is None:
        return lambda one: fixture(one, **named)
    function.goldproof_fixture = named  # type: ignore[attr-defined]
    return function


def parameter_sets(marked: Any) -> Iterable[dict[str, Any]]:  # noqa: ANN401
    """Return the arguments that marks of `parametrize` give a test: one mapping for each time that it is run."""
    sets: list[dict[str, Any]] = [{}]
    for one in getattr(marked, "goldproof_marks", ()):
        if one.name == "parametrize":
            names, rows = one.given[0], one.given[1]
            names = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)
            # Python 3.9 has no `strict`.
            pairs = [dict(zip(names, _row(row, len(names)))) for row in rows]  # noqa: B905
            sets = [{**known, **pair} for known in sets for pair in pairs]
    return sets


def _row(row: Any, number: int) -> tuple[Any, ...]:  # noqa: ANN401
    if isinstance(row, _Parameters):
        return row.values
    return (row,) if number == 1 else tuple(row)


def left_out(marked: Any) -> str | None:  # noqa: ANN401
    """Return why marks leave a test out, None where they do not."""
    for one in getattr(marked, "goldproof_marks", ()):
        reason = str(one.named.get("reason", one.name))
        if one.name == "skip" or (one.name == "skipif" and one.given and bool(one.given[0])):
            return reason
        if one.name == "xfail":
            return f"expected to fail: {reason}"
    return None


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name.startswith(("__", "goldproof_")):
        raise AttributeError(name)
    raise CannotRunError(f"the test uses pytest.{name}, which cannot be had in the sandbox")
