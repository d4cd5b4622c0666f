"""The four kinds of case: multiple choice, API understanding, fix error, plain question.

`benchmark_type` is believed in any case; `type` and `kind` may mean something else (`type: conceptual`), so that a
value of theirs which is no kind of ours counts only where the keys tell no kind either.

multiple_choice: the snippet stands in the text of the question; the options do not, since wrong ones would lead a
search astray.

    - id: "04"
      question: "What does `Runner.run` return?"
      options: {A: "an iterator", B: "a list"}          # or a list: A, B, C, ...
      correct_answer: A                                  # a letter, or the text of an option
      explanation: "..."
      code_snippet_ref: {file: snippets/runner.py, section: run}

api_understanding: several answers are alternatives: the first is the answer, the others are its aliases. The names are
the targets. `file` is where the library defines it; it need not be here and is not read.

    - question: "Which class runs an agent?"
      answers:
        - {answer: Runner, fully_qualified_class_name: [google.adk.runners.Runner]}
      file: src/google/adk/runners.py
      rationale: "..."

fix_error: the question is the description and the code that fails. It has no answer in words, and the imports of the
fixed file are read elsewhere (`goldproof.jobs.mine.corpus_names`).

    - name: "01"
      description: "The agent is built without a model."
      unfixed_file: cases/01/unfixed.py
      fixed_file: cases/01/fixed.py
      test_file: cases/01/test_agent.py
"""

from __future__ import annotations

import re
from collections import Counter
from string import ascii_uppercase
from typing import TYPE_CHECKING

from goldproof.errors import UnknownNameError, shown
from goldproof.io.cases.case import BadCaseError, BuiltCase, Case, CaseFields, text_of
from goldproof.records.entities import Question
from goldproof.text.code_blocks import code_context
from goldproof.text.languages import TEXT, language_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from goldproof.io.cases.case import CasePlace, CodeFile, Kind
    from goldproof.io.cases.code_files import CodeFiles, FoundCode


KINDS: tuple[Kind, ...] = ("multiple_choice", "api_understanding", "fix_error", "question")

QUESTION_KEYS = ("question", "query", "text")

_KIND_KEYS = ("benchmark_type", "type", "kind")

_KEYS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("fix_error", ("unfixed_file", "fixed_file")),
    ("multiple_choice", ("options", "correct_answer")),
    ("api_understanding", ("answers",)),
)


def case_kind(fields: CaseFields, *, default: str = "") -> Kind:
    """Return the kind of a case. default: the kind that the file gives all its cases."""
    unknown = ""
    for key in _KIND_KEYS:
        name = fields.text(key)
        if known := _known(name):
            return known
        if name and key == "benchmark_type":
            raise BadCaseError(_unknown(name))
        unknown = unknown or name
    kind = registry_kind(fields) or _known(default)
    if kind:
        return kind
    if unknown or default:
        raise BadCaseError(_unknown(unknown or default))
    if fields.text(*QUESTION_KEYS):
        return "question"
    raise BadCaseError(f"has no benchmark_type, and its keys fit no known kind ({', '.join(KINDS)}).")


def registry_kind(fields: CaseFields) -> Kind | None:
    """Return the kind that the keys tell, of those that only registries have."""
    return next((kind for kind, keys in _KEYS if any(key in fields for key in keys)), None)


def _known(name: str) -> Kind | None:
    plain = "_".join(name.lower().replace("-", " ").replace("_", " ").split())
    return next((kind for kind in KINDS if plain in (kind, f"{kind}s")), None)


def _unknown(name: str) -> str:
    return f"cannot be read: {UnknownNameError('kind of case', name, KINDS)}"


_BETWEEN = re.compile(r"\s*(?:,|;|/|&|\+|\band\b|\s)\s*", re.IGNORECASE)

_AROUND = " \t()[].:"


def multiple_choice(fields: CaseFields, place: CasePlace, *, files: CodeFiles) -> BuiltCase:
    """Build a case of multiple choice."""
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
        lettered = [(_letter(str(key)), text) for key, text in value.items()]
    elif isinstance(value, list) and len(value) <= len(ascii_uppercase):
        lettered = list(zip(ascii_uppercase, value, strict=False))
    else:
        raise BadCaseError(
            "has no options, expected a mapping of letters, or a list." if value is None else _BAD_OPTIONS
        )
    if len(lettered) < 2:
        raise BadCaseError(f"has {len(lettered)} option{'s' * (len(lettered) != 1)}, expected at least two.")
    _refuse_repeated((letter for letter, _ in lettered), kind="the option")
    options = {letter: text_of(text, what=f"option {letter}") for letter, text in lettered}
    if empty := next((letter for letter, text in options.items() if not text), None):
        raise BadCaseError(f"has an option {empty} without text; put it in quotes if it is a word such as null.")
    return dict(sorted(options.items(), key=lambda option: _order(option[0])))


_BAD_OPTIONS = "has options that are neither a mapping of letters nor a list of at most 26."


