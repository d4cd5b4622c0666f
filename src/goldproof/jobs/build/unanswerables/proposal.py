"""Proposal: a question that may be unanswerable, and the words a document must join to answer it.

joined: what a document must hold to be about the substitute. It is a row of groups; a group is a row of alternative
phrases, of which one suffices. `others`: the question's remaining content words, without those that only say how to
ask or to compute ("percentage", "according"): a document that answers need not hold them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.words import tokens
from goldproof.records.keys import content_key
from goldproof.text.tokens import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.build.records import Sample

Group = tuple[str, ...]

_ASKING_WORDS = """
    according actual ag amount annual approximate april august average billions called change changed co combined
    company compare compared comparing comparison considering consolidated context corp corporation corresponding
    current data december decline decrease decreased describe difference disclosed dollars ended ending explain fail
    february financial fiscal flat following give given grow growth happen higher highest how identify inc
    incorporated increase increased indicated january july june kept kind known limited listed long ltd many march may
    mean millions much name named note notes november number nv october outlined overall part percent percentage plc
    presented prevented proportion provide provided ratio recorded reflected regarding related relationship remain
    report reported represent represented respective respectively sa same say section september showed shown specific
    specifically stand stated statement statements stay sum sums table tell term thousands time total type types
    unchanged used using value year years
"""
ASKING_WORDS = frozenset(_ASKING_WORDS.split())
# One letter, or the day of a date.
_SHORT = re.compile(r"\D|\d\d?")
_SPACES = re.compile(r"\s+")
_SPACE_BEFORE = re.compile(r"\s+([?,;:!])")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One question to check; `details` say what was substituted, for the sample's metadata."""

    origin: str
    doc_type: str
    question_type: str
    method: str
    question: str
    joined: tuple[Group, ...]
    others: tuple[str, ...]
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A hash that identifies and orders proposals, independent of their order of creation."""
        return content_key(self.origin, self.method, self.question)


def proposal(
    sample: Sample, question: str, *, method: str, joined: Sequence[Group], details: Mapping[str, str]
) -> Proposal:
    """Return the proposal with the words that are left over as `others`."""
    tidied = tidy(question)
    # Of a group of alternatives (a negation) the question's own words may be part: those stay.
    taken = {token for group in joined if len(group) == 1 for token in tokens(group[0])}
    return Proposal(
        origin=sample.id,
        doc_type=sample.doc_type,
        question_type=sample.question_type,
        method=method,
        question=tidied,
        joined=tuple(joined),
        others=other_words(tidied, taken=taken),
        details=dict(details),
    )


def other_words(question: str, *, taken: set[str]) -> tuple[str, ...]:
    """Return the question's content words, each once, without the substituted and the asking ones."""
    passed = FUNCTION_WORDS | ASKING_WORDS | taken
    kept = (token for token in tokens(question) if token not in passed and not _SHORT.fullmatch(token))
    return tuple(dict.fromkeys(kept))


def draw(seed: int, *parts: object) -> int:
    """Return a number that depends on seed and parts only."""
    return int(content_key(seed, *parts)[:16], 16)


def tidy(question: str) -> str:
    """Return the question with single blanks, none before a question mark or comma, and a capital at its start."""
    plain = _SPACE_BEFORE.sub(r"\1", _SPACES.sub(" ", question)).strip()
    first = plain.split(" ", 1)[0]
    # A name such as `pytest` or iPhone keeps its small letter.
    return plain[:1].upper() + plain[1:] if first.isalpha() and first.islower() else plain
