"""A benchmark case, its place in a file, and the text fields of its mapping.

multiple_choice    options by letter, the right letter, an explanation, perhaps a snippet of code
api_understanding  answers in prose, with the fully qualified names that they are about
fix_error          a file that fails, the file that does not, and the test that tells them apart
question           a question from JSON lines, a BEIR folder or a build of Goldproof's

`01`, `No` and `1.10` stay as they are written; a JSON `true` is the text `true`. A value without content (`null`, an
empty text, blanks) counts as absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from goldproof.errors import shortened

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.records.entities import Question


Kind = Literal["multiple_choice", "api_understanding", "fix_error", "question"]


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file that a case names. path: as the case writes it; section: of a snippet; text: of the file or section.

    whole: of a section, the text of the file that it is cut from, with its marks.
    """

    path: str
    text: str
    section: str | None = None
    whole: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    question: what is asked, with the id `<suite>:<case>`, the options in the order of their letters, and the right
    answer as text; a snippet stands in its text. options: letter -> text; key: the right letter. targets: names of the
    documents that the metadata call relevant (fully qualified names, or ids of gold documents). gold_kernels: sets of
    documents that are known to suffice. asked: what is asked as it was written, without the code that stands in the
    question's text. where: file and line, for messages.
    """

    kind: Kind
    suite: str
    question: Question
    where: str
    asked: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None
    targets: tuple[str, ...] = ()
    gold_kernels: tuple[tuple[str, ...], ...] = ()
    explanation: str = ""
    snippet: CodeFile | None = None
    unfixed: CodeFile | None = None
    fixed: CodeFile | None = None
    test: CodeFile | None = None

    @property
    def id(self) -> str:
        """`<suite>:<case>`."""
        return self.question.id


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of some files. problems: a sentence for each case that could not be read, with its file and id.

    files: name of each file that was read -> sha256, files that the cases name among them. remarks: what a reader
    should know of the files, such as ids that were made.
    """

    cases: tuple[Case, ...]
    problems: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CasePlace:
    """Position of a case. id: `<suite>:<case>`; file: its name, for metadata; where: file and line, for messages."""

    id: str
    suite: str
    file: str
    where: str
    folder: Path

    def metadata(self, kind: Kind, **more: object) -> dict[str, object]:
        """Return the metadata of the question; empty values of `more` are left out."""
        return {"kind": kind, "suite": self.suite, "file": self.file} | {k: v for k, v in more.items() if v}


@dataclass(frozen=True, slots=True)
class BuiltCase:
    """A case, and the code file that its question shows; questions about one file are not independent."""

    case: Case
    shown: Path | None = None


class BadCaseError(ValueError):
    """A case that cannot be read; the text follows "case 'suite:id' " in a sentence."""


class CaseFields:
    """The mapping of a case, read as text."""

    def __init__(self, record: Mapping[object, object]) -> None:
        self._values = {str(key): value for key, value in record.items()}

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    def get(self, key: str) -> object:
        """Return the value of a key as it is; None where it is absent."""
        return self._values.get(key)

    def text(self, *keys: str) -> str:
        """Return the text under the first of the keys that has one, or an empty text."""
        for key in keys:
            if text := text_of(self._values.get(key), what=key):
                return text
        return ""

    def needed(self, *keys: str) -> str:
        """Return the text under one of the keys, which must be there."""
        if text := self.text(*keys):
            return text
        raise BadCaseError(f"has no {keys[0]}.")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, each once; a single text is a list of one."""
        value = self._values.get(key)
        items = value if isinstance(value, list) else [value]
        texts = (text_of(item, what=f"an item of {key}") for item in items)
        return tuple(dict.fromkeys(text for text in texts if text))


def text_of(value: object, *, what: str) -> str:
    """Return a scalar as text without blanks around it; null is an empty text. what: its name in messages."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | Mapping):
        raise BadCaseError(
            f"has a {what} that is {'a list' if isinstance(value, list) else 'a mapping'}, expected text."
        )
    text = str(value).strip()
    if not _is_whole(text):
        raise BadCaseError(f"has a {what} with half a surrogate pair in it ({shortened(ascii(text), longest=60)}).")
    return text


def _is_whole(text: str) -> bool:
    """Return whether a file can hold the text: JSON may spell half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
