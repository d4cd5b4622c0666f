"""Verdict on a `fix_error` case: a file that fails and the file that does not.

unfixed refuted   broken: there is nothing to fix, or it does not fail as its test says
fixed refuted     incorrect: the solution does not pass
both hold         valid
else              unproven: a test that needs the network or a module that is not installed says nothing
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.verify.verdicts.choices import Judged
from goldproof.jobs.verify.verdicts.options import find_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.cases import Case
    from goldproof.jobs.verify.finding import OptionFinding
    from goldproof.jobs.verify.proof import Tried

UNFIXED, FIXED = "unfixed", "fixed"


def judge_fix(case: Case, tries: Sequence[Tried]) -> Judged:
    """Return the verdict."""
    paths = {UNFIXED: case.unfixed.path if case.unfixed else "", FIXED: case.fixed.path if case.fixed else ""}
    unfixed, fixed = (
        _with_tests(find_option(part, path, tries=[one for one in tries if one.proof.option == part]))
        for part, path in paths.items()
    )
    options = (unfixed, fixed)
    if unfixed.status == "refuted":
        reason = f"the unfixed file does not fail as it should: {unfixed.reason}"
        return Judged("broken", reason, "give an unfixed file that its test rejects.", options)
    if fixed.status == "refuted":
        reason = f"the fixed file does not pass: {fixed.reason}"
        return Judged("incorrect", reason, "mend the fixed file, or its test.", options)
    opened = [one for one in options if one.status == "open"]
    if opened:
        return Judged("unproven", f"{opened[0].letter} is open: {opened[0].reason}", "", options)
    return Judged("valid", f"the unfixed file fails and the fixed one passes: {fixed.reason}", "", options)


def _with_tests(part: OptionFinding) -> OptionFinding:
    """Return a part whose reason names the tests that failed, where tests were run."""
    told = [one for one in part.tries if one.standing in {"confirmed", "refuted"}]
    told.sort(key=lambda one: one.standing != "refuted")
    failed = (
        [f"{name} {said}" for name, said in _outcomes(told[0]).items() if said.startswith("failed")] if told else []
    )
    return replace(part, reason=f"{part.reason} {'; '.join(failed[:3]).rstrip('.')}.") if failed else part


def _outcomes(tried: Tried) -> dict[str, str]:
    """Return what became of each test, as the first observation has it; nothing where it is none of tests."""
    value = tried.run.observations[0].get("value") if len(tried.run.observations) == 2 else None
    literal = value.get("literal") if isinstance(value, dict) else None
    try:
        found = ast.literal_eval(literal) if isinstance(literal, str) else {}
    except (ValueError, SyntaxError):
        return {}
    return {str(name): str(said) for name, said in found.items()} if isinstance(found, dict) else {}
