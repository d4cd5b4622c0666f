"""Read what a retriever returned, in every usual shape.

The answer to one query may be any iterable of results, or a mapping {id: score}, which is taken by score descending. A
result may be: a `Hit`; an id; a pair (id, score) or triple (id, score, text); a mapping or an object with an id and
perhaps a score and a text; a LangChain `Document` (alone, or in a pair with its score); a LlamaIndex `NodeWithScore`.

The id of a document with metadata is, in this order: its own id, then `_id`, `id`, `doc_id`, `source` of the metadata;
with `id_field` that field alone (of the metadata, else of the object). An id that is a whole number becomes text.

The answer to several queries may be a sequence with one answer per query, a mapping {query: answer}, or a
`RankingTable` whose questions are the queries' texts, or their places in the batch as text ("0", "1", ...).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from numbers import Integral
from typing import Any, NamedTuple, SupportsFloat

from goldproof.errors import kind_of, shown
from goldproof.records.entities import Hit
from goldproof.records.tables import RankingTable
from goldproof.retrieve.document_index import can_be_written
from goldproof.user_code.calls import Answer, FailedAnswer, attempt

EXPECTED = "expected ids, (id, score) pairs, Hits, or dicts with id and score, best first ([] where nothing is found)"
EXPECTED_MANY = "expected one list of results per query, {query: results}, or a RankingTable of the queries"
ID_KEYS = ("doc_id", "id", "_id", "document_id")
METADATA_KEYS = ("_id", "id", "doc_id", "source")
TEXT_KEYS = ("text", "page_content", "content")


class ReturnedDocument(NamedTuple):
    """A document that a retriever returned; score and text are None where it gave none."""

    id: str
    score: float | None = None
    text: str | None = None


def read_documents(returned: object, query: str, *, id_field: str | None = None) -> list[ReturnedDocument]:
    """Return the documents of one answer in its order; FailedAnswer where it cannot be read."""
    if isinstance(returned, Mapping):
        return _of_scores(returned, query)
    is_frame = hasattr(returned, "columns") and hasattr(returned, "shape")  # iterating one gives its column names
    if returned is None or isinstance(returned, str | bytes) or is_frame or not isinstance(returned, Iterable):
        kind = "None" if returned is None else f"{kind_of(returned)} ({shown(returned)})"
        raise FailedAnswer(f"returned {kind} for {shown(query)}; {EXPECTED}.")
    documents = []
    for number, result in enumerate(returned, start=1):
        try:
            documents.append(_document(result, id_field))
        except _UnreadableError as error:
            raise FailedAnswer(f"result {number} for {shown(query)} {error}; {EXPECTED}.") from None
    return documents


def read_many(
    returned: object, queries: tuple[str, ...], *, id_field: str | None = None
) -> list[Answer[list[ReturnedDocument]]]:
    """Return the answer of each query; FailedAnswer where the whole cannot be read."""
    if isinstance(returned, RankingTable):
        return _of_table(returned, queries)
    if isinstance(returned, Mapping):
        lacking = next((query for query in queries if query not in returned), None)
        if lacking is not None:
            raise FailedAnswer(f"search_many returned a mapping without {lacking!r}; {EXPECTED_MANY}.")
        return _read_each(((returned[query], query) for query in queries), id_field)
    if isinstance(returned, str | bytes) or not isinstance(returned, Sequence):
        raise FailedAnswer(f"search_many returned {kind_of(returned)}; {EXPECTED_MANY}.")
    if len(returned) != len(queries):
        raise FailedAnswer(f"search_many returned {len(returned)} answers for {len(queries)} queries; {EXPECTED_MANY}.")
    return _read_each(zip(returned, queries, strict=True), id_field)


def _read_each(answers: Iterable[tuple[Any, str]], id_field: str | None) -> list[Answer[list[ReturnedDocument]]]:
    return [attempt(lambda pair: read_documents(pair[0], pair[1], id_field=id_field), pair) for pair in answers]


def _of_table(table: RankingTable, queries: tuple[str, ...]) -> list[Answer[list[ReturnedDocument]]]:
    documents, scores = table.documents.to_list(), table.scores.tolist()
    bounds = pairwise(table.starts.tolist())
    answers: dict[str, Answer[list[ReturnedDocument]]] = {
        question: Answer(read_documents(zip(documents[low:high], scores[low:high], strict=True), question))
        for question, (low, high) in zip(table.questions.to_list(), bounds, strict=True)
    }
    answers.update({question: Answer(None, reason) for question, reason in table.failed.items()})
    by_place = not any(query in answers for query in queries)
    names = [str(i) for i in range(len(queries))] if by_place else list(queries)
    lacking = next((name for name in names if name not in answers), None)
    if lacking is not None:
        raise FailedAnswer(f"search_many returned a table without {lacking!r}; {EXPECTED_MANY}.")
    return [answers[name] for name in names]


class _UnreadableError(Exception):
    """Why a result cannot be read."""


def _of_scores(returned: Mapping[Any, Any], query: str) -> list[ReturnedDocument]:
    try:
        documents = [ReturnedDocument(_id(key), _score(value)) for key, value in returned.items()]
    except _UnreadableError as error:
        raise FailedAnswer(
            f"returned a mapping for {shown(query)} that {error}; {EXPECTED}, or {{id: score}}."
        ) from None
    if any(document.score is None for document in documents):
        raise FailedAnswer(f"returned a mapping for {shown(query)} without scores; {EXPECTED}, or {{id: score}}.")
    return sorted(documents, key=lambda document: document.score or 0.0, reverse=True)


def _document(result: object, id_field: str | None) -> ReturnedDocument:
    if isinstance(result, Hit):
        return ReturnedDocument(_id(result.doc_id), _score(result.score), result.text)
    if isinstance(result, str | Integral):
        return ReturnedDocument(_id(result))
    if isinstance(result, tuple | list):
        return _of_pair(result, id_field)
    if isinstance(result, Mapping):
        return _of_mapping(result, id_field)
    return _of_object(result, id_field)


def _of_pair(pair: tuple[Any, ...] | list[Any], id_field: str | None) -> ReturnedDocument:
    if len(pair) not in (2, 3):
        raise _UnreadableError(f"is {kind_of(pair)} of {len(pair)} ({shown(pair)})")
    if isinstance(pair[0], str | Integral):
        text = pair[2] if len(pair) == 3 and isinstance(pair[2], str) else None
        return ReturnedDocument(_id(pair[0]), _score(pair[1]), text)
    if isinstance(pair[0], float | list | tuple) or pair[0] is None:
        raise _UnreadableError(f"begins with {kind_of(pair[0])} ({shown(pair)}), not with an id")
    return _document(pair[0], id_field)._replace(score=_score(pair[1]))


def _of_mapping(result: Mapping[Any, Any], id_field: str | None) -> ReturnedDocument:
    metadata = result.get("metadata")
    inner = metadata if isinstance(metadata, Mapping) else {}
    doc_id = _first(result, ID_KEYS) if id_field is None else inner.get(id_field, result.get(id_field))
    if doc_id is None and id_field is None:
        doc_id = _first(inner, METADATA_KEYS)
    if doc_id is None:
        wanted = "id, doc_id or _id" if id_field is None else id_field
        raise _UnreadableError(f"has no {wanted} (its keys: {shown(list(result))})")
    text = _first(result, TEXT_KEYS)
    return ReturnedDocument(_id(doc_id), _score(result.get("score")), text if isinstance(text, str) else None)


def _of_object(result: object, id_field: str | None) -> ReturnedDocument:
    """Read a LangChain document, a LlamaIndex node, or any object with an id."""
    node = getattr(result, "node", None)
    if node is not None:
        return ReturnedDocument(_node_id(node, id_field), _score(getattr(result, "score", None)), _text(node))
    if id_field is not None:
        doc_id = _field(result, id_field)
    else:
        doc_id = next((value for key in ID_KEYS if (value := getattr(result, key, None)) is not None), None)
        doc_id = _first(_metadata(result), METADATA_KEYS) if doc_id is None else doc_id
    if doc_id is None:
        raise _UnreadableError(f"is {kind_of(result)} without an id ({_looked_for(result, id_field)})")
    return ReturnedDocument(_id(doc_id), _score(getattr(result, "score", None)), _text(result))


def _node_id(node: object, id_field: str | None) -> str:
    doc_id = getattr(node, "node_id", None) if id_field is None else _field(node, id_field)
    if doc_id is None:
        raise _UnreadableError(f"is a node without an id ({_looked_for(node, id_field)})")
    return _id(doc_id)


def _field(result: object, name: str) -> object:
    value = _metadata(result).get(name)
    return getattr(result, name, None) if value is None else value


def _metadata(result: object) -> Mapping[Any, Any]:
    metadata = getattr(result, "metadata", None)
    return metadata if isinstance(metadata, Mapping) else {}


def _looked_for(result: object, id_field: str | None) -> str:
    keys = shown(sorted(map(str, _metadata(result))))
    if id_field is not None:
        return f"no {id_field!r} in its metadata or attributes; metadata: {keys}"
    return f"neither .id nor _id, id, doc_id or source in its metadata: {keys}; name the field with id_field"


def _text(result: object) -> str | None:
    for key in TEXT_KEYS:
        if isinstance(text := getattr(result, key, None), str):
            return text
    return None


def _first(values: Mapping[Any, Any], keys: tuple[str, ...]) -> object:
    return next((values[key] for key in keys if values.get(key) is not None), None)


def _id(value: object) -> str:
    if isinstance(value, str) and value:
        if not can_be_written(value):
            raise _UnreadableError(f"has the id {shown(value)}, which UTF-8 cannot hold")
        return str(value)
    if value is not True and value is not False and isinstance(value, Integral):
        return str(int(value))
    raise _UnreadableError(f"has {kind_of(value)} ({shown(value)}) for an id")


def _score(value: object) -> float | None:
    if value is None:
        return None
    if type(value) is float:  # nearly always; asking for a protocol costs ten times as much
        score = value
    elif isinstance(value, bool | str | bytes) or not isinstance(value, SupportsFloat):
        raise _UnreadableError(f"has {kind_of(value)} ({shown(value)}) for a score")
    else:
        score = float(value)
    if not math.isfinite(score):
        raise _UnreadableError(f"has the score {score}")
    return score
