"""The table and the paragraphs of a TAT-QA record as one document.

The paragraphs stand by their `order`. The dataset does not say between which of them the table stood: it is put after
the first that ends with a colon, else before all of them. Paragraphs are named by their number as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.financial_page import Span, lay_out, read_rows, table_shape, whole_number, whole_span
from goldproof.jobs.build.adapters.ids import passage_id, safe_id
from goldproof.jobs.build.adapters.record_fields import parsed, text_of
from goldproof.jobs.build.example import Dropped
from goldproof.records.entities import Document
from goldproof.text.tables import table_lines, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.build.adapters.adapter import JsonObject


@dataclass(frozen=True, slots=True)
class HybridPage:
    """The document, the spans of its paragraphs by number and of its table, and what is known of both."""

    document: Document
    paragraphs: Mapping[str, Span]
    table: Span
    metadata: Mapping[str, object]


def read_page(record: JsonObject) -> HybridPage | Dropped:
    """Return the document of a record, or why there is none."""
    given = parsed(record.get("table"))
    rows = read_rows(given.get("table")) if isinstance(given, dict) else None
    paragraphs = read_paragraphs(record.get("paragraphs"))
    if rows is None or not isinstance(given, dict):
        return Dropped("table cannot be read")
    if paragraphs is None:
        return Dropped("paragraphs cannot be read")
    table = table_of(rows)
    texts = list(paragraphs.values())
    before = next((number for number, text in enumerate(texts, start=1) if text.rstrip().endswith(":")), 0)
    page = lay_out([*([text] for text in texts[:before]), table_lines(table), *([text] for text in texts[before:])])
    spans = [whole_span(lines) for lines in page.spans]
    uid = text_of(given.get("uid"))
    return HybridPage(
        Document(f"tatqa:{safe_id(uid)}" if uid else passage_id("tatqa", title="", text=page.text), text=page.text),
        paragraphs=dict(zip(paragraphs, spans[:before] + spans[before + 1 :], strict=True)),
        table=spans[before],
        metadata=table_shape([table]) | {"n_paragraphs": len(texts)},
    )


def read_paragraphs(value: object) -> dict[str, str] | None:
    """Return the paragraphs by number, in order; None where one cannot be read or a number repeats."""
    items = parsed(value)
    if not isinstance(items, list):
        return None
    numbered = []
    for item in items:
        number = whole_number(item.get("order")) if isinstance(item, dict) else None
        if number is None or not isinstance(item, dict) or not isinstance(item.get("text"), str):
            return None
        numbered.append((number, item["text"]))
    found = {str(number): text for number, text in sorted(numbered)}
    return found if len(found) == len(numbered) else None
