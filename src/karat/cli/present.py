"""Delivering a result: on stdout for people or machines, in a folder, as JUnit, and as an exit code."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from karat.core.errors import NothingScoredError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from karat.study import GateResult, Result, Study


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where a result goes, and which gates it must pass."""

    out: Path | None
    force: bool
    json: bool
    style: str
    fail_if: Sequence[str]
    junit: Path | None
    suite: str


def deliver(result: Result, delivery: Delivery) -> None:
    """Check the gates, write the files, print the result, and leave with the right exit code."""
    gates = _check_gates(result.study, delivery.fail_if)
    if delivery.out is not None:
        result.save(delivery.out, force=delivery.force, gates=gates)
        typer.echo(f"written to {delivery.out}", err=True)
    if delivery.junit is not None:
        _write_junit(delivery.junit, result.study, gates, suite=delivery.suite)
    for remark in result.remarks:
        typer.echo(remark, err=True)
    if delivery.json:
        print_json(result.to_dict())
    else:
        _print_study(result.study, style=delivery.style)
    _finish(result.study, gates)


def _check_gates(study: Study, expressions: Sequence[str]) -> list[GateResult]:
    """Parse all gates before trying any, so that a typo is found first."""
    from karat.study import check_gate, parse_gate

    gates = [parse_gate(text, metrics=study.panel.metrics, runs=study.panel.runs) for text in expressions]
    return [check_gate(gate, study) for gate in gates]


def _print_study(study: Study, *, style: str) -> None:
    from karat.report import render
    from karat.study import study_tables

    text = "\n".join(render(table, style) for table in study_tables(study))
    if style == "table" and _too_wide(text):
        text = "\n".join(render(table, style) for table in study_tables(study, narrow=True))
    typer.echo(text, nl=False)


def _too_wide(text: str) -> bool:
    """Whether the table's lines would wrap on this terminal; a file or a pipe takes any width."""
    first_line = text.partition("\n")[0]
    return sys.stdout.isatty() and len(first_line) > shutil.get_terminal_size().columns


def print_json(document: dict[str, object]) -> None:
    """Print one JSON document, numbers as in the files."""
    from karat.io import json_text

    typer.echo(json_text(document), nl=False)


def _write_junit(path: Path, study: Study, gates: Sequence[GateResult], *, suite: str) -> None:
    from karat.io import write_text
    from karat.study import junit_xml

    write_text(path, junit_xml(study, gates, suite=suite))


def _finish(study: Study, gates: Sequence[GateResult]) -> None:
    for result in gates:
        for failure in result.failures:
            typer.echo(f"gate '{result.gate.text}': {failure}", err=True)
    if not study.has_scores:
        raise NothingScoredError(
            "no requested metric has a scored value; the columns 'undefined' and 'failed' count why not."
        )
    if any(not result.passed for result in gates):
        raise typer.Exit(1)
