"""Rankings as JSON lines, one result per line or one question per line.

    {"query_id": "q1", "doc_id": "d1", "score": 12.5}
    {"query_id": "q1", "results": [{"doc_id": "d1", "score": 12.5}, ...]}
    {"query_id": "q1", "results": ["d1", "d2"]}        best first; scores are made up: n, n - 1, ... 1
    {"query_id": "q1", "error": "timeout"}             the system failed on this question; null and false: it did not

A line says one of these things. Of a bad result only that result is left out with --skip-bad; a question of which
nothing is left is failed, with the reason, and not one for which the system returned nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from goldproof.io.columns import find_key
from goldproof.io.jsonl import (
    BadRecordError,
    JsonLine,
    JsonObject,
    get_failure,
    get_id,
    get_value,
    json_kind,
    read_objects,
)
from goldproof.io.replacing import replace_file
from goldproof.io.row_collector import RowCollector
from goldproof.io.values import SCORE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.core.tables import RankingTable
    from goldproof.io.complaints import Complaints
    from goldproof.io.rows import RowBuffer


def write_jsonl_ranking(path: Path | str, ranking: RankingTable) -> None:
    """Write a line per question, best document first; a question that failed keeps its reason."""
    replace_file(path, _lines(ranking))


def _lines(ranking: RankingTable) -> Iterator[bytes]:
    bounds, scores = ranking.starts.tolist(), ranking.scores.tolist()
    for i, question in enumerate(ranking.questions):
        rows = range(bounds[i], bounds[i + 1])
        documents = ranking.documents[bounds[i] : bounds[i + 1]].to_list()
        results = [{"doc_id": d, "score": scores[row]} for d, row in zip(documents, rows, strict=True)]
        yield orjson.dumps({"query_id": question, "results": results}, option=orjson.OPT_APPEND_NEWLINE)
    for question, reason in ranking.failed.items():
        yield orjson.dumps({"query_id": question, "error": reason}, option=orjson.OPT_APPEND_NEWLINE)


def read_jsonl_ranking(path: Path, complaints: Complaints) -> RowBuffer:
    """Read a ranking."""
    reader = _Reader(complaints)
    for line in read_objects(path, complaints):
        query: str | None = None
        try:
            query = get_id(line.record, "query")
            reader.add(query, line)
        except BadRecordError as error:
            complaints.add(str(error), line=line.number)
            if query is not None:
                reader.drop(query, str(error), line=line.number)
    return reader.collected.buffer()


class _Seen(NamedTuple):
    """Where a query was first met; `whole` lines speak for their query alone, others add one result to it."""

    line: int
    whole: bool


class _Reader:
    """What was read so far."""

    def __init__(self, complaints: Complaints) -> None:
        self.collected = RowCollector(SCORE)
        self._complaints = complaints
        self._seen: dict[str, _Seen] = {}

    def add(self, query: str, found: JsonLine) -> None:
        """Add what a line says of its query."""
        line, record = found
        failure, results = get_failure(record), _results(record)
        if failure is not None or results is not None:
            _check_one_statement(record, failure=failure, results=results)
        self._check_once(query, _Seen(line, whole=failure is not None or results is not None))
        if failure is not None:
            self.collected.failed[query] = failure
        elif results is None:
            self.collected.add(query, get_id(record, "document"), get_value(record, SCORE), line=line)
        else:
            self._add_results(query, results, line=line)

    def drop(self, query: str, problem: str, *, line: int) -> None:
        """Remember that something said of the query was left out."""
        self.collected.dropped.setdefault(query, f"line {line}: {problem}")

    def _check_once(self, query: str, now: _Seen) -> None:
        first = self._seen.setdefault(query, now)
        if first is not now and (first.whole or now.whole):
            raise BadRecordError(f"query {query!r} is ranked twice (first at line {first.line}).")

    def _add_results(self, query: str, results: list[object], *, line: int) -> None:
        if not results:
            self.collected.empty.append(query)
        _check_one_kind(results)
        first: dict[str, int] = {}
        for position, result in enumerate(results, start=1):
            try:
                document, score = _hit(result, made_up=len(results) + 1 - position)
                before = first.setdefault(document, position)
                if before != position:
                    raise BadRecordError(
                        f"document {document!r} is listed twice for query {query!r} (first as result {before})."
                    )
            except BadRecordError as error:
                problem = f"result {position}: {error}"
                self._complaints.add(problem, line=line, what="result")
                self.drop(query, problem, line=line)
                continue
            self.collected.add(query, document, score, line=line)


def _results(record: JsonObject) -> list[object] | None:
    """Return the list of results, or None where the line holds one result or an error."""
    key = find_key(record, "results")
    results = None if key is None else record[key]
    if isinstance(results, list):
        return results
    if results is not None:
        raise BadRecordError(f"key {key!r} is {json_kind(results)}, expected a list.")
    if key is not None and find_key(record, "document") is None and not _has(record, "error"):
        raise BadRecordError(
            f"key {key!r} is null, expected a list: [] where nothing was returned; where the system failed, "
            "give the reason as 'error'."
        )
    return None


def _check_one_statement(record: JsonObject, *, failure: str | None, results: list[object] | None) -> None:
    """Refuse a line that says two things: nobody can know which was meant. An empty list beside an error is none."""
    document = find_key(record, "document") if _has(record, "document") else None
    listed = find_key(record, "results")
    if failure is not None and (results or document):
        beside = document or listed
        raise BadRecordError(f"has both an error ({failure[:60]!r}) and {beside!r}: did the system fail or not?")
    if failure is None and document is not None:
        raise BadRecordError(f"has both {document!r} and {listed!r}, expected one result or a list of results.")


def _has(record: JsonObject, role: str) -> bool:
    key = find_key(record, role)
    return key is not None and record[key] not in (None, False)


def _check_one_kind(results: list[object]) -> None:
    objects = sum(isinstance(result, dict) for result in results)
    ids = sum(isinstance(result, str | int) for result in results)
    if objects and ids:
        raise BadRecordError(
            f"the results mix ids ({ids}) and objects with scores ({objects}), which cannot be ranked together."
        )


def _hit(result: object, *, made_up: int) -> tuple[str, float]:
    if isinstance(result, dict):
        return get_id(result, "document"), get_value(result, SCORE)
    if not isinstance(result, str | int) or isinstance(result, bool):
        raise BadRecordError(f"is {json_kind(result)}, expected an id, or an object with doc_id and score.")
    return get_id({"doc_id": result}, "document"), float(made_up)
