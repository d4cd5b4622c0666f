"""Checks of ids before scoring: runs over other documents, and results with the id of their question.

**Other documents.** A run over other chunks, or with `docs/x.md` where the judgments have `x.md`, has no judged result:
its scores would be 0 and mean nothing. `check_ids` looks at the ids of a run:

    corpus known   refused where fewer than 5% of its ids are in the corpus
    qrels only     where no result is judged and no id is shared: refused if the ids match without a path, a file
                   extension or a chunk suffix; else the run is scored, but gets no verdict, and a note shows ids of
                   both sides

The corpus is that of the dataset: a BEIR or Cranfield folder, or the documents of a `Dataset` if not all of them are
judged; else what retrievers searched, if it holds judged documents. Of more than 100,000 results a sample of that many
is checked.

**Identical ids.** In some collections the questions are documents themselves, and a question retrieves itself. BEIR
drops such results by default, before every cutoff, so that later ranks move up; judgments are not touched.
`ignore_identical_ids` drops them (True), keeps them (False), or decides (None):

    dropped   in a BEIR folder whose questions are documents: of the questions that some run returned for themselves, at
              least half are documents, and none has the document of its own id judged relevant. A telling id decides by
              itself; where ids are numbered (7, q7, doc-7) and may be equal by chance, 80% of the question's words must
              be in the document, as far as texts are known
    kept      everywhere else

Either way a remark says so where there is such a result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import IdMismatchError, counted
from goldproof.io import read_documents
from goldproof.io.datasets.beir import find_part
from goldproof.jobs.evaluate.inputs import question_grades
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from goldproof.jobs.evaluate.inputs import CorpusIds, Judgments, Run

LEAST_SHARE = 0.05
CHECKED_RESULTS = 100_000
_SHOWN = 3
_ADVICE = (
    "Return the judged ids (own(..., id_field=...) picks another field), keep judgments as spans that survive "
    "re-chunking (--spans), or judge what this run returns (goldproof mine --extend, docs/concepts/mining.md)."
)
_EXTENSION = re.compile(
    r"\.(adoc|c|cpp|csv|docx?|gz|h|html?|ipynb|java|jsonl?|js|md|mdx|parquet|pdf|py|rs|rst|tex|ts|tsv|txt|xml|ya?ml)$",
    re.IGNORECASE,
)
_CHUNK_WORD = r"(?:chunk|part|passage|para|paragraph|section|segment|split|page)"
_CHUNK = re.compile(
    rf"(?:\s*[#:@|/_.-]+\s*{_CHUNK_WORD}?|\s+{_CHUNK_WORD})[\s#:_.-]*L?\d+(?:[-:,_]+L?\d+)*$", re.IGNORECASE
)
_SAME_WORDS = 0.8
_NUMBERED = re.compile(r"[^\W\d_]{0,8}[-_:.# ]?\d+")


def check_ids(run: Run, judgments: Judgments, *, name: str, judged_hit: bool, corpus: CorpusIds | None) -> str | None:
    """Refuse a run over other documents; return a note where the ids cannot tell.

    judged_hit: whether some result is judged for its question. corpus: returns the ids of all documents, if known.
    """
    if corpus is None and judged_hit:
        return None
    returned = _document_ids(run)
    if not returned:
        return None
    if corpus is not None:
        _check_against_corpus(returned, corpus, name=name)
        return None
    judged = judgments.documents
    if not judged or not judged.isdisjoint(returned):
        return None
    match = _near_match(returned, judged)
    if match is not None:
        raise IdMismatchError(
            f"run {name!r}: none of its {len(returned):,} document ids is judged, but they match without the "
            f"{match.without}. Run: {_some(match.run)}. Judgments: {_some(match.known)}.\n  {_ADVICE}"
        )
    return (
        f"{name}: none of its {len(returned):,} document ids occurs in the judgments, so it gets no verdict. Run: "
        f"{_some(returned)}. Judgments: {_some(judged)}. {_ADVICE}"
    )


def holds_judged(corpus: Iterable[str], judgments: Judgments) -> bool:
    """Whether at least 5% of the judged documents are in the corpus, so that it is the judged one."""
    judged = judgments.documents
    return bool(judged) and _share_reached(judged, corpus)


def _check_against_corpus(returned: set[str], corpus: CorpusIds, *, name: str) -> None:
    if _share_reached(returned, corpus()):
        return
    known = set(corpus())
    match = _near_match(returned - known, known)
    why = "it searched other documents" if match is None else f"they match without the {match.without}"
    raise IdMismatchError(
        f"run {name!r}: {len(returned & known):,} of its {len(returned):,} document ids are in the corpus, fewer than "
        f"{LEAST_SHARE:.0%}: {why}. Run: {_some(returned - known if match is None else match.run)}. "
        f"Corpus: {_some(known if match is None else match.known)}.\n  {_ADVICE}"
    )


def _share_reached(wanted: set[str], corpus: Iterable[str]) -> bool:
    """Whether 5% of the ids are in the corpus; stops reading as soon as they are."""
    missing = len(wanted) * LEAST_SHARE
    left = set(wanted)
    for document in corpus:
        if document in left:
            left.discard(document)
            missing -= 1
            if missing <= 0:
                return True
    return False


def _document_ids(run: Run) -> set[str]:
    if not isinstance(run, RankingTable):
        return {document for documents in run.values() for document in documents}
    step = max(1, len(run.documents) // CHECKED_RESULTS)
    return set(run.documents.gather_every(step).unique().to_list())


class _NearMatch(NamedTuple):
    """The part of an id to take off so that ids match, with examples from both sides."""

    without: str
    run: list[str]
    known: list[str]


def _near_match(returned: set[str], known: set[str]) -> _NearMatch | None:
    """Find the part to take off so that ids match: from ids of the run, of the other side, or of both."""
    for part, take_off in _PARTS.items():
        bare_run, bare_known = _by_bare(returned, take_off), _by_bare(known, take_off)
        matching = {bare: (bare_run[bare], bare) for bare in bare_run.keys() & known}
        matching |= {bare: (bare, bare_known[bare]) for bare in bare_known.keys() & returned}
        if part in _TAKEN_OFF_BOTH:
            # Numbers are no names: a/0 and b/0 are two documents.
            both = (bare for bare in bare_run.keys() & bare_known.keys() if not bare.isdigit())
            matching |= {bare: (bare_run[bare], bare_known[bare]) for bare in both}
        if matching and len(matching) >= LEAST_SHARE * min(len(bare_run), len(bare_known)):
            pairs = [matching[bare] for bare in sorted(matching)[:_SHOWN]]
            return _NearMatch(part, [run for run, _ in pairs], [other for _, other in pairs])
    return None


def _by_bare(ids: set[str], take_off: Callable[[str], str]) -> dict[str, str]:
    """Return bare id -> the first id it comes from."""
    return {bare: full for full in sorted(ids, reverse=True) if (bare := take_off(full))}


def _without_path(document: str) -> str:
    return re.split(r"[/\\]", document)[-1]


def _without_extension(document: str) -> str:
    return _EXTENSION.sub("", document)


def _without_chunk(document: str) -> str:
    return _CHUNK.sub("", document)


_PARTS: dict[str, Callable[[str], str]] = {
    "path": _without_path,
    "file extension": _without_extension,
    "chunk suffix": _without_chunk,
    "path and file extension": lambda d: _without_extension(_without_path(d)),
    "path and chunk suffix": lambda d: _without_path(_without_chunk(d)),
    "file extension and chunk suffix": lambda d: _without_extension(_without_chunk(d)),
    "path, file extension and chunk suffix": lambda d: _without_extension(_without_path(_without_chunk(d))),
}
# A number at the end may be all that tells two documents apart (doc-1, doc-2): it is taken off one side only.
_TAKEN_OFF_BOTH = frozenset({"path", "file extension", "path and file extension"})


def _some(ids: set[str] | list[str]) -> str:
    return ", ".join(map(repr, sorted(ids)[:_SHOWN] if isinstance(ids, set) else ids))


class IdenticalIds(NamedTuple):
    """Whether results with the id of their question are dropped, and a note where they are kept."""

    ignore: bool
    remarks: tuple[str, ...] = ()


def resolve_identical_ids(
    ignore: bool | None,  # noqa: FBT001 - three ways
    judgments: Judgments,
    runs: Mapping[str, Run],
) -> IdenticalIds:
    """Decide whether results with the id of their question are dropped; ignore: the user's choice, None: decide."""
    folder = None if judgments.dataset is None else judgments.dataset.beir
    if ignore is not None or folder is None:
        return IdenticalIds(bool(ignore))
    known = judgments.questions
    own = {question for run in runs.values() for question in questions_with_own_id(run) if question in known}
    if not own:
        return IdenticalIds(ignore=False)
    relevant = sorted(question for question in own if _own_grade(judgments, question) > 0)
    if relevant:
        why = f"for question {relevant[0]!r} that document is judged relevant"
    elif not _are_documents(own, judgments):
        why = "the documents do not have the text of the questions"
    else:
        return IdenticalIds(ignore=True)
    remark = (
        f"{counted(len(own), 'question has', 'questions have')} a result with the id of the question; it is kept, "
        f"because {why}. BEIR would drop it (--ignore-identical-ids)."
    )
    return IdenticalIds(ignore=False, remarks=(remark,))


