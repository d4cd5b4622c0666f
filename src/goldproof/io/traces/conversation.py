"""One conversation as JSON, with misplaced levels refused.

    {"conversation_id": "c1", "cluster": "news", "turns": [{"question": "...", "question_id": "q1", "iterations": [
        {"searches": [{"query": "...", "results": [{"id": "d1", "url": "...", "gain": 3, ...}]}]}]}]}

Only the last turn is read. An iteration without searches was no search and is dropped; a search that found nothing
counts. A search with an `error` failed and has no results; an iteration with an `error` and no searches is one search
that failed. A conversation with an `error` failed as a whole, and so did one whose last turn has an `error` and no
searches. Without turns, or without a search in the last, a conversation has no iterations. Of several names for one
role, the first that has a value counts.

A conversation has `turns`, a turn `iterations`, an iteration `searches`, a search `results`. A list of one level is
never read from the level above, so it is refused there. Where a level is missing or empty, so is a list of objects
under nearly its name, under the name of another level, or, in an iteration or search, under a name of results: skipped
silently, it would look like an agent that did not search. Every other key is ignored: logs hold messages, thoughts,
calls of tools, and documents that the user sent.

A near name begins with the same letter: `citations` and `observations` are no `iterations`. Where the level itself is
there and empty, only a very near one counts: `search` for `searches`, but not `raw_results` for `results`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from goldproof.errors import shown
from goldproof.io.columns import ALIASES, find_key, normal_name, shown_names
from goldproof.io.json_files import BadRecordError, JsonObject, get_failure, json_kind
from goldproof.io.traces.results import has_value

CONVERSATION_KEYS = (*ALIASES["conversation"], "id")
_BELOW = {"turns": "iterations", "iterations": "searches", "searches": "results"}
_LEVELS = frozenset(_BELOW.values())
_NEAR = 0.7
_VERY_NEAR = 0.85


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
        """Return the position of a result in words."""
        searches = ((i, s) for i, n in zip(self.numbers, self.iterations, strict=True) for s in range(1, n + 1))
        for (iteration, search), count in zip(searches, self.counts, strict=True):
            if result < count:
                return f"iteration {iteration}, search {search}, result {result + 1}"
            result -= count
        raise IndexError(result)


def read_conversation(record: JsonObject) -> Conversation:
    """Read the last turn of a conversation; `BadRecordError` says what is wrong with it."""
    conversation = Conversation(conversation_id(record), failure=get_failure(record))
    conversation.cluster = _optional_id(record, "cluster")
    _add_question(conversation, record)
    if conversation.failure is not None:
        return conversation
    turns = _turns(record)
    if turns:
        try:
            _add_turn(conversation, _object(turns[-1]))
        except BadRecordError as error:
            raise BadRecordError(f"turn {len(turns)}: {error}" if len(turns) > 1 else str(error)) from error
    return conversation


def conversation_id(record: JsonObject) -> str:
    """Return the id of a conversation: text, or a whole number as text."""
    key = _key(record, "conversation")
    if "id" in record and (key is None or not has_value(record[key])):
        key = "id"
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
    return _level(record, "turns")


def _add_turn(conversation: Conversation, turn: JsonObject) -> None:
    _add_question(conversation, turn)
    failure = get_failure(turn)
    for number, iteration in enumerate(_level(turn, "iterations"), start=1):
        _add_iteration(conversation, iteration, number)
    if failure is not None and conversation.iterations:
        raise _failed_or_not(failure, has="searches")
    conversation.failure = failure


def _add_question(conversation: Conversation, record: JsonObject) -> None:
    """Read the question's id and text; the turn's own count more than the conversation's."""
    conversation.question = _optional_id(record, "question_id") or conversation.question
    conversation.text = _optional_text(record, "question_text") or conversation.text


def _add_iteration(conversation: Conversation, iteration: object, number: int) -> None:
    try:
        record = _object(iteration)
        searches = _level(record, "searches")
        failure = get_failure(record)
        if failure is not None and searches:
            raise _failed_or_not(failure, has="'searches'")
    except BadRecordError as error:
        raise BadRecordError(f"iteration {number}: {error}") from error
    if failure is not None:
        searches = [{"error": failure}]
    if not searches:
        return
    before = len(conversation.queries)
    try:
        for search in searches:
            _add_search(conversation, _object(search))
    except BadRecordError as error:
        raise BadRecordError(f"iteration {number}, search {len(conversation.queries) - before + 1}: {error}") from error
    conversation.iterations.append(len(searches))
    conversation.numbers.append(number)


