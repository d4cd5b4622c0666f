"""Diagnoses as Markdown, and the table of remedies."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.errors import counted, shortened
from goldproof.jobs.memory.analysis.findings import REMEDIES, grounds_of
from goldproof.jobs.memory.conclusion import FAULTS, fault_of
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import NOTHING, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.memory.analysis.findings import Diagnosis, ExpectedFinding, Intruder
    from goldproof.jobs.memory.records import ScoredQuery

_EXPECTED = (
    Heading("expected", align="left"),
    Heading("grade"),
    Heading("came at"),
    Heading("BM25 rank"),
    Heading("minilm rank"),
    Heading("why", align="left"),
)
_INTRUDERS = (
    Heading("came at"),
    Heading("not expected", align="left"),
    Heading("role", align="left"),
    Heading("similarity"),
    Heading("remark", align="left"),
)


def failures_markdown(name: str, rows: Sequence[ScoredQuery], diagnoses: Sequence[Diagnosis]) -> str:
    """Return `failures.md` of one system: how many queries failed, by fault and by remedy; then each of them."""
    title = f"# Failed queries: {name}"
    if not diagnoses:
        return f"{title}\n\nAll {counted(len(rows), 'query')} passed.\n"
    tables = [render(table, "markdown").rstrip() for table in (faults_table(rows), remedy_table(diagnoses))]
    summary = [title, f"{len(diagnoses):,} of {counted(len(rows), 'query')} did not pass.", *tables]
    return "\n\n".join([*summary, "## Queries", diagnoses_markdown(diagnoses)])


def faults_table(rows: Sequence[ScoredQuery]) -> Table:
    """Return how many queries have each fault, the most common first."""
    faults = Counter(fault for row in rows if (fault := fault_of(row)))
    body = tuple((FAULTS[fault], f"{n:,}") for fault, n in faults.most_common())
    return Table((Heading("what went wrong", align="left"), Heading("queries")), body, title="What went wrong")


def diagnoses_markdown(diagnoses: Sequence[Diagnosis]) -> str:
    """Return the diagnoses under one heading per scenario; those not analysed are counted at the end."""
    scenarios: dict[str, list[Diagnosis]] = {}
    for diagnosis in diagnoses:
        if diagnosis.analysed:
            scenarios.setdefault(diagnosis.scenario, []).append(diagnosis)
    blocks: list[str] = []
    for scenario, group in scenarios.items():
        blocks.append(f"### {scenario}")
        for diagnosis in group:
            blocks += _blocks(diagnosis)
    blocks += _no_dense_notes([diagnosis for group in scenarios.values() for diagnosis in group])
    if left_out := left_out_note(diagnoses):
        blocks.append(left_out)
    return "\n\n".join(blocks) + "\n" if blocks else ""


def left_out_note(diagnoses: Sequence[Diagnosis]) -> str:
    """Say how many failed queries were not analysed; empty where all were."""
    left_out = sum(not diagnosis.analysed for diagnosis in diagnoses)
    if not left_out:
        return ""
    analysed = sum(diagnosis.analysed and diagnosis.error is None for diagnosis in diagnoses)
    more = "1 more query" if left_out == 1 else f"{left_out} more queries"
    return f"{more} did not pass and {'was' if left_out == 1 else 'were'} not analysed; the first {analysed} were."


def _no_dense_notes(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    """Say how many queries have no ranks by minilm, and why."""
    reasons = Counter(diagnosis.no_dense for diagnosis in diagnoses if diagnosis.no_dense)
    for reason, count in reasons.items():
        yield f"{'1 query has' if count == 1 else f'{count} queries have'} no ranks by minilm: {reason}."


def _blocks(diagnosis: Diagnosis) -> Iterator[str]:
    yield f"**{diagnosis.key}** ({diagnosis.kind}): {' '.join(diagnosis.query.split())}"
    if diagnosis.error is not None:
        yield f"It failed: {diagnosis.error}"
        return
    yield _summary(diagnosis)
    if diagnosis.expected:
        rows = tuple(map(_expected_row, diagnosis.expected))
        yield render(Table(_EXPECTED, rows), "markdown").rstrip()
    if diagnosis.intruders:
        rows = tuple(map(_intruder_row, diagnosis.intruders))
        yield render(Table(_INTRUDERS, rows), "markdown").rstrip()
    more = diagnosis.unexpected - len(diagnosis.intruders)
    if more:
        yield f"{more} more came that were not expected."
    lines = [*diagnosis.remarks, *_remedies(diagnosis)]
    if lines:
        yield "\n".join(f"- {line}" for line in lines)


def _summary(diagnosis: Diagnosis) -> str:
    missed = ", ".join(f"`{criterion.criterion}` ({_value(criterion.value)})" for criterion in diagnosis.missed)
    came = f"{diagnosis.came} came, k = {diagnosis.k}, {diagnosis.pool} stored."
    return f"Missed: {missed}. {came}" if missed else came


def _remedies(diagnosis: Diagnosis) -> Iterator[str]:
    for letter in diagnosis.letters:
        grounds = grounds_of(advice for advice in diagnosis.remedies if advice.letter == letter)
        yield f"Remedy {letter} ({diagnosis.title_of(letter)}): {' '.join(grounds)}"
    if not diagnosis.remedies:
        yield "Nothing that was seen points to a remedy."


def _expected_row(finding: ExpectedFinding) -> tuple[str, ...]:
    why = f"{finding.code}: {finding.reason}." if finding.code else ""
    return (
        f'{finding.memory} "{finding.content}"',
        str(finding.grade),
        _rank(finding.place),
        _rank(finding.lexical),
        _rank(finding.dense),
        f"{why} {finding.wording}".strip(),
    )


def _intruder_row(intruder: Intruder) -> tuple[str, ...]:
    name = " + ".join(intruder.memories) or f"{intruder.id} (matches no memory)"
    similarity = number(intruder.similarity, digits=3)
    if intruder.similarity is None and intruder.reference is not None:
        similarity = f"{intruder.reference:.3f} (minilm)"
    return (str(intruder.place), f'{name} "{intruder.content}"', intruder.role, similarity, "; ".join(intruder.marks))


def _rank(rank: int | None) -> str:
    return NOTHING if rank is None else str(rank)


def _value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4g}"


ROOM = 60  # for the keys: the table fits 100 columns
_HEADINGS = (Heading("remedy", align="left"), Heading("queries"), Heading("which", align="left"))


def remedy_table(diagnoses: Sequence[Diagnosis]) -> Table:
    """Return the remedies that failed queries point to; queries that point to none are in the notes."""
    rows = []
    for letter, title in REMEDIES.items():
        keys = [diagnosis.key for diagnosis in diagnoses if letter in diagnosis.letters]
        if keys:
            rows.append((f"{letter} {title}", str(len(keys)), _shortened(keys)))
    return Table(_HEADINGS, tuple(rows), title="Remedies", notes=tuple(_notes(diagnoses)))


def _notes(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    yield "A query may point to several remedies; try them to see whether they help."
    none = [d.key for d in diagnoses if d.analysed and d.error is None and not d.remedies]
    if none:
        yield f"No remedy in sight for {len(none)} ({_shortened(none)})."
    crashed = [diagnosis.key for diagnosis in diagnoses if diagnosis.error is not None]
    if crashed:
        yield f"{len(crashed)} failed with an error ({_shortened(crashed)})."
    if note := left_out_note(diagnoses):
        yield note


def _shortened(keys: Sequence[str]) -> str:
    """List keys while they fit, at least one, and count the rest."""
    fitting = [n for n in range(1, len(keys) + 1) if len(", ".join(keys[:n])) <= ROOM - 5] or [1]
    listed = ", ".join(keys[: fitting[-1]])
    more = len(keys) - fitting[-1]
    return f"{shortened(listed, longest=ROOM - 5)}{f', +{more}' if more else ''}"
