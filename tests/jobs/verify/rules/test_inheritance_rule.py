"""What inherits from what."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.inheritance_rule import RULE
from tests.jobs.verify.rules.proving import prover

YAML, PYDANTIC, HTTPX = "PyYAML", "pydantic", "httpx"


@pytest.mark.parametrize(
    ("library", "question", "options", "expected"),
    [
        (YAML, "Which class does `yaml.SafeLoader` inherit from?", ("`SafeConstructor`", "Dumper"),
         "A confirmed, B refuted"),
        (YAML, "What is a base class of `yaml.FullLoader`?", ("FullConstructor", "`SafeLoader`"),
         "A confirmed, B refuted"),
        (YAML, "Is `yaml.CSafeLoader` a subclass of `yaml.SafeLoader`?", ("Yes", "No"), "A refuted, B confirmed"),
        (YAML, "Does `yaml.SafeLoader` inherit from `Resolver`?", ("Yes, it does.", "No"), "A confirmed, B refuted"),
        (HTTPX, "Which of these is a subclass of `httpx.TransportError`?",
         ("httpx.ConnectTimeout", "`httpx.HTTPStatusError`"), "A confirmed, B refuted"),
        (HTTPX, "Which class does `httpx.ConnectTimeout` directly inherit from?",
         ("`TimeoutException`", "`TransportError`"), "A confirmed, B refuted"),
        (HTTPX, "Which class is NOT a subclass of `httpx.TransportError`?",
         ("httpx.ConnectTimeout", "httpx.HTTPStatusError"), "A refuted, B confirmed"),
        (HTTPX, "Which statement about inheritance is true?",
         ("`httpx.ReadError` is a subclass of `httpx.NetworkError`.",
          "`issubclass(httpx.ReadError, httpx.TimeoutException)`"),
         "A supported, B refuted"),
        (PYDANTIC, "`RootModel` inherits from which class?", ("`BaseModel`", "`TypeAdapter`"),
         "A confirmed, B refuted"),
    ],
)  # fmt: skip
def test_bases_are_read(library: str, question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover(library).standings(RULE, question, *options) == expected


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Which class should you inherit from to write a loader?", ("SafeLoader", "Dumper")),
        ("Which class does `TreeLoader` inherit from?", ("SafeLoader", "Dumper")),
        ("Which class does `yaml.SafeLoader` inherit from?", ("It inherits nothing.", "None of the above")),
        ("Is `yaml.SafeLoader` a subclass of `yaml.Loader`?", ("Yes, but only in older versions", "It depends")),
    ],
)
def test_the_rule_is_silent(question: str, options: tuple[str, ...]) -> None:
    assert prover(YAML).proofs(RULE, question, *options) == []
