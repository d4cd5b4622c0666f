"""Verdicts: computed from what was observed, never from what somebody says."""

from goldproof.jobs.verify.verdicts.distractors import SAME, distractor_remarks, same_object_proofs
from goldproof.jobs.verify.verdicts.options import find_option
from goldproof.jobs.verify.verdicts.verdict import judge_case

__all__ = ["SAME", "distractor_remarks", "find_option", "judge_case", "same_object_proofs"]
