"""What a function takes, and what it needs."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.signature_rule import RULE, listed_parameters, written_parameters
from tests.jobs.verify.rules.proving import prover


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("Which argument of `yaml.load` is required?", ("`Loader`", "Dumper"), "A confirmed, B refuted"),
        ("Which parameter of `yaml.dump` is mandatory?", ("data", "stream"), "A confirmed, B refuted"),
        ("Which argument of `yaml.load` has no default value?", ("`Loader`", "Dumper"), "A confirmed, B refuted"),
        ("Which parameter of `yaml.dump` has no default?", ("data", "stream"), "A confirmed, B refuted"),
        ("What arguments does `yaml.dump` require?", ("`data`", "`data` and `stream`"), "A supported, B refuted"),
        ("Which argument of `yaml.load` is required besides the stream?", ("Loader", "stream"),
         "A supported, B supported"),
        ("What is the signature of `yaml.safe_load`?", ("`safe_load(stream)`", "`def safe_load(text, encoding):`"),
         "A supported, A confirmed, A supported, B refuted, B no verdict, B refuted"),
    ],
)  # fmt: skip
def test_signatures_are_read(question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover("PyYAML").standings(RULE, question, *options) == expected


def _decided(question: str, *options: str) -> str:
    """Return the letters that are confirmed, and those that are refuted."""
    tried = prover("PyYAML").tried(RULE, question, *options)
    found = [
        "".join(sorted({one.proof.option for one in tried if one.standing == what}))
        for what in ("confirmed", "refuted")
    ]
    return " ".join(found)


SCAN = "What is the signature of `yaml.scan`?"  # (stream, Loader=<class>), which no text can be held against


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("What is the signature of `yaml.safe_load`?",
         ("`safe_load(stream)`", "`safe_load(*, stream)`", "`safe_load(stream, encoding=None)`"), "A BC"),
        ("Which signature does `yaml.load` have?", ("`load(stream, Loader=None)`", "`load(stream, Loader)`"), "B A"),
        ("What is the exact signature of `yaml.YAMLObject.to_yaml`?",
         ("`def to_yaml(dumper, data):`", "`def to_yaml(data, dumper):`"), "A B"),
        ("Which is the signature of `yaml.add_implicit_resolver`?",
         ("`(tag, regexp, first=None, Loader=None, Dumper=Dumper)`", "`(tag, regexp)`"), " "),  # a short form, perhaps
        ("What is the signature of `yaml.load`?",
         ("`load(stream: str, Loader: type)`", "`async def load(stream, Loader)`", "`load_all(stream, Loader)`",
          "`load(stream)`"), " "),
        (SCAN, ("`scan(stream, Loader=Loader)`", "`scan(stream)`"), " "),
        ("Which of the following is NOT the signature of `yaml.load`?", ("`load(stream, Loader)`", "`load()`"), " "),
        ("What is the signature of `yaml.load` when no loader is given?",
         ("`load(stream, Loader)`", "`load(stream)`"), " "),
    ],
)  # fmt: skip
def test_the_very_signature_is_confirmed_and_refutes_the_others(
    question: str, options: tuple[str, ...], expected: str
) -> None:
    assert _decided(question, *options) == expected


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("What is the signature of a callback function?", ("`def callback(a, b):`", "`callback(a)`")),
        ("What arguments does `yaml.dump` require?", ("It needs none.", "At least two of them")),
        ("What does `yaml.dump` do?", ("data", "stream")),
        ("In a `yaml.SafeLoader`, what is the signature of `on_tree`?", ("`def on_tree(node):`", "`on_tree()`")),
    ],
)
def test_the_rule_is_silent(question: str, options: tuple[str, ...]) -> None:
    assert prover("PyYAML").proofs(RULE, question, *options) == []


def test_signatures_and_lists_are_taken_apart() -> None:
    assert written_parameters("async def f(self, a: int, *, b=1) -> None:") == ("a", "b")
    assert listed_parameters("`a`, `b` and `c`") == listed_parameters("a, b and c") == ("a", "b", "c")
    assert listed_parameters("It needs a and b") == written_parameters("f of x") == ()
