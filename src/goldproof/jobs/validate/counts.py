"""Count cases, questions, scenarios, traces and rulings of a file.

Rulings are not read by the reader of judgments, which wants a grade in every line: rulings on several documents, and
those that do not count, have none.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError
from goldproof.io.cases import read_cases
from goldproof.io.cases.registry import read_registry
from goldproof.io.columns import ALIASES, normal_name
from goldproof.io.datasets.questions import read_questions
from goldproof.io.delimited import cut_line
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, get_id, json_kind, read_objects
from goldproof.io.record_files import record_format
from goldproof.io.scenarios.published import LeftOut
from goldproof.io.scenarios.suites import read_suite, suite_format
from goldproof.io.traces.json_lines import RESULTS_PER_BATCH
from goldproof.io.traces.trace_files import no_conversations, trace_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from goldproof.io.json_files import JsonObject
    from goldproof.records.traces import TraceTable


_TRACE_COUNTS = ("conversations", "iterations", "searches", "results", "labelled", "failed", "failed_searches")
LABELS = ("yes", "no", "unsupported", "disputed", "abstained", "failed")
_RULING_KEYS = {"query_id", "documents", "label", "judge"}


def holds_cases(path: Path) -> bool:
    """Whether a file is a registry of cases; a file that cannot be parsed is not."""
    try:
        return read_registry(path, Diagnostics(path)) is not None
    except FileFormatError:
        return False


def count_cases(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Count the cases by kind; complain about those that cannot be read."""
    cases = read_cases([path], diagnostics=diagnostics).cases
    kinds = Counter(case.kind for case in cases)
    return {"cases": len(cases), **dict(sorted(kinds.items()))}


def holds_questions(path: Path, first_line: str, names: Sequence[str]) -> bool:
    """Whether a table or JSON lines have a column of questions, and none of documents."""
    if not names and record_format(path) in ("csv", "tsv"):  # a table of a single column
        names = cut_line(first_line, "\t" if record_format(path) == "tsv" else ",")
    known = {normal_name(name) for name in names}
    return bool(known.intersection(ALIASES["question_text"])) and not known.intersection(ALIASES["document"])


def count_questions(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Count questions and those with an answer; complain about those that cannot be read."""
    questions = read_questions(path, diagnostics)
    answered = sum(question.answer is not None for question in questions)
    return {"questions": len(questions), **({"with_answer": answered} if answered else {})}


def count_scenarios(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Count scenarios, memories, and queries by kind; complain about what is wrong."""
    left_out = LeftOut()
    suite = read_suite(path, diagnostics, form=suite_format(path) or "scenarios", left_out=left_out)
    kinds = Counter(query.kind for scenario in suite.scenarios for query in scenario.queries)
    holdout = sum(scenario.split == "holdout" for scenario in suite.scenarios)
    return {
        "scenarios": len(suite.scenarios),
        **({"holdout": holdout} if holdout else {}),
        "memories": sum(len(scenario.memories) for scenario in suite.scenarios),
        "queries": suite.queries,
        **dict(sorted(kinds.items())),
        **({"questions_left_out": left_out.questions} if left_out.questions else {}),
    }


def count_traces(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Count conversations, iterations, searches and results; `failed` counts conversations."""
    totals = dict.fromkeys(_TRACE_COUNTS, 0)
    for table in trace_tables(path, diagnostics, results_per_batch=RESULTS_PER_BATCH):
        for name, count in zip(_TRACE_COUNTS, _trace_counts(table), strict=True):
            totals[name] += count
    if not totals["conversations"] and not diagnostics.total:
        raise no_conversations(diagnostics)
    return totals


def _trace_counts(table: TraceTable) -> tuple[int, ...]:
    return (
        len(table.conversations),
        len(table.search_starts) - 1,
        len(table.queries),
        len(table.results),
        int((table.results.gains >= 0).sum()),
        len(table.failed),
        len(table.failed_searches),
    )


def holds_rulings(names: Iterable[str]) -> bool:
    """Whether a file whose first record has these keys holds rulings."""
    return set(names) >= _RULING_KEYS


def count_rulings(path: Path, diagnostics: Diagnostics) -> dict[str, int]:
    """Count rulings by label; complain about wrong lines."""
    counts = dict.fromkeys(("rulings", "on_single_documents", *LABELS), 0)
    for number, record in read_objects(path, diagnostics):
        try:
            label, size = _label_and_size(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
            continue
        counts["rulings"] += 1
        counts["on_single_documents"] += size == 1
        counts[label] += 1
    return {name: count for name, count in counts.items() if count or name == "rulings"}


def _label_and_size(record: JsonObject) -> tuple[str, int]:
    get_id(record, "query")
    documents, label = record.get("documents"), record.get("label")
    if not isinstance(documents, list) or not all(isinstance(document, str) and document for document in documents):
        raise BadRecordError(f"key 'documents' is {json_kind(documents)}, expected a list of ids.")
    if label not in LABELS:
        raise BadRecordError(f"key 'label' is {label!r}, expected {', '.join(LABELS)}.")
    return str(label), len(documents)
