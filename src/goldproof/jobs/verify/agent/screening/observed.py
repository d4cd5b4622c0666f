"""Check that a script observes the library, not words that the script states itself.

Every call of an observing function must involve the library. Code that is run as a text is held to the rules of
scripts, except where it stands in the question or in an option: that is what is being asked about.
"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

from goldproof.jobs.verify.agent.screening.forbidden import OBSERVERS, forbidden
from goldproof.jobs.verify.agent.screening.reconfigured import reconfigured
from goldproof.jobs.verify.agent.screening.script_names import ScriptNames
from goldproof.jobs.verify.agent.screening.subject_flow import SUBJECT, decides_by, is_looking

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.jobs.verify.agent.exam import Exam

_STAND_IN = "goldproof_subject"
_ALWAYS_LIBRARY = frozenset({"observe_anywhere", "observe_command"})


def uninvolved(tree: ast.AST, names: ScriptNames, *, subjects: tuple[str, ...]) -> str:
    """Return why a script does not observe the library, or an empty text. subjects: texts that SUBJECT stands for."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node) in OBSERVERS]
    if not calls:
        return "it observes nothing: call observe, observe_code, observe_name, ... of goldproof_proof."
    for call in calls:
        if not _involves(call, names, subjects=subjects):
            return (
                f"line {call.lineno}: {_called(call)} does not involve the library "
                f"({', '.join(names.roots)}); observe what the library does, not what the script says."
            )
    return ""


def texts_of_code(tree: ast.AST, subjects: tuple[str, ...]) -> Iterator[str]:
    """Yield each text of a script that may be code: constants, and those with fields, a name in SUBJECT's place."""
    yield from subjects
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else _STAND_IN for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            yield node.value


def bad_code(text: str, exam: Exam, *, roots: tuple[str, ...]) -> str:
    """Return what a text that is run as code may not do, or an empty text."""
    tree = _parsed(text)
    if tree is None or exam.shows(text):
        return ""
    names = ScriptNames(tree, roots)
    if said := forbidden(tree, names) or reconfigured(tree, names, exam):
        return f"in the code that is run: {said}"
    return "the code that is run decides by SUBJECT itself." if decides_by(tree, _STAND_IN) else ""


def said_by_code(text: str, expected: tuple[str, ...], exam: Exam) -> str:
    """Return a word that is expected of the library and that code says itself, by a plain `print` or as its value."""
    tree = _parsed(text) if expected else None
    if tree is None or exam.shows(text):
        return ""
    return _first_expected((*printed(tree), *_last_value(tree)), expected)


def said_by_script(tree: ast.Module, expected: tuple[str, ...]) -> str:
    """Return a word that is expected of the library and that the script prints or returns itself."""
    return _first_expected((*printed(tree), *_returned(tree)), expected)


def value_of_its_own(text: str, exam: Exam, *, roots: tuple[str, ...]) -> bool:
    """Return whether a program imports the library, and then ends with a value that does not come from it."""
    tree = _parsed(text)
    if tree is None or exam.shows(text) or not isinstance(last := tree.body[-1], ast.Expr):
        return False
    names = ScriptNames(tree, roots)
    imports = any(map(names.mentions, names.imported.values()))
    return imports and not names.touches(last) and _STAND_IN not in text


def expected_texts(expect: Mapping[str, object]) -> tuple[str, ...]:
    """Return the words that a claim expects to see."""
    found = [str(expect[name]) for name in ("text", "literal") if expect.get("check") in _WORDS and expect.get(name)]
    inner = expect.get("of")
    for one in inner if isinstance(inner, list) else [inner]:
        found += expected_texts(one) if isinstance(one, dict) else ()
    return tuple(found)


_WORDS = frozenset({"prints", "returns", "returns_text", "logs"})


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _involves(call: ast.Call, names: ScriptNames, *, subjects: tuple[str, ...]) -> bool:
    called = _called(call)
    if called in _ALWAYS_LIBRARY:
        return True
    if called == "observe":
        asked = call.args[2:3] if is_looking(call) else call.args[1:2]
        return any(map(names.touches, asked))
    given = [*call.args, *(one.value for one in call.keywords)]
    texts = [text for one in given for text in names.texts(one)]
    if any(isinstance(part, ast.Name) and part.id == SUBJECT for one in given for part in ast.walk(one)):
        texts += subjects
    return any(names.mentions(text) for text in texts)


def printed(tree: ast.AST) -> Iterator[str]:
    """Yield what code prints whatever happens: the words of calls of print with nothing but constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "print" and node.args:
            words = [str(one.value) for one in node.args if isinstance(one, ast.Constant)]
            if len(words) == len(node.args):
                yield " ".join(words)


def _returned(tree: ast.AST) -> Iterator[str]:
    """Yield the constants that functions of the script return."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Return) else node.body if isinstance(node, ast.Lambda) else None
        if isinstance(value, ast.Constant):
            yield repr(value.value)
            yield str(value.value)


def _last_value(tree: ast.Module) -> Iterator[str]:
    last = tree.body[-1]
    # A text that is nothing but a constant is an argument, not a program.
    if len(tree.body) > 1 and isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant):
        yield repr(last.value.value)
        yield str(last.value.value)


def _first_expected(said: tuple[str, ...], expected: tuple[str, ...]) -> str:
    return next((one for one in said if any(one.split() == wanted.split() for wanted in expected)), "")


def _parsed(text: str) -> ast.Module | None:
    """Return a text as code; None where it is none, or only a word."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes in somebody else's text
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if tree.body else None
