"""The four usual fields of a question audit: `selected_answer`, `proof_summary`, `quality_rating`, `critique`.

They are computed from the finding; what an agent wrote stands in `notes` and nowhere here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.output.plain import masked

if TYPE_CHECKING:
    from goldproof.jobs.verify.finding import CaseFinding

_RATINGS = {"valid": "Valid", "ambiguous": "Ambiguous", "incorrect": "Incorrect"}


def seed_fields(finding: CaseFinding) -> dict[str, object]:
    """Return the four of them; a rating that is null says why in `quality_rating_reason`."""
    rating = _RATINGS.get(finding.verdict)
    holds = finding.holds
    return {
        "selected_answer": holds[0] if len(holds) == 1 else None,
        "proof_summary": proof_summary(finding),
        "quality_rating": rating,
        "quality_rating_reason": None if rating else f"{finding.verdict}: {masked(finding.reason)}",
        "critique": critique(finding),
    }


def proof_summary(finding: CaseFinding) -> str:
    """Return one sentence for each option: its status, and what was observed."""
    said = [f"{_name(one.letter)} {_STATUS[one.status]}: {one.reason}" for one in finding.options]
    return masked(" ".join(f"{sentence.rstrip('.')}." for sentence in said)) or "Nothing could be run."


def critique(finding: CaseFinding) -> str:
    """Return the critique of a case: why this verdict, all remarks, and a suggestion."""
    parts = [finding.reason, *(remark.text for remark in finding.remarks), finding.fix]
    return masked(" ".join(f"{part.rstrip('.')}." for part in dict.fromkeys(parts) if part))


_STATUS = {"holds": "holds", "refuted": "is refuted", "open": "is open"}


def _name(letter: str) -> str:
    return f"Option {letter}" if len(letter) <= 2 else letter.capitalize()
