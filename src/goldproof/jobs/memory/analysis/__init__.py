"""Why queries of a memory benchmark did not pass, and which remedies address it."""

from goldproof.jobs.memory.analysis.analysing import MOST, analyse
from goldproof.jobs.memory.analysis.diagnosis import Diagnosis, ExpectedFinding, Intruder, MissedCriterion
from goldproof.jobs.memory.analysis.markdown import diagnoses_markdown
from goldproof.jobs.memory.analysis.remedy import REMEDIES, Advice
from goldproof.jobs.memory.analysis.remedy_table import remedy_table

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
