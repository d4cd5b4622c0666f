"""Rule for options that are code: which of them works, raises, prints or evaluates to a value.

An option runs by itself, or after the code of the question where it uses names that are bound there. Where the question
asks for more than whether code runs (`How do you correctly configure ...?`), an option whose calls are refused by the
library (`TypeError`, `AttributeError`, a validation error, ...) is refuted, and nothing is confirmed.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.code_names import top_names, undefined_names, used_names
from goldproof.jobs.verify.rules.code_proofs import Stated, code_proof, contrary, every, one_of
from goldproof.jobs.verify.rules.code_text import masked, parsed, whole_code
from goldproof.jobs.verify.rules.exception_names import exception_names, raised_names
from goldproof.jobs.verify.rules.literals import read_literal
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.program import completed_code, is_elided, is_inert, is_unstable, with_lines
from goldproof.jobs.verify.rules.question_words import CODE
from goldproof.jobs.verify.rules.section_imports import section_imports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.proof import Expectation, Proof
    from goldproof.jobs.verify.rules.rule import Reading

_NO_ERROR: Final = re.compile(
    r"(?<!\w)(?:without (?:any |an |raising |causing |throwing )*(?:errors?|exceptions?|\x02)|(?:no|not raise any"
    r"|not raise an) (?:errors?|exceptions?))(?!\w)",
    re.IGNORECASE,
)
_WITHOUT_ERROR: Final = re.compile(
    r"(?<!\w)without (?:any |an |raising |causing |throwing )*(?:errors?|exceptions?|\x02)(?!\w)", re.IGNORECASE
)
_RAISES: Final = re.compile(
    r"(?<!\w)(?:raises?|throws?|triggers?|fails?|crash(?:es)?|causes?|results? in|leads? to|errors?|exceptions?"
    r"|is rejected)(?!\w)",
    re.IGNORECASE,
)
_PRINTS: Final = re.compile(
    r"(?<!\w)(?:prints?|outputs?|displays?)\s+(?:the (?:text|value|string) )?\x02", re.IGNORECASE
)
_RETURNS: Final = re.compile(
    r"(?<!\w)(?:returns?|evaluates? to|equals?|yields?|gives?|produces?)\s+(?:the (?:value|string|list) )?\x02",
    re.IGNORECASE,
)
_WORKS: Final = re.compile(
    r"(?<!\w)(?:works?|runs?|executes?|succeeds?|completes?|valid|invalid|accepted|legal|compiles?|allowed)(?!\w)",
    re.IGNORECASE,
)
_RATHER: Final = re.compile(
    r"(?<!\w)(?:rather than|instead of|but not|unlike|and not|as opposed to)(?!\w)", re.IGNORECASE
)
# What a library raises where it is not called as it wants to be; not what depends on files, keys or the network.
_REFUSALS: Final = ("TypeError", "AttributeError", "ImportError", "NameError", "SyntaxError", "ValidationError")
# Elsewhere an option that looks like code may be how a value is shown, or a signature.
_HOW: Final = ("code", "other", "exists")
_ASKS_FOR_CODE: Final = re.compile(r"(?<!\w)(?:how|which|way|select|choose|(?:all|each) of)(?!\w)", re.IGNORECASE)


class CodeOptionsRule:
    """Questions whose options are code."""

    name = "code options"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return a proof for each option that is code."""
        if reading.asked.kind not in _HOW or not _ASKS_FOR_CODE.search(reading.asked.text):
            return ()
        options = own_options(reading.case)
        codes = {letter: whole_code(text) for letter, text in options.items()}
        # Among words, a piece that looks like code is most likely the name of something.
        if sum(code is not None for code in codes.values()) * 2 < len(options):
            return ()
        stated = _asked_of_code(reading)
        found = [(letter, _runnable(code, reading)) for letter, code in codes.items() if code is not None]
        return [
            code_proof(
                letter, code, stated=stated, rule=self.name, negated=reading.asked.negated and stated.power == "decides"
            )
            for letter, code in found
            if code is not None and _can_show(code, stated, reading=reading)
        ]


