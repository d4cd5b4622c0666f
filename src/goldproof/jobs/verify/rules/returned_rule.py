"""Rule for returned values and types: of a call that the question names, or at the end of its code.

`What is x after this code?` looks at `x` when the code has run. Options are read as values (`literals`), then as types,
then as outcomes. A value that is no plain data can only be confirmed, by how it is shown.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.code_names import top_names, used_names
from goldproof.jobs.verify.rules.code_proofs import Stated, code_proof, contrary, every, one_of, stated_outcomes
from goldproof.jobs.verify.rules.code_text import expression_of, parsed
from goldproof.jobs.verify.rules.literals import bare_text, read_literal, read_type
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.outcomes import Outcome, Outcomes, read_outcomes
from goldproof.jobs.verify.rules.printed_rule import is_marked, printed_proofs
from goldproof.jobs.verify.rules.program import program_of
from goldproof.jobs.verify.rules.running_premise import premises
from goldproof.jobs.verify.rules.snippet_rule import mentioned_exceptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.program import Program
    from goldproof.jobs.verify.rules.rule import Reading

_LOOKED_AT: Final = re.compile(
    r"(?:values?|types?|contents?|length|result|return value) (?:of|stored in|assigned to|held by"
    r"|in)\s+(?:the )?(?:variable |attribute )?`([^`]+)`"
    r"|(?:what|which)(?: \w+){0,3} (?:is|does|will|would|are)\s+`([^`]+)`(?:\s+(?:contain|be|equal|hold|after"
    r"|evaluate|return)|\s*\?\s*$)",
    re.IGNORECASE,
)
_PLAIN: Final = ("len", "type", "list", "dict", "str", "int", "sorted", "set", "tuple", "bool", "repr", "isinstance")
_TYPE_ASKED: Final = re.compile(r"(?<!\w)(?:type|class|kind of object)(?!\w)", re.IGNORECASE)


class ReturnedRule:
    """Questions of the kind `returns`."""

    name = "returned"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return proofs for the options, and for the premises."""
        if reading.asked.kind != "returns":
            return ()
        if _ends_with_print(reading.asked.code) and not _LOOKED_AT.search(reading.asked.text):
            return printed_proofs(reading, rule=self.name)
        program = _value_program(reading)
        return () if program is None else self._proofs(reading, program)

    def _proofs(self, reading: Reading, program: Program) -> tuple[Proof, ...]:
        options = own_options(reading.case)
        by_type = bool(_TYPE_ASKED.search(reading.asked.text))
        stated = {letter: _stated(text, by_type=by_type) for letter, text in options.items()}
        others = {letter: read_outcomes(text) for letter, text in options.items() if stated[letter] is None}
        outcomes = stated_outcomes(others, program, negated=reading.asked.negated)
        proofs = [
            code_proof(letter, program.code, stated=one, rule=self.name, negated=reading.asked.negated)
            for letter, own in stated.items()
            for one in ((own,) if own else outcomes[letter] or _as_text(letter, options))
        ]
        spoken = {letter: others[letter] if letter in others else _returned(options[letter]) for letter in options}
        return (*proofs, *premises(reading, program, outcomes=spoken, rule=self.name))


def _stated(text: str, *, by_type: bool) -> Stated | None:
    """Return what an option that is a value, or a type, states; None for any other."""
    named = read_type(text)
    if by_type and named:
        return Stated(f"What comes back is a {named}.", _with_works({"check": "returns_type", "type": named}))
    literal = read_literal(text)
    if literal is not None:
        return Stated(
            f"What comes back is {literal.source}.", _with_works({"check": "returns", "literal": literal.source})
        )
    if named and not read_outcomes(text).said:
        return Stated(f"What comes back is a {named}.", _with_works({"check": "returns_type", "type": named}))
    return None


def _with_works(expect: dict[str, object]) -> dict[str, object]:
    return every([{"check": "works"}, expect])


def _as_text(letter: str, options: Mapping[str, str]) -> tuple[Stated, ...]:
    """Return what an option states that is how a value is shown: `Decimal('1')`. It confirms; a rival's refutes."""
    text = bare_text(options[letter]).strip()
    if not is_marked(options[letter]) and " " in text:
        return ()
    if any(_is_text(other, text) for key, other in options.items() if key != letter):
        return ()
    shown = _with_works({"check": "returns_text", "text": text})
    rivals = [bare_text(other).strip() for key, other in options.items() if key != letter and " " not in other.strip()]
    found = [Stated(f"What comes back is shown as {text!r}.", shown, "confirms")]
    if rivals and text not in rivals:
        others = one_of([{"check": "returns_text", "text": rival} for rival in rivals])
        found.append(
            Stated(
                f"What comes back is not what another option says; this one is {text!r}.",
                contrary(others),
                "refutes",
            )
        )
    return tuple(found)


def _is_text(option: str, text: str) -> bool:
    """Say whether an option is a string with quotation marks: beside `'hi'`, `hi` is not that string."""
    literal = read_literal(option)
    return literal is not None and literal.source == repr(text)


def _returned(text: str) -> Outcomes:
    return Outcomes((Outcome("returns", text),))


def _value_program(reading: Reading) -> Program | None:
    """Return a program whose last line is what is asked about."""
    program = program_of(reading, mentioned=mentioned_exceptions(reading))
    if program is None or program.unstable or not reading.asked.code:
        return program if program is not None and not program.unstable else None
    tree = parsed(program.code)
    looked_at = _looked_at(reading, tree) if tree else None
    if looked_at:
        added = (*program.added, f"then `{looked_at}`")
        return replace(program, code=f"{program.code}\n{looked_at}", added=added, inert=False)
    last = tree.body[-1] if tree and tree.body else None
    if program.inert or not isinstance(last, ast.Expr) or _LOOKED_AT.search(reading.asked.text):
        return None
    return program


def _looked_at(reading: Reading, tree: ast.Module) -> str | None:
    """Return the expression whose value is asked for, made of names that the code has bound when it has run."""
    found = _LOOKED_AT.search(reading.asked.text)
    if not found:
        return None
    span = (found[1] or found[2]).strip()
    expression = expression_of(span)
    names = used_names(expression) if expression is not None else ()
    if not names or not set(names) <= {*top_names(tree), *_PLAIN}:
        return None
    if not set(names) & set(top_names(tree)):
        return None
    return f"len({span})" if found[0].lower().startswith("length") else span


def _ends_with_print(code: str) -> bool:
    tree = parsed(code) if code else None
    last = tree.body[-1] if tree and tree.body else None
    call = last.value if isinstance(last, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"


RULE = ReturnedRule()
