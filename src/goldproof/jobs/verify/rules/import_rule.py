"""Rule for imports: options that are import statements, or the module that a name is imported from.

Where the question names what is to be imported, an import that works must also bind that name. Two paths to one name
both hold: then the question is ambiguous, which is for the verdict to say. Where a purpose is asked for and most
options import one name from several places, their proofs are named `import (meaning)`: the verdict lifts the only one
that works.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.proof import Control, Proof
from goldproof.jobs.verify.rules.code_names import defined_names
from goldproof.jobs.verify.rules.code_proofs import FLIPPED, Stated, code_proof, contrary
from goldproof.jobs.verify.rules.code_text import parsed, prose_of, python_blocks, spans_of
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.scripts import IMPOSSIBLE, call_text, proof_script

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.proof import Expectation, Power
    from goldproof.jobs.verify.rules.rule import Reading

_STATEMENT: Final = re.compile(r"(?:from\s+[\w.]+\s+import\s+[\w., ()]+|import\s+[\w., ]+)")
_PATH: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[a-z_]\w*")
_ASKS_CORRECT: Final = re.compile(
    r"(?<!\w)(?:correct(?:ly)?|valid|right|proper|works?|succeeds?|possible|allowed|without (?:an )?error|fails?"
    r"|errors?|raises?|invalid|incorrect|import path|missing)(?!\w)",
    re.IGNORECASE,
)
_FROM_WHERE: Final = re.compile(
    r"(?<!\w)(?:where|which (?:module|package|submodule|path)|what (?:module|package|path"
    r"|is the (?:\w+ )?import path))(?!\w)",
    re.IGNORECASE,
)
_FAILS: Final = re.compile(
    r"(?<!\w)(?:fails?|raises?|errors? out|results? in|causes?|throws?|ImportError|ModuleNotFoundError)(?!\w)(?<!not )",
    re.IGNORECASE,
)


class ImportRule:
    """Questions of the kind `import`."""

    name = "import"
    meaning = "import (meaning)"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return a proof for each option that is, or holds, an import statement."""
        if reading.asked.kind != "import":
            return ()
        options = own_options(reading.case)
        statements = {letter: _statement(text) or _from_path(text, reading) for letter, text in options.items()}
        given = [one for one in statements.values() if one]
        return [
            self._proof(
                letter,
                statement,
                reading=reading,
                power=_power(options[letter], statement, reading=reading, same=_bind_the_same(given)),
                usual=_bound(statement) == _usually_bound(given),
            )
            for letter, statement in statements.items()
            if statement
        ]

    def _proof(self, letter: str, statement: str, *, reading: Reading, power: Power, usual: bool) -> Proof:
        wanted = _wanted(reading)
        fails = bool(_FAILS.search(reading.asked.text))
        negated = reading.asked.negated != fails
        if wanted and wanted not in _bound(statement) and _is_from(statement) and not negated:
            stated = Stated(f"After `{statement}` there is a {wanted}.", {"check": "works"}, power)
            return code_proof(letter, f"{statement}\n{wanted}", stated=stated, rule=self.name)
        proof = _import_proof(letter, statement, reading=reading, power=power, negated=negated)
        alone = _is_alone(reading.case.options[letter], statement)
        return replace(proof, rule=self.meaning) if usual and alone and proof.power == "refutes" else proof


def _import_proof(letter: str, statement: str, *, reading: Reading, power: Power, negated: bool) -> Proof:
    says = f"`{statement}` {'fails' if negated else 'works'}."
    works: Expectation = {"check": "works"}
    impossible = _script(_impossible(statement), says=f"Control: an import of what cannot exist. {says}")
    known = _script(f"import {reading.index.import_names[0]}", says=f"Control: an import that is known to work. {says}")
    return Proof(
        option=letter,
        rule=RULE.name,
        says=says,
        script=_script(statement, says=says),
        expect=contrary(works) if negated else works,
        control=Control(script=known, refuting=impossible) if negated else Control(script=impossible, refuting=known),
        power=FLIPPED[power] if negated else power,
    )


def _script(statement: str, *, says: str) -> str:
    return proof_script(call_text("observe_import", statement), says=says, uses=("observe_import",))


def _power(text: str, statement: str, *, reading: Reading, same: bool) -> Power:
    """Return what an import that works shows: all where just that is asked, else nothing."""
    alone = _is_alone(text, statement)
    named = _wanted(reading) in _bound(statement)
    asked = named or same or bool(_ASKS_CORRECT.search(reading.asked.text))
    whole = alone or _from_path(text, reading) is not None
    return "decides" if whole and asked else "refutes"


def _is_alone(text: str, statement: str) -> bool:
    return "".join(prose_of(text).split()).strip("`.") == "".join(statement.split()) or bool(python_blocks(text))


def _statement(text: str) -> str | None:
    """Return the import that a text is or holds, None where it holds none or several."""
    candidates = [*python_blocks(text), *spans_of(prose_of(text)), " ".join(text.split()).rstrip(".")]
    found = list(dict.fromkeys(one.strip() for one in candidates if _is_import(one)))
    if not found:
        # Words around it: only what can be nothing else.
        found = [
            one.strip(" .,")
            for one in _STATEMENT.findall(prose_of(text))
            if one.startswith("from ") and _is_import(one.strip(" .,"))
        ]
    return found[0] if len(found) == 1 else None


def _is_import(code: str) -> bool:
    tree = parsed(code.strip())
    return (
        tree is not None and bool(tree.body) and all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in tree.body)
    )


def _is_from(statement: str) -> bool:
    tree = parsed(statement)
    return tree is not None and all(isinstance(one, ast.ImportFrom) and one.names[0].name != "*" for one in tree.body)


def _from_path(text: str, reading: Reading) -> str | None:
    """Return the import that an option means which only names a module."""
    path, wanted = text.strip().strip("`.").strip(), _wanted(reading)
    asks = _FROM_WHERE.search(reading.asked.text) is not None
    return f"from {path} import {wanted}" if asks and wanted and _PATH.fullmatch(path) else None


def _wanted(reading: Reading) -> str:
    """Return the one bare name that the question wants to be imported; empty where it names none, or several."""
    names = list(dict.fromkeys(name for name in reading.asked.subjects if name.isidentifier()))
    return names[0] if len(names) == 1 and names[0] not in reading.index.import_names else ""


def _bound(statement: str) -> tuple[str, ...]:
    tree = parsed(statement)
    return defined_names(tree) if tree else ()


def _bind_the_same(statements: list[str]) -> bool:
    return len(statements) > 1 and len({_bound(one) for one in statements}) == 1


def _usually_bound(statements: list[str]) -> tuple[str, ...] | None:
    """Return what more than half of some imports bind, None where there is no such thing."""
    (names, times), *_ = Counter(_bound(one) for one in statements).most_common(1) or [((), 0)]
    return names if times * 2 > len(statements) > 1 else None


def _impossible(statement: str) -> str:
    tree = parsed(statement)
    first = tree.body[0] if tree else None
    return (
        f"from {first.module} import {IMPOSSIBLE}"
        if isinstance(first, ast.ImportFrom) and first.module
        else f"import {IMPOSSIBLE}"
    )


RULE = ImportRule()
