"""A page of the original FinQA with the places that `gold_inds` can name.

`text_8` counts through `pre_text` and then `post_text`, `table_0` is the row of headings. A place that does not exist,
or a sentence that is not the one quoted, is a reason to drop the record: its evidence would point at the wrong text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.adapters.financial_page import Span, lay_out, page_name, read_rows, row_spans
from goldproof.jobs.build.adapters.ids import passage_id
from goldproof.jobs.build.adapters.record_fields import list_of, parsed
from goldproof.jobs.build.example import Dropped, Evidence
from goldproof.records.entities import Document
from goldproof.text.tables import TextTable, table_lines, table_of

if TYPE_CHECKING:
    from goldproof.jobs.build.adapters.adapter import JsonObject

_PLACE = re.compile(r"(text|table)_(\d{1,9})", re.ASCII)


class SourcePage(NamedTuple):
    """The document, its table, and where its sentences and the rows of the table stand."""

    document: Document
    table: TextTable
    sentences: tuple[Span, ...]
    rows: tuple[Span, ...]


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
    """Return the spans that `gold_inds` names, in the order of the page, or why not; none at all where it is None."""
    places = parsed(gold) if gold is not None else {}
    if not isinstance(places, dict):
        return Dropped("evidence cannot be read", f"gold_inds is of type {type(places).__name__}")
    found = [_place(str(name), quoted, page=page) for name, quoted in places.items()]
    wrong = next((item for item in found if isinstance(item, Dropped)), None)
    if wrong is not None:
        return wrong
    text = page.document.text
    spans = {span for span in found if isinstance(span, Span) and text[span.start : span.end].strip()}
    return tuple(Evidence(page.document.id, *span) for span in sorted(spans))


def _place(name: str, quoted: object, *, page: SourcePage) -> Span | Dropped:
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
    given = list_of(value)
    sentences = tuple(part for part in given if isinstance(part, str))
    return sentences if isinstance(parsed(value), list) and len(sentences) == len(given) else None
