"""A user's own embedder: `module:function`, or `module:object` with a method `embed`.

The function takes a list of texts and returns one row of numbers for each; if it has a parameter named `purpose`, it is
given the purpose. Rows are checked and brought to length 1.

Vectors are kept on disk under the object's `key`, if it has one, else under its name and the content of the file that
defines it (`goldproof.plugins`): a changed file gets new vectors. An object that no file defines has no lasting key,
and its vectors are not kept. Errors of the user's code fail the texts of that call.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from goldproof.embed.embedder import checked_vectors
from goldproof.errors import EmbeddingFailedError, GoldproofError, InputError, reason_of
from goldproof.plugins import lasting_key, load_user_object, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.embed.embedder import Purpose, Vectors


class UserEmbedder:
    """Calls the user's code, and checks its vectors; target: `module:object`, or the object itself."""

    is_checked: ClassVar[bool] = True

    def __init__(self, target: str | object) -> None:
        loaded = load_user_object(target) if isinstance(target, str) else target
        self._name = name_of(target)
        # A class stands for an object of it, made without arguments.
        embedder = _instance(loaded, self._name) if inspect.isclass(loaded) else loaded
        self._call = _callable(embedder, self._name)
        self._takes_purpose = _takes_purpose(self._call)
        self._key = lasting_key(target, embedder)

    @property
    def key(self) -> str:
        """The object's own key, or its name with the content of its file."""
        return self._key or f"{self._name} (not in a file)"

    @property
    def is_lasting(self) -> bool:
        """Whether the key holds across processes, so that vectors may be kept under it."""
        return self._key is not None

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Return one row per text, float32, of length 1."""
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        options = {"purpose": purpose} if self._takes_purpose else {}
        try:
            returned = self._call(list(texts), **options)
        except GoldproofError:
            raise
        except Exception as error:
            raise EmbeddingFailedError(f"embedder {self._name} failed with {reason_of(error)}") from error
        return checked_vectors(returned, texts, where=f"embedder {self._name}", zeros=True)


def _instance(kind: type, name: str) -> object:
    try:
        return kind()
    except Exception as error:
        raise InputError(f"embedder {name}: making an object of the class failed with {reason_of(error)}") from error


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
