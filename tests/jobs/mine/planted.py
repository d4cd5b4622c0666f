"""A corpus in which it is known what answers each question, and a teacher who knows it.

A question asks about one to four concepts. A concept is explained by one document or, in some questions, by two that do
as well; every other document is noise. A set suffices if it explains every concept, so the minimal sets are known: one
document for each concept. The teacher says YES to those with a quote from each document, else NO and which concept is
missing, in its own words, which a search finds.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from goldproof.judge import read_prompt
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.testing import Request

SYLLABLES = ("ba", "do", "fi", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "to", "vi", "wa", "xe", "zo")


@dataclass(frozen=True, slots=True)
class World:
    """concepts: of each question (by its text), the documents that explain each of its concepts."""

    questions: tuple[Question, ...]
    documents: tuple[Document, ...]
    concepts: dict[str, tuple[tuple[str, ...], ...]]

    def kernels(self, question: Question) -> set[tuple[str, ...]]:
        """Every minimal set."""
        return {tuple(sorted(one)) for one in product(*self.concepts[question.text])}

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write questions and corpus as JSON lines."""
        queries, corpus = folder / "questions.jsonl", folder / "corpus.jsonl"
        lines = [{"id": one.id, "text": one.text, "answer": one.answer} for one in self.questions]
        queries.write_text("".join(json.dumps(line) + "\n" for line in lines))
        lines = [{"_id": one.id, "title": one.title, "text": one.text} for one in self.documents]
        corpus.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return queries, corpus


def make_world(*, questions: int = 16, noise: int = 40, seed: int = 0) -> World:
    """Plant questions with one to four concepts, every third with a concept that two documents explain."""
    draw = random.Random(seed)
    asked: list[Question] = []
    documents: list[Document] = []
    concepts: dict[str, tuple[tuple[str, ...], ...]] = {}
    for number in range(questions):
        words = [_word(draw) for _ in range(1 + number % 4)]
        text = f"How do {' and '.join(words)} work in device {number}?"
        explained = []
        for place, word in enumerate(words):
            copies = 2 if number % 3 == 0 and place == 0 else 1
            ids = tuple(f"d{number}-{place}-{copy}" for copy in range(copies))
            documents += [Document(one, _explanation(word, number, draw)) for one in ids]
            explained.append(ids)
        asked.append(Question(f"q{number}", text, answer=f"the {words[-1]} of device {number} turns"))
        concepts[text] = tuple(explained)
    documents += [Document(f"n{i}", f"Noise {_word(draw)} {_word(draw)} and a device of no use.") for i in range(noise)]
    draw.shuffle(documents)
    return World(tuple(asked), tuple(documents), concepts)


def _word(draw: random.Random) -> str:
    return "".join(draw.choice(SYLLABLES) for _ in range(4))


def _explanation(word: str, number: int, draw: random.Random) -> str:
    return (
        f"{word} {word}: the {word} of device {number} turns {draw.randint(2, 99)} times. {_word(draw).capitalize()}."
    )


class Teacher:
    """Answers the yes/no judge about a world; asked without documents, it does not know."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __call__(self, prompt: str) -> dict[str, object]:
        """Answer a prompt."""
        framed = read_prompt(prompt)
        if not framed.documents:
            return {"answer": ""}
        shown = {document.id: document for document in framed.documents}
        quotes, missing = [], ""
        for explained in self._world.concepts[framed.question]:
            known = next((one for one in explained if one in shown), None)
            if known is None:
                word = next(one for one in self._world.documents if one.id == explained[0]).text.partition(" ")[0]
                missing = missing or f"what {word} is"
            else:
                quotes.append(shown[known].text.partition(". ")[0])
        if missing:
            return {"answerable": "NO", "quotes": [], "answer": "", "missing": missing, "reason": "not all is there"}
        return {"answerable": "YES", "quotes": quotes, "answer": "it turns", "missing": "", "reason": "all is there"}


def script(request: Request) -> dict[str, object]:
    """Answer over HTTP, for `python -m goldproof.testing --script tests.jobs.mine.planted:script`."""
    return answer(_TEACHER, request)


def answer(teacher: Teacher, request: Request) -> dict[str, object]:
    """Answer the first message: those that follow only ask for the right form."""
    return teacher(next(message.text for message in request.messages if message.role == "user"))


_TEACHER = Teacher(make_world())
