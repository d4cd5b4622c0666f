"""A case of a benchmark registry: a question with all that its file says about it.

multiple_choice    options by letter, the right letter, an explanation, perhaps a snippet of code
api_understanding  answers in prose, with the fully qualified names that they are about
fix_error          a file that fails, the file that does not, and the test that tells them apart
question           a question from JSON lines, a BEIR folder or a build of Goldproof's
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.core.records import Question

Kind = Literal["multiple_choice", "api_understanding", "fix_error", "question"]


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file that a case names. path: as the case writes it; section: of a snippet; text: what stands there.

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

    files: name of each file that was read -> sha256, files that the cases name among them.
    """

    cases: tuple[Case, ...]
    problems: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
