"""Comparing observations with claims, outside of the sandbox."""

from __future__ import annotations

from goldproof.jobs.verify.checks.compare import compare
from goldproof.jobs.verify.checks.contrast import denies, matching, negation, undenied
from goldproof.jobs.verify.checks.expectation import check_expectation
from goldproof.jobs.verify.checks.seen import seen_line
from goldproof.jobs.verify.checks.wording import checks_of, claim_words

__all__ = [
    "check_expectation",
    "checks_of",
    "claim_words",
    "compare",
    "denies",
    "matching",
    "negation",
    "seen_line",
    "undenied",
]
