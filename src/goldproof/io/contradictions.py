"""Ground truth that contradicts itself: what one file of a dataset says against another.

An unanswerable question has neither a relevant document nor a kernel; a document of a kernel is relevant, so its grade
is not 0 or less (it may be unjudged); a kernel belongs to a question that somebody asks. Each contradiction is reported
with its ids, at the line of `kernels.jsonl` where it has to do with kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from goldproof.core.tables import JudgmentTable
    from goldproof.io.complaints import Complaints


def check_unanswerable(judgments: JudgmentTable, complaints: Complaints) -> None:
    """Report the questions that are marked unanswerable and have a relevant document all the same."""
    for question, grades in _grades_of(judgments, judgments.unanswerable):
        if any(grade > 0 for grade in grades.values()):
            complaints.add(
                f"query {question!r} is marked unanswerable, but the judgments hold a relevant document for it.",
                line=None,
                hint="Correct the mark or the judgment.",
            )


def check_kernels(judgments: JudgmentTable, lines: Mapping[str, int], complaints: Complaints) -> None:
    """Report the kernels that the marks or the grades of the judgments speak against; lines: question -> line."""
    for question in (q for q in judgments.kernels if q in judgments.unanswerable):
        complaints.add(
            f"query {question!r} is marked unanswerable, but has a kernel.",
            line=lines.get(question),
            hint="Correct the mark in queries.jsonl, or remove the kernel.",
        )
    for question, grades in _grades_of(judgments, judgments.kernels):
        documents = dict.fromkeys(d for kernel in judgments.kernels[question] for d in kernel)
        for document in (d for d in documents if grades.get(d, 1) <= 0):
            complaints.add(
                f"document {document!r} is in a kernel of query {question!r}, but has grade {grades[document]} in the "
                "judgments, expected 1 or more.",
                line=lines.get(question),
                hint="Correct the grade or the kernel.",
            )


def report_strangers(questions: Collection[str], lines: Mapping[str, int], complaints: Complaints) -> None:
    """Report kernels of questions that nobody asks."""
    for question in questions:
        complaints.add(
            f"query {question!r} has kernels, but is neither in queries.jsonl nor in any qrels.",
            line=lines.get(question),
            hint="Correct the id, add the query, or remove the line.",
        )


def _grades_of(judgments: JudgmentTable, wanted: Collection[str]) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the wanted questions that are judged, with document -> grade."""
    if not wanted:
        return
    for index, question in enumerate(judgments.questions.to_list()):
        if question in wanted:
            rows = slice(int(judgments.starts[index]), int(judgments.starts[index + 1]))
            yield question, dict(zip(judgments.documents[rows], judgments.grades[rows].tolist(), strict=True))
