"""The documents of a RAGBench record, and the sentences in them that can be marked as relevant.

A document is a plain text; "Title: ... Passage: ..." is split into the two; a table, which the finqa and tatqa subsets
write as a JSON list of rows, becomes markdown. Sentences have keys: "0b" is document 0, its sentence b.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.adapters.financial_page import read_rows
from goldproof.jobs.build.adapters.ids import passage_id
from goldproof.jobs.build.adapters.record_fields import list_of, pairs, text_of
from goldproof.jobs.build.example import Evidence
from goldproof.records.entities import Document
from goldproof.text.tables import table_markdown, table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_TITLED = re.compile(r"\s*Title:[ \t]*([^\n]*)\n\s*Passage:\s*(.*)", re.DOTALL)
_KEY = re.compile(r"(\d{1,6})[a-z]+")


class Sentence(NamedTuple):
    """A sentence that can be marked: the document it belongs to, and where it stands there if it was found."""

    document: str
    evidence: Evidence | None = None


def read_documents(value: object) -> tuple[Document | None, ...]:
    """Return the given documents by their number; None for one without text."""
    return tuple(_document(item) if text_of(item) else None for item in list_of(value))


def _document(given: object) -> Document:
    titled = _TITLED.fullmatch(str(given))
    title, text = (titled[1].strip(), titled[2]) if titled and titled[2].strip() else ("", str(given))
    rows = read_rows(text) if text.lstrip().startswith("[[") else None
    text = table_markdown(table_of(rows)) if rows else text
    return Document(passage_id("ragbench", title=title, text=text), text=text, title=title)


def read_keys(value: object) -> list[str] | None:
    """Return the keys of the relevant sentences, without the point that some have; None where nothing was marked."""
    return None if value is None else [text_of(key).rstrip(".") for key in list_of(value)]


def read_sentences(value: object, documents: Sequence[Document | None]) -> dict[str, Sentence]:
    """Return the sentences by key. The same words may stand twice: each is looked for behind the one before it."""
    known = {}
    for document, rows in zip(documents, list_of(value), strict=False):
        behind = 0
        for key, given in pairs(rows, first=("key",), second=("sentence",)):
            words = text_of(given).removeprefix("Passage:").strip()
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
    """Return what keys alone say where the sentences are not given: the document, by its number."""
    known = {}
    for key in keys:
        number = _KEY.fullmatch(key)
        document = documents[int(number[1])] if number and int(number[1]) < len(documents) else None
        if document:
            known[key] = Sentence(document.id)
    return known
