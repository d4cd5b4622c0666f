"""RAGBench: questions of twelve datasets with retrieved documents, a response, and marked relevant sentences.

- Subset: `dataset_name` without its split ("techqa_train" is techqa), else the file or folder that names one. finqa and
  tatqa are tables, the others clean text.
- A document is a plain text; "Title: ... Passage: ..." is split into the two; a table, which the finqa and tatqa
  subsets write as a JSON list of rows, becomes markdown. Equal documents are one.
- Gold are the documents of `all_relevant_sentence_keys` ("0b": document 0, its sentence b); a key that names nothing
  drops the record, and so does an empty list. Where the annotation is absent altogether all given documents are gold.
  `gold_basis` in the metadata says which.
- Evidence is a relevant sentence that occurs in its document word for word; others have none.
- The response is a model's. Where the annotation says that the documents do not support it (`adherence_score` false)
  it is no ground truth, and the record is dropped.
- A question has a record for each model that answered it, all under one id: the model is part of the original id.
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
    pairs,
    passage_id,
    record_id,
    text_of,
    without_options,
)
from goldproof.jobs.build.adapters.financial import read_rows, table_shape
from goldproof.jobs.build.adapters.t2_ragbench import tables_in
from goldproof.jobs.build.records import Dropped, Evidence, Example
from goldproof.records.entities import Document
from goldproof.text.tables import table_markdown, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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


def adapt(record: JsonObject, place: RecordPlace) -> Iterator[Example | Dropped]:
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


def subset_of(record: JsonObject, place: RecordPlace) -> str:
    """Return the dataset that a record comes from: by `dataset_name`, else by its file or folder, else ""."""
    named = _SPLIT.sub("", text_of(record.get("dataset_name")).lower())
    words = re.split(r"[^a-z0-9]+", f"{place.path.name} {place.path.parent.name}".lower())
    return named or next((word for word in words if word in SUBSETS), "")


def _original_id(record: JsonObject, *, subset: str) -> str:
    own = record_id(record) or content_id(text_of(record["question"]), text_of(record["response"]))
    return "/".join(part for part in (subset, own, text_of(record.get("generation_model_name"))) if part)


_TITLED = re.compile(r"\s*Title:[ \t]*([^\n]*)\n\s*Passage:\s*(.*)", re.DOTALL)
_KEY = re.compile(r"(\d{1,6})[a-z]+")


class Sentence(NamedTuple):
    """A sentence that can be marked as relevant: its document, and its span there if it was found."""

    document: str
    evidence: Evidence | None = None


def read_documents(value: object) -> tuple[Document | None, ...]:
    """Return the documents in their order, by which keys count; None for one without text."""
    return tuple(_document(item) if text_of(item) else None for item in list_of(value))


def _document(value: object) -> Document:
    titled = _TITLED.fullmatch(str(value))
    title, text = (titled[1].strip(), titled[2]) if titled and titled[2].strip() else ("", str(value))
    rows = read_rows(text) if text.lstrip().startswith("[[") else None
    text = table_markdown(table_of(rows)) if rows else text
    return Document(passage_id("ragbench", title=title, text=text), text=text, title=title)


def read_keys(value: object) -> list[str] | None:
    """Return the keys of the relevant sentences, without a trailing point; None where there is no annotation."""
    return None if value is None else [text_of(key).rstrip(".") for key in list_of(value)]


def read_sentences(value: object, documents: Sequence[Document | None]) -> dict[str, Sentence]:
    """Return the sentences by key; each is searched behind the one before it, since the same words may occur twice."""
    known = {}
    for document, rows in zip(documents, list_of(value), strict=False):
        behind = 0
        for key, sentence in pairs(rows, first=("key",), second=("sentence",)):
            words = text_of(sentence).removeprefix("Passage:").strip()
            if document and words and text_of(key):
                span = _find(words, document, behind=behind)
                behind = span.end if span else behind
                known[text_of(key).rstrip(".")] = Sentence(document.id, span)
    return known


def _find(words: str, document: Document, *, behind: int) -> Evidence | None:
    later = document.text.find(words, behind)
    start = later if later >= 0 else document.text.find(words)
    return Evidence(document.id, start, start + len(words)) if start >= 0 else None


def name_sentences(keys: Sequence[str], documents: Sequence[Document | None]) -> dict[str, Sentence]:
    """Return sentences from their keys alone: the document by its number, without a span."""
    known = {}
    for key in keys:
        number = _KEY.fullmatch(key)
        document = documents[int(number[1])] if number and int(number[1]) < len(documents) else None
        if document:
            known[key] = Sentence(document.id)
    return known


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
