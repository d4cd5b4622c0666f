"""Titled passages with supporting facts: the record shape that HotpotQA and 2Wiki share.

`context` is a list of passages (title, sentences), `supporting_facts` a list of facts (title, sentence number from 0).
Both are read in every form that is published: pairs in lists, objects in lists, one object of parallel lists (the
hub's), and any of these as a JSON text in a Parquet column.

- A passage is a document: its text is its sentences one after the other, `gap` between two where neither has a blank.
  Passages that are equal in title and text are one document; a passage without text is none.
- Gold are the passages that the facts name; evidence is the whole span of each supporting sentence.
- Where two passages have the title of a fact, the first that has the sentence is meant.
- A fact that names nothing (no such title, no such sentence, a blank one) drops the record: its gold would be
  incomplete, and a retriever that finds all there is would look wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.adapters.adapter import content_id, number_of, pairs, passage_id, record_id, text_of
from goldproof.jobs.build.records import Dropped, Evidence, Example
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.build.adapters.adapter import JsonObject


class Fact(NamedTuple):
    """A supporting sentence: the title of its passage, and its number there."""

    title: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A document, and the spans of its sentences."""

    document: Document
    spans: tuple[tuple[int, int], ...]

    def evidence(self, sentence: int) -> Evidence | None:
        """Return the span of a sentence; None where there is no such sentence, or it is blank."""
        if not 0 <= sentence < len(self.spans):
            return None
        start, end = self.spans[sentence]
        return Evidence(self.document.id, start, end) if self.document.text[start:end].strip() else None


def example_of(record: JsonObject, *, adapter: str, gap: str, metadata: Mapping[str, object]) -> Example | Dropped:
    """Return the example that a record holds, or why it holds none."""
    own_id = record_id(record)
    question, answer = (text_of(record.get(key)) for key in ("question", "answer"))
    passages = read_passages(record.get("context"), adapter=adapter, gap=gap)
    facts = read_facts(record.get("supporting_facts"))
    needed = {"question": question, "answer": answer, "context": passages, "supporting facts": facts}
    for name, value in needed.items():
        if not value:
            return Dropped(f"no {name}", original_id=own_id)
    evidence = []
    for fact in facts:
        span = find_fact(fact, passages)
        if isinstance(span, str):
            return Dropped(span, detail=_describe(fact, passages), original_id=own_id)
        evidence.append(span)
    documents = tuple({passage.document.id: passage.document for passage in passages}.values())
    return Example(
        original_id=own_id or content_id(question, answer, [document.id for document in documents]),
        question=question,
        answer=answer,
        documents=documents,
        gold=tuple(dict.fromkeys(span.document for span in evidence)),
        evidence=tuple(dict.fromkeys(evidence)),
        metadata={**metadata, "n_supporting": len(set(evidence))},
    )


def find_fact(fact: Fact, passages: Sequence[Passage]) -> Evidence | str:
    """Return the span that a fact names, or the reason why it names nothing."""
    titled = [passage for passage in passages if passage.document.title == fact.title]
    if not titled:
        return "supporting fact outside the context"
    spans = (passage.evidence(fact.sentence) for passage in titled)
    return next((span for span in spans if span is not None), "supporting sentence does not exist")


def _describe(fact: Fact, passages: Sequence[Passage]) -> str:
    lengths = [len(passage.spans) for passage in passages if passage.document.title == fact.title]
    where = f"of {max(lengths)}" if lengths else f"not among {len(passages)} passages"
    return f"supporting fact {fact.title!r} sentence {fact.sentence}, {where}"


def read_passages(value: object, *, adapter: str, gap: str) -> tuple[Passage, ...]:
    """Return the passages of `context` that have text; () where one of them cannot be read."""
    passages = []
    for title, parts in pairs(value, first=("title",), second=("sentences", "content")):
        sentences = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else None
        if not isinstance(title, str) or sentences is None or sentences != parts:
            return ()
        text, spans = join_sentences(sentences, gap=gap)
        if text.strip():
            document = Document(passage_id(adapter, title=title, text=text), text=text, title=title)
            passages.append(Passage(document, spans))
    return tuple(passages)


def read_facts(value: object) -> tuple[Fact, ...]:
    """Return the supporting facts; () where one of them cannot be read."""
    facts = []
    for title, number in pairs(value, first=("title",), second=("sent_id",)):
        sentence = number_of(number)
        if not isinstance(title, str) or sentence is None:
            return ()
        facts.append(Fact(title, sentence))
    return tuple(facts)


def join_sentences(sentences: Sequence[str], *, gap: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text that sentences make together, and the span of each in it."""
    text = ""
    spans = []
    for sentence in sentences:
        apart = not text or not sentence or text[-1].isspace() or sentence[0].isspace()
        start = len(text) + (0 if apart else len(gap))
        text = f"{text}{'' if apart else gap}{sentence}"
        spans.append((start, len(text)))
    return text, tuple(spans)
