"""`quality_audit.md`, for people: findings first, each with its shortest proof and a suggestion; valid cases last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.verify.finding import VERDICTS
from goldproof.jobs.verify.output.plain import masked
from goldproof.jobs.verify.output.report_json import deciding
from goldproof.jobs.verify.output.summary import by_weight, drift_table, verdict_table, why
from goldproof.report import render
from goldproof.text.code_blocks import code_context

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.verify.finding import CaseFinding, OptionFinding
    from goldproof.jobs.verify.output.placing import Placed
    from goldproof.jobs.verify.proof import Tried

AUDIT = "quality_audit.md"
_MOST_LINES = 40
_LONGEST_OPTION = 300
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
    """Return one line for each case that is as it should be, with the key and what was observed."""
    where = f" ({finding.library})" if several else ""
    said = (finding.reason, *(remark.text for remark in finding.remarks))
    yield f"- `{finding.case.id}`{where}: {masked(_one_line(' '.join(said)))}"


def _finding(finding: CaseFinding, placed: Placed, *, several: bool) -> Iterator[str]:
    where = f" against {finding.library}" if several else ""
    yield f"### `{finding.case.id}`{where}\n\n**{_sentence(why(finding))}**\n"
    yield _asked(finding)
    yield "".join(_option_line(option, key=finding.case.key) for option in finding.options)
    if finding.fix:
        yield f"**Suggested:** {_sentence(finding.fix)}\n"
    proof = shortest_proof(finding)
    if proof is not None:
        yield from _proof(proof, finding, placed)
    remarks = [remark for remark in finding.remarks if remark.kind != "premise"]
    if remarks:
        yield "".join(f"- {remark.kind}: {masked(_one_line(remark.text))}\n" for remark in remarks)


def _asked(finding: CaseFinding) -> str:
    """Return the question as it was written, and its code where that stands in a file."""
    case = finding.case
    asked = (case.asked or case.question.text).strip()
    quoted = "".join(f"> {line}".rstrip() + "\n" for line in asked.splitlines())
    shown = case.snippet or case.unfixed
    return quoted if shown is None else f"{quoted}\n{_code(shown.text)}\n"


def _option_line(option: OptionFinding, *, key: str | None) -> str:
    """Return an option: what it says, what became of it, and what was observed."""
    mark = " (key)" if option.letter == key else ""
    tried = deciding(option)
    seen = option.reason if tried is None or option.status == "open" else f"observed: {tried.compared.seen}"
    text = shortened(_one_line(option.text), longest=_LONGEST_OPTION)
    return f"- **{option.letter}**{mark}, {option.status}: {text}  \n  {masked(_one_line(seen))}\n"


def shortest_proof(finding: CaseFinding) -> Tried | None:
    """Return the shortest proof that the verdict rests on."""
    premises = [one for one in finding.premises if one.standing == "refuted"]
    wanted = {"incorrect": "refuted", "ambiguous": "holds"}.get(finding.verdict)
    of_key = finding.verdict == "incorrect"  # of an ambiguous case the other one is news
    chosen = [one for one in finding.options if one.status == wanted and (one.letter == finding.case.key) is of_key]
    tries = premises or [tried for option in chosen if (tried := deciding(option)) is not None]
    return min(tries, key=lambda one: len(one.proof.script), default=None)


def _proof(tried: Tried, finding: CaseFinding, placed: Placed) -> Iterator[str]:
    path = placed.of(finding.case.id, tried.proof).script
    yield f"Tried ([`{path}`]({path})): {_sentence(tried.proof.says)}\n\n{_code(_body(tried.proof.script))}\n"
    yield f"Observed: {_sentence(tried.compared.seen)} Control {_sentence(tried.control)}\n"


def _code(text: str) -> str:
    lines = text.splitlines()
    cut = "\n# ..." if len(lines) > _MOST_LINES else ""
    return code_context("\n".join(lines[:_MOST_LINES]) + cut, language="python").text


def _body(script: str) -> str:
    """Return what a script does, without what all of them begin with."""
    return script.rpartition("from goldproof_proof import")[2].partition("\n")[2].strip() or script.strip()


def _sentence(text: str) -> str:
    return f"{masked(_one_line(text)).rstrip('.')}."


def _one_line(text: str) -> str:
    return " ".join(text.split())
