"""Check the reason that an option gives against the message: `a ValueError, because the name is reserved`.

That the exception is right shows nothing of its reason. The message of the exception may: it must have every word of
the reason that means something and is not in the code anyway, and one of the names that the reason has in backquotes.
A reason of which nothing but words of the code is left, and one for what did not fail, cannot be looked at. One without
any word that means something (`because of the fields`) claims nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from goldproof.jobs.verify.rules.code_text import masked, spans_of

_WORD: Final = re.compile(r"[A-Za-z]+|\d+")
_SHORTEST: Final = 3  # letters; less says nothing
_EMPTY: Final = frozenset({
    "because", "since", "due", "owing", "the", "that", "this", "there", "these", "those", "and", "but", "for",
    "from", "with", "without", "into", "its", "their", "has", "have", "had", "are", "was", "were", "been",
    "being", "will", "would", "can", "could", "may", "might", "shall", "should", "does", "did", "not", "cannot",
    "also", "too", "such", "each", "when", "where", "which", "while", "what", "who", "whose", "than", "then",
    "here", "code", "call", "argument", "arguments", "parameter", "parameters", "keyword", "value", "values",
    "type", "types", "error", "errors", "exception", "raised", "fails", "invalid", "field", "fields", "model",
    "class", "schema", "key", "keys", "object", "input", "given", "passed", "provided", "specified",
    "indicating", "indicates", "meaning", "complaining", "stating", "saying",
})  # fmt: skip
# That something has to be given is said in many ways.
_NEEDED: Final = frozenset({
    "must", "missing", "required", "mandatory", "needed", "needs", "need", "requires", "require", "omitted",
})  # fmt: skip
_SAY_NEEDED: Final = ("required", "missing", "must", "need", "mandatory")
_TOO_MUCH: Final = frozenset({"only", "all", "any", "never", "always"})  # they claim more than a message says


@dataclass(frozen=True, slots=True)
class Reason:
    """Requirements on a message. words: of each some form; names: one of them."""

    words: tuple[tuple[str, ...], ...] = ()
    names: tuple[str, ...] = ()

    @property
    def claims(self) -> bool:
        """Whether it claims anything."""
        return bool(self.words or self.names)

    @property
    def text(self) -> str:
        """The reason in words."""
        return " and ".join(" or ".join(forms) for forms in (*(one[:1] for one in self.words), self.names) if forms)


def looked_at(reason: str, code: str) -> Reason | None:
    """Return what a message must have for a reason, None where nothing can tell."""
    names = tuple(dict.fromkeys(span.strip().removesuffix("()") for span in spans_of(reason)))
    own = {word.lower() for word in _WORD.findall(code)}
    words = [word.lower() for word in _WORD.findall(masked(reason, mark=" ").text)]
    telling = list(dict.fromkeys(word for word in words if _tells(word)))
    if any(word in _TOO_MUCH for word in words):
        return None
    needed = (_SAY_NEEDED,) if any(word in _NEEDED for word in words) else ()
    beyond = [word for word in telling if word not in own]
    if telling and not beyond and not names and not needed:
        return None
    return Reason((*(_forms(word) for word in beyond or telling), *needed), names)


def _tells(word: str) -> bool:
    return word not in _EMPTY | _NEEDED and (len(word) >= _SHORTEST or word.isdigit())


def _forms(word: str) -> tuple[str, ...]:
    stem = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    return (stem, stem.capitalize())
