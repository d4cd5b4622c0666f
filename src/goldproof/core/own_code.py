"""The user's own code: found by `module:object`, called by a name, and known again by the content of its file.

The current folder is importable, as for `python -m`. What an object is, is said by the file of the module that it is
named in, together with the file that defines it, where that is another one. A function or class that was handed over
from Python counts as named where its module holds it under its name. Of anything else that was handed over (an
object, a partial function, a closure, what was typed into an interpreter) no file says what it is. What the files
import is not looked at.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from functools import partial
from pathlib import Path
from typing import Any

from goldproof.core.errors import GoldproofError, InputError
from goldproof.core.registry import load_object
from goldproof.core.wording import reason_of


def load_own(spec: str, *, where: str = "") -> object:
    """Return what `module:object` names; where: what messages begin with.

    Whatever the user's module raises while it is imported becomes an InputError of one sentence.
    """
    begin = f"{where}: " if where else ""
    try:
        _make_current_folder_importable()
        return load_object(spec)
    except GoldproofError as error:
        if not where:
            raise
        raise InputError(f"{begin}{error}") from error
    except (Exception, SystemExit) as error:  # a script that is no module may also exit
        raise InputError(f"{begin}importing {spec!r} failed with {reason_of(error)}") from error


def name_of(target: object) -> str:
    """Return how a target is called in messages and cards: `module:object`, for an object that of its class."""
    if isinstance(target, str):
        return target
    named: Any = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', None) or 'builtins'}:{named.__qualname__}"


def source_sha256(target: object) -> str | None:
    """Return the sha256 (hex) of the file that says what a target is; None where none does.

    target: `module:object` that was loaded before, or what was handed over. Two files make one sha256 of theirs.
    """
    spec = target if isinstance(target, str) else _spec_of(target)
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in _files_of(spec)] if spec else []
    if len(digests) < 2:
        return digests[0] if digests else None
    return hashlib.sha256(" ".join(digests).encode("ascii")).hexdigest()


def lasting_key(given: object, target: object) -> str | None:
    """Return a key that means the same tomorrow: the target's own `key`, else its name with its source; or None.

    given: what the user gave, a name or the target itself.
    """
    own = getattr(target, "key", None)
    if isinstance(own, str) and own:
        return own
    source = source_sha256(given)
    return None if source is None else f"{name_of(given)} (file {source[:16]})"


def _make_current_folder_importable() -> None:
    folder = str(Path.cwd())
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)


def _spec_of(target: object) -> str | None:
    """Return the name under which a module holds a function or class."""
    if not (inspect.isfunction(target) or inspect.isclass(target)):
        return None
    held: object = sys.modules.get(target.__module__ or "")
    for part in target.__qualname__.split("."):
        held = getattr(held, part, None)
    return name_of(target) if held is target else None


def _files_of(spec: str) -> list[Path]:
    named = getattr(sys.modules.get(spec.partition(":")[0]), "__file__", None)
    try:
        defined = inspect.getfile(_definition(load_object(spec)))
    except (TypeError, OSError):  # built in, or typed into an interpreter
        defined = None
    files = dict.fromkeys(Path(file).resolve() for file in (named, defined) if file)
    return [file for file in files if file.is_file()] if named else []


def _definition(found: object) -> Any:  # noqa: ANN401 - what inspect takes
    """Return the function or class that stands in a file."""
    while isinstance(found, partial):
        found = found.func
    if inspect.isfunction(found):
        return inspect.unwrap(found)
    return found if inspect.isclass(found) or inspect.ismethod(found) else type(found)
