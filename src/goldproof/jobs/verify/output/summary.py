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

    from goldproof.jobs.verify.finding import CaseFinding, Verdict

_WIDEST = 100  # columns of a table on a terminal
_LONGEST_CASE = 40


# What a benchmark should leave out: an unproven question may be as good as any.
FLAWED: tuple[Verdict, ...] = ("broken", "incorrect", "ambiguous")
FIRST_FINDINGS = 15  # on a terminal


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


def conclusion_of(findings: Sequence[CaseFinding], library: str, *, unread: int = 0) -> str:
    """Return what an audit against a library found: `3 of 12 questions are wrong: 2 incorrect, 1 ambiguous.`"""
    counts = counted(findings, library)
    total, unproven = sum(counts.values()), counts["unproven"]
    wrong = {verdict: counts[verdict] for verdict in FLAWED if counts[verdict]}
    if not total:
        return f"No question could be read ({unread:,} tried)." if unread else "There was no question to verify."
    kinds = ", ".join(f"{n:,} {verdict}" for verdict, n in wrong.items())
    n = sum(wrong.values())
    said = f"{n:,} of {_questions(total)} {'is' if n == 1 else 'are'} wrong: {kinds}" if wrong else ""
    if not wrong:
        said = f"None of {_questions(total)} is wrong" if unproven else f"{_all_questions(total)} proven right"
    said += f"; {unproven:,} could not be proven" if unproven else ""
    return said + (f"; {unread:,} more could not be read." if unread else ".")


def _questions(n: int) -> str:
    return "1 question" if n == 1 else f"{n:,} questions"


def _all_questions(n: int) -> str:
    return "The question is" if n == 1 else f"All {n:,} questions are"


def findings_table(findings: Sequence[CaseFinding], *, first: int | None = None) -> Table:
    """Return a row for each case that is not valid; first: how many of them, the others are counted below."""
    several = len({one.library for one in findings}) > 1
    flawed = [one for one in by_weight(findings) if one.verdict != "valid"]
    named = [
        (one.verdict, shortened(one.case.id, longest=_LONGEST_CASE), *((one.library,) if several else ()))
        for one in flawed[:first]
    ]
    room = _WIDEST - sum(max(map(len, column)) + 2 for column in zip(*named, strict=True))
    rows = tuple((*cells, _cut(why(one), room)) for cells, one in zip(named, flawed, strict=False))
    left = len(flawed) - len(rows)
    names = ("verdict", "case", *(("library",) if several else ()), "why")
    return Table(
        tuple(Heading(name, "left") for name in names),
        rows,
        title="Findings",
        notes=(f"{left:,} more are in audit.md (--out DIR).",) if left else (),
    )


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


def _cut(text: str, longest: int) -> str:
    return shortened(" ".join(masked(text).split()), longest=max(30, longest))
