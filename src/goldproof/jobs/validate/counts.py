"""What cases, scenarios, traces and rulings hold.

Other readers of judgments want a grade in every line; here rulings on several documents, and such as do not count, have
none.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError
from goldproof.io.cases.case_files import read_cases
from goldproof.io.cases.registry import read_registry
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, get_id, json_kind, read_objects
from goldproof.io.scenarios.published import LeftOut
from goldproof.io.scenarios.suites import read_suite, suite_format
from goldproof.io.traces.json_lines import RESULTS_PER_BATCH
from goldproof.io.traces.trace_files import no_conversations, trace_tables

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from goldproof.io.json_files import JsonObject
    from goldproof.records.traces import TraceTable


def holds_cases(path: Path) -> bool:
    """Return whether a file is a registry of cases; one that cannot be parsed is not known to be one."""
    try:
        return read_registry(path, Diagnostics(path)) is not None
    except FileFormatError:
        return False


def count_cases(path: Path, complaints: Diagnostics) -> dict[str, int]:
    """Count the cases by kind; those that cannot be read are complaints."""
    found = read_cases([path], diagnostics=complaints)
    kinds = Counter(case.kind for case in found.cases)
    return {"cases": len(found.cases), **dict(sorted(kinds.items()))}


def count_scenarios(path: Path, complaints: Diagnostics) -> dict[str, int]:
    """Count scenarios, memories and queries, these by kind; what is wrong is a complaint."""
    tally = LeftOut()
    suite = read_suite(path, complaints, form=suite_format(path) or "scenarios", left_out=tally)
    kinds = Counter(query.kind for scenario in suite.scenarios for query in scenario.queries)
    holdout = sum(scenario.split == "holdout" for scenario in suite.scenarios)
    return {
        "scenarios": len(suite.scenarios),
        **({"holdout": holdout} if holdout else {}),
        "memories": sum(len(scenario.memories) for scenario in suite.scenarios),
        "queries": suite.queries,
        **dict(sorted(kinds.items())),
        **({"questions_left_out": tally.questions} if tally.questions else {}),
    }


def count_traces(path: Path, complaints: Diagnostics) -> dict[str, int]:
    """Read a file whole and count; failed are conversations, failed searches are counted apart."""
    totals = dict.fromkeys(_NAMES, 0)
    for table in trace_tables(path, complaints, results_per_batch=RESULTS_PER_BATCH):
        for name, count in zip(_NAMES, _counts(table), strict=True):
            totals[name] += count
    if not totals["conversations"] and not complaints.total:
        raise no_conversations(complaints)
    return totals


_NAMES = ("conversations", "iterations", "searches", "results", "labelled", "failed", "failed_searches")


def _counts(table: TraceTable) -> tuple[int, ...]:
    return (
        len(table.conversations),
        len(table.search_starts) - 1,
        len(table.queries),
        len(table.results),
        int((table.results.gains >= 0).sum()),
        len(table.failed),
        len(table.failed_searches),
    )


LABELS = ("yes", "no", "unsupported", "disputed", "abstained", "failed")

_KEYS = {"query_id", "documents", "label", "judge"}


def holds_rulings(names: Iterable[str]) -> bool:
    """Return whether a file whose first record has these keys is one of rulings."""
    return set(names) >= _KEYS


def count_rulings(path: Path, complaints: Diagnostics) -> dict[str, int]:
    """Count rulings by label; what is wrong with a line is a complaint."""
    counts = dict.fromkeys(("rulings", "on_single_documents", *LABELS), 0)
    for number, record in read_objects(path, complaints):
        try:
            label, size = _checked(record)
        except BadRecordError as error:
            complaints.report(str(error), line=number)
            continue
        counts["rulings"] += 1
        counts["on_single_documents"] += size == 1
        counts[label] += 1
    return {name: count for name, count in counts.items() if count or name == "rulings"}


def _checked(record: JsonObject) -> tuple[str, int]:
    get_id(record, "query")
    documents, label = record.get("documents"), record.get("label")
    if not isinstance(documents, list) or not all(isinstance(one, str) and one for one in documents):
        raise BadRecordError(f"key 'documents' is {json_kind(documents)}, expected a list of ids.")
    if label not in LABELS:
        raise BadRecordError(f"key 'label' is {label!r}, expected {', '.join(LABELS)}.")
    return str(label), len(documents)
