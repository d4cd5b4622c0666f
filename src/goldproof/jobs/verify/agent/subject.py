"""SUBJECT: the one value of a proof that its control replaces.

A script has one line `SUBJECT = <literal>` at its top level. The control is the same script with another literal there,
to the character, so that nothing else can make the difference.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from goldproof.errors import InputError, kind_of, reason_of
from goldproof.jobs.verify.agent.screening.screen import TOO_DEEP, is_deep
from goldproof.jobs.verify.rules.scripts import IMPOSSIBLE

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


@dataclass(frozen=True, slots=True)
class Subject:
    """A script with its SUBJECT. value: the literal. start, end: where it stands, in bytes of UTF-8."""

    script: str
    tree: ast.Module
    value: object
    start: int
    end: int

    @property
    def impossible(self) -> str | None:
        """A name like SUBJECT that nothing has; None where SUBJECT is no name."""
        if not isinstance(self.value, str) or not _NAME.fullmatch(self.value):
            return None
        outer, point, _ = self.value.rpartition(".")
        return f"{outer}{point}{IMPOSSIBLE}"

    def replaced(self, value: object) -> str:
        """Return the script with another literal."""
        raw = self.script.encode()
        return (raw[: self.start] + repr(value).encode() + raw[self.end :]).decode()


def read_subject(script: str, *, given: str = "") -> Subject:
    """Read a script. given: the literal, for a script that does not define it. InputError says what is wrong."""
    tree = _parsed(script)
    found = [node for node in tree.body if isinstance(node, ast.Assign) and _assigns_subject(node)]
    if not found and given.strip():
        return read_subject(f"SUBJECT = {_literal(given)!r}\n{script}")
    bound = sum(isinstance(node, ast.Name) and node.id == "SUBJECT" and not _is_load(node) for node in ast.walk(tree))
    if len(found) != 1 or bound != 1:
        raise InputError(
            "the script needs exactly one line `SUBJECT = <literal>` at its top, and must not bind it again."
        )
    value = found[0].value
    try:
        literal = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise InputError("SUBJECT must be a plain literal (a text, a number, a list, ...), not computed.") from None
    return Subject(script, tree, literal, _place(script, value.lineno, value.col_offset), _end(script, value))


def control_value(given: str, subject: Subject) -> object:
    """Return the literal that a control is to have: of SUBJECT's type, and another one.

    For a text the quotes may be left out.
    """
    value: object
    try:
        value = ast.literal_eval(given.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        value = given
    if isinstance(subject.value, str) and not isinstance(value, str):
        value = given
    if type(value) is not type(subject.value):
        raise InputError(f"control is {kind_of(value)}, SUBJECT is {kind_of(subject.value)}; give another of its type.")
    if value == subject.value:
        raise InputError("control is the same as SUBJECT; give a literal with which the claim comes out otherwise.")
    return value


def _parsed(script: str) -> ast.Module:
    try:
        tree = ast.parse(script)
    except SyntaxError as error:
        raise InputError(f"the script is not Python: line {error.lineno}: {error.msg}.") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"the script cannot be read: {reason_of(error)}.") from error
    if is_deep(tree):
        raise InputError(f"the script cannot be read: {TOO_DEEP}")
    return tree


def _assigns_subject(node: ast.Assign) -> bool:
    target = node.targets[0]
    return len(node.targets) == 1 and isinstance(target, ast.Name) and target.id == "SUBJECT"


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _literal(given: str) -> object:
    try:
        return ast.literal_eval(given.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return given


def _place(script: str, line: int, column: int) -> int:
    lines = script.encode().splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + column


def _end(script: str, value: ast.expr) -> int:
    return _place(script, value.end_lineno or value.lineno, value.end_col_offset or value.col_offset)
