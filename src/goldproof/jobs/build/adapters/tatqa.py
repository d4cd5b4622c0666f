"""TAT-QA in its original JSON: a table, the paragraphs around it, and several questions about both.

The document is the paragraphs by their `order`, and the table as markdown. The dataset does not say between which of
them the table was: it is put after the first that ends with a colon, else before all of them. Evidence are the
paragraphs that `rel_paragraphs` names, by their number as text, and the table where `answer_from` names it; a paragraph
that does not exist drops the question. (`table.uid` is not the `context_id` of TAT-DQA in T2-RAGBench: the two are not
joined.)

An answer of several parts is joined with "; ", and each number gets its `scale`: "183.4 million", "5.6%". The alias is
the answer as the page prints it, without the scale; `original_answer` is the field as text, a list as JSON. Answers of
the types `arithmetic` and `count` are computed, spans are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    RecordPlace,
    content_id,
    list_of,
    parsed,
    passage_id,
    safe_id,
    text_of,
    without_options,
)
from goldproof.jobs.build.adapters.financial import (
    PageSpan,
    answer_text,
    lay_out,
    non_empty,
    read_rows,
    table_shape,
    whole_number,
    whole_span,
)
from goldproof.jobs.build.records import Dropped, Evidence, Example
from goldproof.records.entities import Document
from goldproof.text.numbers import answer_values
from goldproof.text.tables import table_lines, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INFO = AdapterInfo(
    name="tatqa",
    title="TAT-QA",
    doc_type="table",
    hub_id="next-tat/TAT-QA",
    revision="c96247f5077eac447f63527fd3dcfdc58bb56d6a",
    hub_files=("tatqa_dataset_train.json", "tatqa_dataset_dev.json", "tatqa_dataset_test_gold.json"),
    licence="MIT",
    citation="Zhu et al. (2021). TAT-QA: A Question Answering Benchmark on a Hybrid of Tabular and Textual Content in "
    "Finance. ACL-IJCNLP.",
    homepage="https://github.com/NExTplusplus/TAT-QA",
    needs=(frozenset({"table", "paragraphs", "questions"}),),
)
_COMPUTED = {"arithmetic": True, "count": True, "span": False, "multi-span": False}
_SCALES = {"thousand": " thousand", "million": " million", "billion": " billion", "percent": "%"}
_METADATA = ("answer_type", "answer_from", "derivation", "scale")


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield an example or a reason for each question of a record."""
    page = read_page(record)
    questions = [item if isinstance(item, dict) else {} for item in list_of(record.get("questions"))]
    if not questions:
        yield Dropped("no question")
    for question in questions:
        yield (
            Dropped(page.reason, page.detail, _uid(question))
            if isinstance(page, Dropped)
            else read_question(question, page)
        )


def read_question(question: JsonObject, page: HybridPage) -> Example | Dropped:
    """Return the example of one question, or why there is none."""
    text, value, uid = text_of(question.get("question")), question.get("answer"), _uid(question)
    scale = text_of(question.get("scale")).casefold()
    answer = scaled(value, scale)
    if not text or not answer:
        return Dropped("no answer" if text else "no question", original_id=uid)
    related = parsed(question.get("rel_paragraphs"))
    if not isinstance(related, list | None):
        return Dropped("evidence cannot be read", f"rel_paragraphs is of type {type(related).__name__}", uid)
    named = [answer_text(name) for name in related or ()]
    missing = [name for name in named if name not in page.paragraphs]
    if missing:
        return Dropped("paragraph does not exist", f"{missing[0][:40]!r}, of {len(page.paragraphs)}", uid)
    spans = [page.paragraphs[name] for name in named]
    spans += [page.table] if "table" in text_of(question.get("answer_from")) else []
    evidence = (Evidence(page.document.id, *span) for span in sorted(set(spans)) if span.start < span.end)
    printed = answer_text(value)
    return Example(
        original_id=uid or content_id(text, answer, page.document.id),
        question=text,
        answer=answer,
        documents=(page.document,),
        gold=(page.document.id,),
        evidence=tuple(evidence),
        aliases=(printed,) if printed != answer else (),
        computation=_COMPUTED.get(text_of(question.get("answer_type"))),
        metadata={**_metadata(question, value), **page.metadata},
    )


def scaled(answer: object, scale: str) -> str:
    """Return the answer with its scale; a part without a digit, or with the scale already, stays unchanged."""
    suffix = _SCALES.get(scale, "")
    values = answer_values(answer) if isinstance(answer, str) else answer if isinstance(answer, list) else [answer]
    parts = [answer_text(part) for part in values]
    says = [
        not any(char.isdigit() for char in part) or suffix.strip() in part or scale in part.casefold() for part in parts
    ]
    return "; ".join(
        part if complete else f"{part}{suffix}" for part, complete in zip(parts, says, strict=True) if part
    )


def _uid(question: JsonObject) -> str | None:
    return text_of(question.get("uid")) or None


def _metadata(question: JsonObject, answer: object) -> dict[str, object]:
    fields: dict[str, object] = {name: text_of(question.get(name)) for name in _METADATA}
    compared = question.get("req_comparison")
    return (
        non_empty(fields)
        | {"original_answer": _as_text(answer)}
        | ({"req_comparison": True} if compared is True else {})
    )


def _as_text(answer: object) -> str:
    """Return the original answer as text: a column of a data frame holds values of one type only."""
    return answer if isinstance(answer, str) else orjson.dumps(answer).decode()


@dataclass(frozen=True, slots=True)
class HybridPage:
    """A page as a document, the spans of its paragraphs by number and of its table, and metadata on both."""

    document: Document
    paragraphs: Mapping[str, PageSpan]
    table: PageSpan
    metadata: Mapping[str, object]


def read_page(record: JsonObject) -> HybridPage | Dropped:
    """Return the document of a record, or why there is none."""
    section = parsed(record.get("table"))
    rows = read_rows(section.get("table")) if isinstance(section, dict) else None
    paragraphs = read_paragraphs(record.get("paragraphs"))
    if rows is None or not isinstance(section, dict):
        return Dropped("table cannot be read")
    if paragraphs is None:
        return Dropped("paragraphs cannot be read")
    table = table_of(rows)
    texts = list(paragraphs.values())
    before = next((number for number, text in enumerate(texts, start=1) if text.rstrip().endswith(":")), 0)
    page = lay_out([*([text] for text in texts[:before]), table_lines(table), *([text] for text in texts[before:])])
    spans = [whole_span(lines) for lines in page.spans]
    uid = text_of(section.get("uid"))
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
    by_number = {str(number): text for number, text in sorted(numbered)}
    return by_number if len(by_number) == len(numbered) else None


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
