"""A model that drafts cloze questions from documents, and answers them from documents: `goldproof ask` without a key.

A question names a sentence of the document with a gap in it, or one of each document where there are two; the answer
is the word that was left out:

    Which word is missing in 'The anchor of the boat weighs [...] kilograms.'?

Sentences that were asked about before are passed over. As a judge it says YES where the documents hold every sentence
of the question. Without documents it knows nothing, unless it is told otherwise. It answers by the prompt alone, so
that it needs no state, and its answers may be kept.

An author is a script for `ModelServer` (`--script goldproof.testing.author:author`) and a function prompt -> dict that
can be opened as a model.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from goldproof.testing.request import Request
from goldproof.testing.teacher import schema_in, whole_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.records.entities import Document

GAP = "[...]"
_SENTENCE = re.compile(r"[^.!?\n]+(?:\n[^.!?\n]+)*[.!?]")
_WORD = re.compile(r"[^\W_]{4,}")
_NAMED = re.compile(r"'([^']*\[\.\.\.\][^']*)'")
_MOST_WORDS = 30


class Author:
    """Drafts cloze questions, and judges them. knows: words of a question -> its answer without any document."""

    def __init__(self, *, knows: Mapping[str, str] | None = None) -> None:
        self._knows = dict(knows or {})
        self.key = f"author {sorted(self._knows.items())}" if self._knows else "author"

    def __call__(self, asked: Request | str) -> dict[str, Any]:
        """Return a draft, a ruling or an answer, whichever the form asks for."""
        from goldproof.judge.prompts import documents_in, read_blocks  # noqa: PLC0415 - servers start without pydantic

        text = whole_text(asked) if isinstance(asked, Request) else asked
        schema = schema_in(text) if isinstance(asked, str) else asked.schema or schema_in(asked.instructions)
        properties = (schema or {}).get("properties", {})
        blocks = read_blocks(text)
        documents, named = documents_in(blocks), dict(blocks)
        if "quote" in properties:
            return _one(documents[0], named.get("QUESTIONS ASKED BEFORE", ""))
        if "quote_1" in properties:
            return _two(documents, named.get("QUESTIONS ASKED BEFORE", ""))
        if "supported" in properties:
            words = named.get("ANSWER", "").split(" and ")
            return {"reason": "", "supported": "YES" if all(word in named["QUOTES"] for word in words) else "NO"}
        question = named.get("QUESTION", "")
        if "answerable" in properties:
            return _ruling(question, documents)
        known = next((answer for words, answer in self._knows.items() if words in question), "")
        return {"reason": "", "answer": known}


author = Author()


def _one(document: Document, before: str) -> dict[str, Any]:
    found = _cloze(document.text, before)
    if found is None:
        return {"quote": "", "question": "", "answer": ""}
    sentence, gapped, answer = found
    return {"quote": sentence, "question": f"Which word is missing in '{gapped}'?", "answer": answer}


def _two(documents: Sequence[Document], before: str) -> dict[str, Any]:
    found = [_cloze(document.text, before) for document in documents[:2]]
    if len(found) < 2 or found[0] is None or found[1] is None:
        return {"quote_1": "", "quote_2": "", "question": "", "answer": ""}
    (first, gap_1, word_1), (second, gap_2, word_2) = found[0], found[1]
    question = f"Which words are missing in '{gap_1}' and '{gap_2}'?"
    return {"quote_1": first, "quote_2": second, "question": question, "answer": f"{word_1} and {word_2}"}


def _cloze(text: str, before: str) -> tuple[str, str, str] | None:
    """Return the first sentence that was not asked about: as it stands, on one line with a gap, and the word."""
    for found in _SENTENCE.finditer(text):
        sentence = found[0].strip()
        line = " ".join(sentence.split())
        words = _WORD.findall(line)
        if not 4 <= len(line.split()) <= _MOST_WORDS or not words or "'" in line:
            continue
        answer = max(words, key=len)
        gapped = line.replace(answer, GAP, 1)
        if gapped not in before:
            return sentence, gapped, answer
    return None


def _ruling(question: str, documents: Sequence[Document]) -> dict[str, Any]:
    quotes, answers = [], []
    texts = [" ".join(document.text.split()) for document in documents]
    for gapped in _NAMED.findall(question):
        before, _, after = gapped.partition(GAP)
        pattern = re.compile(rf"{re.escape(before)}([^\W_]+){re.escape(after)}")
        found = next((match for text in texts if (match := pattern.search(text))), None)
        if found is None:
            return {"reason": "", "quotes": [], "answer": "", "missing": gapped, "answerable": "NO"}
        quotes.append(found[0])
        answers.append(found[1])
    answerable = "YES" if quotes else "NO"
    return {"reason": "", "quotes": quotes, "answer": " and ".join(answers), "missing": "", "answerable": answerable}
