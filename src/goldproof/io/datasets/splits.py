"""Splits of a BEIR folder, and contradictions between its files.

`queries.jsonl` and `kernels.jsonl` serve all splits, so in a folder with several a question belongs to the chosen one
where its qrels list it (a row of grade 0 will do), or where its record says so: `split`, at the top or in `metadata`.
Kernels of other questions are left out. An unanswerable question has no relevant document and so is easily in no qrels
at all: one that belongs to no split of the folder is refused, since it would be missing from every count. In a folder
with one split all questions belong to it.

An unanswerable question has neither a relevant document nor a kernel; a document of a kernel is relevant, so its grade
is not 0 or less (it may be unjudged); a kernel belongs to a question of the dataset. Each contradiction is reported
with its ids, at the line of `kernels.jsonl` where it has to do with kernels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError, UnknownNameError, counted
from goldproof.io.datasets.qrels_and_runs import judgment_rows
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.text_files import file_stem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from goldproof.io.datasets.beir import Kernels
    from goldproof.records.entities import Question
    from goldproof.records.tables import JudgmentTable


_QRELS_SUFFIXES = (".tsv", ".txt", ".qrels", ".jsonl", ".csv", ".parquet")


@dataclass(frozen=True, slots=True)
class Split:
    """The chosen split: its name, its qrels, and the qrels of the others by name."""

    name: str
    qrels: Path
    others: Mapping[str, Path]


def split_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the splits, `test` first."""
    return tuple(sorted(_qrels_files(folder), key=lambda name: (name != "test", name)))


def pick_split(folder: Path, split: str | None) -> Split:
    """Return a split of the folder: the one asked for, else the only one, else `test`."""
    files = _qrels_files(folder)
    name = _chosen_name(folder, split, files)
    return Split(name, files[name], {other: path for other, path in files.items() if other != name})


def within_split(
    judgments: JudgmentTable,
    split: Split,
    *,
    questions: Sequence[Question],
    kernels: Kernels,
    diagnostics: Diagnostics,
) -> JudgmentTable:
    """Return the judgments of a split with the kernels and unanswerable questions that belong to it."""
    unanswerable = [question for question in questions if not question.answerable]
    if not split.others:
        return replace(judgments, kernels=kernels, unanswerable=frozenset(q.id for q in unanswerable))
    here = split_questions(judgments, split.name, questions=questions)
    _report_unassigned([q for q in unanswerable if q.id not in here], split, diagnostics)
    return replace(
        judgments,
        kernels={question: sets for question, sets in kernels.items() if question in here},
        unanswerable=frozenset(q.id for q in unanswerable if q.id in here),
    )


def split_questions(judgments: JudgmentTable, split: str, *, questions: Iterable[Question]) -> set[str]:
    """Return the questions of a split of several: those that it judges, and those that name it."""
    return set(judgments.questions) | {q.id for q in questions if _named_split(q) == split}


def unknown_questions(
    names: Iterable[str], judgments: JudgmentTable, *, split: Split, questions: Iterable[Question]
) -> list[str]:
    """Return the names that are neither among the questions nor in the qrels of any split."""
    known = {question.id for question in questions}
    unknown = [name for name in names if name not in known]
    if unknown:
        judged = set(judgments.questions)
        unknown = [name for name in unknown if name not in judged]
    return _unlisted(unknown, split)


def _unlisted(names: list[str], split: Split) -> list[str]:
    """Return the names that no other split lists."""
    for path in split.others.values():
        if not names:
            break
        # Bad lines of another split are reported when that split is read.
        listed = {q for part in judgment_rows(path, Diagnostics(path, keep=0)).parts for q in part.questions}
        names = [name for name in names if name not in listed]
    return names


def _report_unassigned(unanswerable: Iterable[Question], split: Split, diagnostics: Diagnostics) -> None:
    """Report unanswerable questions that belong to no other split either."""
    lost = _unlisted([q.id for q in unanswerable if _named_split(q) not in split.others], split)
    if lost:
        count = counted(len(lost), "unanswerable question is", "unanswerable questions are")
        splits = ", ".join(sorted((split.name, *split.others)))
        diagnostics.report(
            f"{count} in none of the splits {splits} (such as {lost[0]!r}).",
            line=None,
            hint=f'Add "split": "{split.name}" (or another) to such a query, or list it in the qrels with score 0.',
        )


def _named_split(question: Question) -> str | None:
    name = question.metadata.get("split")
    return name if isinstance(name, str) else None


def _qrels_files(folder: Path) -> dict[str, Path]:
    """Return split -> file."""
    files: dict[str, Path] = {}
    for path in sorted((folder / "qrels").glob("*")):
        known = path.name.removesuffix(".gz").endswith(_QRELS_SUFFIXES)
        if known and path.is_file() and not path.name.startswith("."):
            files.setdefault(file_stem(path), path)
    return files


def _chosen_name(folder: Path, split: str | None, files: Mapping[str, Path]) -> str:
    if not files:
        raise FileFormatError(
            folder, "holds no qrels/<split>.tsv, so it is not a BEIR folder.", hint=_expected_in_folder(folder)
        )
    if split is not None:
        if split not in files:
            raise UnknownNameError(f"split in {folder}", split, files)
        return split
    if len(files) == 1:
        return next(iter(files))
    if "test" in files:
        return "test"
    raise FileFormatError(
        folder, f"has several splits ({', '.join(files)}), none of them 'test'.", hint="Pick one with --split."
    )


def _expected_in_folder(folder: Path) -> str:
    names = sorted(entry.name for entry in folder.iterdir())[:8]
    content = f"Found: {', '.join(names)}." if names else "It is empty."
    return f"{content} Expected: qrels/test.tsv, queries.jsonl, perhaps corpus.jsonl and kernels.jsonl."


def check_unanswerable(judgments: JudgmentTable, diagnostics: Diagnostics) -> None:
    """Report questions that are marked unanswerable but have a relevant document."""
    for question, grades in _grades_of(judgments, judgments.unanswerable):
        if any(grade > 0 for grade in grades.values()):
            diagnostics.report(
                f"query {question!r} is marked unanswerable, but the judgments hold a relevant document for it.",
                line=None,
                hint="Correct the mark or the judgment.",
            )


def check_kernels(judgments: JudgmentTable, lines: Mapping[str, int], diagnostics: Diagnostics) -> None:
    """Report kernels that contradict the marks or grades of the judgments; lines: question -> line."""
    for question in (q for q in judgments.kernels if q in judgments.unanswerable):
        diagnostics.report(
            f"query {question!r} is marked unanswerable, but has a kernel.",
            line=lines.get(question),
            hint="Correct the mark in queries.jsonl, or remove the kernel.",
        )
    for question, grades in _grades_of(judgments, judgments.kernels):
        documents = dict.fromkeys(d for kernel in judgments.kernels[question] for d in kernel)
        for document in (d for d in documents if grades.get(d, 1) <= 0):
            diagnostics.report(
                f"document {document!r} is in a kernel of query {question!r}, but has grade {grades[document]} in the "
                "judgments, expected 1 or more.",
                line=lines.get(question),
                hint="Correct the grade or the kernel.",
            )


def report_unknown_questions(questions: Collection[str], lines: Mapping[str, int], diagnostics: Diagnostics) -> None:
    """Report kernels of questions that are not in the dataset."""
    for question in questions:
        diagnostics.report(
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
