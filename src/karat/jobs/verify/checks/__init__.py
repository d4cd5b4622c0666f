"""Comparing observations with claims, outside of the sandbox."""

from __future__ import annotations

from karat.jobs.verify.checks.compare import compare
from karat.jobs.verify.checks.contrast import denies, matching, negation, undenied
from karat.jobs.verify.checks.expectation import check_expectation
from karat.jobs.verify.checks.seen import seen_line
from karat.jobs.verify.checks.wording import checks_of, claim_words

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