def _asked_of_code(reading: Reading) -> Stated:
    """Return what the question wants of the right option, before it is negated."""
    words = masked(reading.asked.text, mark=CODE).text
    if reading.asked.kind != "code" or reading.asked.meaning:
        return _not_refused()
    shown = _shown(reading, words)
    if shown is not None:
        return shown
    # `does NOT raise an error` is negated already.
    no_error = _WITHOUT_ERROR if reading.asked.negated else _NO_ERROR
    if not no_error.search(words) and _RAISES.search(words):
        names = raised_names(reading.asked.text)
        if len(names) > 1 and _RATHER.search(words):
            return _not_refused()
        raises: Expectation = (
            one_of([{"check": "raises", "type": name} for name in names]) if names else {"check": "raises"}
        )
        return Stated(f"Running this option's code raises {' or '.join(names) or 'an exception'}.", raises)
    if no_error.search(words) or _WORKS.search(words):
        return Stated("Running this option's code raises nothing.", {"check": "works"})
    return _not_refused()


def _shown(reading: Reading, words: str) -> Stated | None:
    spans = reading.asked.spans
    if len(spans) != 1 or exception_names(spans[0]):
        return None
    works: Expectation = {"check": "works"}
    literal = read_literal(spans[0])
    if _PRINTS.search(words):
        text = spans[0] if literal is None or spans[0][:1] not in "'\"" else str(ast.literal_eval(literal.source))
        return Stated(
            f"Running this option's code prints {text!r}.",
            every([works, {"check": "prints", "text": text, "how": "equals"}]),
        )
    if _RETURNS.search(words) and literal is not None:
        return Stated(
            f"This option's code comes to {literal.source}.",
            every([works, {"check": "returns", "literal": literal.source}]),
        )
    return None


def _not_refused() -> Stated:
    refused = one_of([{"check": "raises", "type": name} for name in _REFUSALS])
    return Stated(f"This option's code is not refused: no {', '.join(_REFUSALS)}.", contrary(refused), "refutes")


def _runnable(code: str, reading: Reading) -> str | None:
    """Return an option's code with what it needs before it, None where that is not known."""
    tree = parsed(code)
    if tree is None or is_elided(code, tree) or _has_dots(tree):
        return None
    shown = parsed(reading.asked.code) if reading.asked.code else None
    before = ""
    if shown is not None and set(top_names(shown)) & set(used_names(tree)):
        before = reading.asked.code
        if is_elided(before, shown):
            return None
        before = with_lines(section_imports(reading.case.snippet, undefined_names(shown)), before)
    return completed_code(code, reading.index, before=before)


def _can_show(code: str, stated: Stated, *, reading: Reading) -> bool:
    """Say whether running it can show anything: it calls something, and means the same at every run."""
    tree = parsed(code)
    if tree is None:
        return False
    shows = "prints" in str(stated.expect) or "returns" in str(stated.expect)
    if shows and (is_unstable(code) or (reading.asked.code == "" and is_inert(tree))):
        return False
    if stated.power == "refutes" and (reading.asked.negated or (reading.asked.kind != "code" and _is_a_name(tree))):
        return False
    doing = (ast.Call, ast.Import, ast.ImportFrom, ast.ClassDef, ast.Subscript, ast.Attribute, ast.BinOp, ast.Raise)
    return any(isinstance(node, doing) for node in ast.walk(tree)) and not _only_functions(tree)


def _only_functions(tree: ast.Module) -> bool:
    """Say whether code only defines functions: that it runs shows nothing of what they do."""
    return is_inert(tree) and not any(
        isinstance(node, (ast.ClassDef, ast.Import, ast.ImportFrom)) for node in tree.body
    )


def _is_a_name(tree: ast.Module) -> bool:
    """Say whether code is a name with brackets, `run()`: it may mean the method, not a call of it."""
    last = tree.body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    return isinstance(call, ast.Call) and not call.args and not call.keywords


def _has_dots(tree: ast.Module) -> bool:
    """Say whether a call is given dots for what does not matter; `Field(...)` alone means something."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [(call, one) for call in calls for one in (*call.args, *(word.value for word in call.keywords))]
    dots = [call for call, one in given if isinstance(one, ast.Constant) and one.value is Ellipsis]
    return any(not (isinstance(call.func, ast.Name) and call.func.id == "Field") for call in dots)


RULE = CodeOptionsRule()