def questions_with_own_id(run: Run) -> list[str]:
    """Return the questions for which a run returned the document of their own id."""
    if isinstance(run, RankingTable):
        rows = _own_rows(run)
        asked = run.questions.gather(np.searchsorted(run.starts, np.flatnonzero(rows), side="right") - 1)
        return [str(question) for question in asked.to_list()]
    return [question for question, documents in run.items() if question in documents]


def without_identical_ids(run: Run) -> Run:
    """Return the run without results that have the id of their question; questions left without results stay."""
    if not isinstance(run, RankingTable):
        return {q: {d: score for d, score in documents.items() if d != q} for q, documents in run.items()}
    kept = ~_own_rows(run)
    starts = np.concatenate([[0], np.cumsum(kept)])[run.starts].astype(np.int64)
    return RankingTable(run.questions, starts, run.documents.filter(pl.Series(kept)), run.scores[kept], run.failed)


def _own_rows(run: RankingTable) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    asked = run.questions.gather(np.repeat(np.arange(len(run.starts) - 1), np.diff(run.starts)))
    rows: np.ndarray[tuple[int], np.dtype[np.bool_]] = (asked == run.documents).to_numpy()
    return rows


def _own_grade(judgments: Judgments, question: str) -> int:
    table = judgments.grades
    if not isinstance(table, JudgmentTable):
        return int(table.get(question, {}).get(question, 0))
    return int((question_grades(table, question) or {}).get(question, 0))


def _are_documents(questions: set[str], judgments: Judgments) -> bool:
    """Whether at least half of the questions are the document of their id; numbered ids may be equal by chance."""
    numbered = {question for question in questions if _NUMBERED.fullmatch(question)}
    if 2 * len(numbered) <= len(questions):
        return True
    dataset = judgments.dataset
    folder = None if dataset is None else dataset.beir
    corpus = None if folder is None else find_part(folder, "corpus.jsonl")
    if corpus is None or dataset is None:
        return True
    compared = [
        _share_of_words(judgments.texts[document.id], f"{document.title} {document.text}") >= _SAME_WORDS
        for document in dataset.documents or read_documents(corpus)
        if document.id in numbered and judgments.texts.get(document.id)
    ]
    return not compared or 2 * sum(compared) >= len(compared)


def _share_of_words(question: str, document: str) -> float:
    words = set(question.casefold().split())
    return len(words & set(document.casefold().split())) / len(words) if words else 0.0
