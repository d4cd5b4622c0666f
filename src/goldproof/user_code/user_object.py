"""A user's object, given as `module:object` or as itself, with its name, source hash and cache key.

`module:object` is imported; the current folder is importable, as for `python -m`. A class may stand for an object of
it, made without arguments.

Code is identified by the content of its file: that of the module it is named in, together with the file that defines
it, where that is another one. A function or class passed in from Python counts as named where its module holds it under
its name. Anything else that was passed in (an object, a partial function, a closure, what was typed into an
interpreter) has no file that identifies it. What the files import is not looked at.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from goldproof.errors import GoldproofError, InputError, kind_of, reason_of
from goldproof.plugins import load_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class UserObject:
    """A user's object. name: in messages and cards. source: the sha256 of its file; None where it has none."""

    target: Any
    name: str
    source: str | None = None

    @classmethod
    def of(cls, given: object, *, where: str = "", near: Iterable[str] = ()) -> UserObject:
        """Load `module:object`, or take the object itself; InputError of one sentence where that fails.

        where: the beginning of messages. near: names that are no modules, suggested where `module` resembles one.
        """
        if isinstance(given, cls):
            return given
        target = load_user_object(given, where=where, near=near) if isinstance(given, str) else given
        return cls(target, name_of(given), source_sha256(given))

    @property
    def is_lasting(self) -> bool:
        """Whether the key holds across processes, so that results may be kept under it."""
        return self.source is not None or self._own_key is not None

    @property
    def key(self) -> str:
        """The object's own `key`, else its name with the content of its file."""
        place = "not in a file" if self.source is None else f"file {self.source[:16]}"
        return self._own_key or f"{self.name} ({place})"

    @property
    def _own_key(self) -> str | None:
        key = getattr(self.target, "key", None)
        return key if isinstance(key, str) and key else None

    def instance(self) -> UserObject:
        """Return an object of a class, made without arguments; anything else as it is."""
        return self.made() if isinstance(self.target, type) else self

    def made(self, *arguments: object) -> UserObject:
        """Call a class or factory, and return what it makes; InputError where it fails."""
        try:
            return replace(self, target=self.target(*arguments))
        except GoldproofError:
            raise
        except (Exception, SystemExit) as error:
            hint = "" if arguments or not isinstance(error, TypeError) else "; it is called without arguments."
            raise InputError(f"{self.name}: making it failed with {reason_of(error)}{hint}") from error

    def method(self, *names: str, expected: str) -> Callable[..., Any]:
        """Return the first of these methods that it has, else the object itself where it can be called.

        A class has no object to call them on: `instance` makes it.
        """
        methods: Iterable[Any] = (getattr(self.target, name, None) for name in names)
        call: Callable[..., Any] | None = next((method for method in (*methods, self.target) if callable(method)), None)
        if call is None or isinstance(self.target, type):
            raise InputError(f"{self.name} is {kind_of(self.target)}; expected {expected}.")
        return call


def load_user_object(spec: str, *, where: str = "", near: Iterable[str] = ()) -> object:
    """Return the object that `module:object` names.

    Whatever the user's module raises while it is imported becomes an InputError of one sentence.
    """
    begin = f"{where}: " if where else ""
    try:
        _make_current_folder_importable()
        return load_object(spec)
    except GoldproofError as error:
        hint = _near_hint(spec, near)
        if not begin and not hint:
            raise
        raise InputError(f"{begin}{error}{hint}") from error
    except (Exception, SystemExit) as error:  # a script that is no module may also exit
        raise InputError(f"{begin}importing {spec!r} failed with {reason_of(error)}") from error


def _near_hint(spec: str, near: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - start-up stays cheap

    module, _, rest = spec.partition(":")
    names = get_close_matches(module, list(near), n=1, cutoff=0.6)
    return f"\n  Or did you mean {names[0]}:{rest}?" if names else ""


def name_of(target: object) -> str:
    """Return the name of a target in messages and cards: `module:object`; for an object, that of its class."""
    if isinstance(target, str):
        return target
    named: Any = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', None) or 'builtins'}:{named.__qualname__}"


def source_sha256(target: object) -> str | None:
    """Return the sha256 (hex) of the file that identifies a target; None where none does.

    target: `module:object` that was loaded before, or what was passed in. Two files make one sha256 of theirs.
    """
    import hashlib  # noqa: PLC0415 - start-up stays cheap

    spec = target if isinstance(target, str) else _spec_of(target)
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in _files_of(spec)] if spec else []
    if len(digests) < 2:
        return digests[0] if digests else None
    return hashlib.sha256(" ".join(digests).encode("ascii")).hexdigest()


def _make_current_folder_importable() -> None:
    folder = os.getcwd()  # noqa: PTH109 - pathlib is slow to import
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)


def _spec_of(target: object) -> str | None:
    """Return the name under which a module holds a function or class."""
    import inspect  # noqa: PLC0415 - start-up stays cheap

    if not (inspect.isfunction(target) or inspect.isclass(target)):
        return None
    held: object = sys.modules.get(target.__module__ or "")
    for part in target.__qualname__.split("."):
        held = getattr(held, part, None)
    return name_of(target) if held is target else None


def _files_of(spec: str) -> list[Path]:
    import inspect  # noqa: PLC0415 - start-up stays cheap
    from pathlib import Path  # noqa: PLC0415 - start-up stays cheap

    named = getattr(sys.modules.get(spec.partition(":")[0]), "__file__", None)
    try:
        defined = inspect.getfile(_definition(load_object(spec)))
    except (TypeError, OSError):  # built in, or typed into an interpreter
        defined = None
    files = dict.fromkeys(Path(file).resolve() for file in (named, defined) if file)
    return [file for file in files if file.is_file()] if named else []


def _definition(target: object) -> Any:  # noqa: ANN401 - what inspect takes
    """Return the function or class that a file defines."""
    import inspect  # noqa: PLC0415 - start-up stays cheap

    while isinstance(target, partial):
        target = target.func
    if inspect.isfunction(target):
        return inspect.unwrap(target)
    return target if inspect.isclass(target) or inspect.ismethod(target) else type(target)
