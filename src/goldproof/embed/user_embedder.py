"""A user's own embedder: `module:function`, or `module:object` with a method `embed`.

The function takes a list of texts and returns one row of numbers for each; if it has a parameter named `purpose`, it is
given the purpose. Rows are checked and brought to length 1.

Vectors are kept on disk under the object's `key`, if it has one, else under its name and the content of the file that
defines it (`goldproof.user_code.user_object`): a changed file gets new vectors. An object that no file defines has no
lasting key, and its vectors are not kept. Errors of the user's code fail the texts of that call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldproof.embed.embedder import checked_vectors
from goldproof.errors import EmbeddingFailedError, GoldproofError
from goldproof.user_code.calls import attempt
from goldproof.user_code.parameters import parameters_of
from goldproof.user_code.user_object import UserObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.embed.embedder import Purpose, Vectors


class UserEmbedder:
    """Calls the user's code, and checks its vectors; given: `module:object`, or the object itself."""

    is_checked: ClassVar[bool] = True

    def __init__(self, given: object) -> None:
        user = UserObject.of(given).instance()
        expected = "a function of a list of texts, or an object with a method embed"
        self._call = user.method("embed", expected=expected)
        self._takes_purpose = any(p.name == "purpose" for p in parameters_of(self._call) or ())
        self._title = f"embedder {user.name}"
        self.key, self.is_lasting = user.key, user.is_lasting

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Return one row per text, float32, of length 1."""
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        options = {"purpose": purpose} if self._takes_purpose else {}
        returned = attempt(lambda: self._call(list(texts), **options), passing=(GoldproofError,))
        if returned.failure is not None:
            raise EmbeddingFailedError(f"{self._title} failed with {returned.failure}")
        return checked_vectors(returned.value, texts, where=self._title, zeros=True)
