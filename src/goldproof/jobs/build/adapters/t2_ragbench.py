"""T2-RAGBench: FinQA, ConvFinQA and TAT-DQA with questions that can be asked without their page in hand.

The document is the page with its table in FinQA and ConvFinQA, where the same page under another `context_id`, or in
the original FinQA, is one document, and the context in TAT-DQA (`goldproof.jobs.build.adapters.t2_document`).
The answer is `program_answer`, else `original_answer`; `goldproof.jobs.build.adapters.financial_answers` says which
words are preferred to it. The programs are not published here. But every question of FinQA is answered by a program of
at least one operation, so that a record whose id is of FinQA is computed; and TAT-DQA writes what was read off the page
as a list (`['13.2']`) and what was computed as a bare value. In ConvFinQA it is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import Adapter, AdapterInfo, JsonObject, Place, without_options
from goldproof.jobs.build.adapters.financial_answers import settle
from goldproof.jobs.build.adapters.financial_page import known, page_name, table_shape, whole_number
from goldproof.jobs.build.adapters.ids import content_id
from goldproof.jobs.build.adapters.record_fields import record_id, text_of
from goldproof.jobs.build.adapters.t2_document import (
    document_id,
    document_text,
    named_subset,
    read_tables,
    subset_of,
    tables_in,
    unglued,
)
from goldproof.jobs.build.example import Dropped, Example
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.text.tables import TextTable

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


def adapt(record: JsonObject, _place: Place) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    record = unglued(record)
    own_id = record_id(record)
    question = text_of(record.get("question"))
    answer = settle(record.get("program_answer"), record.get("original_answer"))
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
    """Say whether the answer was computed, where the record shows it."""
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
    return known(fields) | table_shape(tables)


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
