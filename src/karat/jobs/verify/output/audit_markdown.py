"""`quality_audit.md`: for people. Findings first, each with its shortest proof and a suggestion; what is valid last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.jobs.verify.finding import VERDICTS
from karat.jobs.verify.output.plain import masked
from karat.jobs.verify.output.report_json import deciding
from karat.jobs.verify.output.summary import by_weight, drift_table, verdict_table
from karat.report import render
from karat.text.code_blocks import code_context

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.jobs.verify.finding import CaseFinding, OptionFinding
    from karat.jobs.verify.output.placing import Placed
    from karat.jobs.verify.proof import Tried

AUDIT = "quality_audit.md"
_MOST_LINES = 40
_MEANS = {
    "broken": "The question is wrong: what it takes for granted is not so, or its code fails for another reason.",
    "incorrect": "The option that is marked as right is refuted.",
    "ambiguous": "More than one option holds.",
    "unproven": "Some options could be neither shown nor refuted.",
    "valid": "Exactly the option that is marked as right holds, and every other one is refuted.",
}


def audit_text(
    findings: Sequence[CaseFinding], placed: Placed, *, libraries: Sequence[str], notes: Sequence[str]
) -> str:
    """Return the report. notes: sentences about the whole audit (isolation, cases that could not be read)."""
    head = ["# Question audit\n", *(f"- {masked(note)}" for note in notes)]
    tables = [render(verdict_table(findings, libraries), "markdown")]
    drift = drift_table(findings, libraries)
    if drift.rows:
        tables.append(render(drift, "markdown"))
    return "\n".join([*head, "", *tables, *_sections(findings, placed)]).rstrip("\n") + "\n"


def _sections(findings: Sequence[CaseFinding], placed: Placed) -> Iterator[str]:
    several = len({one.library for one in findings}) > 1
    for verdict in VERDICTS:
        chosen = [one for one in by_weight(findings) if one.verdict == verdict]
        if not chosen:
            continue
        yield f"## {verdict.capitalize()} ({len(chosen)})\n\n{_MEANS[verdict]}\n"
        for finding in chosen:
            yield from _valid(finding, several) if verdict == "valid" else _finding(finding, placed, several=several)


def _valid(finding: CaseFinding, several: bool) -> Iterator[str]:  # noqa: FBT001 - whether libraries are named
    where = f" ({finding.library})" if several else ""
    remarks = "".join(f" {masked(one.text)}" for one in finding.remarks)
    yield f"- `{finding.case.id}`{where}: {masked(finding.reason)}{remarks}"


def _finding(finding: CaseFinding, placed: Placed, *, several: bool) -> Iterator[str]:
    where = f" against {finding.library}" if several else ""
    yield f"### `{finding.case.id}`{where}\n\n{masked(finding.reason)}\n"
    yield f"> {_quoted(finding.case.asked or finding.case.question.text)}\n"
    for option in finding.options:
        yield _option_line(option, key=finding.case.key)
    yield ""
    if finding.remarks:
        yield "".join(f"- {remark.kind}: {masked(remark.text)}\n" for remark in finding.remarks)
    if finding.fix:
        yield f"\n**Suggested:** {masked(finding.fix)}\n"
    proof = shortest_proof(finding)
    if proof is not None:
        yield from _proof(proof, finding, placed)


def _option_line(option: OptionFinding, *, key: str | None) -> str:
    mark = " (key)" if option.letter == key else ""
    return f"- **{option.letter}**{mark} {option.status}: {masked(_quoted(option.reason))}"


def shortest_proof(finding: CaseFinding) -> Tried | None:
    """Return the shortest proof that the verdict rests on."""
    premises = [one for one in finding.premises if one.standing == "refuted"]
    wanted = {"incorrect": "refuted", "ambiguous": "holds"}.get(finding.verdict)
    chosen = [
        one
        for one in finding.options
        if one.status == wanted and (finding.verdict != "incorrect" or one.letter == finding.case.key)
    ]
    tries = premises or [tried for option in chosen if (tried := deciding(option)) is not None]
    return min(tries, key=lambda one: len(one.proof.script), default=None)


def _proof(tried: Tried, finding: CaseFinding, placed: Placed) -> Iterator[str]:
    path = placed.of(finding.case.id, tried.proof).script
    lines = _body(tried.proof.script).splitlines()
    cut = "\n# ..." if len(lines) > _MOST_LINES else ""
    code = code_context("\n".join(lines[:_MOST_LINES]) + cut, language="python").text
    yield f"Proof ([`{path}`]({path})): {masked(_quoted(tried.proof.says))}\n\n{code}\n"
    yield f"Observed: {masked(_quoted(tried.compared.seen))}. Control: {masked(_quoted(tried.control))}.\n"


def _body(script: str) -> str:
    """Return what a script does, without what all of them begin with."""
    return script.rpartition("from karat_proof import")[2].partition("\n")[2].strip() or script.strip()


def _quoted(text: str) -> str:
    return " ".join(text.split())
