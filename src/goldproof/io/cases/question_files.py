"""Questions as cases from files other than registries: datasets, builds, JSON lines, tables.

    a folder written by `goldproof build`          its `beir/`
    a BEIR folder, retrieval_dataset.yaml          questions, gold documents (grade above 0), kernels
    samples of a build (`NAME.jsonl`)              question, ground_truth, gold_documents, kernels
    any other file of `goldproof.io.read_questions`    questions only

Ids are kept, so that runs and qrels still fit. Of a folder with several splits the questions of one are read; with a
single split, or none, all. A question's metadata are kept, among them `answer_aliases`, `answer_parts` and
`sub_questions`; known kernels are added as `gold_kernels`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.io.cases.case import Case
from goldproof.io.datasets.beir import find_part, parse_answerable, parse_kernels
from goldproof.io.datasets.dataset import dataset_files, load_dataset, locate_dataset
from goldproof.io.datasets.questions import read_questions
from goldproof.io.datasets.splits import pick_split, split_questions
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.json_files import BadRecordError, get_id
from goldproof.io.record_files import read_records, record_format
from goldproof.io.text_files import file_stem
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from goldproof.records.entities import Dataset

_KEPT = 1_000
_FIX = "Fix the line."
_BUILD = "beir"
_SAMPLE = ("question", "ground_truth")
_OWN = ("doc_type", "question_type", "difficulty", "source_dataset", "original_id")
Kernels = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with its gold documents and kernels."""

    question: Question
    targets: tuple[str, ...] = ()
    kernels: Kernels = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file or folder. files: those that were read."""

    path: Path
    suite: str
    asked: tuple[AskedQuestion, ...]
    files: tuple[Path, ...]
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    def cases(self, *, file: str, suite: str, prefixed: bool = False) -> tuple[Case, ...]:
        """Return the cases. prefixed: ids are `<suite>:<id>`, since another file has one of them."""
        origin: dict[str, object] = {"kind": "question", "suite": suite, "file": file}
        return tuple(self._case(asked, suite=suite, origin=origin, prefixed=prefixed) for asked in self.asked)

    def _case(self, asked: AskedQuestion, *, suite: str, origin: Mapping[str, object], prefixed: bool) -> Case:
        known = {"gold_kernels": [list(kernel) for kernel in asked.kernels]} if asked.kernels else {}
        question = replace(
            asked.question,
            id=f"{suite}:{asked.question.id}" if prefixed else asked.question.id,
            metadata={**origin, **asked.question.metadata, **known},
        )
        where = f"{self.path}:{asked.line}" if asked.line else f"{self.path}"
        return Case(
            kind="question",
            suite=suite,
            question=question,
            where=where,
            targets=asked.targets,
            gold_kernels=asked.kernels,
        )


def read_question_file(path: Path, *, split: str | None = None, diagnostics: Diagnostics | None = None) -> QuestionFile:
    """Read a file or folder; a bad line is left out and reported."""
    diagnostics = diagnostics or Diagnostics(path, keep=_KEPT, hint=_FIX)
    root = path / _BUILD if _is_build(path) else path
    if _is_dataset(root):
        dataset = load_dataset(root, diagnostics, split=split)
        asked, files = tuple(_of_dataset(dataset, root, split=split)), dataset_files(root, split=split)
    elif root.is_dir():
        queries = find_part(root, "queries.jsonl")
        if queries is None:
            raise diagnostics.error(
                "holds no questions.", hint="Expected queries.jsonl, qrels/, or a YAML file of cases."
            )
        asked, files = _of_questions(queries, diagnostics), (queries,)
    else:
        samples = record_format(root) == "lines" and _is_sample(root)
        asked = tuple(_of_samples(root, diagnostics)) if samples else _of_questions(root, diagnostics)
        files = (root,)
    if not asked:
        problem = "holds no texts of questions, so there is nothing to ask"
        raise diagnostics.nothing_left(problem) if diagnostics.total else diagnostics.error(f"{problem}.")
    name = path.resolve().name if path.is_dir() else file_stem(path)
    remarks = tuple(f"{path.name}: {remark}" for remark in diagnostics.remarks)
    return QuestionFile(path, name, asked, files, tuple(_sentences(path, diagnostics)), remarks)


def _is_build(path: Path) -> bool:
    return (path / _BUILD / "qrels").is_dir() and not (path / "qrels").is_dir()


def _is_dataset(path: Path) -> bool:
    kind, root = locate_dataset(path)
    if kind == "file":
        return root.is_file() and record_format(root) is None and sniff(root).format == "yaml"
    return kind == "cranfield" or (root / "qrels").is_dir()


def _of_dataset(dataset: Dataset, root: Path, *, split: str | None) -> Iterator[AskedQuestion]:
    grades, kernels = dataset.judgments.to_dict(), dataset.judgments.kernels
    here = _of_split(dataset, root, split=split)
    for question in dataset.questions:
        if question.text.strip() and question.id in here:
            gold = (document for document, grade in grades.get(question.id, {}).items() if grade > 0)
            yield AskedQuestion(question, tuple(gold), tuple(kernels.get(question.id, ())))


def _of_split(dataset: Dataset, root: Path, *, split: str | None) -> set[str]:
    if locate_dataset(root).kind == "beir" and (chosen := pick_split(root, split)).others:
        return split_questions(dataset.judgments, chosen.name, questions=dataset.questions)
    return {question.id for question in dataset.questions}


def _of_questions(path: Path, diagnostics: Diagnostics) -> tuple[AskedQuestion, ...]:
    return tuple(AskedQuestion(_with_answers(question)) for question in read_questions(path, diagnostics))


def _with_answers(question: Question) -> Question:
    """Return the question with its answer, where the file lists several: the first, and the others as aliases."""
    answers = question.metadata.get("answers")
    texts = [text for text in answers if isinstance(text, str) and text] if isinstance(answers, list) else []
    if question.answer is not None or not texts:
        return question
    aliases = list(dict.fromkeys(text for text in texts if text != texts[0]))
    metadata = {"answer_aliases": aliases, **question.metadata} if aliases else question.metadata
    return replace(question, answer=texts[0], metadata=metadata)


def _is_sample(path: Path) -> bool:
    first = next(iter(read_records(path, Diagnostics(path, keep=0))), None)
    return first is not None and all(key in first.record for key in _SAMPLE)


def _of_samples(path: Path, diagnostics: Diagnostics) -> Iterator[AskedQuestion]:
    seen: set[str] = set()
    for line, record in read_records(path, diagnostics):
        try:
            asked = _sample(record, line)
        except BadRecordError as error:
            diagnostics.report(str(error), line=line)
            continue
        if asked.question.id in seen:
            diagnostics.report(f"sample {asked.question.id!r} occurs twice.", line=line)
            continue
        seen.add(asked.question.id)
        yield asked


def _sample(record: dict[str, object], line: int) -> AskedQuestion:
    name, text, answer = get_id({"id": record.get("id")}, "id"), record.get("question"), record.get("ground_truth")
    if not isinstance(text, str) or not text.strip():
        raise BadRecordError(f"sample {name!r} has no question.")
    answerable = parse_answerable(record.get("answerable", True))
    kernels = parse_kernels(record["kernels"]) if record.get("kernels") is not None else ()
    more = record.get("metadata")
    metadata = {key: record[key] for key in _OWN if key in record} | (more if isinstance(more, dict) else {})
    gold = record.get("gold_documents")
    return AskedQuestion(
        Question(
            id=name,
            text=text,
            answer=answer if isinstance(answer, str) and answer and answerable else None,
            answerable=answerable,
            metadata=metadata,
        ),
        tuple(dict.fromkeys(str(document) for document in gold)) if isinstance(gold, list) else (),
        kernels,
        line,
    )


def _sentences(path: Path, diagnostics: Diagnostics) -> Iterator[str]:
    for finding in diagnostics.findings:
        where = f"{path}:{finding.line}" if finding.line else f"{path}"
        yield f"{where}: {finding.problem}"
    if diagnostics.total > len(diagnostics.findings):
        yield f"{path}: {diagnostics.total - len(diagnostics.findings):,} more problems."
