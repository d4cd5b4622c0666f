"""Detect scripts that reconfigure the library itself, as by `yaml.add_constructor(...)`.

Where the question or an option names such a function, it is what is asked about; elsewhere it changes what is observed.
A subclass of the script's own may be set up in any way.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.verify.agent.exam import Exam
    from goldproof.jobs.verify.agent.screening.script_names import ScriptNames

_SETTING = re.compile(r"(?:add|install|monkeypatch|override|patch|register|replace|set|unregister)(?:_\w+)?")


def reconfigured(tree: ast.AST, names: ScriptNames, exam: Exam) -> str:
    """Return what is set up, as a sentence with its line, or an empty text."""
    for node in ast.walk(tree):
        path = names.path(node.func) if isinstance(node, ast.Call) and names.is_library(node.func) else ""
        last = path.rpartition(".")[2]
        if _SETTING.fullmatch(last) and not exam.shows(last):
            line = getattr(node, "lineno", 0)
            return (
                f"line {line}: {path} changes the library for what comes after it; the question does not speak of it."
            )
    return ""
