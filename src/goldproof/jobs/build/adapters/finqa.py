"""FinQA in its original JSON: a page of a report, a question about it, and the program that computes the answer.

The document is the page: `pre_text`, the table with its first row as headings, `post_text`. Evidence are the sentences
and table rows that `gold_inds` names: `text_8` counts through `pre_text` and then `post_text`, `table_0` is the row of
headings. A record that names a row or sentence that does not exist, or quotes another sentence than it names, is
dropped: its evidence would point at the wrong text.

The answer is `exe_ans`, what the program computes; `answer`, as the annotator wrote it, where there is none. It is
computed if the program has an operation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    RecordPlace,
    content_id,
    list_of,
    parsed,
    passage_id,
    record_id,
    text_of,
    without_options,
)
from goldproof.jobs.build.adapters.financial import (
    Answer,
    PageSpan,
    lay_out,
    non_empty,
    page_name,
    read_rows,
    reconciled_answer,
    row_spans,
    table_shape,
)
from goldproof.jobs.build.records import Dropped, Evidence, Example
from goldproof.records.entities import Document
from goldproof.text.tables import TextTable, table_lines, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INFO = AdapterInfo(
    name="finqa",
    title="FinQA",
    doc_type="table",
    licence="MIT",
    citation="Chen et al. (2021). FinQA: A Dataset of Numerical Reasoning over Financial Data. EMNLP.",
    homepage="https://github.com/czyssrs/FinQA",
    needs=(frozenset({"pre_text", "post_text", "table", "qa"}),),
)
_OPERATION = re.compile(r"(?<![a-z_])[a-z_]+\s*\(")


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    own_id = record_id(record)
    qa = parsed(record.get("qa"))
    page = read_page(record)
    question = text_of(qa.get("question")) if isinstance(qa, dict) else ""
    if not isinstance(qa, dict) or not question:
        yield Dropped("no question", original_id=own_id)
        return
    answer = reconciled_answer(qa.get("exe_ans"), qa.get("answer"))
    if isinstance(page, Dropped) or not answer.text:
        yield Dropped(page.reason if isinstance(page, Dropped) else "no answer", original_id=own_id)
        return
    evidence = find_evidence(qa.get("gold_inds"), page)
    if isinstance(evidence, Dropped):
        yield Dropped(evidence.reason, evidence.detail, own_id)
        return
    program = text_of(qa.get("program"))
    yield Example(
        original_id=own_id or content_id(question, answer.text, page.document.id),
        question=question,
        answer=answer.text,
        documents=(page.document,),
        gold=(page.document.id,),
        evidence=evidence,
        aliases=answer.aliases,
        computation=bool(_OPERATION.search(program)) if program else None,
        metadata=_metadata(record, page.table, answer=answer, program=program),
    )


def _metadata(record: JsonObject, table: TextTable, *, answer: Answer, program: str) -> Mapping[str, object]:
    name = page_name(record.get("filename"))
    fields: dict[str, object] = {
        "file_name": text_of(record.get("filename")),
        "company_symbol": name.symbol if name else None,
        "report_year": name.year if name else None,
        "page_number": name.number if name else None,
        "program": program,
        "n_operations": len(_OPERATION.findall(program)) if program else None,
    }
    return non_empty(fields) | table_shape([table]) | answer.metadata


_PLACE = re.compile(r"(text|table)_(\d{1,9})", re.ASCII)


class SourcePage(NamedTuple):
    """A page as a document, its table, and the spans of its sentences and table rows."""

    document: Document
    table: TextTable
    sentences: tuple[PageSpan, ...]
    rows: tuple[PageSpan, ...]


def read_page(record: JsonObject) -> SourcePage | Dropped:
    """Return the page of a record, or why there is none."""
    before, after = (_sentences(record.get(key)) for key in ("pre_text", "post_text"))
    rows = read_rows(record.get("table"))
    if before is None or after is None:
        return Dropped("text cannot be read")
    if rows is None:
        return Dropped("table cannot be read")
    table = table_of(rows, header_rows=1)
    page = lay_out((before, table_lines(table), after))
    name = page_name(record.get("filename"))
    document = name.document if name else passage_id("finqa", title="", text=page.text)
    pre, lines, post = page.spans
    return SourcePage(Document(document, text=page.text), table, pre + post, row_spans(table, lines))


def find_evidence(gold: object, page: SourcePage) -> tuple[Evidence, ...] | Dropped:
    """Return the spans that `gold_inds` names, in the order of the page, or why not; () where it is None."""
    places = parsed(gold) if gold is not None else {}
    if not isinstance(places, dict):
        return Dropped("evidence cannot be read", f"gold_inds is of type {type(places).__name__}")
    spans_or_reasons = [_place(str(name), quoted, page=page) for name, quoted in places.items()]
    wrong = next((item for item in spans_or_reasons if isinstance(item, Dropped)), None)
    if wrong is not None:
        return wrong
    text = page.document.text
    spans = {span for span in spans_or_reasons if isinstance(span, PageSpan) and text[span.start : span.end].strip()}
    return tuple(Evidence(page.document.id, *span) for span in sorted(spans))


def _place(name: str, quoted: object, *, page: SourcePage) -> PageSpan | Dropped:
    match = _PLACE.fullmatch(name)
    spans = page.sentences if match and match[1] == "text" else page.rows
    if match is None or int(match[2]) >= len(spans):
        return Dropped("evidence does not exist", f"{name[:40]!r}, of {len(spans)}")
    span = spans[int(match[2])]
    words = quoted.split() if isinstance(quoted, str) else []
    if match[1] == "text" and words and words != page.document.text[span.start : span.end].split():
        return Dropped("evidence is not what it quotes", name)
    return span


def _sentences(value: object) -> tuple[str, ...] | None:
    if value is None or value == "":
        return ()
    items = list_of(value)
    sentences = tuple(part for part in items if isinstance(part, str))
    return sentences if isinstance(parsed(value), list) and len(sentences) == len(items) else None


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
