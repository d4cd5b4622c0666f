"""Runs and qrels as one JSON object, {query: {document: number}}, as ranx saves them.

    {"q1": {"d1": 12.5, "d2": 9.0}, "q2": {}}     run: score; an empty object is a query with no results
    {"q1": {"d1": 2, "d2": 0}}                    qrels: whole grade

Read query by query, in flat memory. A query or document that occurs twice is reported: JSON parsers keep the last and
say nothing. NaN and Infinity, which Python writes, are reported with their document.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import orjson

from goldproof.io.json_files import BadJsonError, parse_object
from goldproof.io.json_stream import object_members, without_escapes
from goldproof.io.record_files import CHUNK_BYTES
from goldproof.io.rows import RowCollector
from goldproof.io.text_files import UTF8_BOM, read_chunks, read_head
from goldproof.io.values import SCORE, BadValueError

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.file_layout import Sniffed
    from goldproof.io.json_stream import Member
    from goldproof.io.rows import RowBuffer
    from goldproof.io.values import ValueKind

# The first value is an object, which is empty or begins with a plain value.
_TEXT = rb'"(?:[^"\\]|\\.)*+"'
_NESTED = re.compile(rb"\s*\{\s*" + _TEXT + rb"\s*:\s*\{\s*(?:\}|" + _TEXT + rb"\s*:\s*[^\s\[{])", re.DOTALL)


def holds_nested(path: Path, sniffed: Sniffed) -> bool:
    """Return whether a file is one JSON object of objects, and not a record per line."""
    if sniffed.format not in ("json", "jsonl"):
        return False
    if not _NESTED.match(read_head(path, whole_line=False).removeprefix(UTF8_BOM)):
        return False
    try:
        record = parse_object(sniffed.first_line.encode(), nan="null")
    except BadJsonError:
        return True  # it goes on after its first line, or is damaged
    return all(isinstance(value, dict) for value in record.values())


def holds_grades(path: Path, diagnostics: Diagnostics) -> bool:
    """Return whether the numbers of the first query that has any are all whole, as grades are and scores are not."""
    for member in object_members(read_chunks(path, size=CHUNK_BYTES), diagnostics):
        try:
            values = [value for _, value in _pairs(member.text)]
        except BadJsonError:
            continue
        if values:
            return all(isinstance(value, int) for value in values)
    return False


def read_nested(path: Path, kind: ValueKind, diagnostics: Diagnostics) -> RowBuffer:
    """Read the rows of a run or of qrels."""
    reader = _Reader(kind, diagnostics)
    for member in object_members(read_chunks(path, size=CHUNK_BYTES), diagnostics):
        reader.add(member)
    unjudged = len(reader.collected.empty)
    if unjudged and kind is not SCORE:
        diagnostics.remark(f"queries without any judged document, left out: {unjudged:,}.")
    return reader.collected.buffer()


class _Reader:
    """Collects the rows query by query."""

    def __init__(self, kind: ValueKind, diagnostics: Diagnostics) -> None:
        self.collected = RowCollector(kind)
        self._kind = kind
        self._diagnostics = diagnostics
        self._lines: dict[str, int] = {}

    def add(self, member: Member) -> None:
        """Add the documents of a query."""
        query, line = member.key, member.line
        if not query:
            self._diagnostics.report("a query id is empty.", line=line, unit="entry")
        elif query in self._lines:
            first = self._lines[query]
            self._diagnostics.report(f"query {query!r} occurs twice (first at line {first}).", line=line, unit="entry")
        else:
            self._lines[query] = line
            try:
                self._add_documents(query, _pairs(member.text), member)
            except BadJsonError as error:
                self._report(query, str(error), line=line)

    def _add_documents(self, query: str, pairs: list[tuple[str, object]], member: Member) -> None:
        if not pairs:
            self.collected.empty.append(query)
        seen: set[str] = set()
        for document, value in pairs:
            problem = "" if document else "a document id is empty"
            if document in seen:
                problem = f"document {document!r} is listed twice"
            try:
                number = self._kind.parse(value)
            except BadValueError as error:
                problem = problem or f"document {document!r}: {error}"
            else:
                if not problem:
                    self.collected.add(query, document, number, line=member.line)
                    seen.add(document)
                    continue
            self._report(query, f"{problem}.", line=_line_of(member, document, again=document in seen))

    def _report(self, query: str, problem: str, *, line: int) -> None:
        self._diagnostics.report(f"query {query!r}: {problem}", line=line, unit="entry")
        self.collected.dropped.setdefault(query, f"line {line}: {problem}")


def _line_of(member: Member, document: str, *, again: bool) -> int:
    """Return the line of a document in the text of its query; again: where it occurs for the last time."""
    key = orjson.dumps(document)
    at = member.text.rfind(key) if again else member.text.find(key)
    return member.line + member.text.count(b"\n", 0, max(at, 0))


def _pairs(text: bytes) -> list[tuple[str, object]]:
    """Return the documents and values of a query, repeated ones too."""
    try:
        record = parse_object(text)
    except BadJsonError:
        odd = _slow_pairs(text)
        if odd is None:
            raise
        return odd
    # A number has no quotes and a key has two: more of them are a repeated key, or a value that is text.
    if without_escapes(text).count(b'"') == 2 * len(record):
        return list(record.items())
    return _slow_pairs(text) or list(record.items())


class _Object(list[tuple[str, object]]):
    """The members of an object, repeated ones too."""


def _slow_pairs(text: bytes) -> list[tuple[str, object]] | None:
    """Return the same by a parser that knows NaN and shows repeated keys; None where it cannot read the text."""
    try:
        members = json.loads(text, object_pairs_hook=_Object)
        "".join(name for name, _ in members).encode()  # half characters cannot be written
    except (ValueError, TypeError, RecursionError):
        return None
    return [(name, dict(value) if isinstance(value, _Object) else value) for name, value in members]
