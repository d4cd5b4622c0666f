"""The fields of one case as its file gives them: everything is text, and what is wrong is one sentence.

`01`, `No` and `1.10` stay as they are written; a JSON `true` is the text `true`. A value that says nothing (`null`, an
empty text, blanks) is as good as absent.
"""

from __future__ import annotations

from collections.abc import Mapping

from goldproof.core.wording import shortened
from goldproof.io.yaml_text import LINE


class BadCaseError(ValueError):
    """A case that cannot be read; the text follows "case 'suite:id' " in a sentence."""


class CaseFields:
    """The mapping of a case."""

    def __init__(self, record: Mapping[object, object]) -> None:
        self._values = {str(key): value for key, value in record.items() if key != LINE}

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    def get(self, key: str) -> object:
        """Return the value of a key as it is; None where it is absent."""
        return self._values.get(key)

    def text(self, *keys: str) -> str:
        """Return the text under the first of the keys that says something, or an empty one."""
        for key in keys:
            if found := text_of(self._values.get(key), what=key):
                return found
        return ""

    def needed(self, *keys: str) -> str:
        """Return the text under one of the keys, which must be there."""
        if found := self.text(*keys):
            return found
        raise BadCaseError(f"has no {keys[0]}.")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, each once; a single text is a list of one."""
        value = self._values.get(key)
        items = value if isinstance(value, list) else [value]
        found = (text_of(item, what=f"an item of {key}") for item in items)
        return tuple(dict.fromkeys(text for text in found if text))


def text_of(value: object, *, what: str) -> str:
    """Return a scalar as text without blanks around it; nothing is an empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | Mapping):
        raise BadCaseError(
            f"has a {what} that is {'a list' if isinstance(value, list) else 'a mapping'}, expected text."
        )
    text = str(value).strip()
    if not _is_whole(text):
        raise BadCaseError(f"has a {what} with half a surrogate pair in it ({shortened(ascii(text), longest=60)}).")
    return text


def _is_whole(text: str) -> bool:
    """Say whether a file can hold the text: JSON may spell half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
