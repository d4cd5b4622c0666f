"""Diagnoses as Markdown; table of remedies."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from goldproof.jobs.memory.analysis.findings import REMEDIES, grounds_of
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import NOTHING, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.memory.analysis.findings import Diagnosis, ExpectedFinding, Intruder

_EXPECTED = (
    Heading("expected", align="left"),
    Heading("grade"),
    Heading("came at"),
    Heading("lexical rank"),
    Heading("dense rank"),
    Heading("why", align="left"),
)
_INTRUDERS = (
    Heading("came at"),
    Heading("not expected", align="left"),
    Heading("role", align="left"),
    Heading("similarity"),
    Heading("remark", align="left"),
)


def diagnoses_markdown(diagnoses: Sequence[Diagnosis]) -> str:
    """Return the findings under one heading per scenario; what was left out is counted at the end."""
    shown = [one for one in diagnoses if one.analysed]
    order = {scenario: place for place, scenario in enumerate(dict.fromkeys(one.scenario for one in shown))}
    shown.sort(key=lambda one: order[one.scenario])
    blocks: list[str] = []
    for scenario, found in groupby(shown, key=lambda one: one.scenario):
        blocks.append(f"### {scenario}")
        for diagnosis in found:
            blocks += _blocks(diagnosis)
    blocks += _no_dense_notes(shown)
    if left_out := left_out_note(diagnoses):
        blocks.append(left_out)
    return "\n\n".join(blocks) + "\n" if blocks else ""


def left_out_note(diagnoses: Sequence[Diagnosis]) -> str:
    """Say how many failed queries were not analysed; empty where all were."""
    left_out = sum(not one.analysed for one in diagnoses)
    if not left_out:
        return ""
    analysed = sum(one.analysed and one.error is None for one in diagnoses)
    more = "1 more query" if left_out == 1 else f"{left_out} more queries"
    return f"{more} did not pass and {'was' if left_out == 1 else 'were'} not analysed; the first {analysed} were."


def _no_dense_notes(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    """Say how many queries have no dense ranks, and why."""
    for why, many in Counter(one.no_dense for one in diagnoses if one.no_dense).items():
        yield f"{'1 query has' if many == 1 else f'{many} queries have'} no dense ranks: {why}."


def _blocks(diagnosis: Diagnosis) -> Iterator[str]:
    yield f"**{diagnosis.key}** ({diagnosis.kind}): {' '.join(diagnosis.query.split())}"
    if diagnosis.error is not None:
        yield f"It failed: {diagnosis.error}"
        return
    yield _summary(diagnosis)
    if diagnosis.expected:
        rows = tuple(_expected_row(one) for one in diagnosis.expected)
        yield render(Table(_EXPECTED, rows), "markdown").rstrip()
    if diagnosis.intruders:
        rows = tuple(_intruder_row(one) for one in diagnosis.intruders)
        yield render(Table(_INTRUDERS, rows), "markdown").rstrip()
    more = diagnosis.unexpected - len(diagnosis.intruders)
    if more:
        yield f"{more} more came that were not expected."
    lines = [*diagnosis.remarks, *_remedies(diagnosis)]
    if lines:
        yield "\n".join(f"- {line}" for line in lines)


def _summary(diagnosis: Diagnosis) -> str:
    missed = ", ".join(f"`{one.criterion}` ({_value(one.value)})" for one in diagnosis.missed)
    came = f"{diagnosis.came} came, k = {diagnosis.k}, {diagnosis.pool} stored."
    return f"Missed: {missed}. {came}" if missed else came


def _remedies(diagnosis: Diagnosis) -> Iterator[str]:
    for letter in diagnosis.letters:
        because = grounds_of(one for one in diagnosis.remedies if one.letter == letter)
        yield f"Remedy {letter} ({REMEDIES[letter]}): {' '.join(because)}"
    if not diagnosis.remedies:
        yield "No remedy is supported by what is known."


def _expected_row(found: ExpectedFinding) -> tuple[str, ...]:
    why = f"{found.code}: {found.reason}." if found.code else ""
    return (
        f'{found.memory} "{found.content}"',
        str(found.grade),
        _rank(found.place),
        _rank(found.lexical),
        _rank(found.dense),
        f"{why} {found.wording}".strip(),
    )


def _intruder_row(found: Intruder) -> tuple[str, ...]:
    name = " + ".join(found.memories) or f"{found.id} (matches no memory)"
    similarity = number(found.similarity, digits=3)
    if found.similarity is None and found.reference is not None:
        similarity = f"{found.reference:.3f} (minilm)"
    return (str(found.place), f'{name} "{found.content}"', found.role, similarity, "; ".join(found.marks))


def _rank(rank: int | None) -> str:
    return NOTHING if rank is None else str(rank)


def _value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4g}"


MOST_KEYS = 4
_HEADINGS = (Heading("remedy", align="left"), Heading("queries"), Heading("which", align="left"))


def remedy_table(diagnoses: Sequence[Diagnosis]) -> Table:
    """Return the remedies with the failed queries that point to them, and in the notes those that point to none."""
    rows = []
    for letter, title in REMEDIES.items():
        keys = [one.key for one in diagnoses if letter in one.letters]
        rows.append((f"{letter} {title}", str(len(keys)), _shortened(keys)))
    return Table(_HEADINGS, tuple(rows), title="Remedies", notes=tuple(_notes(diagnoses)))


def _notes(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    yield "A query may point to several remedies; whether one helps is known once it is tried (goldproof memory tune)."
    none = [one.key for one in diagnoses if one.analysed and one.error is None and not one.remedies]
    if none:
        yield f"To none: {len(none)} ({_shortened(none)})."
    crashed = [one.key for one in diagnoses if one.error is not None]
    if crashed:
        yield f"Failed: {len(crashed)} ({_shortened(crashed)})."
    if note := left_out_note(diagnoses):
        yield note


def _shortened(keys: Sequence[str]) -> str:
    shown = ", ".join(keys[:MOST_KEYS])
    return f"{shown}, +{len(keys) - MOST_KEYS}" if len(keys) > MOST_KEYS else shown
