"""Findings made by hand, for tests of what is written about them."""

from __future__ import annotations

from goldproof.io.cases import Case
from goldproof.jobs.verify.finding import CaseFinding, OptionFinding, Remark
from goldproof.jobs.verify.proof import Compared, Control, Proof, Standing, Tried
from goldproof.records.entities import Question
from goldproof.sandbox.run import Run

LIBRARY = "PyYAML==6.0.3"


def case(name: str = "quiz:01", *, key: str = "A", options: tuple[str, ...] = ("a `dict`", "a `list`")) -> Case:
    letters = dict(zip("ABCDEF", options, strict=False))
    question = Question(name, "What does `yaml.safe_load('a: 1')` return?", answer=letters[key], options=options)
    return Case("multiple_choice", "quiz", question, where="quiz.yaml:3", asked=question.text, options=letters, key=key)


def tried(
    option: str = "A", standing: Standing = "confirmed", *, script: str = "", seen: str = "returned {'a': 1}"
) -> Tried:
    text = script or (
        '"""It returns a dict."""\nfrom goldproof_proof import observe\n'
        'import yaml\n\nobserve("load", yaml.safe_load, "a: 1")\n'
    )
    proof = Proof(
        option=option,
        rule="returned",
        says="it returns a dict",
        script=text,
        expect={"check": "returns_type", "type": "dict"},
        control=Control(negated={"check": "returns_type", "type": "list"}),
    )
    run = Run(
        "finished",
        observations=({"kind": "call", "name": "load", "value": {"repr": "<object at 0x7f1234567890>"}},),
        level="bubblewrap",
        mode="zygote",
    )
    holds = {"confirmed": True, "supported": True, "refuted": False, "no verdict": None}[standing]
    return Tried(proof, run, Compared(holds, seen), standing, "flipped: the contradicting claim")


def option(
    letter: str, status: str, *tries: Tried, text: str = "a `dict`", reason: str = "returned {'a': 1}"
) -> OptionFinding:
    return OptionFinding(letter, text, status, reason, tries)  # type: ignore[arg-type]


def finding(
    verdict: str = "valid",
    *options: OptionFinding,
    of: Case | None = None,
    library: str = LIBRARY,
    reason: str = "exactly A holds.",
    remarks: tuple[Remark, ...] = (),
    fix: str = "",
) -> CaseFinding:
    shown = options or (option("A", "holds", tried()), option("B", "refuted", tried("B", "refuted")))
    return CaseFinding(of or case(), library, verdict, reason, shown, remarks=remarks, fix=fix)  # type: ignore[arg-type]
