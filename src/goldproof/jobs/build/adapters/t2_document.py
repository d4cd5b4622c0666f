"""The document of a T2-RAGBench record: its text, its tables and its id.

- With a `table` column (FinQA, ConvFinQA): `pre_text`, the table without the index column that pandas wrote,
  `post_text`. Where they are missing, the three are cut out of `context`, where underscores glue them together.
- A `table` of lists, with `table_caption`: the context, then the table.
- Without one (TAT-DQA): the `context`, in which its tables stand.
The id is that of the FinQA page where the file name gives one, else made from the `context_id`, else from the content.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.financial_page import lay_out, page_name, read_rows
from goldproof.jobs.build.adapters.ids import passage_id, safe_id
from goldproof.jobs.build.adapters.record_fields import list_of, record_id, text_of
from goldproof.text.tables import TextTable, find_tables, table_markdown, table_of

if TYPE_CHECKING:
    from goldproof.jobs.build.adapters.adapter import JsonObject

_SUBSETS = {"convfinqa": "ConvFinQA", "finqa": "FinQA", "tatqa": "TAT-DQA", "tatdqa": "TAT-DQA"}
_GLUED = re.compile(r"_(\|\s+\|[^\n]*\|\n\|-+:\|[-:|]*\|(?:\n\|[^\n]*\|)*)_")
_MD5 = re.compile(r"[0-9a-f]{32}")


def subset_of(record: JsonObject) -> str | None:
    """Return the config that a record comes from: its id says it, else its columns do; None where neither does."""
    named = named_subset(record)
    if named:
        return named
    if page_name(record.get("file_name")):
        return "FinQA"
    return "TAT-DQA" if _MD5.fullmatch(text_of(record.get("context_id"))) else None


def named_subset(record: JsonObject) -> str | None:
    """Return the config that the id of a record names; pages of ConvFinQA and FinQA look alike without it."""
    return _SUBSETS.get((record_id(record) or "").casefold().split("_")[0])


def unglued(record: JsonObject) -> JsonObject:
    """Return the record with the parts of its page, cut out of the context where it has neither text of its own."""
    if _text(record.get("pre_text")) or _text(record.get("post_text")):
        return record
    context = _text(record.get("context"))
    match = _GLUED.search(context)
    if match is None:
        return record
    parts = {"pre_text": context[: match.start()], "table": match[1], "post_text": context[match.end() :]}
    return {**record, **parts, "context": ""}


def read_tables(record: JsonObject) -> tuple[TextTable, ...] | None:
    """Return the tables of the `table` column: none where there is no such column, None where it cannot be read."""
    given = record.get("table")
    if given is None or given in ("", []):
        return ()
    rows = read_rows(given)
    if rows is not None:
        return (table_of(rows, caption=text_of(record.get("table_caption"))),)
    return (tables_in(given) if isinstance(given, str) else ()) or None


def tables_in(text: str) -> tuple[TextTable, ...]:
    """Return the markdown tables that stand in a text."""
    return tuple(found.table for found in find_tables(text))


def document_text(record: JsonObject, tables: tuple[TextTable, ...]) -> str:
    """Return the text of a record's document."""
    before, after = (_text(record.get(key)) for key in ("pre_text", "post_text"))
    context = _text(record.get("context"))
    if context and (not tables or not (before or after)):
        before, after = context, ""
    return lay_out([[before], *([table_markdown(table)] for table in tables), [after]]).text


def document_id(record: JsonObject, text: str) -> str:
    """Return the id of a record's document."""
    name = page_name(record.get("file_name"))
    if name:
        return name.document
    context = record_id({"id": record.get("context_id")})
    if context is None:
        return passage_id("t2-ragbench", title=text_of(record.get("file_name")), text=text)
    return f"{'tat-dqa' if subset_of(record) == 'TAT-DQA' else 't2-ragbench'}:{safe_id(context)}"


def _text(value: object) -> str:
    """Return a text as it is, or sentences one under the other; "" for anything else or where nothing is in it."""
    text = value if isinstance(value, str) else "\n".join(part for part in list_of(value) if isinstance(part, str))
    return text if text.strip() else ""
