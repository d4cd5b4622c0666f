"""Which documents are looked at for a question, and why."""

from goldproof.jobs.mine.candidates.candidate_file import CandidateFile, read_candidates, write_candidates
from goldproof.jobs.mine.candidates.gathering import Gathered, gather
from goldproof.jobs.mine.candidates.settings import CandidateSettings

__all__ = ["CandidateFile", "CandidateSettings", "Gathered", "gather", "read_candidates", "write_candidates"]
