"""Files of gold spans: JSON lines of {"query_id", "source", "start", "end", "grade", "quote", "kernel"}.

grade, quote and kernel may be missing. Writing a span without a quote is allowed, but then nobody can see that the
source has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.corpus.gold_spans import GoldSpan
from goldproof.io.complaints import Complaints
from goldproof.io.hashed_writing import write_hashed
from goldproof.io.json_line import json_line
from goldproof.io.jsonl import BadRecordError, get_id, json_kind, read_objects
from goldproof.io.opening import check_file
from goldproof.io.values import BadValueError, parse_grade

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from goldproof.io.jsonl import JsonObject


def read_gold_spans(path: Path | str) -> list[GoldSpan]:
    """Read gold spans; the first bad line raises `FileFormatError`."""
    checked = check_file(path)
    complaints = Complaints(checked)
    spans: dict[tuple[object, ...], GoldSpan] = {}
    for number, record in read_objects(checked, complaints):
        try:
            span = _span(record)
        except BadRecordError as error:
            complaints.add(str(error), line=number)
            continue
        key = (span.question, span.source, span.start, span.end, span.kernel)
        if key in spans:
            problem = f"the same span of {span.source!r} is given twice for query {span.question!r}."
            complaints.add(problem, line=number, hint="Keep one of them.")
        spans.setdefault(key, span)
    return list(spans.values())


def write_gold_spans(path: Path | str, spans: Iterable[GoldSpan]) -> str:
    """Write gold spans, one per line; returns the sha256 of the file."""
    return write_hashed(path, (json_line(_record(span), where=str(path)) for span in spans))


def _record(span: GoldSpan) -> dict[str, object]:
    record: dict[str, object] = {"query_id": span.question, "source": span.source}
    record |= {"start": span.start, "end": span.end, "grade": span.grade}
    extra = {"quote": span.quote, "kernel": span.kernel}
    return record | {name: value for name, value in extra.items() if value is not None}


def _span(record: JsonObject) -> GoldSpan:
    start, end = _number(record, "start"), _number(record, "end")
    if end <= start:
        raise BadRecordError(f"the span from {start} to {end} holds nothing; expected start < end.")
    quote = record.get("quote")
    if quote is not None and not (isinstance(quote, str) and quote.strip()):
        raise BadRecordError(f"key 'quote' is {'empty' if isinstance(quote, str) else json_kind(quote)}.")
    kernel = None if record.get("kernel") is None else _number(record, "kernel")
    return GoldSpan(get_id(record, "query"), _source(record), start, end, _grade(record), quote, kernel)


def _source(record: JsonObject) -> str:
    source = record.get("source")
    if not isinstance(source, str) or not source:
        raise BadRecordError("key 'source' is missing or not text, expected the path or id of a source.")
    return source


def _grade(record: JsonObject) -> int:
    try:
        return parse_grade(record.get("grade", 1))
    except BadValueError as error:
        raise BadRecordError(f"{error} (key 'grade').") from error


def _number(record: JsonObject, key: str) -> int:
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        shown = "missing" if key not in record else "not a whole number of characters"
        raise BadRecordError(f"key {key!r} is {shown}.")
    return value
