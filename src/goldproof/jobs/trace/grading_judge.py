"""A judge that labels results of searches: it must grade from 0 to 4, as gains are.

`llm:MODEL` is asked on that scale unless its spec names another. There is no rule that turns a yes, or a grade of
another scale, into a gain: such judges are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.judge import GRADES_4, open_judge
from goldproof.plugins import split_options

if TYPE_CHECKING:
    from goldproof.judge import Judge
    from goldproof.llm.access import Access


def open_grading_judge(spec: object, *, access: Access | None = None) -> Judge:
    """Open a judge that grades from 0 to 4."""
    judge = open_judge(_graded(spec) if isinstance(spec, str) else spec, access=access)
    if judge.scale.name != GRADES_4.name:
        raise InputError(
            f"--judge {judge.key}: judges on the scale {judge.scale.name}, and no rule makes gains of 0 to 4 of that. "
            "Take llm:MODEL, or a judge of your own with scale 0-4."
        )
    return judge


def _graded(spec: str) -> str:
    """Ask models on the scale of gains, where the spec does not say which."""
    written = spec.strip()
    if not written.startswith("llm:"):
        return written
    options = split_options(written).options
    if "scale" in options:
        return written
    return f"{written}{',' if options else '#'}scale={GRADES_4.name}"
