r"""Answers that are a list written as text: `"['$533 million', '12%']"`, as Python or numpy print it, or as JSON.

The brackets hold quoted strings, or bare numbers and words, parted by commas or blanks. Text that is not wholly such a
list is one value, itself. Python's own reader is not used: it would join `'a' 'b'` (numpy's form) to one string, and it
warns about `\d`.
"""

from __future__ import annotations

import re

_ITEM = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,'"\[\]]+(?:[ ]+[^\s,'"\[\]]+)*))\s*,?\s*""", re.DOTALL
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}


def answer_values(text: str) -> tuple[str, ...]:
    """Return the values of an answer: the items of a list written as text, or the text itself."""
    stripped = text.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return (text,)
    items = _items(stripped[1:-1].strip())
    return (text,) if items is None else items


def _items(inner: str) -> tuple[str, ...] | None:
    items: list[str] = []
    position = 0
    while position < len(inner):
        found = _ITEM.match(inner, position)
        if found is None:
            return None
        quoted = found[1] if found[1] is not None else found[2]
        items.append(found[3] if quoted is None else _unescaped(quoted))
        position = found.end()
    return tuple(items)


def _unescaped(quoted: str) -> str:
    return _ESCAPE.sub(_character, quoted) if "\\" in quoted else quoted


def _character(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    # An escape Python does not know stands for itself, backslash and all.
    return chr(int(code, 16)) if code else _LETTERS.get(escape[3], escape[3] if escape[3] in "'\"\\" else escape[0])
