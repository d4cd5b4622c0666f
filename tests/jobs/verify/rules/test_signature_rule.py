"""What a function takes, and what it needs."""

from __future__ import annotations

import pytest

from karat.jobs.verify.rules.signature_rule import RULE, listed_parameters, written_parameters
from tests.jobs.verify.rules.proving import prover


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("Which argument of `yaml.load` is required?", ("`Loader`", "Dumper"), "A confirmed, B refuted"),
        ("Which parameter of `yaml.dump` is mandatory?", ("data", "stream"), "A confirmed, B refuted"),
        ("What arguments does `yaml.dump` require?", ("`data`", "`data` and `stream`"), "A supported, B refuted"),
        ("Which argument of `yaml.load` is required besides the stream?", ("Loader", "stream"),
         "A supported, B supported"),
        ("What is the signature of `yaml.safe_load`?", ("`safe_load(stream)`", "`def safe_load(text, encoding):`"),
         "A supported, B refuted"),
    ],
)  # fmt: skip
def test_signatures_are_read(question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover("PyYAML").standings(RULE, question, *options) == expected


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
