"""Why queries of a memory benchmark did not pass, and which remedies address it."""

from goldproof.jobs.memory.analysis.diagnosis import MOST, analyse
from goldproof.jobs.memory.analysis.findings import (
    REMEDIES,
    Advice,
    Diagnosis,
    ExpectedFinding,
    Intruder,
    MissedCriterion,
)
from goldproof.jobs.memory.analysis.report import diagnoses_markdown, remedy_table

__all__ = [
    "MOST",
    "REMEDIES",
    "Advice",
    "Diagnosis",
    "ExpectedFinding",
    "Intruder",
    "MissedCriterion",
    "analyse",
    "diagnoses_markdown",
    "remedy_table",
]
