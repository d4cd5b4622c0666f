"""Verify questions: prove or refute every option of every case by running code against the library."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.verify.finding import VERDICTS, CaseFinding, OptionFinding, Remark
    from goldproof.jobs.verify.function import verify
    from goldproof.jobs.verify.gates import parse_verdicts
    from goldproof.jobs.verify.replaying import ReplayResult, replay
    from goldproof.jobs.verify.result import AuditResult
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "finding": ("CaseFinding", "OptionFinding", "Remark", "VERDICTS"),
            "function": ("verify",),
            "gates": ("parse_verdicts",),
            "replaying": ("ReplayResult", "replay"),
            "result": ("AuditResult",),
        },
    )

__all__ = [
    "VERDICTS",
    "AuditResult",
    "CaseFinding",
    "OptionFinding",
    "Remark",
    "ReplayResult",
    "parse_verdicts",
    "replay",
    "verify",
]
