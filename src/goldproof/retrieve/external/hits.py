"""Read what a retriever returned, in every usual shape.

An item may be: a `Hit`; an id; a pair (id, score) or triple (id, score, text); a mapping or an object with an id and
perhaps a score and a text; a LangChain `Document` (alone, or in a pair with its score); a LlamaIndex `NodeWithScore`.
The whole may be any iterable of these, or a mapping {id: score}, which is taken by score descending.

The id of a document with metadata is, in this order: its own id, then `_id`, `id`, `doc_id`, `source` of the metadata;
with `id_field` that field alone (of the metadata, else of the object). An id that is a whole number becomes text.

It may be a sequence with one answer per query, a mapping {query: answer}, or a `RankingTable` whose questions are the
queries' texts, or their places in the batch as text ("0", "1", ...).
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
from goldproof.retrieve.parallel import Answer, FailedAnswer, attempt

EXPECTED = "expected ids, (id, score) pairs, Hits, or dicts with id and score, best first ([] where nothing is found)"
ID_KEYS = ("doc_id", "id", "_id", "document_id")
METADATA_KEYS = ("_id", "id", "doc_id", "source")
TEXT_KEYS = ("text", "page_content", "content")


class Item(NamedTuple):
    """One returned document; score is None where none came with it."""

    id: str
    score: float | None = None
    text: str | None = None


def read_items(returned: object, query: str, *, id_field: str | None = None) -> list[Item]:
    """Return the documents in the order in which they came; anything unreadable fails the query."""
    if isinstance(returned, Mapping):
        return _of_scores(returned, query)
    is_frame = hasattr(returned, "columns") and hasattr(returned, "shape")  # iterating one gives its column names
    if returned is None or isinstance(returned, str | bytes) or is_frame or not isinstance(returned, Iterable):
        came = "None" if returned is None else f"{kind_of(returned)} ({shown(returned)})"
        raise FailedAnswer(f"returned {came} for {shown(query)}; {EXPECTED}.")
    items = []
    for number, one in enumerate(returned, start=1):
        try:
            items.append(_item(one, id_field))
        except _UnreadableError as error:
            raise FailedAnswer(f"result {number} for {shown(query)} {error}; {EXPECTED}.") from None
    return items


class _UnreadableError(Exception):
    """Why an item cannot be read."""


def _of_scores(returned: Mapping[Any, Any], query: str) -> list[Item]:
    try:
        items = [Item(_id(key), _score(value)) for key, value in returned.items()]
    except _UnreadableError as error:
        raise FailedAnswer(
            f"returned a mapping for {shown(query)} that {error}; {EXPECTED}, or {{id: score}}."
        ) from None
    if any(item.score is None for item in items):
        raise FailedAnswer(f"returned a mapping for {shown(query)} without scores; {EXPECTED}, or {{id: score}}.")
    return sorted(items, key=lambda item: item.score or 0.0, reverse=True)


def _item(one: object, id_field: str | None) -> Item:
    if isinstance(one, Hit):
        return Item(_id(one.doc_id), _score(one.score), one.text)
    if isinstance(one, str | Integral):
        return Item(_id(one))
    if isinstance(one, tuple | list):
        return _of_pair(one, id_field)
    if isinstance(one, Mapping):
        return _of_mapping(one, id_field)
    return _of_object(one, id_field)


def _of_pair(pair: tuple[Any, ...] | list[Any], id_field: str | None) -> Item:
    if len(pair) not in (2, 3):
        raise _UnreadableError(f"is {kind_of(pair)} of {len(pair)} ({shown(pair)})")
    if isinstance(pair[0], str | Integral):
        text = pair[2] if len(pair) == 3 and isinstance(pair[2], str) else None
        return Item(_id(pair[0]), _score(pair[1]), text)
    if isinstance(pair[0], float | list | tuple) or pair[0] is None:
        raise _UnreadableError(f"begins with {kind_of(pair[0])} ({shown(pair)}), not with an id")
    return _item(pair[0], id_field)._replace(score=_score(pair[1]))


def _of_mapping(one: Mapping[Any, Any], id_field: str | None) -> Item:
    metadata = one.get("metadata")
    inner = metadata if isinstance(metadata, Mapping) else {}
    found = _first(one, ID_KEYS) if id_field is None else inner.get(id_field, one.get(id_field))
    if found is None and id_field is None:
        found = _first(inner, METADATA_KEYS)
    if found is None:
        wanted = "id, doc_id or _id" if id_field is None else id_field
        raise _UnreadableError(f"has no {wanted} (its keys: {shown(list(one))})")
    text = _first(one, TEXT_KEYS)
    return Item(_id(found), _score(one.get("score")), text if isinstance(text, str) else None)


def _of_object(one: object, id_field: str | None) -> Item:
    """Read a LangChain document, a LlamaIndex node, or any object with an id."""
    node = getattr(one, "node", None)
    if node is not None:
        return Item(_node_id(node, id_field), _score(getattr(one, "score", None)), _text(node))
    if id_field is not None:
        found = _field(one, id_field)
    else:
        found = next((value for key in ID_KEYS if (value := getattr(one, key, None)) is not None), None)
        found = _first(_metadata(one), METADATA_KEYS) if found is None else found
    if found is None:
        raise _UnreadableError(f"is {kind_of(one)} without an id ({_looked_for(one, id_field)})")
    return Item(_id(found), _score(getattr(one, "score", None)), _text(one))


def _node_id(node: object, id_field: str | None) -> str:
    found = getattr(node, "node_id", None) if id_field is None else _field(node, id_field)
    if found is None:
        raise _UnreadableError(f"is a node without an id ({_looked_for(node, id_field)})")
    return _id(found)


def _field(one: object, name: str) -> object:
    found = _metadata(one).get(name)
    return getattr(one, name, None) if found is None else found


def _metadata(one: object) -> Mapping[Any, Any]:
    metadata = getattr(one, "metadata", None)
    return metadata if isinstance(metadata, Mapping) else {}


def _looked_for(one: object, id_field: str | None) -> str:
    keys = shown(sorted(map(str, _metadata(one))))
    if id_field is not None:
        return f"no {id_field!r} in its metadata or attributes; metadata: {keys}"
    return f"neither .id nor _id, id, doc_id or source in its metadata: {keys}; name the field with id_field"


def _text(one: object) -> str | None:
    for key in TEXT_KEYS:
        if isinstance(text := getattr(one, key, None), str):
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


EXPECTED_MANY = "expected one list of results per query, {query: results}, or a RankingTable of the queries"


def read_many(returned: object, queries: tuple[str, ...], *, id_field: str | None = None) -> list[Answer[list[Item]]]:
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


def _read_each(answers: Iterable[tuple[Any, str]], id_field: str | None) -> list[Answer[list[Item]]]:
    return [attempt(lambda pair: read_items(pair[0], pair[1], id_field=id_field), pair) for pair in answers]


def _of_table(table: RankingTable, queries: tuple[str, ...]) -> list[Answer[list[Item]]]:
    documents, scores = table.documents.to_list(), table.scores.tolist()
    bounds = pairwise(table.starts.tolist())
    known: dict[str, Answer[list[Item]]] = {
        question: Answer(read_items(zip(documents[low:high], scores[low:high], strict=True), question))
        for question, (low, high) in zip(table.questions.to_list(), bounds, strict=True)
    }
    known.update({question: Answer(None, reason) for question, reason in table.failed.items()})
    by_place = not any(query in known for query in queries)
    names = [str(i) for i in range(len(queries))] if by_place else list(queries)
    lacking = next((name for name in names if name not in known), None)
    if lacking is not None:
        raise FailedAnswer(f"search_many returned a table without {lacking!r}; {EXPECTED_MANY}.")
    return [known[name] for name in names]
