"""MuSiQue: questions composed of two to four single-hop questions, each answered by one of twenty paragraphs.

Gold are the paragraphs marked `is_supporting` and those that the decomposition names (`paragraph_support_idx`). Where
the two disagree both are kept, since a paragraph that a hop needs must not be missing, and the metadata says so
(`support_disagrees`). A hop that names no paragraph, or one that does not exist, drops the record.
Evidence is the first occurrence of a hop's answer as whole words in its paragraph; a hop whose answer is not
there word for word has none. Questions of the full version that are marked unanswerable are dropped: what makes them so
is the choice of paragraphs, which does not survive a search over all of them.
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
    number_of,
    passage_id,
    record_id,
    text_of,
    without_options,
)
from goldproof.jobs.build.records import Dropped, Evidence, Example
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MISSING = "supporting paragraph does not exist"

INFO = AdapterInfo(
    name="musique",
    title="MuSiQue",
    doc_type="clean_text",
    hub_id="dgslibisey/MuSiQue",
    revision="c8f4f8c9465fb69d31a8eae894c3fd509c4ca321",
    hub_files=("musique_ans_v1.0_dev.jsonl",),
    licence="CC-BY-4.0",
    citation="Trivedi et al. (2022). MuSiQue: Multihop Questions via Single-hop Question Composition. TACL 10.",
    homepage="https://github.com/StonyBrookNLP/musique",
    needs=(frozenset({"question", "paragraphs"}),),
)


class Paragraph(NamedTuple):
    """A document with its number in the record, and whether it is marked as supporting."""

    number: int
    document: Document
    supporting: bool


class Hop(NamedTuple):
    """One single-hop question of the decomposition; `paragraph` is None where none is named."""

    question: str
    answer: str
    paragraph: int | None


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    own_id = record_id(record)
    question, answer = (text_of(record.get(key)) for key in ("question", "answer"))
    paragraphs = read_paragraphs(record.get("paragraphs"))
    hops = read_hops(record.get("question_decomposition"))
    by_number = {paragraph.number: paragraph.document for paragraph in paragraphs}
    if dropped := _why_not(record, paragraphs=paragraphs, hops=hops):
        yield dropped
        return
    needed = {paragraph.number for paragraph in paragraphs if paragraph.supporting}
    named = {hop.paragraph for hop in hops if hop.paragraph is not None}
    gold = [paragraph.document.id for paragraph in paragraphs if paragraph.number in needed | named]
    documents = {document.id: document for document in by_number.values()}
    yield Example(
        original_id=own_id or content_id(question, answer, list(documents)),
        question=question,
        answer=answer,
        documents=tuple(documents.values()),
        gold=tuple(dict.fromkeys(gold)),
        evidence=tuple(dict.fromkeys(find_answers(hops, by_number))),
        aliases=_aliases(record.get("answer_aliases"), answer=answer),
        metadata=_metadata(hops, by_number, disagrees=bool(hops) and needed != named),
    )


def _why_not(record: JsonObject, *, paragraphs: Sequence[Paragraph], hops: Sequence[Hop]) -> Dropped | None:
    numbers = [paragraph.number for paragraph in paragraphs]
    unknown = [hop.paragraph for hop in hops if hop.paragraph is not None and hop.paragraph not in numbers]
    checks = {
        "no question": not text_of(record.get("question")),
        "marked unanswerable by its dataset": record.get("answerable") is False,
        "no answer": not text_of(record.get("answer")),
        "no context": not paragraphs,
        "paragraph numbers repeat": len(set(numbers)) < len(numbers),
        "a hop names no supporting paragraph": any(hop.paragraph is None for hop in hops),
        MISSING: bool(unknown),
        "no supporting paragraph": not hops and not any(paragraph.supporting for paragraph in paragraphs),
    }
    reason = next((reason for reason, holds in checks.items() if holds), None)
    detail = f"paragraph {unknown[0]}, of {len(numbers)}" if reason == MISSING else ""
    return Dropped(reason, detail=detail, original_id=record_id(record)) if reason else None


def read_paragraphs(value: object) -> tuple[Paragraph, ...]:
    """Return the paragraphs that have text; none at all where one of them cannot be read."""
    paragraphs = []
    for item in list_of(value):
        number = number_of(item.get("idx")) if isinstance(item, dict) else None
        if number is None or not isinstance(item, dict) or not isinstance(item.get("paragraph_text"), str):
            return ()
        title, text = text_of(item.get("title")), item["paragraph_text"]
        if text.strip():
            document = Document(passage_id(INFO.name, title=title, text=text), text=text, title=title)
            paragraphs.append(Paragraph(number, document, item.get("is_supporting") is True))
    return tuple(paragraphs)


def read_hops(value: object) -> tuple[Hop, ...]:
    """Return the hops of the decomposition; one that cannot be read names no paragraph."""
    items = [item if isinstance(item, dict) else {} for item in list_of(value)]
    return tuple(
        Hop(text_of(item.get("question")), text_of(item.get("answer")), number_of(item.get("paragraph_support_idx")))
        for item in items
    )


def find_answers(hops: Sequence[Hop], paragraphs: Mapping[int, Document]) -> Iterator[Evidence]:
    """Yield the first occurrence of each hop's answer in its paragraph, where there is one."""
    for hop in hops:
        document = paragraphs[hop.paragraph] if hop.paragraph is not None else None
        if document is not None and hop.answer:
            match = re.search(rf"(?<!\w){re.escape(hop.answer)}(?!\w)", document.text)
            if match:
                yield Evidence(document.id, match.start(), match.end())


def _aliases(value: object, *, answer: str) -> tuple[str, ...]:
    texts = (text_of(item) for item in list_of(value))
    return tuple(dict.fromkeys(text for text in texts if text and text != answer))


def _metadata(hops: Sequence[Hop], paragraphs: Mapping[int, Document], *, disagrees: bool) -> dict[str, object]:
    metadata: dict[str, object] = {}
    if hops:
        metadata["hops"] = len(hops)
        metadata["decomposition"] = [hop.question for hop in hops]
        metadata["sub_questions"] = list(_sub_questions(hops, paragraphs))
    return metadata | ({"support_disagrees": True} if disagrees else {})


def _sub_questions(hops: Sequence[Hop], paragraphs: Mapping[int, Document]) -> Iterator[dict[str, str]]:
    """Yield the question asked of each paragraph, with the answers of earlier hops in place of `#1`, `#2`."""
    for number, hop in enumerate(hops):
        answers = {f"#{place}": earlier.answer for place, earlier in enumerate(hops[:number], start=1)}
        question = re.sub(r"#\d+", lambda mark, known=answers: known.get(mark[0]) or mark[0], hop.question)  # type: ignore[misc]
        if hop.paragraph is not None:
            yield {"question": question, "document": paragraphs[hop.paragraph].id}


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
