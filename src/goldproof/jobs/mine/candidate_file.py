"""`candidates.jsonl`, written and read.

    {"query_id": "adk:04", "query": "...", "answer": "...", "options": {"A": "...", "B": "..."}, "cluster": null,
     "answerable": true, "metadata": {"kind": "multiple_choice", "suite": "adk", ...},
     "candidates": [{"doc_id": "...", "sources": ["target", "bm25"], "title": "...", "text": "...", "metadata": {}}]}

`answer` is the text of the right option where there are options. A question without candidates has an empty list. A
document that is a candidate of several questions is written in full, and the same, with each of them. There are no
labels.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from goldproof.errors import InputError
from goldproof.io.atomic_files import write_hashed
from goldproof.io.cases import Case, Kind
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, JsonObject, json_kind, json_line, read_objects
from goldproof.jobs.mine.records import Candidate
from goldproof.judge.prompts import letter_of
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_FIX = "Fix the line, or write the file again with goldproof mine --candidates-only."
_Listed = list[tuple[Candidate, Document]]
_KINDS = ("multiple_choice", "api_understanding", "fix_error", "question")


@dataclass(frozen=True, slots=True)
class CandidateFile:
    """The content of a candidate file. documents: every candidate once, by id, in the order of the file."""

    cases: tuple[Case, ...]
    candidates: tuple[Candidate, ...]
    documents: Mapping[str, Document]

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions, in the order of the file."""
        return tuple(case.question for case in self.cases)


def write_candidates(
    path: Path | str, cases: Iterable[Case], *, candidates: Iterable[Candidate], documents: Mapping[str, Document]
) -> str:
    """Write the file, whole or not at all; return its sha256. documents: by id, at least those of the candidates."""
    by_question: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        by_question.setdefault(candidate.question, []).append(candidate)
    return write_hashed(Path(path), _lines(cases, by_question, documents))


def _lines(
    cases: Iterable[Case], by_question: Mapping[str, Sequence[Candidate]], documents: Mapping[str, Document]
) -> Iterator[bytes]:
    for case in cases:
        listed = [_candidate_record(candidate, documents) for candidate in by_question.get(case.id, ())]
        yield json_line(_question_record(case) | {"candidates": listed}, where=f"question {case.id!r}")


def _question_record(case: Case) -> dict[str, object]:
    question = case.question
    letters = dict(case.options) or {letter_of(n): text for n, text in enumerate(question.options)}
    return {
        "query_id": question.id,
        "query": question.text,
        "answer": question.answer,
        "options": letters,
        "cluster": question.cluster,
        "answerable": question.answerable,
        "metadata": question.metadata,
    }


def _candidate_record(candidate: Candidate, documents: Mapping[str, Document]) -> dict[str, object]:
    document = documents.get(candidate.document)
    if document is None:
        raise InputError(f"candidate {candidate.document!r} of question {candidate.question!r} is not in the corpus.")
    return {
        "doc_id": document.id,
        "sources": candidate.sources,
        "title": document.title,
        "text": document.text,
        "metadata": document.metadata,
    }


def read_candidates(path: Path | str, diagnostics: Diagnostics | None = None) -> CandidateFile:
    """Read the file; a bad line is an error, or is left out and reported to the diagnostics."""
    path = Path(path)
    diagnostics = diagnostics or Diagnostics(path, hint=_FIX)
    cases: dict[str, Case] = {}
    candidates: list[Candidate] = []
    documents: dict[str, Document] = {}
    for line, record in read_objects(path, diagnostics):
        try:
            case, listed = _parsed(record, where=f"{path}:{line}")
            if case.id in cases:
                raise BadRecordError(f"question {case.id!r} occurs twice.")
            _check_same(listed, documents)
        except BadRecordError as error:
            diagnostics.report(str(error), line=line)
            continue
        cases[case.id] = case
        candidates += (candidate for candidate, _ in listed)
        for _, document in listed:
            documents.setdefault(document.id, document)
    if not cases:
        raise diagnostics.error("holds no questions with candidates.", hint=_FIX)
    return CandidateFile(tuple(cases.values()), tuple(candidates), documents)


def _check_same(listed: _Listed, known: Mapping[str, Document]) -> None:
    for _, document in listed:
        other = known.get(document.id, document)
        if (other.title, other.text) != (document.title, document.text):
            raise BadRecordError(f"document {document.id!r} has another text here than in an earlier line.")


def _parsed(record: JsonObject, *, where: str) -> tuple[Case, _Listed]:
    name = _text(record, "query_id")
    items = record.get("candidates")
    if not isinstance(items, list):
        raise BadRecordError(f"question {name!r}: key 'candidates' is missing or no list.")
    listed = [_listed(item, number, question=name) for number, item in enumerate(items, start=1)]
    for document, count in Counter(document.id for _, document in listed).items():
        if count > 1:
            raise BadRecordError(f"question {name!r}: document {document!r} is a candidate twice.")
    targets = tuple(candidate.document for candidate, _ in listed if "target" in candidate.sources)
    return _case(record, name, targets=targets, where=where), listed


def _case(record: JsonObject, name: str, *, targets: tuple[str, ...], where: str) -> Case:
    metadata = _mapping(record, "metadata")
    options = {letter: text for letter, text in _mapping(record, "options").items() if isinstance(text, str)}
    answer = record.get("answer")
    question = Question(
        id=name,
        text=_text(record, "query"),
        answer=answer if isinstance(answer, str) else None,
        options=tuple(options.values()),
        cluster=None if record.get("cluster") is None else str(record["cluster"]),
        answerable=record.get("answerable") is not False,
        metadata=metadata,
    )
    kind = metadata.get("kind")
    return Case(
        kind=cast("Kind", kind) if kind in _KINDS else "question",
        suite=str(metadata.get("suite", "")),
        question=question,
        where=where,
        options=options,
        key=next((letter for letter, text in options.items() if text == question.answer), None),
        targets=targets,
        gold_kernels=_kernels(metadata.get("gold_kernels")),
    )


def _listed(item: object, number: int, *, question: str) -> tuple[Candidate, Document]:
    about = f"question {question!r}: candidate {number}"
    if not isinstance(item, dict):
        raise BadRecordError(f"{about} is {json_kind(item)}, expected an object with doc_id, sources and text.")
    try:
        name = _text(item, "doc_id")
        text, title = _text(item, "text", empty=True, needed=True), _text(item, "title", empty=True)
        document = Document(name, text=text, title=title, metadata=_mapping(item, "metadata"))
    except BadRecordError as error:
        raise BadRecordError(f"{about}: {error}") from error
    sources = item.get("sources")
    if (
        not isinstance(sources, list)
        or not sources
        or not all(isinstance(source, str) and source for source in sources)
    ):
        raise BadRecordError(f"{about}: key 'sources' is no list of words such as target, bm25, random.")
    return Candidate(question, name, tuple(sources)), document


def _text(record: JsonObject, key: str, *, empty: bool = False, needed: bool = False) -> str:
    value = record.get(key, "" if empty and not needed else None)
    if not isinstance(value, str):
        raise BadRecordError(f"key {key!r} is {'missing' if value is None else json_kind(value)}, expected text.")
    if not value and not empty:
        raise BadRecordError(f"key {key!r} is empty.")
    return value


def _mapping(record: JsonObject, key: str) -> dict[str, Any]:
    value = record.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected an object.")
    return value


def _kernels(value: object) -> tuple[tuple[str, ...], ...]:
    sets = value if isinstance(value, list) else []
    return tuple(tuple(map(str, kernel)) for kernel in sets if isinstance(kernel, list) and kernel)
