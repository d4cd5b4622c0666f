"""A user's own embedder: `module:function`, or `module:object` with a method `embed`.

The function takes a list of texts and returns one row of numbers for each; if it has a parameter named `purpose`, it is
told the purpose. Rows are checked and brought to length 1.

Vectors are kept on disk under the object's `key`, if it has one, else under its name and the content of the file that
defines it: whoever changes the file gets new vectors. What that file imports is not looked at. What has no name of its
own (an object handed over from Python, a closure, a function typed into an interpreter) has no key that would outlive
it, and its vectors are not kept.
"""

from __future__ import annotations

import hashlib
import inspect
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from karat.core.errors import InputError
from karat.core.registry import load_object
from karat.embed.checking import checked_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from karat.embed.embedder import Purpose, Vectors


class OwnEmbedder:
    """Calls what the user wrote, and checks what comes back."""

    def __init__(self, target: str | object) -> None:
        found = load_object(target) if isinstance(target, str) else target
        # A class stands for an object of it, made without arguments.
        self._target = found() if inspect.isclass(found) else found
        self._name = target if isinstance(target, str) else _name_of(self._target)
        self._call = _callable(self._target, self._name)
        self._takes_purpose = _takes_purpose(self._call)
        self._key = _key_of(self._target, self._name, by_name=isinstance(target, str))

    @property
    def key(self) -> str:
        """The object's own key, or its name with the content of its file."""
        return self._key or f"{self._name} (not in a file)"

    @property
    def is_lasting(self) -> bool:
        """Whether the key will mean the same tomorrow, so that vectors may be kept under it."""
        return self._key is not None

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Return one row per text, float32, of length 1."""
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        given = {"purpose": purpose} if self._takes_purpose else {}
        return checked_vectors(self._call(list(texts), **given), texts, where=f"embedder {self._name}", zeros=True)


def _callable(target: object, name: str) -> Callable[..., object]:
    method = getattr(target, "embed", target)
    if not callable(method):
        raise InputError(
            f"embedder {name}: found {type(target).__name__}; expected a function of a list of texts, "
            "or an object with a method embed."
        )
    return cast("Callable[..., object]", method)


def _takes_purpose(function: Callable[..., object]) -> bool:
    try:
        return "purpose" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # built-in functions may have no signature
        return False


def _name_of(target: object) -> str:
    named: Any = target if hasattr(target, "__qualname__") else type(target)
    return f"{named.__module__}:{named.__qualname__}"


def _key_of(target: object, name: str, *, by_name: bool) -> str | None:
    own = getattr(target, "key", None)
    if isinstance(own, str) and own:
        return own
    # Two objects of a class, two partial functions or two closures may differ in what no file says.
    plain = inspect.isfunction(target) and "<" not in target.__qualname__
    if not by_name and not plain:
        return None
    try:
        content = _file_of(target, name).read_bytes()
    except (TypeError, OSError):
        return None
    return f"{name} (file {hashlib.sha256(content).hexdigest()[:16]})"


def _file_of(target: object, name: str) -> Path:
    """Return the file in which the name is defined, which for an object need not be that of its class."""
    if inspect.isfunction(target):
        return Path(inspect.getfile(inspect.unwrap(target)))
    return Path(inspect.getfile(import_module(name.partition(":")[0])))
