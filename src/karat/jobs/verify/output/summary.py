"""How many cases came out how, per library; what needs a look; and what changed between versions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from karat.jobs.verify.finding import VERDICTS
from karat.report import Heading, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.jobs.verify.finding import CaseFinding

_LONGEST = 90


def counted(findings: Sequence[CaseFinding], library: str) -> dict[str, int]:
    """Return how many cases have each verdict against a library."""
    counts = Counter(one.verdict for one in findings if one.library == library)
    return {verdict: counts[verdict] for verdict in reversed(VERDICTS)}


def verdict_table(findings: Sequence[CaseFinding], libraries: Sequence[str]) -> Table:
    """Return a row for each library."""
    rows = []
    for library in libraries:
        counts = counted(findings, library)
        rows.append((library, *map(str, (sum(counts.values()), *counts.values()))))
    names = ("cases", *reversed(VERDICTS))
    return Table((Heading("library", "left"), *map(Heading, names)), tuple(rows), title="Verdicts")


def findings_table(findings: Sequence[CaseFinding]) -> Table:
    """Return a row for each case that is not valid."""
    several = len({one.library for one in findings}) > 1
    rows = [
        (one.verdict, one.case.id, *((one.library,) if several else ()), _cut(one.reason))
        for one in by_weight(findings)
        if one.verdict != "valid"
    ]
    names = ("verdict", "case", *(("library",) if several else ()), "why")
    return Table(tuple(Heading(name, "left") for name in names), tuple(rows), title="Findings")


def drift_table(findings: Sequence[CaseFinding], libraries: Sequence[str]) -> Table:
    """Return the cases whose verdict is not the same against all libraries."""
    verdicts: dict[str, dict[str, str]] = {}
    for one in findings:
        verdicts.setdefault(one.case.id, {})[one.library] = one.verdict
    rows = [
        (case, *(found.get(library, "") for library in libraries))
        for case, found in verdicts.items()
        if len(set(found.values())) > 1
    ]
    return Table(
        tuple(Heading(name, "left") for name in ("case", *libraries)), tuple(rows), title="Drift between versions"
    )


def by_weight(findings: Sequence[CaseFinding]) -> list[CaseFinding]:
    """Return the findings, the gravest first, else in the order of the cases."""
    return sorted(findings, key=lambda one: VERDICTS.index(one.verdict))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
