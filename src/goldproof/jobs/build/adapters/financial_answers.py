r"""The two answers of a FinQA or T2-RAGBench record: what the program computes, and what the annotator wrote.

The program's is the ground truth. The other says in which unit it is meant, and where the two disagree:
`scale_conflict` names the scale between them (0.935 and "93.5%": percent), `answers_differ` says that none explains it.
- An answer may be a list written as text (`"['$533 million']"`); its items are joined with "; ".
- A program that answers yes or no yields 1 or 0: the word is the ground truth.
- A date that was made of words (`2021-12-12` of "December 2021") knows more than they say: the words are the ground
  truth.
- The annotator's answer is an alias where it means the same value, in another notation or at another precision.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldproof.text.numbers import answer_values, parse_quantity
from goldproof.text.quantity import same_value, scale_conflict

_DATE = re.compile(r"\d{1,4}-\d\d-\d\d")
_YES_NO = {"0": "no", "0.0": "no", "1": "yes", "1.0": "yes"}
_MISSING = frozenset({"", "nan", "none", "null"})


@dataclass(frozen=True, slots=True)
class Answer:
    """The ground truth, other ways to write it, and what is to be noted about it; `text` is "" where there is none."""

    text: str
    aliases: tuple[str, ...] = ()
    original: str = ""
    unit: str = ""
    scale_conflict: str | None = None
    answers_differ: bool = False
    coded_as: str = ""

    @property
    def metadata(self) -> dict[str, object]:
        """What is known beyond the ground truth; nothing that says nothing."""
        fields: dict[str, object] = {
            "original_answer": self.original,
            "answer_unit": self.unit,
            "scale_conflict": self.scale_conflict,
            "answers_differ": self.answers_differ,
            "answer_coded_as": self.coded_as,
        }
        return {name: value for name, value in fields.items() if value}


def settle(computed: object, written: object) -> Answer:
    """Return the answer that follows from what was computed and what was written."""
    program, original = answer_text(computed), answer_text(written)
    if not program or not original:
        return Answer(program or original, original=original, unit=_unit(original))
    word = original.casefold().strip(" .")
    if word in {"yes", "no"}:
        text = _YES_NO.get(program, word)
        return Answer(text, original=original, answers_differ=text != word, coded_as=_coded(program, text))
    if _DATE.fullmatch(program) and program != original:
        return Answer(original, original=original, coded_as=program)
    return _compared(program, original)


def answer_text(value: object) -> str:
    """Return an answer as one text: numbers in short, lists opened; "" for anything that is no answer."""
    parts = [_part_text(part) for part in (value if isinstance(value, list) else [value])]
    return "; ".join(part for part in parts if part)


def _part_text(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)
    text = _without_stray_breaks(value.strip()) if isinstance(value, str) else ""
    joined = "; ".join(item.strip() for item in answer_values(text) if item.strip())
    return "" if joined.casefold() in _MISSING else joined


def _without_stray_breaks(text: str) -> str:
    """Return the text without the line breaks that FinQA has, escaped, at the end of some answers."""
    while text.endswith("\\n"):
        text = text[:-2].rstrip("\\ ")
    return text


def number_text(value: float) -> str:
    """Return a number in short: 407.0 is "407"; "" for what no answer can be, infinity among it."""
    if not abs(value) < 1e100:
        return ""
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


def _coded(program: str, text: str) -> str:
    return "" if program.casefold() == text else program


def _unit(text: str) -> str:
    quantity = parse_quantity(text)
    return quantity.unit if quantity else ""


def _compared(program: str, original: str) -> Answer:
    computed, written = parse_quantity(program), parse_quantity(original)
    if computed is None or written is None:
        same = program.casefold() == original.casefold()
        return Answer(program, original=original, unit=written.unit if written else "", answers_differ=not same)
    conflict = scale_conflict(computed, written)
    same = same_value(computed, written, cut_off=True)
    return Answer(
        program,
        aliases=(original,) if same and original != program else (),
        original=original,
        unit=written.unit,
        scale_conflict=conflict,
        answers_differ=not same and conflict is None,
    )
