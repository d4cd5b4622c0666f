"""`quality_report.json`: per case and library the verdict and the options, each with its proof and observation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.output.plain import kept_observation, masked
from goldproof.jobs.verify.output.seed_fields import seed_fields

if TYPE_CHECKING:
    from goldproof.jobs.verify.finding import CaseFinding, OptionFinding, Remark
    from goldproof.jobs.verify.output.placing import Placed
    from goldproof.jobs.verify.proof import Tried

REPORT = "quality_report.json"


def case_entry(finding: CaseFinding, placed: Placed, *, version: str) -> dict[str, object]:
    """Return the entry of a case. version: of the library under test."""
    case = finding.case
    entry: dict[str, object] = {
        "id": case.id,
        "kind": case.kind,
        "where": case.where,
        "library": finding.library,
        "library_version": version,
        "verdict": finding.verdict,
        "reason": masked(finding.reason),
        "key": case.key,
        "holds": list(finding.holds),
        "open": list(finding.open),
        "options": [_option(one, finding, placed=placed, version=version) for one in finding.options],
        "premises": [_tried(one, finding, placed=placed, version=version) for one in finding.premises],
        "remarks": [_remark(one) for one in finding.remarks],
        "suggested_fix": masked(finding.fix),
        **seed_fields(finding),
    }
    if finding.notes is not None:
        notes = finding.notes
        entry["agent"] = {
            "ended": notes.ended,
            "steps": notes.steps,
            "selected_answer": notes.selected_answer,
            "proof_summary": notes.summary,
            "critique": notes.critique,
        }
    return entry


def _option(option: OptionFinding, finding: CaseFinding, *, placed: Placed, version: str) -> dict[str, object]:
    """Return an option: the proof that says most about it in its own fields, all of them in `tries`."""
    tries = [_tried(one, finding, placed=placed, version=version) for one in option.tries]
    best = deciding(option)
    first = None if best is None else tries[option.tries.index(best)]
    return {
        "option": option.letter,
        "text": option.text,
        "status": option.status,
        "reason": masked(option.reason),
        "derived_from": list(option.derived),
        **{name: None if first is None else first[name] for name in _SHOWN},
        "library_version": version,
        "tries": tries,
    }


_SHOWN = ("observation", "observed", "proof", "control", "control_proof", "isolation", "rule")


def deciding(option: OptionFinding) -> Tried | None:
    """Return the try that the status of an option rests on; where it is open, the one that says most."""
    wanted = {"holds": ("confirmed", "supported"), "refuted": ("refuted",)}.get(option.status, ())
    order = (*wanted, "supported", "no verdict", "confirmed", "refuted")
    return min(option.tries, key=lambda one: (order.index(one.standing), len(one.proof.script)), default=None)


def _tried(tried: Tried, finding: CaseFinding, *, placed: Placed, version: str) -> dict[str, object]:
    place = placed.of(finding.case.id, tried.proof)
    refuted = tried.compared.holds is False
    return {
        "rule": tried.proof.rule,
        "claim": tried.proof.says,
        "standing": tried.standing,
        "reason": masked(tried.reason),
        "observation": masked(tried.compared.seen),
        "observed": [kept_observation(one) for one in tried.run.observations],
        "ended": tried.run.ended,
        "proof": place.script,
        "control": masked(tried.control),
        "control_proof": ((place.refuting if refuted else "") or place.control) or None,
        "isolation": tried.run.level,
        "mode": tried.run.mode,
        "library_version": version,
    }


def _remark(remark: Remark) -> dict[str, object]:
    return {
        "kind": remark.kind,
        "text": masked(remark.text),
        "options": list(remark.options),
        "cases": list(remark.cases),
        "broken": remark.broken,
    }
