"""Records of mining: candidates, rulings on sets, mined documents and questions, the mined dataset.

The standing of a document:

    positive   sufficient alone                                                             qrels 2
    partial    not sufficient alone, but in a kernel; or, by a judge that grades, graded
               from `Scale.partial_from` up to below `yes_from`: it bears on the question   qrels 1
    negative   judged, and none of these                                                    qrels 0
    unjudged   no ruling that counts: unsupported, disputed, abstained, failed, or never
               judged                                                                       not in the qrels

A negative was judged alone and is in no kernel that was found. Where the search for kernels ended early it may be part
of one that was not: docs/concepts/mining-quality.md says how often that was so where the kernels are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.mine.discovery import Discovery
    from goldproof.judge import Ruling
    from goldproof.records.entities import Document, Question

Standing = Literal["positive", "partial", "negative", "unjudged"]
GRADES: Mapping[Standing, int] = {"positive": 2, "partial": 1, "negative": 0}
Status = Literal["answerable", "unanswerable here", "undecided"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that may answer a question.

    sources: where it came from, in the order of finding: target, import, run:NAME, bm25, dense, random, human
    (people graded it), agent, expansion.
    """

    question: str
    document: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MinedDocument:
    """A candidate with its standing. ruling: None where it was not judged alone."""

    id: str
    standing: Standing
    sources: tuple[str, ...]
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class SetRuling:
    """A ruling on several documents together. why: `seed`, `expand`, `minimise`, `alternative` or `agent`."""

    documents: tuple[str, ...]
    ruling: Ruling
    why: str


@dataclass(frozen=True, slots=True)
class MinedQuestion:
    """A question with its judged documents.

    kernels: minimal sets that suffice, single documents among them; none without `--kernels`. status: undecided where
    nothing sufficient was found, but not everything was looked at or some rulings are lacking
    (`goldproof.jobs.mine.labels` has the rule). reason: of the status. without_context: whether it was answered
    correctly with no context at all; None where that cannot be told or was not asked, as without_context_reason says.
    discovery: what an agent did, where one was sent.
    """

    question: Question
    documents: tuple[MinedDocument, ...] = ()
    kernels: tuple[tuple[str, ...], ...] = ()
    set_rulings: tuple[SetRuling, ...] = ()
    status: Status = "undecided"
    reason: str = ""
    without_context: bool | None = None
    without_context_reason: str = ""
    discovery: Discovery | None = None


@dataclass(frozen=True, slots=True)
class Mined:
    """A mined dataset.

    documents: id -> document, of every candidate and of every kernel. corpus: all documents, in the corpus' order.
    judge: its key; judge_spec: what it was called, which may hold a path and so goes to `run.json`. facts: what decided
    the result, for the card (corpus, judge, settings). inputs: name -> sha256. spent: what a price or a clock decided
    (calls, cached, tokens, cost), for `run.json`. stopped: why it ended early (budget, model down), else empty:
    everything so far is kept, and the same command goes on. problems: cases that could not be read, targets that are
    not in the corpus. limits: what keeps the labels from comparing retrievers. judged_kernels: whether kernels were
    looked for.
    """

    questions: tuple[MinedQuestion, ...]
    corpus: tuple[Document, ...]
    documents: Mapping[str, Document]
    judge: str
    judged_kernels: bool
    facts: Mapping[str, object]
    inputs: Mapping[str, str]
    seed: int = 0
    spent: Mapping[str, object] = field(default_factory=dict)
    judge_spec: str | None = None
    stopped: str = ""
    problems: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
