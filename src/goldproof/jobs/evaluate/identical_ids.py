"""Results whose document has the id of their question, as in ArguAna: the question itself is in the corpus.

BEIR drops them by default, from the results alone and before every cutoff, so that the ranks behind them close up; rows
of the judgments are not touched. Here `ignore_identical_ids` drops them (True), keeps them (False), or decides (None):

    they are dropped   in a BEIR folder, where questions are documents: of the questions that some run returned for
                       themselves, at least half are documents, and none has the document of its own id judged
                       relevant. A telling id decides by itself; where ids are numbered (7, q7, doc-7) and may be equal
                       by chance, 80% of the question's words must be in the document, as far as texts are known
    they are kept      everywhere else

Whichever it is, a remark says so where there is such a result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.io.datasets.beir import find_part, read_documents
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.evaluate.judgments import Judgments
    from goldproof.jobs.evaluate.runs import Run

_SAME_WORDS = 0.8
_NUMBERED = re.compile(r"[^\W\d_]{0,8}[-_:.# ]?\d+")


class Decision(NamedTuple):
    """Whether such results are dropped, and what is to be said where they are kept."""

    ignore: bool
    remarks: tuple[str, ...] = ()


def decide(given: bool | None, judgments: Judgments, runs: Mapping[str, Run]) -> Decision:  # noqa: FBT001 - three ways
    """Settle whether results with the id of their question are dropped."""
    folder = None if judgments.dataset is None else judgments.dataset.beir
    if given is not None or folder is None:
        return Decision(bool(given))
    known = judgments.questions
    own = {question for run in runs.values() for question in questions_in_own_results(run) if question in known}
    if not own:
        return Decision(ignore=False)
    relevant = sorted(question for question in own if _own_grade(judgments, question) > 0)
    if relevant:
        why = f"question {relevant[0]!r} has the document of its own id judged relevant"
    elif not _are_documents(own, judgments):
        why = "their texts are not those of the questions"
    else:
        return Decision(ignore=True)
    count = "1 question has" if len(own) == 1 else f"{len(own):,} questions have"
    remark = (
        f"{count} a document of the same id in the results, which counts as any other: {why}. BEIR would drop it "
        "(--ignore-identical-ids)."
    )
    return Decision(ignore=False, remarks=(remark,))


def questions_in_own_results(run: Run) -> list[str]:
    """Return the questions for which a run returned the document that has their id."""
    if isinstance(run, RankingTable):
        rows = _own_rows(run)
        asked = run.questions.gather(np.searchsorted(run.starts, np.flatnonzero(rows), side="right") - 1)
        return [str(question) for question in asked.to_list()]
    return [question for question, documents in run.items() if question in documents]


def without_identical_ids(run: Run) -> Run:
    """Return the run without results that have the id of their question; a question keeps its place."""
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
    for place in (table.questions == question).arg_true():
        rows = slice(int(table.starts[place]), int(table.starts[place + 1]))
        grades = dict(zip(table.documents[rows].to_list(), table.grades[rows].tolist(), strict=True))
        return int(grades.get(question, 0))
    return 0


def _are_documents(questions: set[str], judgments: Judgments) -> bool:
    """Say whether at least half of the questions are the document of their id; numbers may be equal by chance."""
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
    words, there = set(question.casefold().split()), set(document.casefold().split())
    return len(words & there) / len(words) if words else 0.0
