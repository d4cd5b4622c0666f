"""Statements about names: inheritance, identity, coroutines."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.statement_rule import RULE, read_statement
from goldproof.jobs.verify.verdicts import judge_case
from tests.jobs.verify.rules.proving import prover

YAML, HTTPX = "PyYAML", "httpx"


def _found(library: str, question: str, *options: str) -> dict[str, str]:
    """Return what became of each option."""
    one = prover(library)
    tried = one.tried(RULE, question, *options)
    finding = judge_case(one.reading(question, *options).case, library=library, tries=tried)
    return {option.letter: option.status for option in finding.options}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("True or false: `httpx.ReadTimeout` is a subclass of `httpx.TransportError`.", "holds"),
        ("True or False? `httpx.ReadTimeout` derives from `httpx.HTTPStatusError`.", "refuted"),
        ("`httpx.ReadTimeout` does not inherit from `httpx.HTTPError`. True or false?", "refuted"),
        ("True or false: in httpx 0.28, `httpx.Client` and `httpx.AsyncClient` are the same class.", "refuted"),
        ("True or false: `httpx.AsyncClient.get` is a coroutine function and must be awaited.", "holds"),
        ("True or false: `httpx.Client.get` is not a coroutine function.", "holds"),
        ("True or false: `httpx.ReadTimeout` is a direct subclass of `httpx.TransportError`.", "refuted"),
        # More is said than what is read, or something else.
        ("True or false: `httpx.ReadTimeout` is a subclass of `httpx.TransportError` since version 1.", "open"),
        ("True or false: `httpx.ReadTimeout` should be a subclass of `httpx.TransportError`.", "open"),
        ("True or false: calling `httpx.Client.get` is a coroutine function.", "open"),
        ("True or false: `Reader` is a subclass of `httpx.TransportError`.", "open"),
        ("Is it a good idea that `httpx.ReadTimeout` is a subclass of `httpx.TransportError`? True or false?", "open"),
    ],
)
def test_what_is_called_true_or_false(question: str, expected: str) -> None:
    other = {"holds": "refuted", "refuted": "holds", "open": "open"}[expected]
    assert _found(HTTPX, question, "True", "False") == {"A": expected, "B": other}


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("Which statement about `httpx.ConnectTimeout` is wrong?",
         ("It is a subclass of `httpx.TimeoutException`.", "It derives from `httpx.HTTPStatusError`."),
         {"A": "refuted", "B": "holds"}),
        ("Which statement about `httpx.ConnectTimeout` is true?",
         ("It does not inherit from `httpx.HTTPError`.", "It is a subclass of `Exception`.", "It is slow."),
         {"A": "refuted", "B": "holds", "C": "open"}),
        # What stands further up is no less a base.
        ("Which of the following statements about `httpx.ConnectTimeout` is correct?",
         ("It is a subclass of `httpx.TimeoutException`.", "It is a subclass of `httpx.TransportError`."),
         {"A": "holds", "B": "holds"}),
        ("`httpx.ConnectTimeout` derives from ...",
         ("`httpx.TransportError`", "`ValueError`", "whatever the transport raises"),
         {"A": "holds", "B": "refuted", "C": "open"}),
        ("`httpx.ConnectTimeout` is", ("a subclass of `httpx.HTTPError`", "an alias of `TimeoutError`",
         "not available, only `ConnectError` exists"), {"A": "holds", "B": "refuted", "C": "refuted"}),
        # What is missing as the option says may still have another reason.
        ("`httpx.SlowTimeout` is", ("not available, because it was removed", "not available"),
         {"A": "open", "B": "holds"}),
        ("Why is `httpx.ConnectTimeout` useful?", ("It is a subclass of `httpx.HTTPError`.", "It is fast."),
         {"A": "open", "B": "open"}),
    ],
)  # fmt: skip
def test_options_that_state_something(question: str, options: tuple[str, ...], expected: dict[str, str]) -> None:
    assert _found(HTTPX, question, *options) == expected


def test_of_two_names_for_one_class_neither_is_said_to_inherit_from_the_other() -> None:
    """`IOError` is `OSError`: to call it a subclass is neither plainly right nor plainly wrong."""
    question = "Which statement about `yaml.CLoader` is true?"
    assert _found(
        YAML, question, "It is a subclass of `yaml.cyaml.CLoader`.", "It is `yaml.cyaml.CLoader` itself."
    ) == {
        "A": "open",
        "B": "open",
    }


@pytest.mark.parametrize(
    "text",
    [
        "`A` is a subclass of `B` and of `C`.",
        "`A` is like a subclass of `B`.",
        "`A` may be another name for `B`",
        "`A` and `B` are the same class, but only in old versions.",
        "`A` is a coroutine function, which is why `B` fails.",
    ],
)
def test_what_says_more_is_not_read(text: str) -> None:
    assert read_statement(text) is None
