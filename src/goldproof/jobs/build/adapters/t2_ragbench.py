"""T2-RAGBench: FinQA, ConvFinQA and TAT-DQA with questions that can be asked without their page in hand.

Document:
- With a `table` column (FinQA, ConvFinQA): `pre_text`, the table without the index column that pandas wrote,
  `post_text`. Where they are missing, the three are cut out of `context`, where underscores glue them together.
- A `table` of lists, with `table_caption`: the context, then the table.
- Without one (TAT-DQA): the `context`, which contains its tables.
The id is that of the FinQA page where the file name gives one, else made from the `context_id`, else from the content.
So the same page under another `context_id`, or in the original FinQA, is one document.

The answer is `program_answer`, else `original_answer`; `goldproof.jobs.build.adapters.financial` says which words are
preferred to it. The programs are not published here. But every question of FinQA is answered by a program of at least
one operation, so that a record whose id is of FinQA is computed; and TAT-DQA writes what was read off the page as a
list (`['13.2']`) and what was computed as a bare value. In ConvFinQA it is not known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    RecordPlace,
    content_id,
    list_of,
    passage_id,
    record_id,
    safe_id,
    text_of,
    without_options,
)
from goldproof.jobs.build.adapters.financial import (
    lay_out,
    non_empty,
    page_name,
    read_rows,
    reconciled_answer,
    table_shape,
    whole_number,
)
from goldproof.jobs.build.records import Dropped, Example
from goldproof.records.entities import Document
from goldproof.text.tables import TextTable, find_tables, table_markdown, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

INFO = AdapterInfo(
    name="t2-ragbench",
    title="T2-RAGBench",
    doc_type="table",
    hub_id="G4KMU/t2-ragbench",
    revision="adf7fe1541ac37351ce1142544d8e3b43010ed92",
    hub_files=("data/FinQA/*/metadata.jsonl", "data/ConvFinQA/turn_0.jsonl", "data/TAT-DQA/*/metadata.jsonl"),
    licence="CC-BY-4.0",
    citation="Strich et al. (2025). T2-RAGBench: Text-and-Table Benchmark for Evaluating Retrieval-Augmented "
    "Generation. arXiv:2506.12071.",
    homepage="https://huggingface.co/datasets/G4KMU/t2-ragbench",
    needs=(frozenset({"question", "program_answer"}), frozenset({"question", "original_answer", "context"})),
)
_TEXTS = (
    *("split", "file_name", "company_name", "company_symbol", "company_sector", "company_industry", "company_founded"),
    "context_id",
)


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    record = unglued(record)
    own_id = record_id(record)
    question = text_of(record.get("question"))
    answer = reconciled_answer(record.get("program_answer"), record.get("original_answer"))
    tables = read_tables(record)
    text = document_text(record, tables or ())
    problems = {
        "no question": not question,
        "no answer": not answer.text,
        "table cannot be read": tables is None,
        "no context": not text.strip(),
    }
    for reason, holds in problems.items():
        if holds:
            yield Dropped(reason, original_id=own_id)
            return
    document = Document(document_id(record, text), text=text)
    yield Example(
        original_id=own_id or content_id(question, answer.text, document.id),
        question=question,
        answer=answer.text,
        documents=(document,),
        gold=(document.id,),
        aliases=answer.aliases,
        computation=_computation(record),
        metadata=_metadata(record, tables or tables_in(text)) | answer.metadata,
    )


def _computation(record: JsonObject) -> bool | None:
    """Return whether the answer was computed, None where the record does not show it."""
    if named_subset(record) == "FinQA":
        return True
    original = record.get("original_answer")
    if subset_of(record) != "TAT-DQA" or not isinstance(original, str) or not original.strip():
        return None
    return not original.lstrip().startswith("[")


def _metadata(record: JsonObject, tables: tuple[TextTable, ...]) -> dict[str, object]:
    name = page_name(record.get("file_name"))
    fields: dict[str, object] = {
        "subset": subset_of(record),
        **{key: text_of(record.get(key)) for key in _TEXTS},
        "report_year": whole_number(record.get("report_year")) or (name.year if name else None),
        "page_number": whole_number(record.get("page_number")) or (name.number if name else None),
    }
    return non_empty(fields) | table_shape(tables)


_SUBSETS = {"convfinqa": "ConvFinQA", "finqa": "FinQA", "tatqa": "TAT-DQA", "tatdqa": "TAT-DQA"}
_GLUED = re.compile(r"_(\|\s+\|[^\n]*\|\n\|-+:\|[-:|]*\|(?:\n\|[^\n]*\|)*)_")
_MD5 = re.compile(r"[0-9a-f]{32}")


def subset_of(record: JsonObject) -> str | None:
    """Return the config that a record comes from, by its id, else by its columns; None where neither shows it."""
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
    """Return the record with `pre_text`, `table` and `post_text`, cut out of the context where it has neither text."""
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
    value = record.get("table")
    if value is None or value in ("", []):
        return ()
    rows = read_rows(value)
    if rows is not None:
        return (table_of(rows, caption=text_of(record.get("table_caption"))),)
    return (tables_in(value) if isinstance(value, str) else ()) or None


def tables_in(text: str) -> tuple[TextTable, ...]:
    """Return the markdown tables in a text."""
    return tuple(located.table for located in find_tables(text))


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
    """Return a text, or sentences one per line; "" for anything else or where it is blank."""
    text = value if isinstance(value, str) else "\n".join(part for part in list_of(value) if isinstance(part, str))
    return text if text.strip() else ""


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
