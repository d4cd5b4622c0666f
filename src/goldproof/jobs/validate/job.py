"""`validate_file()`: recognise the kind of a file, count what it holds, and list everything that is wrong with it.

The kind is recognised or given. The readers of the jobs read the file, with diagnostics collected instead of raised, so
a file that validates can be used.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io import Diagnostic, read_documents
from goldproof.io.columns import ALIASES, check_columns, find_columns, normal_name, shown_names
from goldproof.io.datasets.beir import find_part, read_kernels
from goldproof.io.datasets.dataset import load_dataset, locate_dataset
from goldproof.io.datasets.id_lists import cluster_table
from goldproof.io.datasets.labels import is_by_document, read_label_rows
from goldproof.io.datasets.nested_json import holds_grades, holds_nested
from goldproof.io.datasets.qrels_and_runs import judgment_rows, ranking_rows, unknown_format
from goldproof.io.datasets.scores import score_table
from goldproof.io.datasets.splits import check_kernels, check_unanswerable, pick_split, split_names, split_questions
from goldproof.io.delimited import cut_line
from goldproof.io.diagnostics import Diagnostics, NothingLeftError
from goldproof.io.file_layout import Sniffed, sniff
from goldproof.io.json_files import read_objects
from goldproof.io.parquet import read_parquet_columns
from goldproof.io.scenarios.suites import suite_format
from goldproof.io.traces.trace_files import holds_traces
from goldproof.jobs.validate.counts import (
    count_cases,
    count_questions,
    count_rulings,
    count_scenarios,
    count_traces,
    holds_cases,
    holds_questions,
    holds_rulings,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.records.entities import Dataset
    from goldproof.records.tables import JudgmentTable


Kind = Literal[
    "judgments", "ranking", "scores", "dataset", "traces", "clusters", "cases", "questions", "rulings", "scenarios"
]

DEFAULT_LIMIT = 100

_ROLES: Mapping[str, tuple[str, ...]] = {
    "judgments": ("query", "document", "grade"),
    "ranking": ("query", "document", "score"),
    "scores": ("id", "metric", "value", "run", "status", "reason", "cluster"),
    "clusters": ("id", "cluster"),
}

_GRADE_NAMES = {"grade", "gain", "relevance", "rel", "label", "corpus_id"}


@dataclass(frozen=True, slots=True)
class Validation:
    """The kind of a file, its counts, and what is wrong with it.

    kind: None where no line of the file can be read. findings: the first `limit`; n_findings counts all. unused:
    columns or keys that no reader looks at. remarks: on what a reader skips although nothing is wrong with it.
    """

    path: Path
    kind: Kind | None
    counts: Mapping[str, int]
    findings: tuple[Diagnostic, ...] = ()
    n_findings: int = 0
    unused: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.n_findings == 0


def validate_file(path: Path | str, *, kind: str | None = None, limit: int | None = DEFAULT_LIMIT) -> Validation:
    """Read a file or BEIR folder whole and report what is wrong; only an unrecognised file is an error.

    limit: how many findings are kept; None: all of them.
    """
    path, limit = Path(path), sys.maxsize if limit is None else limit
    if kind is not None and kind not in get_args(Kind):
        raise UnknownNameError("kind of file", kind, get_args(Kind))
    if path.is_dir():
        return _validated(path, "dataset", lambda c: _dataset_counts(path, c), limit=limit)
    sniffed = sniff(path)
    try:
        names = () if holds_nested(path, sniffed) else _names(path, sniffed)
    except NothingLeftError:  # not one line of JSON, so that only a kind that was given is known
        if kind is None:
            return _validated(path, None, lambda c: _no_objects(path, c), limit=limit)
        names = ()
    file_kind = _as_kind(kind) or _recognise(path, sniffed, names)
    if file_kind is None:
        raise unrecognised(path, sniffed, names)
    if file_kind == "judgments" and is_by_document(names):
        unused = find_columns(names, needed=("labelled", "grade")).unused
        return _validated(path, file_kind, lambda c: _label_counts(path, c), limit=limit, unused=unused)
    count = _counters(path, sniffed)[file_kind]
    return _validated(path, file_kind, count, limit=limit, unused=_unused(names, file_kind, sniffed))


def _recognise(path: Path, sniffed: Sniffed, names: tuple[str, ...]) -> Kind | None:
    if sniffed.format in ("yaml", "json", "jsonl") and suite_format(path) is not None:
        return "scenarios"
    if holds_nested(path, sniffed):
        return "judgments" if holds_grades(path, Diagnostics(path, keep=0)) else "ranking"
    if holds_traces(path, sniffed, names):
        return "traces"
    if holds_rulings(names):
        return "rulings"
    if holds_cases(path):
        return "cases"
    # Last: a question may stand beside grades, scores or clusters.
    return _recognise_table(sniffed, names) or (
        "questions" if holds_questions(path, sniffed.first_line, names) else None
    )


def _validated(
    path: Path,
    kind: Kind | None,
    count: Callable[[Diagnostics], dict[str, int]],
    *,
    limit: int,
    unused: tuple[str, ...] = (),
) -> Validation:
    diagnostics = Diagnostics(path, keep=limit)
    counts: dict[str, int] = {}
    last: tuple[Diagnostic, ...] = ()
    try:
        counts = count(diagnostics)
    except NothingLeftError:
        pass  # every record was reported
    except FileFormatError as error:
        where = "" if error.path == str(path) else f"{error.path}: "
        last = (Diagnostic(error.line, where + error.problem, error.hint),)
    except InputError as error:
        last = (Diagnostic(None, str(error)),)
    findings = sorted(diagnostics.findings, key=lambda finding: finding.line or 0)
    total = diagnostics.total + len(last)
    return Validation(path, kind, counts, (*findings, *last), total, unused, diagnostics.remarks)


def _counters(path: Path, sniffed: Sniffed) -> dict[Kind, Callable[[Diagnostics], dict[str, int]]]:
    return {
        "judgments": lambda c: _judgment_counts(judgment_rows(path, c, sniffed=sniffed).judgments(c)),
        "ranking": lambda c: _ranking_counts(path, sniffed, c),
        "scores": lambda c: _score_counts(path, c),
        "dataset": lambda c: _dataset_counts(path, c),
        "traces": lambda c: count_traces(path, c),
        "clusters": lambda c: _cluster_counts(path, c),
        "cases": lambda c: count_cases(path, c),
        "questions": lambda c: count_questions(path, c),
        "rulings": lambda c: count_rulings(path, c),
        "scenarios": lambda c: count_scenarios(path, c),
    }


def _judgment_counts(table: JudgmentTable) -> dict[str, int]:
    counts = {
        "queries": len(table.questions),
        "judgments": len(table.documents),
        "relevant": int((table.grades > 0).sum()),
        "negative_grades": int((table.grades < 0).sum()),
        "queries_without_relevant": _without_relevant(table),
    }
    extra = {"kernels": sum(map(len, table.kernels.values())), "unanswerable": len(table.unanswerable)}
    return counts | {name: count for name, count in extra.items() if count}


def _label_counts(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Count labels by document."""
    counts = _judgment_counts(read_label_rows(path, diagnostics))
    return {"labels_by_document": counts["judgments"]} | {
        name: counts[name] for name in ("relevant", "negative_grades")
    }


