"""Runs in any of their forms: dicts, frames, records, tables or paths; one, or several by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from goldproof.errors import InputError
from goldproof.io import ranking_from_frame, read_ranking_report
from goldproof.jobs.evaluate.forms import checked_records, is_frame, plain_rows
from goldproof.records.entities import Ranking
from goldproof.records.keys import content_key
from goldproof.records.tables import RankingTable

ONLY_RUN = "run"
Run: TypeAlias = RankingTable | Mapping[str, Mapping[str, float]]


class GivenRuns(NamedTuple):
    """Runs by name, and what was passed over in their files."""

    runs: dict[str, Run]
    remarks: tuple[str, ...] = ()


def as_runs(rankings: object, runs: object) -> GivenRuns:
    """Accept one run, or several by name."""
    if (rankings is None) == (runs is None):
        raise InputError("give one run as the second argument, or several as runs={name: run}.")
    if runs is None:
        return _as_named_runs({ONLY_RUN: rankings})
    if not isinstance(runs, Mapping):
        raise InputError(f"runs: found {type(runs).__name__}; expected {{name: run}}.")
    if not runs:
        raise InputError("runs is empty; expected {name: run}.")
    return _as_named_runs({str(name): run for name, run in runs.items()})


def _as_named_runs(given: Mapping[str, object]) -> GivenRuns:
    runs: dict[str, Run] = {}
    remarks: list[str] = []
    for name, run in given.items():
        if isinstance(run, str | Path):
            reading = read_ranking_report(run)
            runs[name] = reading.table
            remarks += [f"{name}: {remark}" for remark in reading.remarks]
        else:
            runs[name] = _as_run(run, name=name)
    return GivenRuns(runs, tuple(remarks))


def _as_run(given: object, *, name: str) -> Run:
    if isinstance(given, RankingTable):
        return given
    if isinstance(given, Mapping):
        return _scored(cast("Mapping[str, object]", given), name=name)
    if is_frame(given):
        return ranking_from_frame(given, where=f"run {name!r}")
    if isinstance(given, Iterable):
        return RankingTable.from_records(checked_records(given, Ranking, what=f"run {name!r}"))
    raise InputError(f"run {name!r}: found {type(given).__name__}; expected a dict, a frame, records or a path.")


def run_questions(run: Run) -> frozenset[str]:
    """Return the questions that a run has, failed ones too."""
    if isinstance(run, RankingTable):
        return frozenset(run.questions.to_list()) | frozenset(run.failed)
    return frozenset(run)


def run_content(run: Run) -> str:
    """Return the sha256 of a run, whatever form it came in."""
    return content_key(plain_rows(run), dict(run.failed) if isinstance(run, RankingTable) else {})


def _scored(run: Mapping[str, object], *, name: str) -> Mapping[str, Mapping[str, float]]:
    """Let {question: [documents in order]} through too: the first gets the highest score."""
    kinds = set(map(type, run.values()))  # few, where the questions may be many
    if not any(issubclass(kind, list | tuple) for kind in kinds):
        return cast("Mapping[str, Mapping[str, float]]", run)
    return {
        question: _by_position(found, run=name, question=question)
        if isinstance(found, list | tuple)
        else cast("Mapping[str, float]", found)
        for question, found in run.items()
    }


def _by_position(found: list[str] | tuple[str, ...], *, run: str, question: str) -> dict[str, float]:
    scores = {document: float(len(found) - i) for i, document in enumerate(found)}
    if len(scores) < len(found):
        raise InputError(f"run {run!r}, question {question!r}: a document is listed twice; keep its best rank.")
    return scores
