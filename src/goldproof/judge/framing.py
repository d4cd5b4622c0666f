"""How a question and documents stand in a prompt: as data between marks that nothing inside can imitate.

    <<<BEGIN DOCUMENT 1 of 2 3fa9c1d2>>>
    id: requests.get
    title: get
    text:
    ...
    <<<END DOCUMENT 1 of 2 3fa9c1d2>>>

Every mark carries a code made from the content itself, and another one where the content holds that code. So no
document can write the mark that would end it, and the same content always makes the same prompt. Titles and ids stand
on one line each. A text longer than `longest` characters is cut there, which its heading says.

`read_frame` reads a prompt back, for teachers that are scripted.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from goldproof.core.errors import InputError
from goldproof.core.records import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldproof.core.records import Question

LONGEST: Final = 40_000
_CODE_LENGTH: Final = 8
_BEGIN: Final = re.compile(r"<<<BEGIN QUESTION ([0-9a-f]{8})>>>\n")
_TEXT_HEADING: Final = re.compile(r"text(?: \(the first \d+ of \d+ characters\))?:\n")


@dataclass(frozen=True, slots=True)
class Framed:
    """What a prompt shows. options: in the order of their letters."""

    question: str
    options: tuple[str, ...]
    documents: tuple[Document, ...]


def letter_of(index: int) -> str:
    """Return the letter of an option, counted from 0: A to Z, then AA, AB and so on."""
    first, last = divmod(index, 26)
    return (letter_of(first - 1) if first else "") + chr(ord("A") + last)


def frame(
    question: Question, documents: Sequence[Document], *, longest: int = LONGEST, options: Sequence[str] | None = None
) -> str:
    """Return the question, its options and the documents between marks. options: in another order than its own."""
    listed = question.options if options is None else options
    blocks = [("QUESTION", question.text)]
    if listed:
        blocks.append(("OPTIONS", "\n".join(f"{letter_of(i)}. {text}" for i, text in enumerate(listed))))
    total = len(documents)
    blocks += [
        (f"DOCUMENT {number} of {total}", _shown(document, longest))
        for number, document in enumerate(documents, start=1)
    ]
    code = _code([body for _, body in blocks])
    return "\n\n".join(f"<<<BEGIN {name} {code}>>>\n{body}\n<<<END {name} {code}>>>" for name, body in blocks)


def cut_documents(documents: Iterable[Document], *, longest: int) -> list[Document]:
    """Return the documents of which a prompt shows only the beginning."""
    return [document for document in documents if len(document.text) > longest]


def read_frame(prompt: str) -> Framed:
    """Read the question, its options and the documents back from a prompt."""
    begin = _BEGIN.search(prompt)
    if begin is None:
        raise InputError("the prompt holds no question between marks; expected one that goldproof.judge.prompts made.")
    code = begin[1]
    pattern = re.compile(rf"<<<BEGIN ([^<>\n]+) {code}>>>\n(.*?)\n<<<END \1 {code}>>>", re.DOTALL)
    blocks = [(name, body) for name, body in pattern.findall(prompt)]
    return Framed(
        blocks[0][1],
        next((_options(body) for name, body in blocks if name == "OPTIONS"), ()),
        tuple(_document(body) for name, body in blocks if name.startswith("DOCUMENT ")),
    )


def _shown(document: Document, longest: int) -> str:
    size = len(document.text)
    cut = f" (the first {longest} of {size} characters)" if size > longest else ""
    return f"id: {_line(document.id)}\ntitle: {_line(document.title)}\ntext{cut}:\n{document.text[:longest]}"


def _line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\r" in text else text


def _code(bodies: list[str]) -> str:
    digest = hashlib.sha256("\0".join(bodies).encode("utf-8", "surrogatepass")).hexdigest()
    while any(digest[:_CODE_LENGTH] in body for body in bodies):
        digest = hashlib.sha256(digest.encode("ascii")).hexdigest()
    return digest[:_CODE_LENGTH]


def _options(body: str) -> tuple[str, ...]:
    """Cut a list of options at the next letter that is due; an option may have several lines."""
    found: list[list[str]] = []
    for line in body.split("\n"):
        due = f"{letter_of(len(found))}. "
        if line.startswith(due):
            found.append([line.removeprefix(due)])
        elif found:
            found[-1].append(line)
    return tuple("\n".join(lines) for lines in found)


def _document(body: str) -> Document:
    head, title, rest = body.split("\n", 2)
    return Document(head.removeprefix("id: "), _TEXT_HEADING.sub("", rest, count=1), title.removeprefix("title: "))