def _without_relevant(table: JudgmentTable) -> int:
    relevant = np.concatenate([[0], np.cumsum(table.grades > 0)])
    return int((relevant[table.starts[1:]] == relevant[table.starts[:-1]]).sum())


def _ranking_counts(path: Path, sniffed: Sniffed, diagnostics: Diagnostics) -> dict[str, int]:
    rows = ranking_rows(path, diagnostics, sniffed=sniffed)
    table = rows.ranking(diagnostics)
    sizes = np.diff(table.starts)
    return {
        "queries": len(table.questions),
        "results": len(table.documents),
        "shortest": int(sizes.min()) if len(sizes) else 0,
        "longest": int(sizes.max()) if len(sizes) else 0,
        "failed": len(rows.failed),
    }


def _score_counts(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    frame = score_table(path, diagnostics).frame
    names = {"rows": len(frame)} | {f"{name}s": frame[name].n_unique() for name in ("run", "id", "metric")}
    return names | {status: int((frame["status"] == status).sum()) for status in ("scored", "undefined", "failed")}


def _cluster_counts(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    clusters = cluster_table(path, diagnostics)
    return {"ids": len(clusters), "clusters": len(set(clusters.values()))}


def _dataset_counts(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Count a dataset; of several splits count `test` or the first, and check all."""
    kind, root = locate_dataset(path)
    first, *others = (split_names(root) if kind == "beir" else ()) or (None,)
    dataset = load_dataset(path, diagnostics, split=first)
    for other in others:
        _check_split(root, str(other), dataset=dataset, diagnostics=diagnostics)
    splits = {"splits": 1 + len(others)} if others else {}
    counts = splits | {"questions": len(dataset.questions)} | _judgment_counts(dataset.judgments)
    if dataset.questions:
        known = {question.id for question in dataset.questions}
        counts["judged_queries_without_text"] = sum(q not in known for q in dataset.judgments.questions)
    corpus = find_part(path, "corpus.jsonl")
    return counts if corpus is None else counts | _corpus_counts(corpus, dataset.judgments, diagnostics)


def _check_split(folder: Path, split: str, *, dataset: Dataset, diagnostics: Diagnostics) -> None:
    """Check another split; diagnostics on lines of queries and kernels were made with the first."""
    qrels = pick_split(folder, split).qrels
    part = diagnostics.of_part(qrels)
    judgments = judgment_rows(qrels, part).judgments(part)
    unanswerable = frozenset(question.id for question in dataset.questions if not question.answerable)
    check_unanswerable(replace(judgments, unanswerable=unanswerable), part)
    path = find_part(folder, "kernels.jsonl")
    if path is not None:
        kernels, lines = read_kernels(path, Diagnostics(path, keep=0))
        here = split_questions(judgments, split, questions=dataset.questions)
        own = {question: sets for question, sets in kernels.items() if question in here}
        check_kernels(replace(judgments, unanswerable=unanswerable, kernels=own), lines, diagnostics.of_part(path))


def _corpus_counts(corpus: Path, judgments: JudgmentTable, diagnostics: Diagnostics) -> dict[str, int]:
    missing, count = set(judgments.documents.unique()), 0
    for document in read_documents(corpus, diagnostics.of_part(corpus)):
        if document.text:  # without a text a document cannot be searched
            missing.discard(document.id)
        count += 1
    return {"documents": count, "judged_documents_without_text": len(missing)}


def _as_kind(kind: str | None) -> Kind | None:
    return next((k for k in get_args(Kind) if k == kind), None)


def _names(path: Path, sniffed: Sniffed) -> tuple[str, ...]:
    """Return the columns of a table, or the keys of the first JSON object."""
    if sniffed.format == "parquet":
        return tuple(read_parquet_columns(path, Diagnostics(path)))
    if sniffed.format == "jsonl":
        return _first_keys(path)
    if sniffed.format in ("tsv", "csv"):
        return tuple(cut_line(sniffed.first_line, "\t" if sniffed.format == "tsv" else ","))
    return tuple(cut_line(sniffed.first_line, "blanks")) if sniffed.header else ()


def _first_keys(path: Path) -> tuple[str, ...]:
    """Return the keys of the first readable line; where there is none, raise with the complaint on the first line."""
    diagnostics = Diagnostics(path, keep=1)
    first = next(read_objects(path, diagnostics), None)
    if first is not None:
        return tuple(first.record)
    if diagnostics.total:
        raise diagnostics.nothing_left("no line can be read")
    return ()


def _no_objects(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Complain about every line of a file without JSON objects."""
    for _ in read_objects(path, diagnostics):
        pass
    return {}


def _recognise_table(sniffed: Sniffed, names: tuple[str, ...]) -> Kind | None:
    if sniffed.format == "yaml":
        return "dataset"
    if sniffed.format == "blanks" and not sniffed.header:
        return _recognise_trec(sniffed)
    normal = {normal_name(name) for name in names}
    if "metric" in normal or "measure" in normal:
        return "scores"
    if normal & _GRADE_NAMES:
        return "judgments"
    if normal & {"score", "similarity", "results", "hits", "error"}:
        return "ranking"
    if not find_columns(names, needed=_ROLES["clusters"]).missing:
        return "clusters"
    return None


def _recognise_trec(sniffed: Sniffed) -> Kind | None:
    """Tell a run from judgments by the second column, which is constant in both; else by the number of columns."""
    second = sniffed.first_line.split()[1:2]
    if second == ["Q0"]:
        return "ranking"
    if second == ["0"] and sniffed.width >= 3:
        return "judgments"
    by_width: dict[int, Kind] = {3: "judgments", 4: "judgments", 6: "ranking"}
    return by_width.get(sniffed.width)


def _unused(names: tuple[str, ...], kind: Kind, sniffed: Sniffed) -> tuple[str, ...]:
    if kind not in _ROLES or "results" in names:
        return ()
    # Only JSON lines can say that the system failed.
    says_error = kind == "ranking" and sniffed.format == "jsonl"
    return find_columns(names, needed=(*_ROLES[kind], *("error",) * says_error)).unused


_READABLE = (
    "Readable: TREC qrels and runs, TSV or CSV with a header, JSONL, JSON ({query: {document: number}}), Parquet, "
    "retrieval_dataset.yaml, a BEIR folder; text may be gzipped."
)

_NEEDED = (("query", "document", "grade"), ("query", "document", "score"), ("id", "metric", "value"))

_FEWEST_COLUMNS = 3


def unrecognised(path: Path, sniffed: Sniffed, names: tuple[str, ...]) -> FileFormatError:
    """Return the error for a file that is none of the kinds; names: its columns, or the keys of its first object."""
    diagnostics = Diagnostics(path)
    if sniffed.format == "json":
        return unknown_format(sniffed, diagnostics, readable=_READABLE)
    line = 1 if sniffed.format not in ("parquet", "jsonl") else None
    lacking = _lacking(names)
    if lacking:
        noun = "key" if sniffed.format == "jsonl" else "column"
        roles = " or ".join(f"{role} ({', '.join(ALIASES[role][:4])}, ...)" for role in lacking)
        problem = f"no {noun} for {roles}; found {shown_names(names)}."
        return diagnostics.error(problem, line=line, hint=f"Rename or add the {noun}.")
    if line is not None and len(names) >= _FEWEST_COLUMNS:
        return _no_header(names, diagnostics)
    shown = shown_names(names) if line is None and names else repr(sniffed.first_line[:60])
    return diagnostics.error(
        f"neither judgments nor a ranking nor scores nor questions can be recognised (found {shown}).",
        hint=f"Say which with --kind: {', '.join(get_args(Kind))}.",
    )


def _lacking(names: tuple[str, ...]) -> list[str]:
    """Return the columns any of which would complete the table; none where it lacks more than one."""
    missing = [find_columns(names, needed=needed).missing for needed in _NEEDED]
    return list(dict.fromkeys(roles[0] for roles in missing if len(roles) == 1))


def _no_header(names: tuple[str, ...], diagnostics: Diagnostics) -> FileFormatError:
    needed = _NEEDED[1]
    try:
        check_columns(find_columns(names, needed=needed), names, diagnostics=diagnostics, line=1)
    except FileFormatError as error:
        return error
    return diagnostics.error("is not recognised.", hint=_READABLE)
