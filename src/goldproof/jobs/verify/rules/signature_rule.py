"""Rule for parameters of a function: which are required, and which a written signature has.

`Which argument of F is required?` is decided by the signature. A list of several can only be refuted: that all of them
are there does not show that there are no others. A signature written out is confirmed where it is the very signature,
and refuted where it has a parameter that is not there, or where another option is the very signature: one that merely
leaves out what is optional may be meant as a short form. Annotations are not compared: with them nothing is confirmed.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, value_proof
from goldproof.jobs.verify.rules.code_text import parsed
from goldproof.jobs.verify.rules.mentions import bare_code, mentions
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.phrases import PARAMETER, may_be_negated
from goldproof.jobs.verify.rules.targets import targets_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.jobs.verify.proof import Expectation, Power, Proof
    from goldproof.jobs.verify.rules.rule import Reading

_REQUIRED = re.compile(
    r"\b(?:required|mandatory|requires?|must\s+(?:be|always|you)|without\s+(?:a\s+)?default|obligatory"
    r"|(?:has|have)\s+no\s+default(?:\s+value)?)\b",
    re.IGNORECASE,
)
_NO_DEFAULT = re.compile(r"\b(?:has|have)\s+no\s+default\b|\bwithout\s+(?:a\s+)?default\b", re.IGNORECASE)
_OPTIONAL = re.compile(r"\b(?:optional|not\s+(?:be\s+)?(?:required|mandatory))\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:parameters|arguments|fields|keywords)\b|\bonly\b", re.IGNORECASE)
_BUT = re.compile(r"\b(?:besides|other\s+than|apart\s+from|in\s+addition|except|also|when|if)\b", re.IGNORECASE)
_SIGNATURE = re.compile(r"\bsignatures?\b", re.IGNORECASE)
_ASKED = re.compile(
    r"\bwhat\s+is\s+the\s+(?:(?:full|exact|correct|actual|complete|call)\s+)?signature\s+of\b"
    r"|\bwhich\s+(?:of\s+(?:these|the\s+following)\s+)?(?:is\s+the\s+)?(?:(?:full|exact|correct|actual|complete)\s+)?"
    r"signature\s+(?:does|of|is\s+that\s+of|belongs\s+to)\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?:def\s+)?([A-Za-z_][\w.]*)?\(")
_NAME = r"`?[A-Za-z_]\w*`?"
_LIST = re.compile(rf"{_NAME}(?:\s*(?:,|and|,\s*and|&)\s*{_NAME})*\.?")


class SignatureRule:
    """Questions about parameters: which there are, and which are required."""

    name = "signature"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that lists parameters."""
        asked = reading.asked
        nouns = "signatures?" if _SIGNATURE.search(asked.text) else PARAMETER
        targets = targets_of(reading, nouns=nouns)
        if may_be_negated(asked.text) and not asked.negated:
            return
        kinds = {"signature", "keyword", "other", "exists"} | ({"default"} if _NO_DEFAULT.search(asked.text) else set())
        if len(targets.names) != 1 or asked.kind not in kinds:
            return
        path = targets.paths[0]
        options = own_options(reading.case)
        exact = {
            letter: signature for letter, text in options.items() if (signature := written_signature(text, of=path))
        }
        for letter, text in options.items():
            if _SIGNATURE.search(asked.text) and targets.said:
                yield from self._written(letter, text, path=path, reading=reading)
                yield from self._exact(letter, exact, path=path, reading=reading)
            elif _REQUIRED.search(asked.text) and targets.said:
                yield from self._required(letter, text, path=path, reading=reading)

    def _written(self, letter: str, text: str, *, path: str, reading: Reading) -> Iterator[Proof]:
        names = written_parameters(text)
        if names and not reading.asked.negated:
            expect = _all([{"check": "has_parameter", "name": name} for name in names])
            says = f"`{path}` has the parameter{'s' if len(names) > 1 else ''} {_listed(names)}."
            yield value_proof(Claim(option=letter, rule=self.name, says=says), path, expect=expect)

    def _exact(self, letter: str, exact: Mapping[str, str], *, path: str, reading: Reading) -> Iterator[Proof]:
        """Yield that an option is the very signature, and that no other option is."""
        if letter not in exact or reading.asked.negated or not _asks_signature(reading.asked.text):
            return
        own = exact[letter]
        says = f"The signature of `{path}` is `{own}`."
        yield value_proof(
            Claim(option=letter, rule=self.name, says=says, power="confirms"), path, expect=_is_signature(own)
        )
        others = [_is_signature(one) for one in dict.fromkeys(exact.values()) if one != own]
        if others:
            says = f"The signature of `{path}` is not what another option writes out."
            other: Expectation = {"check": "not", "of": {"check": "any", "of": others}}
            yield value_proof(Claim(option=letter, rule=self.name, says=says), path, expect=other)

    def _required(self, letter: str, text: str, *, path: str, reading: Reading) -> Iterator[Proof]:
        names, asked = listed_parameters(text), reading.asked
        if not names:
            return
        optional = bool(_OPTIONAL.search(asked.text))
        several = len(names) > 1 or bool(_SEVERAL.search(asked.text) or _BUT.search(asked.text))
        negated = asked.negated or optional
        if several and negated:
            return
        says = f"{_listed(names)} of `{path}` {'is not' if negated else 'is' if len(names) == 1 else 'are'} required."
        power: Power = "refutes" if several else "decides"
        claim = Claim(option=letter, rule=self.name, says=says, power=power, negated=negated)
        yield value_proof(claim, path, expect=_all([{"check": "required", "of": name} for name in names]))


