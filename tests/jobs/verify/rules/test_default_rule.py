"""What a parameter is by default."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.default_rule import RULE
from tests.jobs.verify.rules.proving import prover

YAML, HTTPX = "PyYAML", "httpx"


@pytest.mark.parametrize(
    ("library", "question", "options", "expected"),
    [
        (YAML, "What is the default value of `default_flow_style` in `yaml.dump_all`?",
         ("`True`", "False", "None", "It has no default (required)"), "A refuted, B confirmed, C refuted, D refuted"),
        (YAML, "What is the default of the `sort_keys` parameter of `yaml.dump_all`?", ("True", "`False`"),
         "A confirmed, B refuted"),
        (YAML, "What does `width` default to in `yaml.dump_all`?", ("80", "`None`"), "A refuted, B confirmed"),
        (YAML, "What is `yaml.dump_all`'s default `indent`?", ("2", "4", "None"), "A refuted, B refuted, C confirmed"),
        (YAML, "What is the default value of `Loader` in `yaml.load`?", ("`None`", "No default; it is required"),
         "A refuted, B confirmed"),
        (HTTPX, "By default, what is `follow_redirects` in `httpx.Client`?", ("True", "`False`"),
         "A refuted, B confirmed"),
        (HTTPX, "What is the default value of `max_redirects` for `httpx.Client`?", ("10", "20", "'20'", "20.0"),
         "A refuted, B confirmed, C refuted, D refuted"),
        (HTTPX, "What is the default value for `base_url` when creating an `httpx.Client`?",
         ("An empty string", "None"), "A confirmed, B refuted"),
    ],
)  # fmt: skip
def test_defaults_are_read(library: str, question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover(library).standings(RULE, question, *options) == expected


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("What is the default value of `indent`?", ("2", "4")),  # of whom is not said
        ("What is the default value of `indent` in `make_dump`?", ("2", "4")),
        ("What is the default behaviour of `yaml.dump_all` with `indent`?", ("2", "4")),
        ("Why is `indent` in `yaml.dump_all` `None` by default?", ("2", "None")),
        ("What is the default value of `indent` in `yaml.dump_all`?", ("It depends on the width", "The emitter's own")),
    ],
)
def test_the_rule_is_silent(question: str, options: tuple[str, ...]) -> None:
    assert prover(YAML).proofs(RULE, question, *options) == []


ENUMS = "griffelib"


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("What is the default `log_level` of `griffe.safe_get_expression`?",
         ("`LogLevel.error`", "`LogLevel.debug`", "`LogLevel.loud`"), "A confirmed, B refuted, C refuted"),
        ("By default, what is `log_level` in `griffe.safe_get__all__`?", ("`griffe.LogLevel.debug`", "LogLevel.error"),
         "A confirmed, B refuted"),
        ("What does `log_level` default to in `griffe.safe_get_expression`?", ("`LogLevel.error`", "the root's level"),
         "A confirmed"),
        # The default is no member of an enumeration, or the option is no member of one.
        ("What is the default `docstring_parser` of `griffe.load`?", ("`Parser.google`", "`Parser.numpy`"),
         "A no verdict, B no verdict"),
        ("What is the default `log_level` of `griffe.safe_get_expression`?", ("`Module.error`",), "A no verdict"),
        ("What is the default `log_level` of `griffe.safe_get_expression`?", ("`Nobody.error`", "`error`"), ""),
        ("Why is the default `log_level` of `griffe.safe_get_expression` so low?", ("`LogLevel.error`",), ""),
    ],
)  # fmt: skip
def test_members_of_enumerations_are_held_against_the_default_itself(
    question: str, options: tuple[str, ...], expected: str
) -> None:
    assert prover(ENUMS).standings(RULE, question, *options) == expected
