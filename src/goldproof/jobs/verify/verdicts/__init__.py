"""Compute verdicts from observations, never from what an agent or an author says."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.verify.verdicts.distractors import SAME, distractor_remarks, same_object_proofs
    from goldproof.jobs.verify.verdicts.options import find_option
    from goldproof.jobs.verify.verdicts.verdict import judge_case
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "distractors": ("SAME", "distractor_remarks", "same_object_proofs"),
            "options": ("find_option",),
            "verdict": ("judge_case",),
        },
    )

__all__ = ["SAME", "distractor_remarks", "find_option", "judge_case", "same_object_proofs"]
