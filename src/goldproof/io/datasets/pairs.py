"""`retrieval_dataset.yaml`: questions with the contexts that answer them and those that do not.

    pairs:
      - id: "fix_errors:01"
        query: "How do I create a minimal LlmAgent?"
        positive_ctxs: [{fqn: "google.adk.agents.LlmAgent", text: "..."}]
        partial_ctxs: [{fqn: "google.adk.tools.FunctionTool", text: "..."}]     # optional
        negative_ctxs: [{fqn: "google.adk.plugins.RetryPlugin", text: "..."}]
        kernels: [["google.adk.agents.LlmAgent"]]     # optional
        answerable: true                              # optional
        cluster: "fix_errors"                         # optional

A positive has grade 1 unless it carries a `grade` (2: sufficient alone, 1: partial), and so has a partial; a negative
has grade 0. A document of a kernel that no context lists gets grade 1: it is part of an answer. A negative in a kernel
is a contradiction. A pair with negatives only is a question without a relevant document. One with nothing at all must
be unanswerable, or have a `status` (as `goldproof mine` writes it): nothing is known of it then, and it is not judged.
Scalars other than true, false and null are text: `id: 01` is "01".
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from goldproof.io.datasets.beir import parse_answerable, parse_kernels
from goldproof.io.json_files import BadRecordError, JsonObject, get_id
from goldproof.io.values import BadValueError, parse_grade
from goldproof.io.yaml_files import line_of, load_yaml
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics

_KEYS = ("id", "query", "positive_ctxs", "partial_ctxs", "negative_ctxs", "kernels", "answerable", "cluster")
_NEAR = 0.8


@dataclass(frozen=True, slots=True)
class Pair:
    """One question of the file with its grades, kernels and documents."""

    question: Question
    grades: dict[str, int]
    kernels: tuple[tuple[str, ...], ...]
    documents: tuple[Document, ...]


def read_pairs(path: Path, diagnostics: Diagnostics) -> tuple[Pair, ...]:
    """Read the pairs of a file."""
    content = load_yaml(path, diagnostics)
    pairs = content.get("pairs") if isinstance(content, dict) else None
    if not isinstance(pairs, list):
        raise diagnostics.error(
            "has no list 'pairs'.", hint="Expected pairs: with id, query and positive_ctxs in each."
        )
    if not pairs:
        raise diagnostics.error("holds no pairs.", hint="Was it cut off, or never written?")
    result: dict[str, Pair] = {}
    for position, record in enumerate(pairs, start=1):
        line = line_of(record)
        try:
            pair = _pair(record, position)
        except BadRecordError as error:
            diagnostics.report(str(error), line=line, hint="Fix the pair.")
            continue
        if pair.question.id in result:
            diagnostics.report(f"pair {pair.question.id!r} occurs twice.", line=line, hint="Give one another id.")
        result.setdefault(pair.question.id, pair)
    return tuple(result.values())


def _pair(record: object, position: int) -> Pair:
    if not isinstance(record, dict):
        raise BadRecordError(f"pair {position} is not a mapping, expected id, query and positive_ctxs.")
    name = _text_of(record, "id", where=f"pair {position}")
    if not name:
        raise BadRecordError(f"pair {position} has no id.")
    where = f"pair {name!r}"
    _refuse_misspelt(record, where)
    relevant = [*_contexts(record, "positive_ctxs", where), *_contexts(record, "partial_ctxs", where)]
    negatives = _contexts(record, "negative_ctxs", where)
    try:
        kernels = parse_kernels(record["kernels"]) if record.get("kernels") is not None else ()
        answerable = parse_answerable(record.get("answerable", True))
    except BadRecordError as error:
        raise BadRecordError(f"{where}: {error}") from error
    grades = _grades(relevant, negatives, kernels=kernels, where=where)
    if not answerable and any(grade > 0 for grade in grades.values()):
        raise BadRecordError(f"{where} is marked unanswerable but has positive contexts or kernels.")
    if answerable and not grades and not _text_of(record, "status", where=where):
        raise BadRecordError(
            f"{where} has no context and no kernel, so nothing can be found for it; if that is right, mark it "
            "answerable: false."
        )
    question = Question(
        id=name,
        text=_text_of(record, "query", where=where),
        answer=_text_of(record, "answer", where=where) or None,
        options=_options(record),
        cluster=_text_of(record, "cluster", where=where) or None,
        answerable=answerable,
        metadata=_metadata(record),
    )
    return Pair(question, grades, kernels, tuple(_document(context) for context in (*relevant, *negatives)))


def _document(context: JsonObject) -> Document:
    text, title = (str(context.get(key) or "") for key in ("text", "title"))
    return Document(id=str(context["fqn"]), text=text, title=title)


def _refuse_misspelt(record: JsonObject, where: str) -> None:
    """Refuse a key that is close to a missing key of ours; other keys are the user's own."""
    free = [key for key in _KEYS if key not in record]
    for key in record:
        near = get_close_matches(str(key), free, n=1, cutoff=_NEAR) if key not in _KEYS else []
        if near:
            raise BadRecordError(f"{where}: unknown key {key!r}; did you mean {near[0]!r}?")


def _text_of(record: JsonObject, key: str, *, where: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRecordError(f"{where}: {key} is not text; put it in quotes.")
    return value


def _metadata(record: JsonObject) -> JsonObject:
    metadata = record.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _options(record: JsonObject) -> tuple[str, ...]:
    """Return the options of the question; a key of that name with other things in it is the user's own."""
    options = record.get("options")
    texts = [option for option in options if isinstance(option, str)] if isinstance(options, list) else []
    return tuple(texts) if isinstance(options, list) and len(texts) == len(options) else ()


def _contexts(record: JsonObject, key: str, where: str) -> list[JsonObject]:
    contexts = record.get(key)
    if contexts is None:
        return []
    if not isinstance(contexts, list):
        raise BadRecordError(f"{where}: {key} is not a list.")
    for position, context in enumerate(contexts, start=1):
        if not isinstance(context, dict) or not isinstance(context.get("fqn"), str) or not context["fqn"]:
            raise BadRecordError(f"{where}: {key} {position} has no fqn.")
    return contexts


def _grades(
    relevant: list[JsonObject],
    negatives: list[JsonObject],
    *,
    kernels: tuple[tuple[str, ...], ...],
    where: str,
) -> dict[str, int]:
    grades: dict[str, int] = {}
    for context, default in [*((c, 1) for c in relevant), *((c, 0) for c in negatives)]:
        document = get_id(context, "document")
        if document in grades:
            raise BadRecordError(f"{where}: {document!r} is listed twice among the contexts.")
        grades[document] = _grade(context, default, where=f"{where}, {document!r}")
    for document in (d for kernel in kernels for d in kernel):
        if grades.setdefault(document, 1) <= 0:
            raise BadRecordError(f"{where}: {document!r} is in a kernel and so cannot be a negative.")
    return grades


def _grade(context: JsonObject, default: int, *, where: str) -> int:
    if "grade" not in context:
        return default
    try:
        grade = parse_grade(context["grade"])
    except BadValueError as error:
        raise BadRecordError(f"{where}: {error}.") from error
    if (grade > 0) != (default > 0):
        side = "positive" if default else "negative"
        raise BadRecordError(f"{where}: grade {grade} does not fit a {side} context.")
    return grade
