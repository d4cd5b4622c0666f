"""Detect questions that contradict their snippet: they name a call, setting or handler that the code lacks.

Only where it is plain: the question speaks of this code, in the present, and names a call, an attribute, a keyword with
its value, or an exception that is caught. A name that stands anywhere in the snippet, comments and texts included, is
no contradiction; a question about changed code ("if `x=5` were used") says nothing about this one.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import Remark
from goldproof.jobs.verify.rules.code_text import parsed
from goldproof.jobs.verify.rules.mentions import Mention, mentions

if TYPE_CHECKING:
    from goldproof.jobs.verify.rules.asked import Asked

_CODE = r"(?:code|snippet|script|program|example|line\s+\d+)"
_SAYS = re.compile(
    rf"\b(?:the|this)\s+(?:\w+\s+)?{_CODE}(?:\s+(?:below|above|shown))?\s+(?P<verb>calls|uses|sets|passes|catches|invokes)\s+"
    r"(?:the\s+|an?\s+)?`$",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:if|were|would|instead|suppose|should|not|never|without|missing|replaced?|changed?|added?|removed?|fix\w*)\b",
    re.IGNORECASE,
)
_STARRED = re.compile(r"\*\*|\bexec\b|\beval\b|\bgetattr\b|\bimport\s+\*")


def text_against_code(asked: Asked) -> tuple[Remark, ...]:
    """Return what the question says of its snippet that the snippet contradicts."""
    tree = parsed(asked.code) if asked.code else None
    if tree is None or _CHANGED.search(asked.text) or _STARRED.search(asked.code):
        return ()
    found = [_contradiction(one, asked, tree) for one in mentions(asked.text) if one.quoted]
    return tuple(
        Remark(kind="contradicts snippet", text=text, broken=True) for text in dict.fromkeys(filter(None, found))
    )


def _contradiction(one: Mention, asked: Asked, tree: ast.Module) -> str:
    said = _SAYS.search(asked.text[: one.start])
    if said is None:
        return ""
    verb = said["verb"].lower()
    if one.kind == "keyword":
        return _other_value(one, tree) if verb in {"sets", "uses", "passes"} else ""
    last = one.name.rpartition(".")[2]
    if verb == "catches":
        caught = any(isinstance(node, ast.ExceptHandler) for node in ast.walk(tree))
        return "" if _stands(last, asked.code) or not caught else _absent(verb, one)
    is_code = one.kind == "call" or "." in one.name or verb in {"calls", "invokes"}
    return _absent(verb, one) if is_code and not _stands(last, asked.code) else ""


def _other_value(one: Mention, tree: ast.Module) -> str:
    """Return the contradiction where the snippet gives the keyword, always with another value."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == one.name]
    given = [ast.unparse(node.value) for node in nodes]
    plain = all(isinstance(node.value, ast.Constant) for node in nodes)
    if not given or not plain or one.values[0] in given:
        return ""
    return f"The question says that the code sets `{one.text}`; the snippet has `{one.name}={given[0]}`."


def _absent(verb: str, one: Mention) -> str:
    return f"The question says that the code {verb} `{one.text}`, which does not stand in the snippet."


def _stands(name: str, code: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", code) is not None
