"""Strength of a claim: that something exists never shows that it is what was asked for.

`hasattr(yaml, SUBJECT)` returning True, or an import that works, says no more than that either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.agent.screening.script_names import ScriptNames
from goldproof.jobs.verify.agent.screening.subject_flow import SubjectFlow

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

_EXISTENCE = frozenset({"accepts", "flag", "found", "has_parameter", "somewhere", "what"})


_LOOKED_AT = frozenset({"returns", "returns_text", "returns_type", "works"})


def shows_existence(expect: Mapping[str, object], tree: ast.Module, *, roots: tuple[str, ...]) -> bool:
    """Return whether a claim about what a script observes says no more than that something is there."""
    only_looks = not SubjectFlow(tree, ScriptNames(tree, roots)).behaves
    return is_weak(expect) or (only_looks and expect.get("check") in _LOOKED_AT)


def is_weak(expect: Mapping[str, object]) -> bool:
    """Return whether a claim says no more than that something is there."""
    check, inner = expect.get("check"), expect.get("of")
    parts = [one for one in inner if isinstance(one, dict)] if isinstance(inner, list) else []
    if check == "all":
        return bool(parts) and all(map(is_weak, parts))
    if check == "any":
        return any(map(is_weak, parts))
    return check in _EXISTENCE
