"""A question with options, one of which is right.

    - id: "04"
      question: "What does `Runner.run` return?"
      options: {A: "an iterator", B: "a list"}          # or a list: A, B, C, ...
      correct_answer: A                                  # a letter, or the text of an option
      explanation: "..."
      code_snippet_ref: {file: snippets/runner.py, section: run}

The snippet stands in the text of the question; the options do not: wrong ones would lead a search astray.
"""

from __future__ import annotations

import re
from collections import Counter
from string import ascii_uppercase
from typing import TYPE_CHECKING

from goldproof.core.records import Question
from goldproof.io.cases.case import Case
from goldproof.io.cases.fields import BadCaseError, CaseFields, text_of
from goldproof.io.cases.kinds import QUESTION_KEYS
from goldproof.io.cases.place import BuiltCase
from goldproof.io.cases.wording import with_code
from goldproof.io.yaml_text import LINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.io.cases.code_files import CodeFiles, FoundCode
    from goldproof.io.cases.place import Place

_BETWEEN = re.compile(r"\s*(?:,|;|/|&|\+|\band\b|\s)\s*", re.IGNORECASE)
_AROUND = " \t()[].:"


def multiple_choice(fields: CaseFields, place: Place, *, files: CodeFiles) -> BuiltCase:
    """Return the case."""
    asked = fields.needed(*QUESTION_KEYS)
    options = _options(fields.get("options"))
    key = _right_letter(fields.get("correct_answer"), options)
    snippet = _snippet(fields, place, files=files)
    question = Question(
        id=place.id,
        text=with_code(asked, snippet.code if snippet else None),
        answer=options[key],
        options=tuple(options.values()),
        metadata=place.metadata("multiple_choice", answer_parts=list(fields.texts("answer_parts"))),
    )
    case = Case(
        kind="multiple_choice",
        suite=place.suite,
        question=question,
        where=place.where,
        asked=asked,
        options=options,
        key=key,
        explanation=fields.text("explanation", "rationale"),
        snippet=snippet.code if snippet else None,
    )
    return BuiltCase(case, snippet.path if snippet else None)


def _options(value: object) -> dict[str, str]:
    """Return letter -> text, in the order of the letters."""
    if isinstance(value, dict):
        given = [(_letter(str(key)), text) for key, text in value.items() if key != LINE]
    elif isinstance(value, list) and len(value) <= len(ascii_uppercase):
        given = list(zip(ascii_uppercase, value, strict=False))
    else:
        raise BadCaseError("has no options, expected a mapping of letters, or a list." if value is None else _ODD)
    if len(given) < 2:
        raise BadCaseError(f"has {len(given)} option{'s' * (len(given) != 1)}, expected at least two.")
    _refuse_repeated((letter for letter, _ in given), what="the option")
    options = {letter: text_of(text, what=f"option {letter}") for letter, text in given}
    if empty := next((letter for letter, text in options.items() if not text), None):
        raise BadCaseError(f"has an option {empty} without text; put it in quotes if it is a word such as null.")
    return dict(sorted(options.items(), key=lambda option: _order(option[0])))


_ODD = "has options that are neither a mapping of letters nor a list of at most 26."


def _letter(key: str) -> str:
    return key.strip(_AROUND).upper()


def _order(letter: str) -> tuple[int, str]:
    return (int(letter), "") if letter.isascii() and letter.isdigit() else (0, letter)


def _refuse_repeated(names: Iterable[str], *, what: str) -> None:
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise BadCaseError(f"has {what} {repeated!r} twice.")


def _right_letter(value: object, options: Mapping[str, str]) -> str:
    named = [text_of(item, what="correct_answer") for item in (value if isinstance(value, list) else [value])]
    named = [name for name in named if name]
    if not named:
        raise BadCaseError(f"has no correct_answer, expected one of {', '.join(options)}.")
    letters = [letter for name in named for letter in _letters(name, options)]
    if len(set(letters)) > 1:
        raise BadCaseError(f"has {len(set(letters))} right answers ({', '.join(letters)}), expected one.")
    if Counter(options.values())[options[letters[0]]] > 1:
        raise BadCaseError(f"has another option with the text of the right one, {letters[0]}.")
    return letters[0]


def _letters(name: str, options: Mapping[str, str]) -> list[str]:
    """Return the letters that a right answer stands for: itself, that of an equal option, or several."""
    if _letter(name) in options:
        return [_letter(name)]
    equal = [letter for letter, text in options.items() if text == name]
    several = [_letter(part) for part in _BETWEEN.split(name) if _letter(part)]
    if equal:
        return equal[:1]
    if len(several) > 1 and all(letter in options for letter in several):
        return several
    raise BadCaseError(
        f"has the correct_answer {name[:60]!r}, expected one of {', '.join(options)} or an option's text."
    )


def _snippet(fields: CaseFields, place: Place, *, files: CodeFiles) -> FoundCode | None:
    reference = fields.get("code_snippet_ref")
    if reference is None:
        return None
    named = CaseFields(reference) if isinstance(reference, dict) else CaseFields({"file": reference})
    return files.read(named.needed("file"), folder=place.folder, section=named.text("section") or None)
