"""RAGBench: questions of twelve datasets with retrieved documents, a model's response, and marked relevant sentences.

- Subset: `dataset_name` without its split ("techqa_train" is techqa), else the file or folder that names one. finqa and
  tatqa are tables, the others clean text.
- Gold are the documents of `all_relevant_sentence_keys` ("0b": document 0, its sentence b); a key that names nothing
  drops the record, and so does an empty list. Where the annotation is absent altogether all given documents are gold.
  `gold_basis` in the metadata says which.
- Evidence is where a relevant sentence stands in its document word for word; others have none.
- Documents are plain texts or tables (`goldproof.jobs.build.adapters.ragbench_documents`). Equal documents are one.
- The response is a model's. Where the annotation says that the documents do not support it (`adherence_score` false)
  it is no ground truth, and the record is dropped.
- A question has a record for each model that answered it, all under one id: the model is part of the original id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import Adapter, AdapterInfo, JsonObject, Place, without_options
from goldproof.jobs.build.adapters.financial_page import table_shape
from goldproof.jobs.build.adapters.ids import content_id
from goldproof.jobs.build.adapters.ragbench_documents import (
    Sentence,
    name_sentences,
    read_documents,
    read_keys,
    read_sentences,
)
from goldproof.jobs.build.adapters.record_fields import record_id, text_of
from goldproof.jobs.build.adapters.t2_document import tables_in
from goldproof.jobs.build.example import Dropped, Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.records.entities import Document

SUBSETS = frozenset(
    {"covidqa", "cuad", "delucionqa", "emanual", "expertqa", "finqa"}
    | {"hagrid", "hotpotqa", "msmarco", "pubmedqa", "tatqa", "techqa"}
)
MISSING = "relevant sentence does not exist"
TABLES = frozenset({"finqa", "tatqa"})
_SPLIT = re.compile(r"[_-](?:train|validation|test|dev)$")

INFO = AdapterInfo(
    name="ragbench",
    title="RAGBench",
    doc_type="clean_text",
    hub_id="rungalileo/ragbench",
    revision="97808f3e5fd16ede40bbff6c2949af8139b2eb7b",
    hub_files=("*/test-*.parquet",),
    licence="CC-BY-4.0",
    citation="Friel et al. (2024). RAGBench: Explainable Benchmark for Retrieval-Augmented Generation Systems. "
    "arXiv:2407.11005.",
    homepage="https://huggingface.co/datasets/rungalileo/ragbench",
    needs=(frozenset({"question", "documents", "response"}),),
)


def adapt(record: JsonObject, place: Place) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    documents = read_documents(record.get("documents"))
    keys = read_keys(record.get("all_relevant_sentence_keys"))
    known = read_sentences(record.get("documents_sentences"), documents) or name_sentences(keys or [], documents)
    if dropped := _why_not(record, documents=documents, keys=keys, known=known):
        yield dropped
        return
    relevant = [known[key] for key in keys] if keys else [Sentence(document.id) for document in documents if document]
    subset = subset_of(record, place)
    yield Example(
        original_id=_original_id(record, subset=subset),
        question=text_of(record["question"]),
        answer=text_of(record["response"]),
        documents=tuple({document.id: document for document in documents if document}.values()),
        gold=tuple(dict.fromkeys(sentence.document for sentence in relevant)),
        evidence=tuple(dict.fromkeys(sentence.evidence for sentence in relevant if sentence.evidence)),
        doc_type="table" if subset in TABLES else None,
        metadata={
            "subset": subset,
            "gold_basis": "relevant sentences" if keys else "given documents",
            **(_tables(documents) if subset in TABLES else {}),
        },
    )


def _tables(documents: Sequence[Document | None]) -> dict[str, object]:
    return table_shape([table for document in documents if document for table in tables_in(document.text)])


def _why_not(
    record: JsonObject,
    *,
    documents: Sequence[Document | None],
    keys: Sequence[str] | None,
    known: Mapping[str, Sentence],
) -> Dropped | None:
    unknown = [key for key in keys or () if key not in known]
    checks = {
        "no question": not text_of(record.get("question")),
        "no answer": not text_of(record.get("response")),
        "no context": not any(documents),
        "answer marked as unsupported by its dataset": record.get("adherence_score") is False,
        "no relevant sentence marked": keys is not None and not keys,
        MISSING: bool(unknown),
    }
    reason = next((reason for reason, holds in checks.items() if holds), None)
    detail = f"sentence keys {unknown}" if reason == MISSING else ""
    return Dropped(reason, detail=detail, original_id=record_id(record)) if reason else None


def subset_of(record: JsonObject, place: Place) -> str:
    """Return the dataset that a record comes from: by its own word, else by its file or folder; "" where none says."""
    named = _SPLIT.sub("", text_of(record.get("dataset_name")).lower())
    words = re.split(r"[^a-z0-9]+", f"{place.path.name} {place.path.parent.name}".lower())
    return named or next((word for word in words if word in SUBSETS), "")


def _original_id(record: JsonObject, *, subset: str) -> str:
    own = record_id(record) or content_id(text_of(record["question"]), text_of(record["response"]))
    return "/".join(part for part in (subset, own, text_of(record.get("generation_model_name"))) if part)


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
