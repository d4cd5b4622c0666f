"""Steps of DeepResearcher's search agent, as a JSON list or as JSON lines.

    {"idx": 0, "total_number": 1, "question": "...", "think": "...", "tool_call": {"name": "web_search", ...},
     "content": [{"search_query": "...", "web_page_info_list": [{"url": ..., "title": ..., "quick_summary": ...}]}]}

`idx` says which of the `total_number` questions that were asked at the same time a step belongs to, so the steps of one
`idx` and `question` are the iterations of one conversation, in the order in which they stand. It is called
`idx: question`; its question id is the question itself. A step is an iteration where its tool call is a `web_search` or
its content holds a list of pages; a step that opened a page is none. A query that was asked and is not in the content
found nothing, which counts. The format has no labels. Steps of different questions may take turns, so the whole file is
read at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from goldproof.io.json_files import BadRecordError, NumberedRecord, json_kind, read_objects
from goldproof.io.text_files import read_blocks, read_head
from goldproof.io.traces.json_lines import conversation_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.file_layout import Sniffed
    from goldproof.io.json_files import JsonObject
    from goldproof.records.traces import TraceTable

_PAGES = "web_page_info_list"
_SEARCH = "web_search"
_SPOILT = "spoilt"


def is_step(record: JsonObject) -> bool:
    """Return whether an object is a step."""
    return {"question", "tool_call", "content"} <= record.keys()


def holds_steps(path: Path) -> bool:
    """Return whether a JSON document looks like a list of steps."""
    head = read_head(path)
    ways = (("content", _PAGES), ("content", "tool_call", "question"))  # the first step may be long, or empty
    return head.lstrip().startswith(b"[") and any(all(f'"{key}"'.encode() in head for key in keys) for keys in ways)


def read_steps(
    path: Path, diagnostics: Diagnostics, *, sniffed: Sniffed, results_per_batch: int
) -> Iterator[TraceTable]:
    """Read conversations from steps."""
    unit = "line" if sniffed.format == "jsonl" else "step"

    def refuse(step: NumberedRecord, error: BadRecordError) -> None:
        where = "" if unit == "line" else f"step {step.number}: "
        diagnostics.report(f"{where}{error}", line=step.number if unit == "line" else None, unit="step")

    steps = read_objects(path, diagnostics) if unit == "line" else _listed(path, diagnostics)
    conversations: dict[str, NumberedRecord] = {}
    for step in steps:
        try:
            _add(conversations, step)
        except BadRecordError as error:
            refuse(step, error)
    whole = (known for known in conversations.values() if _SPOILT not in known.record)
    yield from conversation_tables(whole, refuse, unit=unit, results_per_batch=results_per_batch)


def _listed(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    data = b"".join(block.data for block in read_blocks(path))
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise diagnostics.error(f"is not JSON ({error.msg}).", line=error.lineno) from error
    for number, step in enumerate(document if isinstance(document, list) else [document], start=1):
        if not isinstance(step, dict):
            diagnostics.report(f"step {number}: is {json_kind(step)}, expected an object.", line=None, unit="step")
            continue
        yield NumberedRecord(number, step)


def _add(conversations: dict[str, NumberedRecord], step: NumberedRecord) -> None:
    """Add a step to its conversation; one that is bad spoils it, since the rest would give a wrong number."""
    question = _question(step.record)
    name = f"{step.record.get('idx', 0)}: {question}"
    turn: JsonObject = {"question": question, "question_id": question, "iterations": []}
    known = conversations.setdefault(name, NumberedRecord(step.number, {"conversation_id": name, "turns": [turn]}))
    try:
        searches = _searches(step.record)
    except BadRecordError:
        known.record[_SPOILT] = True
        raise
    known.record["turns"][0]["iterations"].append({"searches": searches})  # type: ignore[index]


def _question(record: JsonObject) -> str:
    question, index = record.get("question"), record.get("idx", 0)
    if not isinstance(question, str) or not question:
        raise BadRecordError(f"key 'question' is {'empty' if question == '' else json_kind(question)}, expected text.")
    if not isinstance(index, str | int):
        raise BadRecordError(f"key 'idx' is {json_kind(index)}, expected a whole number.")
    return question


def _searches(step: JsonObject) -> list[JsonObject]:
    """Return the searches of a step, those that listed nothing last; none where it did something else."""
    content, call = step.get("content"), step.get("tool_call")
    if not isinstance(content, list):
        raise BadRecordError(f"key 'content' is {json_kind(content)}, expected a list of searches.")
    listed = [each for each in content if isinstance(each, dict) and _PAGES in each]
    searches = [{"query": each.get("search_query"), "results": _results(each[_PAGES])} for each in listed]
    if not isinstance(call, dict) or call.get("name") != _SEARCH:
        return searches
    if len(listed) < len(content):
        raise BadRecordError(f"key 'content' holds something without {_PAGES!r}, expected [] where nothing was found.")
    answered = [search["query"] for search in searches]
    asked = _asked(call.get("arguments"))
    silent = [query for query in asked if query not in answered][: max(len(asked) - len(answered), 0)]
    return searches + [{"query": query, "results": []} for query in silent]


def _asked(arguments: object) -> list[object]:
    """Return the queries of a call; one that is not known where it names none."""
    query = arguments.get("query") if isinstance(arguments, dict) else None
    return query or [None] if isinstance(query, list) else [query]


def _results(pages: object) -> list[object]:
    if not isinstance(pages, list):
        raise BadRecordError(f"key {_PAGES!r} is {json_kind(pages)}, expected a list of pages.")
    return [_renamed(page) if isinstance(page, dict) else page for page in pages]


def _renamed(page: JsonObject) -> JsonObject:
    return {"snippet" if key == "quick_summary" else key: value for key, value in page.items()}
