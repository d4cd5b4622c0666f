"""A judge that knows the truth: it reads the prompt of a judge, and answers in the form that was asked for.

The truth gives for each question the sets of documents that suffice. Documents that contain a whole set get a YES, with
quotes from them; others get a NO, which describes what is missing in the words of a document that the nearest set still
lacks. Graded forms get the highest grade for a whole set, half of that where a member is among the documents, else 0. A
question that is asked without documents is answered only where the teacher is told so.

A teacher is a script for `ModelServer`, and a function prompt -> dict that can be opened as a model.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Literal

from goldproof.errors import InputError, shown
from goldproof.testing.request import Request

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from goldproof.judge import Framed
    from goldproof.records.entities import Document

INVENTED = "A sentence that stands in none of the documents, word for word."
_YES_NO: dict[str, Any] = {"answerable": {}, "quotes": {}, "answer": {}, "missing": {}, "reason": {}}
_LONGEST_QUOTE = 200
_MISSING_WORDS = 12


class Teacher:
    """A model that is always right.

    truth: text of a question -> the sets that suffice, empty where nothing does. by: what the members of the sets are:
    ids of documents, or markers: texts in them. documents: where the members are ids, the texts that describe what is
    missing. answers: text of a question -> its answer; where options are shown, it answers with the letter of the equal
    one. knows: questions that it answers without documents. invents_quotes: questions for which its quotes occur in no
    document. asked: the question and document ids of every call.
    """

    def __init__(
        self,
        truth: Mapping[str, Iterable[Collection[str]]],
        *,
        by: Literal["id", "marker"] = "id",
        documents: Iterable[Document] = (),
        answers: Mapping[str, str] | None = None,
        knows: Collection[str] = (),
        invents_quotes: Collection[str] = (),
    ) -> None:
        self._truth = {question: [tuple(sorted(kernel)) for kernel in kernels] for question, kernels in truth.items()}
        self._by = by
        self._words = {document.id: f"{document.title} {document.text}" for document in documents}
        self._answers, self._knows, self._invents = answers or {}, frozenset(knows), frozenset(invents_quotes)
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        content = [self._truth, by, self._words, self._answers, sorted(self._knows), sorted(self._invents)]
        # The key covers everything it knows, so its answers may be kept under it.
        self.key = f"teacher {hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]}"

    def __call__(self, asked: Request | str) -> dict[str, Any]:
        """Return the answer, in the form of the request, or of the schema in the prompt."""
        from goldproof.judge import read_prompt  # noqa: PLC0415 - it loads pydantic, and servers start without

        text = whole_text(asked) if isinstance(asked, Request) else asked
        schema = schema_in(text) if isinstance(asked, str) else asked.schema or schema_in(asked.instructions)
        framed = read_prompt(text)
        self.asked.append((framed.question, tuple(document.id for document in framed.documents)))
        properties: Mapping[str, Any] = (schema or {}).get("properties") or _YES_NO
        if "answerable" not in properties and "grade" not in properties:
            return self._without_documents(framed)
        judged = self._judged(framed, most=properties.get("grade", {}).get("maximum", 0))
        return {name: value for name, value in judged.items() if name in properties}

    def _without_documents(self, framed: Framed) -> dict[str, Any]:
        known = framed.question in self._knows
        return {"reason": "known by heart" if known else "unknown", "answer": self._answer(framed) if known else ""}

    def _judged(self, framed: Framed, *, most: int) -> dict[str, Any]:
        kernels = self._kernels(framed.question)
        whole = next((kernel for kernel in kernels if not self._lacking(kernel, framed.documents)), None)
        some = any(len(self._lacking(kernel, framed.documents)) < len(kernel) for kernel in kernels)
        if whole is None:
            missing = self._missing(kernels, framed.documents)
            grade = most // 2 if some else 0
            return {"answerable": "NO", "grade": grade, "quotes": [], "answer": "", "missing": missing, "reason": "no"}
        quotes, answer = self._quotes(framed, whole), self._answer(framed)
        return {"answerable": "YES", "grade": most, "quotes": quotes, "answer": answer, "missing": "", "reason": "yes"}

    def _kernels(self, question: str) -> list[tuple[str, ...]]:
        if question not in self._truth:
            raise InputError(f"the teacher knows nothing of the question {shown(question)}; expected it in its truth.")
        return self._truth[question]

    def _holds(self, document: Document, member: str) -> bool:
        return document.id == member if self._by == "id" else member in document.text

    def _lacking(self, kernel: tuple[str, ...], documents: Sequence[Document]) -> list[str]:
        return [member for member in kernel if not any(self._holds(document, member) for document in documents)]

    def _quotes(self, framed: Framed, kernel: tuple[str, ...]) -> list[str]:
        if framed.question in self._invents:
            return [INVENTED]
        if self._by == "marker":
            return list(kernel)
        return [_quotable(document) for document in framed.documents if document.id in kernel]

    def _missing(self, kernels: list[tuple[str, ...]], documents: Sequence[Document]) -> str:
        nearest = min((self._lacking(kernel, documents) for kernel in kernels), key=len, default=[])
        return " ".join(self._words.get(nearest[0], nearest[0]).split()[:_MISSING_WORDS]) if nearest else ""

    def _answer(self, framed: Framed) -> str:
        from goldproof.judge.prompts import letter_of  # noqa: PLC0415

        answer = self._answers.get(framed.question, "")
        return letter_of(framed.options.index(answer)) if answer in framed.options else answer


def _quotable(document: Document) -> str:
    """Return a line of the document, or its title where it has no text."""
    lines = [line.strip() for line in document.text.splitlines() if line.strip()]
    return lines[0][:_LONGEST_QUOTE] if lines else document.title


def whole_text(request: Request) -> str:
    """Return everything that the user's messages say."""
    return "\n\n".join(message.text for message in request.messages if message.role == "user")


def schema_in(prompt: str) -> Mapping[str, Any] | None:
    """Return the JSON schema that a prompt holds on a line of its own."""
    for line in prompt.splitlines():
        if line.startswith("{") and '"properties"' in line:
            try:
                schema = json.loads(line)
            except ValueError:
                continue
            return schema if isinstance(schema, dict) else None
    return None
