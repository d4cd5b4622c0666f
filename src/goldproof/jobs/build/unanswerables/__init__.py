"""Questions that the corpus does not answer, made from questions that it does."""

from goldproof.jobs.build.unanswerables.assign import Assignment, assign
from goldproof.jobs.build.unanswerables.check import CheckOutcome, Rejected, check
from goldproof.jobs.build.unanswerables.making import make_unanswerable
from goldproof.jobs.build.unanswerables.proposal import Proposal
from goldproof.jobs.build.unanswerables.proposing import propose
from goldproof.jobs.build.unanswerables.substitutes import Substitutes, SubstitutesBuilder

__all__ = [
    "Assignment",
    "CheckOutcome",
    "Proposal",
    "Rejected",
    "Substitutes",
    "SubstitutesBuilder",
    "assign",
    "check",
    "make_unanswerable",
    "propose",
]
