"""Proofs for `api_understanding` cases, whose answers are about fully qualified names.

Each name must resolve. Each answer must be there: what it names is the last part of a name, a member of what a name
leads to, a parameter or field of it, or it is its value. An answer of several names needs all of them; an answer in
prose that names nothing is left open. Not to be found there refutes no answer: it may be said of something else.

An answer is read as the rules read an option: words in backquotes, dotted names and calls; else, where it is a single
word, that word; else, where it is a literal, its value.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.proof import Control, Expectation, Proof
from goldproof.jobs.verify.rules.mentions import bare_code, mentions
from goldproof.jobs.verify.rules.scripts import IMPOSSIBLE, call_text, proof_script
from goldproof.jobs.verify.verdicts.names_and_answers import answer_parts, name_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.corpus.libraries import NameIndex
    from goldproof.io.cases import Case

_RULE_NAME, _RULE_ANSWER = "resolves", "answer is there"
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_MOST_NAMES = 8
_NO_PARAMETERS = "threading.active_count"  # a function that takes nothing, to show that a parameter can be missing


def api_proofs(case: Case, names: NameIndex) -> tuple[Proof, ...]:
    """Return the proofs of a case: one for each name, and one for each answer that names something."""
    paths = {letter: path for letter, path in name_parts(case).items() if _DOTTED.fullmatch(path)}
    resolving = [_resolves(letter, path, known=_known(path, names)) for letter, path in paths.items()]
    targets = tuple(paths.values())[:_MOST_NAMES]
    answers = [
        proof
        for letter, text in answer_parts(case).items()
        if targets and (proof := _answer_proof(letter, text, targets=targets))
    ]
    return (*resolving, *answers)


def _known(path: str, names: NameIndex) -> str:
    """Return a path that is certainly there, to show that looking up finds what exists."""
    own = [one for one in names.import_names if path == one or path.startswith(f"{one}.")]
    return (own or list(names.import_names) or ["builtins.dict"])[0]


def _resolves(letter: str, path: str, *, known: str) -> Proof:
    says = f"`{path}` resolves."
    return Proof(
        option=letter,
        rule=_RULE_NAME,
        says=says,
        script=_looking_up([path], says=says),
        expect={"check": "found"},
        control=Control(
            script=_looking_up([_impossible(path)], says=f"Control: what cannot exist. {says}"),
            refuting=_looking_up([known], says=f"Control: what is known to exist. {says}"),
        ),
    )


def _answer_proof(letter: str, text: str, *, targets: Sequence[str]) -> Proof | None:
    named = tuple(_names_in(text))
    if named:
        return _names_proof(letter, named[:_MOST_NAMES], targets=targets)
    literal = _literal(text)
    return None if literal is None else _value_proof(letter, literal, target=targets[0])


def _names_in(text: str) -> Iterator[str]:
    """Yield the dotted names that an answer is about."""
    if _literal(text) is not None:
        return
    found = [one.name for one in mentions(text) if one.name]
    yield from dict.fromkeys(found or _single_word(text))


def _single_word(text: str) -> list[str]:
    bare = bare_code(text).removesuffix("()")
    return [bare] if _DOTTED.fullmatch(bare) else []


def _literal(text: str) -> str | None:
    """Return the literal that an answer is, as Python writes it."""
    try:
        return repr(ast.literal_eval(bare_code(text)))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _names_proof(letter: str, named: Sequence[str], *, targets: Sequence[str]) -> Proof:
    """Return a proof that all that an answer names is at the targets."""
    says = f"{', '.join(f'`{one}`' for one in named)} {'is' if len(named) == 1 else 'are'} found at {_shown(targets)}."
    paths: list[str] = []
    controls: list[str] = []
    wanted: list[Expectation] = []
    for name in named:
        ways: list[Expectation] = []
        for target in targets:
            ways += _ways(name, target, paths=paths, controls=controls)
        wanted.append({"check": "any", "of": ways})
    return Proof(
        option=letter,
        rule=_RULE_ANSWER,
        says=says,
        script=_looking_up(paths, says=says),
        expect={"check": "all", "of": wanted},
        control=Control(script=_looking_up(controls, says=f"Control: what cannot exist. {says}")),
        power="confirms",
    )


def _ways(name: str, target: str, *, paths: list[str], controls: list[str]) -> list[Expectation]:
    """Return how a name may be at a target; what has to be looked up for it is added to the paths."""
    if f".{target}".endswith(f".{name}"):
        return [_looked_up(target, paths=paths, controls=controls)]
    member = f"{target}.{_without_owner(name, target)}"
    ways = [_looked_up(member, paths=paths, controls=controls)]
    if "." not in name:
        paths.append(target)
        controls.append(_NO_PARAMETERS)
        ways.append({"check": "has_parameter", "name": name, "observation": len(paths) - 1})
    return ways


def _looked_up(path: str, *, paths: list[str], controls: list[str]) -> Expectation:
    paths.append(path)
    controls.append(_impossible(path))
    return {"check": "found", "observation": len(paths) - 1}


def _without_owner(name: str, target: str) -> str:
    """Return `run` of `Runner.run` where the target is `pkg.Runner`."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        if f".{target}".endswith(f".{'.'.join(parts[:end])}"):
            return ".".join(parts[end:])
    return name


def _value_proof(letter: str, literal: str, *, target: str) -> Proof:
    says = f"`{target}` is {literal}."
    return Proof(
        option=letter,
        rule=_RULE_ANSWER,
        says=says,
        script=_looking_up([target], says=says),
        expect={"check": "returns", "literal": literal},
        control=Control(negated={"check": "returns", "literal": repr(IMPOSSIBLE)}),
        power="confirms",
    )


def _looking_up(paths: Sequence[str], *, says: str) -> str:
    body = "\n".join(call_text("observe_name", path) for path in paths)
    return proof_script(body, says=says, uses=("observe_name",))


def _impossible(path: str) -> str:
    owner = path.rpartition(".")[0]
    return f"{owner}.{IMPOSSIBLE}" if owner else IMPOSSIBLE


def _shown(targets: Sequence[str]) -> str:
    return ", ".join(f"`{one}`" for one in targets[:3])
