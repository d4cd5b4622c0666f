"""Remarks on wrong options that test nothing and on options that cannot be told apart; no verdict depends on them.

weak distractor   it names something that is nowhere in the library, or it is refuted by its text alone: not Python
confusable        two options read the same but for case, blanks and quotes, or name the same object
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import Remark
from goldproof.jobs.verify.proof import Control, Proof
from goldproof.jobs.verify.rules.mentions import mentions
from goldproof.jobs.verify.rules.scripts import call_text, proof_script

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.corpus.libraries import NameIndex
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.finding import OptionFinding
    from goldproof.jobs.verify.proof import Tried

SAME = "same"  # the option of proofs that two options are one object
_SYNTAX = frozenset({"SyntaxError", "IndentationError", "TabError"})
_QUOTES = re.compile(r"[`'\"\u2018\u2019\u201c\u201d]")


def distractor_remarks(
    case: Case, options: Sequence[OptionFinding], *, same: Sequence[Tried] = (), names: NameIndex | None = None
) -> tuple[Remark, ...]:
    """Return what is to be said about wrong options. same: tries of `same_object_proofs`; names: of the library."""
    if case.kind != "multiple_choice":
        return ()
    return (*_weak(case, options, names), *_equal_texts(case), *_same_objects(same))


def _weak(case: Case, options: Sequence[OptionFinding], names: NameIndex | None) -> Iterator[Remark]:
    for one in options:
        if one.status != "refuted" or one.letter == case.key or one.derived:
            continue
        if _is_no_python(one):
            yield Remark("weak distractor", f"{one.letter} is not Python: {one.reason}", options=(one.letter,))
        elif missing := _nowhere(one, names):
            text = f"{one.letter} names `{missing}`, which is nowhere in the library: a look at its index rules it out."
            yield Remark("weak distractor", text, options=(one.letter,))


def _is_no_python(option: OptionFinding) -> bool:
    """Return whether it was refuted because its own code cannot be parsed."""
    return any(
        isinstance(error := seen.get("exception"), dict)
        and error.get("type") in _SYNTAX
        and bool(error.get("in_proof"))
        for tried in option.tries
        if tried.standing == "refuted"
        for seen in tried.run.observations
    )


def _nowhere(option: OptionFinding, names: NameIndex | None) -> str:
    """Return a name of the option that the whole library does not have, where it was refuted for not being there."""
    for tried in option.tries:
        last = tried.run.observations[-1] if tried.run.observations else {}
        if tried.standing != "refuted" or last.get("kind") not in {"name", "anywhere", "keyword", "import"}:
            continue
        if last.get("kind") == "anywhere" and not last.get("found"):
            return str(last.get("name"))
        part = _missing_part(last)
        if part and names is not None and not names.find(part):
            return part
    return ""


def _missing_part(seen: Mapping[str, object]) -> str:
    if seen.get("kind") == "keyword":
        return str(seen.get("keyword") or "") if seen.get("outcome") in {"rejected", "swallowed"} else ""
    if seen.get("kind") == "name" and not seen.get("found"):
        return str(seen.get("missing") or "").rpartition(".")[2]
    return ""


def _equal_texts(case: Case) -> Iterator[Remark]:
    for (first, one), (second, other) in combinations(case.options.items(), 2):
        if _bare(one) == _bare(other):
            yield Remark("confusable", f"{first} and {second} read the same.", options=(first, second))


def _bare(text: str) -> str:
    """Return a text without quotes, blanks and a stop at the end; prose without its case, for code it counts."""
    bare = " ".join(_QUOTES.sub("", text).split()).rstrip(".; ")
    return bare.lower() if " " in bare and "`" not in text else bare


def _same_objects(same: Sequence[Tried]) -> Iterator[Remark]:
    for tried in same:
        pair = tried.proof.expect.get("names")
        if tried.standing == "confirmed" and isinstance(pair, list):
            letters = tuple(map(str, pair))
            yield Remark(
                "confusable", f"{' and '.join(letters)} are the same object: {tried.proof.says}", options=letters
            )


def same_object_proofs(case: Case, index: NameIndex) -> tuple[Proof, ...]:
    """Return, for the key and each other option that is nothing but a name, a proof that both are the same object.

    They can only confirm: that two options are different objects is as it should be.
    """
    paths = {letter: path for letter, text in case.options.items() if (path := _path(text, index))}
    if case.key not in paths or not index.import_names:
        return ()
    others = [letter for letter in paths if letter != case.key]
    return tuple(
        _same_proof({case.key: paths[case.key], one: paths[one]}, root=index.import_names[0]) for one in others
    )


def _path(text: str, index: NameIndex) -> str:
    found = [one for one in mentions(text) if one.whole and one.kind in {"name", "import"}]
    if len(found) != 1:
        return ""
    if found[0].kind == "import":
        return found[0].name
    known = index.find(found[0].name)
    return known[0].path if len({one.defined for one in known}) == 1 else ""


def _same_proof(paths: dict[str, str], *, root: str) -> Proof:
    (key, path), (letter, other) = paths.items()
    says = f"`{path}` and `{other}` are one object."

    def script(second: str) -> str:
        return proof_script(call_text("observe_same", **{key: path, letter: second}), says=says, uses=("observe_same",))

    return Proof(
        option=SAME,
        rule="same object",
        says=says,
        script=script(other),
        expect={"check": "same", "names": [key, letter]},
        # The package itself is another object; the same path is the same one.
        control=Control(script=script(root), refuting=script(path)),
        power="confirms",
    )
