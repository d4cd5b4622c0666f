"""Questions that the corpus does not answer, made from questions that it does."""

from karat.jobs.build.unanswerables.assign import Assignment, assign
from karat.jobs.build.unanswerables.check import CheckOutcome, Rejected, check
from karat.jobs.build.unanswerables.making import make_unanswerable
from karat.jobs.build.unanswerables.proposal import Proposal
from karat.jobs.build.unanswerables.proposing import propose
from karat.jobs.build.unanswerables.substitutes import Substitutes, SubstitutesBuilder

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
