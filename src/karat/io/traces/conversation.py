"""One conversation as JSON, and what of it counts.

    {"conversation_id": "c1", "cluster": "news", "turns": [{"question": "...", "question_id": "q1", "iterations": [
        {"searches": [{"query": "...", "results": [{"id": "d1", "url": "...", "gain": 3, ...}]}]}]}]}

Only the last turn is read. An iteration without searches was no search and is dropped; a search that found nothing
counts. A search with an `error` failed and has no results; a conversation with an `error` failed as a whole. Without
turns, or without a search in the last, a conversation has no iterations. Lists that stand where nobody would look for
them (results of an iteration, searches of a turn) are refused: to pass over them would make nothing of something.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from karat.io.columns import ALIASES, find_key, shown_names
from karat.io.jsonl import BadRecordError, JsonObject, get_failure, json_kind

CONVERSATION_KEYS = (*ALIASES["conversation"], "id")


@dataclass(slots=True)
class Conversation:
    """The last turn of a conversation; its results are one list, cut by `counts`.

    iterations: how many searches each has; numbers: which iteration of the file each is, from 1. queries, counts: by
    search. failed_searches: positions.
    """

    id: str
    cluster: str | None = None
    question: str | None = None
    text: str | None = None
    failure: str | None = None
    iterations: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    queries: list[str | None] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    failed_searches: list[int] = field(default_factory=list)
    results: list[object] = field(default_factory=list)

    def place(self, result: int) -> str:
        """Say where a result stands."""
        searches = ((i, s) for i, n in zip(self.numbers, self.iterations, strict=True) for s in range(1, n + 1))
        for (iteration, search), count in zip(searches, self.counts, strict=True):
            if result < count:
                return f"iteration {iteration}, search {search}, result {result + 1}"
            result -= count
        raise IndexError(result)


def read_conversation(record: JsonObject) -> Conversation:
    """Take the last turn of a conversation; `BadRecordError` says what is wrong with it."""
    found = Conversation(conversation_id(record), failure=get_failure(record))
    found.cluster = _optional_id(record, "cluster")
    _add_question(found, record)
    turns = [] if found.failure is not None else _turns(record)
    if turns:
        try:
            _add_turn(found, _object(turns[-1]))
        except BadRecordError as error:
            raise BadRecordError(f"turn {len(turns)}: {error}" if len(turns) > 1 else str(error)) from error
    return found


def conversation_id(record: JsonObject) -> str:
    """Return the id of a conversation: text, or a whole number as text."""
    key = find_key(record, "conversation") or ("id" if "id" in record else None)
    if key is None:
        raise BadRecordError(f"no key {CONVERSATION_KEYS[0]!r} (found {shown_names(list(record)) or 'no key'}).")
    name = _id(record[key], key)
    if name is None:
        raise BadRecordError(f"key {key!r} is {'empty' if record[key] == '' else 'null'}, expected an id.")
    return name


def _turns(record: JsonObject) -> list[object]:
    if "turns" not in record:
        raise BadRecordError(
            f"no key 'turns' (found {shown_names(list(record))}), expected a list of turns, [] where there was none."
        )
    return _list(record, "turns")


def _add_turn(found: Conversation, turn: JsonObject) -> None:
    _add_question(found, turn)
    _refuse_stray(turn, "searches", within="iterations")
    for number, iteration in enumerate(_list(turn, "iterations"), start=1):
        _add_iteration(found, iteration, number)


def _add_question(found: Conversation, record: JsonObject) -> None:
    """Take what is said of the question; a turn's own word counts more than the conversation's."""
    found.question = _optional_id(record, "question_id") or found.question
    found.text = _optional_text(record, "question_text") or found.text


def _add_iteration(found: Conversation, iteration: object, number: int) -> None:
    try:
        record = _object(iteration)
        searches = _list(record, "searches")
        if not searches:
            _refuse_stray(record, "results", within="searches")
            return
    except BadRecordError as error:
        raise BadRecordError(f"iteration {number}: {error}") from error
    before = len(found.queries)
    try:
        for search in searches:
            _add_search(found, _object(search))
    except BadRecordError as error:
        raise BadRecordError(f"iteration {number}, search {len(found.queries) - before + 1}: {error}") from error
    found.iterations.append(len(searches))
    found.numbers.append(number)


def _add_search(found: Conversation, search: JsonObject) -> None:
    key = find_key(search, "results")
    failure = get_failure(search)
    results = None if key is None else search[key]
    if failure is not None:
        if results:
            raise BadRecordError(f"has both an error ({failure[:60]!r}) and {key!r}: did the search fail or not?")
        results = []
    if not isinstance(results, list):
        what = "no key 'results'" if key is None else f"key {key!r} is {json_kind(results)}"
        raise BadRecordError(f"{what}, expected a list: [] where nothing was found.")
    query = _optional_text(search, "search_query")
    if failure is not None:
        found.failed_searches.append(len(found.queries))
    found.queries.append(query)
    found.counts.append(len(results))
    found.results += results


def _object(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise BadRecordError(f"is {json_kind(value)}, expected an object.")
    return value


def _list(record: JsonObject, key: str) -> list[object]:
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected a list.")
    return value


def _refuse_stray(record: JsonObject, key: str, *, within: str) -> None:
    """Refuse a list that stands one level too high."""
    if record.get(key) and not record.get(within):
        raise BadRecordError(f"has {key!r} of its own, expected them within {within!r}.")


def _optional_text(record: JsonObject, role: str) -> str | None:
    key = find_key(record, role)
    value = None if key is None else record[key]
    if value is None or isinstance(value, str):
        return value or None
    raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text.")


def _optional_id(record: JsonObject, role: str) -> str | None:
    key = find_key(record, role)
    return None if key is None else _id(record[key], key)


def _id(value: object, key: str) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text or a whole number.")
