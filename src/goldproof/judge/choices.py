"""Multiple choice: which option does an answer name, and which one is right?

An answer names an option by its letter (`B`, `b)`, `(B)`, `B. a list`) or by its text. A model is asked for the letter,
so that comes first: of the options Python, C and R its `C` is the third. A question's own answer is a text first.
Letters follow the order in which the options were shown. The right option is the one that the question's own answer
names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from goldproof.judge.framing import letter_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.core.records import Question

_LETTER: Final = re.compile(r"\W*(?:option|answer)?\W*([A-Za-z]{1,2})\W*", re.IGNORECASE)
_LETTER_FIRST: Final = re.compile(r"\(?([A-Z]{1,2})\s*[.):,]\s")


def chosen_option(answer: str, options: Sequence[str]) -> int | None:
    """Return the position of the option that a model's answer names, None where it names none."""
    by_letter = _by_letter(answer, options)
    return _by_text(answer, options) if by_letter is None else by_letter


def right_option(question: Question) -> int | None:
    """Return the position of the right option; None where the question does not say."""
    if question.answer is None:
        return None
    by_text = _by_text(question.answer, question.options)
    return _by_letter(question.answer, question.options) if by_text is None else by_text


def _by_letter(answer: str, options: Sequence[str]) -> int | None:
    found = _LETTER.fullmatch(answer) or _LETTER_FIRST.match(answer.lstrip())
    letters = [letter_of(index) for index in range(len(options))]
    return letters.index(found[1].upper()) if found and found[1].upper() in letters else None


def _by_text(answer: str, options: Sequence[str]) -> int | None:
    plain = _plain(answer)
    return next((index for index, option in enumerate(options) if _plain(option) == plain), None)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")
