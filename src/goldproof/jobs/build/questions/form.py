"""What of a question is compared when near-duplicates are looked for.

Everything is read from the question's normal form (`goldproof.text.normal_text`), so that questions with the same
normal form have the same form here; only what is a name is seen from the letters as they were written.

content   its content words (`goldproof.text.tokens`) without its signs, which must agree anyway and would make any two
          questions about the same dates alike; with them where nothing else is left; all its words where it has no
          content word; the normal form itself where it has no word.
said      all its words, a possessive 's taken off.
signs     words that turn a question into another one however long it is: every word with a digit, number words
          ("million", "second"), what is asked of figures ("percentage", "average", "highest"), question words other
          than what and which, negations, and before / after, more / less and the like.
names     words written with a capital, apart from the first word of a sentence where that is a function word or a
          common opening ("Calculate"), and words of code: what stands in backticks or holds an underscore, a point or
          `::` between letters, `()`, or a capital after a small letter. A function word counts only where it is
          written in capitals ("US", "IT") and is not "I".
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from goldproof.text import normal_text
from goldproof.text.tokens import FUNCTION_WORDS, words

_NUMBERS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million
    millions billion billions trillion trillions dozen half quarter once twice double triple single first second third
    fourth fifth sixth seventh eighth ninth tenth last next previous
"""
_MEASURES = """
    average difference mean median percent percentage proportion ratio sum total
    best worst earliest latest greatest largest smallest highest lowest longest shortest oldest youngest maximum minimum
    decrease decreased increase increased
"""
_TURNS = """
    who whom whose when where why how no not nor neither never none nothing cannot without except other before after
    above below under over more less fewer most least up down
"""
_OPENERS = """
    according approximately assuming based calculate compare compute considering define describe determine discuss
    estimate excluding explain find following give given identify including list name outline provide regarding show
    state suppose tell using
"""
_SIGNS = frozenset((_NUMBERS + _MEASURES + _TURNS).split())
_OPENINGS = frozenset(_OPENERS.split())
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"`|_|\(\)|::|[^\W\d_]\.[^\W\d_]")
_SENTENCE_END = (".", "?", "!", ":")


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question as it is compared; see the module for what each part is."""

    content: frozenset[str]
    said: frozenset[str]
    signs: frozenset[str]
    names: frozenset[str]


def question_form(question: str) -> QuestionForm:
    """Return what of a question is compared."""
    normal = normal_text(question) or ""
    said = frozenset([word.removesuffix("'s") for word in words(normal)])
    signs = (said & _SIGNS).union([word for word in said if not word.isalpha() and _turns(word)])
    content = said - FUNCTION_WORDS
    return QuestionForm(
        content=(content - signs) or content or said or frozenset([normal]),
        said=said,
        signs=signs,
        names=_names(question) & said,
    )


def _turns(word: str) -> bool:
    return word.endswith("n't") or _DIGIT.search(word) is not None


def _names(question: str) -> frozenset[str]:
    text = unicodedata.normalize("NFKC", question)
    code = _CODE.search(text) is not None
    pieces = text.split()
    found: set[str] = set()
    for place, (piece, small) in enumerate(zip(pieces, text.lower().split(), strict=True)):
        if piece != small or (code and _CODE.search(piece)):
            begins = place == 0 or pieces[place - 1].endswith(_SENTENCE_END)
            found.update(_names_in(piece, begins=begins))
    return frozenset(found)


def _names_in(piece: str, *, begins: bool) -> list[str]:
    spoken = [word.removesuffix("'s") for word in words(piece)]
    capitals = piece[1:] != piece[1:].lower() or (piece.isupper() and not begins and spoken != ["i"])
    if capitals or _CODE.search(piece):
        return spoken
    return [word for word in spoken if word not in FUNCTION_WORDS and not (begins and word in _OPENINGS)]
