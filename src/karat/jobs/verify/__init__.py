"""Proving questions right or wrong: every option of every case, by running code against the library itself."""

from karat.jobs.verify.finding import VERDICTS, CaseFinding, OptionFinding, Remark
from karat.jobs.verify.function import verify
from karat.jobs.verify.gates import parse_verdicts
from karat.jobs.verify.replaying import ReplayResult, replay
from karat.jobs.verify.result import AuditResult
from karat.jobs.verify.watching import AuditProgress, AuditWatcher

__all__ = [
    "VERDICTS",
    "AuditProgress",
    "AuditResult",
    "AuditWatcher",
    "CaseFinding",
    "OptionFinding",
    "Remark",
    "ReplayResult",
    "parse_verdicts",
    "replay",
    "verify",
]
