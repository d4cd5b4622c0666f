"""Screen a script before it runs; a refusal is a sentence that the agent can act on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from goldproof.jobs.verify.agent.screening.forbidden import forbidden
from goldproof.jobs.verify.agent.screening.observed import (
    bad_code,
    expected_texts,
    said_by_code,
    said_by_script,
    texts_of_code,
    uninvolved,
    value_of_its_own,
)
from goldproof.jobs.verify.agent.screening.reconfigured import reconfigured
from goldproof.jobs.verify.agent.screening.script_names import ScriptNames
from goldproof.jobs.verify.agent.screening.subject_flow import SubjectFlow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.agent.exam import Exam

# How deep Python itself reads depends on its version; a script that is refused on one is refused on all.
_DEEPEST = 400
TOO_DEEP = "it is nested too deeply to be read."


def screen(
    tree: ast.Module, *, exam: Exam, roots: tuple[str, ...], subjects: tuple[str, ...], expect: Mapping[str, object]
) -> str:
    """Return why a script is refused, or an empty text.

    tree: the script. roots: import names of the library. subjects: the texts that SUBJECT stands for, in the proof and
    in its controls. expect: the claim.
    """
    names = ScriptNames(tree, roots)
    code = tuple(texts_of_code(tree, subjects))
    diagnostics = (
        forbidden(tree, names),
        reconfigured(tree, names, exam),
        uninvolved(tree, names, subjects=subjects),
        SubjectFlow(tree, names).complaint,
        *(bad_code(text, exam, roots=roots) for text in code),
        *_said(tree, code, exam=exam, expected=expected_texts(expect)),
        *_own_values(code, exam=exam, roots=roots, expect=expect),
    )
    return next(filter(None, diagnostics), "")


def screen_file(text: str, *, roots: tuple[str, ...]) -> str:
    """Return why a file of code beside a script is refused, or an empty text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"it is not Python: {error}."
    return TOO_DEEP if is_deep(tree) else forbidden(tree, ScriptNames(tree, roots))


def is_deep(tree: ast.AST) -> bool:
    """Return whether expressions or blocks are nested more than 400 levels deep."""
    level = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


def _own_values(
    code: tuple[str, ...], *, exam: Exam, roots: tuple[str, ...], expect: Mapping[str, object]
) -> list[str]:
    if not str(expect.get("check")).startswith("returns"):
        return []
    own = [text for text in code if value_of_its_own(text, exam, roots=roots)]
    return ["the last line of the code that is run does not come from the library." for _ in own]


def _said(tree: ast.Module, code: tuple[str, ...], *, exam: Exam, expected: tuple[str, ...]) -> list[str]:
    words = [*(said_by_code(text, expected, exam) for text in code), said_by_script(tree, expected)]
    advice = "is what the claim expects, and the script says it itself; observe what the library says."
    return [f"{word!r} {advice}" for word in words if word]
