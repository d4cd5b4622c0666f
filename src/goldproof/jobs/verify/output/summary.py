"""Summary tables: verdicts per library, cases that need a look, and drift between versions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.verify.finding import VERDICTS
from goldproof.jobs.verify.output.plain import masked
from goldproof.jobs.verify.output.report_json import deciding
from goldproof.report import Heading, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.verify.finding import CaseFinding

_LONGEST = 90


def counted(findings: Sequence[CaseFinding], library: str) -> dict[str, int]:
    """Return how many cases have each verdict against a library."""
    counts = Counter(one.verdict for one in findings if one.library == library)
    return {verdict: counts[verdict] for verdict in reversed(VERDICTS)}


def verdict_table(findings: Sequence[CaseFinding], libraries: Sequence[str], *, unread: int = 0) -> Table:
    """Return a row for each library. unread: cases that could not be read, and so have no verdict."""
    rows = []
    for library in libraries:
        counts = counted(findings, library)
        rows.append((library, *map(str, (sum(counts.values()), *counts.values()))))
    names = ("cases", *reversed(VERDICTS))
    notes = (f"{unread:,} more could not be read, and have no verdict.",) if unread else ()
    return Table((Heading("library", "left"), *map(Heading, names)), tuple(rows), title="Verdicts", notes=notes)


def findings_table(findings: Sequence[CaseFinding]) -> Table:
    """Return a row for each case that is not valid."""
    several = len({one.library for one in findings}) > 1
    rows = [
        (one.verdict, one.case.id, *((one.library,) if several else ()), _cut(why(one)))
        for one in by_weight(findings)
        if one.verdict != "valid"
    ]
    names = ("verdict", "case", *(("library",) if several else ()), "why")
    return Table(tuple(Heading(name, "left") for name in names), tuple(rows), title="Findings")


def drift_table(findings: Sequence[CaseFinding], libraries: Sequence[str]) -> Table:
    """Return the cases whose verdict, or whose set of options that hold, is not the same against all libraries."""
    by_case: dict[str, dict[str, CaseFinding]] = {}
    for one in findings:
        by_case.setdefault(one.case.id, {})[one.library] = one
    rows = [
        (case, *(_drifted(found.get(library)) for library in libraries))
        for case, found in by_case.items()
        if len({_drifted(one) for one in found.values()}) > 1
    ]
    return Table(
        tuple(Heading(name, "left") for name in ("case", *libraries)), tuple(rows), title="Drift between versions"
    )


def _drifted(finding: CaseFinding | None) -> str:
    """Return a verdict with the options that hold: "ambiguous: A, C"."""
    if finding is None:
        return ""
    holding = [one.letter for one in finding.options if one.status == "holds"]
    return f"{finding.verdict}: {', '.join(holding) or 'none'}" if finding.options else finding.verdict


def by_weight(findings: Sequence[CaseFinding]) -> list[CaseFinding]:
    """Return the findings, the gravest first, else in the order of the cases."""
    return sorted(findings, key=lambda one: VERDICTS.index(one.verdict))


def why(finding: CaseFinding) -> str:
    """Return in a few words what a verdict rests on: the letters, then what was observed."""
    if finding.verdict == "broken":
        refuted = next((one for one in finding.premises if one.standing == "refuted"), None)
        return finding.reason if refuted is None else refuted.compared.seen
    if finding.verdict == "incorrect":
        key = next((one for one in finding.options if one.letter == finding.case.key), None)
        tried = None if key is None else deciding(key)
        if key is None or tried is None:
            return finding.reason
        holds = f"{' and '.join(finding.holds)} instead" if finding.holds else "no option"
        return f"key {key.letter} is refuted, {holds}: {tried.compared.seen}"
    if finding.verdict == "ambiguous":
        return f"{' and '.join(finding.holds)} hold"
    if finding.verdict == "unproven" and finding.open:
        return f"open: {', '.join(finding.open)}" + (f"; holds: {', '.join(finding.holds)}" if finding.holds else "")
    return finding.reason


def _cut(text: str) -> str:
    return shortened(" ".join(masked(text).split()), longest=_LONGEST)