def _letter(key: str) -> str:
    return key.strip(_AROUND).upper()


def _order(letter: str) -> tuple[int, str]:
    return (int(letter), "") if letter.isascii() and letter.isdigit() else (0, letter)


def _refuse_repeated(names: Iterable[str], *, kind: str) -> None:
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise BadCaseError(f"has {kind} {repeated!r} twice.")


def _right_letter(value: object, options: Mapping[str, str]) -> str:
    named = [text_of(item, what="correct_answer") for item in (value if isinstance(value, list) else [value])]
    named = [name for name in named if name]
    if not named:
        raise BadCaseError(f"has no correct_answer, expected one of {', '.join(options)}.")
    letters = [letter for name in named for letter in _letters(name, options)]
    if len(set(letters)) > 1:
        raise BadCaseError(f"has {len(set(letters))} right answers ({', '.join(letters)}), expected one.")
    if Counter(options.values())[options[letters[0]]] > 1:
        raise BadCaseError(f"has a second option with the text of the right one, {letters[0]}.")
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
        f"has the correct_answer {shown(name)}, expected one of {', '.join(options)} or an option's text."
    )


def _snippet(fields: CaseFields, place: CasePlace, *, files: CodeFiles) -> FoundCode | None:
    reference = fields.get("code_snippet_ref")
    if reference is None:
        return None
    named = CaseFields(reference) if isinstance(reference, dict) else CaseFields({"file": reference})
    return files.read(named.needed("file"), folder=place.folder, section=named.text("section") or None)


_NAMES = ("fully_qualified_class_name", "fully_qualified_class_names", "fully_qualified_name", "fqn")


def api_understanding(fields: CaseFields, place: CasePlace, *, files: CodeFiles) -> BuiltCase:  # noqa: ARG001 - one signature
    """Build a case of API understanding."""
    asked = fields.needed(*QUESTION_KEYS)
    entries = tuple(_answers(fields))
    answers = tuple(dict.fromkeys(text for text in (answer.text("answer") for answer in entries) if text))
    if not answers:
        raise BadCaseError("has no answers, expected a list of {answer, fully_qualified_class_name}.")
    targets = dict.fromkeys(name for answer in entries for key in _NAMES for name in answer.texts(key))
    metadata = place.metadata(
        "api_understanding",
        answer_aliases=list(answers[1:]),
        answer_parts=list(fields.texts("answer_parts")),
        source=fields.text("file"),
        answer_is_name=any(name.rpartition(".")[2] == answers[0] for name in targets),
    )
    return BuiltCase(
        Case(
            kind="api_understanding",
            suite=place.suite,
            question=Question(id=place.id, text=asked, answer=answers[0], metadata=metadata),
            where=place.where,
            asked=asked,
            targets=tuple(targets),
            explanation=fields.text("rationale", "explanation"),
        )
    )


def _answers(fields: CaseFields) -> Iterator[CaseFields]:
    value = fields.get("answers")
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield CaseFields(item)
        elif item is not None:
            yield CaseFields({"answer": item})


def fix_error(fields: CaseFields, place: CasePlace, *, files: CodeFiles) -> BuiltCase:
    """Build a case of fix error; the solution and the test may be absent, but not named in vain."""
    asked = fields.needed("description", "question")
    unfixed = files.read(fields.needed("unfixed_file"), folder=place.folder)
    case = Case(
        kind="fix_error",
        suite=place.suite,
        question=Question(id=place.id, text=with_code(asked, unfixed.code), metadata=place.metadata("fix_error")),
        where=place.where,
        asked=asked,
        explanation=fields.text("explanation", "rationale"),
        unfixed=unfixed.code,
        fixed=_named(fields.text("fixed_file"), place, files=files),
        test=_named(fields.text("test_file"), place, files=files),
    )
    return BuiltCase(case, unfixed.path)


def _named(written: str, place: CasePlace, *, files: CodeFiles) -> CodeFile | None:
    return files.read(written, folder=place.folder).code if written else None


def plain_question(fields: CaseFields, place: CasePlace, *, files: CodeFiles) -> BuiltCase:  # noqa: ARG001 - one signature
    """Build a case of plain question."""
    lists = {name: list(fields.texts(name)) for name in ("answer_aliases", "answer_parts")}
    metadata = place.metadata("question", **lists)
    text, answer = fields.needed(*QUESTION_KEYS), fields.text("answer") or None
    return BuiltCase(
        Case(
            kind="question",
            suite=place.suite,
            question=Question(id=place.id, text=text, answer=answer, metadata=metadata),
            where=place.where,
            asked=text,
            targets=fields.texts("targets"),
            explanation=fields.text("explanation", "rationale"),
        )
    )


def with_code(words: str, code: CodeFile | None) -> str:
    """Return the words, and the code below them where there is some."""
    if code is None:
        return words
    return f"{words}\n\n{code_context(code.text, language=language_of_file(code.path) or TEXT).text}"