class _SearchKeys(NamedTuple):
    """The keys of a search by role."""

    results: str | None
    query: str | None
    error: str | None


@lru_cache(maxsize=1024)  # the searches of a file mostly have the same keys
def _search_keys(keys: tuple[str, ...]) -> _SearchKeys:
    record = dict.fromkeys(keys)
    return _SearchKeys(*(find_key(record, role) for role in ("results", "search_query", "error")))


def _add_search(conversation: Conversation, search: JsonObject) -> None:
    key, query_key, error_key = _search_keys(tuple(search))
    if (key and search[key] is None) or (query_key and not search[query_key]):
        key, query_key = _key(search, "results"), _key(search, "search_query")
    failure = None if error_key is None else get_failure(search)
    results = None if key is None else search[key]
    if failure is not None:
        if results:
            raise BadRecordError(f"has both an error ({shown(failure)}) and {key!r}: did the search fail or not?")
        results = []
    if not results:
        refuse_unread(search, "results", used=key)
    if not isinstance(results, list):
        problem = "no key 'results'" if key is None else f"key {key!r} is {json_kind(results)}"
        raise BadRecordError(f"{problem}, expected a list: [] where nothing was found.")
    query = None if query_key is None else _text(search[query_key], query_key)
    if failure is not None:
        conversation.failed_searches.append(len(conversation.queries))
    conversation.queries.append(query)
    conversation.counts.append(len(results))
    conversation.results += results


def _object(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise BadRecordError(f"is {json_kind(value)}, expected an object.")
    return value


def _level(record: JsonObject, key: str) -> list[object]:
    """Return the list of a level, empty where there is none and nothing that looks like it."""
    refuse_misplaced(record, key)
    value = record.get(key)
    if value is None or value == []:
        refuse_unread(record, key)
        return []
    if not isinstance(value, list):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected a list.")
    return value


def _failed_or_not(failure: str, *, has: str) -> BadRecordError:
    where = "an error belongs to the search that failed, or to the conversation if all of it did"
    return BadRecordError(f"has both an error ({shown(failure)}) and {has}: {where}.")


def _key(record: JsonObject, role: str) -> str | None:
    """Return the first key of a role that has a value, else the first of the role."""
    key = find_key(record, role)
    if key is None or has_value(record[key]):
        return key
    return find_key({name: value for name, value in record.items() if has_value(value)}, role) or key


def _optional_text(record: JsonObject, role: str) -> str | None:
    key = _key(record, role)
    return None if key is None else _text(record[key], key)


def _text(value: object, key: str) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text.")


def _optional_id(record: JsonObject, role: str) -> str | None:
    key = _key(record, role)
    return None if key is None else _id(record[key], key)


def _id(value: object, key: str) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text or a whole number.")


def refuse_misplaced(record: JsonObject, level: str) -> None:
    """Refuse a list that belongs within a level but stands beside it."""
    below = _BELOW[level]
    inner = record.get(below)
    if inner and isinstance(inner, list | dict):
        raise BadRecordError(f"has {below!r} of its own, expected them within {level!r}.")


def refuse_unread(record: JsonObject, level: str, *, used: str | None = None) -> None:
    """Refuse a list that an empty level seems to mean. used: the key that is read, if not the level."""
    for key, value in record.items():
        if key in (level, used) or not isinstance(value, list) or not value:
            continue
        name = normal_name(key)
        if level == "results" and name in ALIASES["results"]:
            raise BadRecordError(f"key {used or level!r} is empty, but {key!r} is not: which are the results?")
        if not all(isinstance(each, dict) for each in value):
            continue
        if name != level and (name in _LEVELS or (level == "searches" and name in ALIASES["results"])):
            raise BadRecordError(f"has {key!r}, but no {level!r}: expected the levels {_path(level)}.")
        if _is_near(name, level, cutoff=_VERY_NEAR if level in record else _NEAR):
            raise BadRecordError(f"has {key!r}, but no {level!r}; did you mean {level!r}?")


def _is_near(name: str, level: str, *, cutoff: float) -> bool:
    return name[:1] == level[:1] and SequenceMatcher(None, name, level).ratio() >= cutoff


def _path(level: str) -> str:
    """Return the levels from one down."""
    levels = ["turns", *_BELOW.values()]
    return " > ".join(levels[levels.index(level) :])
