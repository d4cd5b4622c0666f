"""Verdicts: computed from what was observed, never from what somebody says."""

from karat.jobs.verify.verdicts.distractors import SAME, distractor_remarks, same_object_proofs
from karat.jobs.verify.verdicts.options import find_option
from karat.jobs.verify.verdicts.verdict import judge_case

__all__ = ["SAME", "distractor_remarks", "find_option", "judge_case", "same_object_proofs"]
