"""Options of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.jobs.verify.rules.case_runs import case_of, proofs_of

if TYPE_CHECKING:
    from goldproof.jobs.verify.proof import Proof


def proofs(asked: str, *options: str) -> list[Proof]:
    return [proof for proof in proofs_of(case_of(asked, *options)) if proof.rule.startswith("flag")]


def test_the_help_of_the_command_is_looked_at() -> None:
    first, second = proofs("Which option of `adk web` sets the port?", "`--port`", "`--listen`")
    assert "observe_command('adk', 'web', '--help')" in first.script
    assert (first.option, first.expect) == ("A", {"check": "flag", "option": "--port"})
    assert (second.option, second.expect) == ("B", {"check": "flag", "option": "--listen"})
    assert first.power == "refutes"


def test_where_existence_is_asked_a_flag_decides() -> None:
    found = proofs("Which of these flags does the `adk web` command accept?", "`--port`", "`--listen`")
    assert [proof.power for proof in found] == ["decides", "decides"]


def test_the_odd_flag_is_the_one_that_is_not_there() -> None:
    first, _ = proofs("Which flag is NOT supported by the `adk web` command?", "`--port`", "`--listen`")
    assert first.expect == {"check": "not", "of": {"check": "flag", "option": "--port"}}
    assert first.says == "`adk web` has no --port."
    assert first.power == "decides"


def test_flags_within_words_can_only_be_refuted() -> None:
    found = proofs(
        "Which of these flags does the `adk web` command accept?", "Pass `--port` and `--host`", "`--listen`"
    )
    assert found[0].power == "refutes"
    assert found[0].expect == {
        "check": "all",
        "of": [{"check": "flag", "option": "--port"}, {"check": "flag", "option": "--host"}],
    }


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ("Which flag sets the port?", ["`--port`", "`--listen`"]),
        ("Which option of `adk web` or `adk run` sets the port?", ["`--port`", "`--listen`"]),
        ("Which option of `adk web` sets the port?", ["the first", "the second"]),
        ("Which parameter sets the port?", ["`port`", "`listen`"]),
    ],
)
def test_without_one_command_or_a_flag_nothing_is_said(asked: str, options: list[str]) -> None:
    assert proofs(asked, *options) == []


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ("Which option of `adk web` sets the port?", "flag (meaning)"),
        ("Which flag do you pass to `adk web` to choose the port?", "flag (meaning)"),
        ("Which flag makes `adk web` listen elsewhere?", "flag (meaning)"),
        # Where existence is asked it decides by itself; the odd one may be odd for what it does.
        ("Which of these flags does the `adk web` command accept?", "flag"),
        ("Which flag is NOT used to set the port of the `adk web` command?", "flag"),
    ],
)
def test_a_flag_that_serves_a_purpose_is_named_so(asked: str, rule: str) -> None:
    assert {proof.rule for proof in proofs(asked, "`--port`", "`--listen`")} == {rule}


def test_flags_within_words_serve_no_purpose_by_themselves() -> None:
    found = proofs("Which option of `adk web` sets the port?", "Pass `--port` twice", "`--listen`")
    assert [proof.rule for proof in found] == ["flag", "flag (meaning)"]


def test_odd_commands_are_no_commands() -> None:
    assert proofs("Which flag of `adk \\` sets the port?", "`--port`", "`--listen`") == []
    assert proofs(f"Which flag of `{'adk ' * 100}` sets the port?", "`--port`", "`--listen`") == []