def written_parameters(option: str) -> tuple[str, ...]:
    """Return the parameters of a signature that an option writes out: `def f(a, b=1)`, `f(a, b=1)`, `(a, *, b)`."""
    function = _function_of(option)
    return () if function is None else tuple(name for name in _names(function) if name not in {"self", "cls"})


def _function_of(option: str) -> ast.FunctionDef | None:
    code = bare_code(option).removesuffix(":").removesuffix("...").rstrip().removesuffix(":")
    code = re.sub(r"^(?:async\s+)?(?:def\s+)?[A-Za-z_][\w.]*(?=\()", "", code)
    tree = parsed(f"def f{code}: ...") if code.startswith("(") else None
    function = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    return function if isinstance(function, ast.FunctionDef) else None


def _names(function: ast.FunctionDef) -> list[str]:
    given = function.args
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def written_signature(option: str, *, of: str) -> str:
    """Return the signature that an option writes out, in plain form.

    Empty where it says more: annotations, `self`, `async`, or another name than that of the function.
    """
    function, name = _function_of(option), _CALLED.match(bare_code(option))
    if function is None or written_parameters(option) != tuple(_names(function)):
        return ""
    if name is None or (name[1] and name[1].rpartition(".")[2] not in {of.rpartition(".")[2], "__init__"}):
        return ""
    given = function.args
    more = [one for one in (given.vararg, given.kwarg) if one is not None]
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *more]
    annotated = function.returns is not None or any(one.annotation is not None for one in every)
    return "" if annotated else f"({ast.unparse(given)})"


def _is_signature(text: str) -> Expectation:
    """The signature is a text; methods are seen with `self` before it."""
    bound = f"(self, {text[1:]}" if text != "()" else "(self)"
    either: list[Expectation] = [{"check": "signature", "text": one} for one in (text, bound)]
    return {"check": "any", "of": either}


def _asks_signature(text: str) -> bool:
    """Return whether the one signature is asked for: `What is the signature of F?`"""
    return _ASKED.search(text) is not None and not _BUT.search(text)


def listed_parameters(option: str) -> tuple[str, ...]:
    """Return the parameters that an option lists and nothing else: "`a`", "a, b", "`a` and `b`"."""
    if not _LIST.fullmatch(option.strip()):
        return ()
    if "`" in option:
        return tuple(one.name for one in mentions(option) if one.kind == "name")
    words = re.findall(r"[A-Za-z_]\w*", option)
    return tuple(word for word in words if word != "and")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _all(expectations: list[Expectation]) -> Expectation:
    return expectations[0] if len(expectations) == 1 else {"check": "all", "of": list(expectations)}


RULE = SignatureRule()
