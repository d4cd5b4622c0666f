"""Which documents are looked at for a question, and why."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.mine.candidates.candidate_file import CandidateFile, read_candidates, write_candidates
    from goldproof.jobs.mine.candidates.gathering import Gathered, gather
    from goldproof.jobs.mine.candidates.settings import CandidateSettings

__all__ = ["CandidateFile", "CandidateSettings", "Gathered", "gather", "read_candidates", "write_candidates"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "candidate_file": ("CandidateFile", "read_candidates", "write_candidates"),
        "gathering": ("Gathered", "gather"),
        "settings": ("CandidateSettings",),
    },
)
