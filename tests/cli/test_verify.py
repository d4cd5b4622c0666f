"""`goldproof verify` and `goldproof replay` from outside: files, messages, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from goldproof.io import read_ids

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Done

QUIZ = """
benchmarks:
  - id: load
    question: "What does `yaml.safe_load('a: 1')` return?"
    options: {A: "`{'a': 1}`", B: "`[('a', 1)]`", C: "`None`"}
    correct_answer: A
    explanation: SECRET-EXPLANATION
  - id: wrong
    question: "What does `yaml.safe_load('[1, 2]')` return?"
    options: {A: "`(1, 2)`", B: "`[1, 2]`", C: "`None`"}
    correct_answer: A
  - id: open
    question: Why was the loader called safe?
    options: {A: It is a habit, B: Somebody insisted}
    correct_answer: A
"""


@pytest.fixture(scope="module")
def quiz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("quiz") / "quiz.yaml"
    path.write_text(QUIZ)
    return path


@pytest.fixture(scope="module")
def audited(quiz: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    import goldproof

    return goldproof.verify(quiz, against="PyYAML").save(tmp_path_factory.mktemp("audited") / "audit")


def test_an_audit_writes_its_files_and_ends_with_0_whatever_it_found(
    quiz: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    done = goldproof("verify", quiz, "--against", "PyYAML", "--out", tmp_path / "audit")
    assert done.code == 0
    assert done.out.startswith("1 of 3 questions")
    assert "sandbox" in done.said
    report = json.loads((tmp_path / "audit/quality_report.json").read_text())
    assert {one["id"]: one["verdict"] for one in report["cases"]} == {
        "quiz:load": "valid",
        "quiz:wrong": "incorrect",
        "quiz:open": "unproven",
    }
    written = {path.name for path in (tmp_path / "audit").iterdir()}
    assert {"quality_audit.md", "proofs", "proofs.jsonl", "exclude.txt", "card.json", "run.json"} <= written
    assert (tmp_path / "audit/proofs/quiz_load/verify_option_A.py").is_file()
    assert read_ids(tmp_path / "audit/exclude.txt") == {"quiz:wrong"}


def test_json_is_one_document_on_stdout(quiz: Path, goldproof: Callable[..., Done]) -> None:
    done = goldproof("verify", quiz, "--against", "PyYAML", "--case", "quiz:load", "--json")
    assert [one["verdict"] for one in done.json["cases"]] == ["valid"]
    assert done.json["cases"][0]["options"][0]["isolation"] in ("bubblewrap", "locks")


@pytest.mark.parametrize(("gate", "code"), [("incorrect,broken", 1), ("ambiguous", 0), ("unproven", 1)])
def test_a_gate_fails_on_the_verdicts_it_names(
    quiz: Path, goldproof: Callable[..., Done], gate: str, code: int
) -> None:
    assert goldproof("verify", quiz, "--against", "PyYAML", "--fail-if", gate).code == code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{quiz}",), "no library is named; give --against NAME==VERSION"),
        (("{quiz}", "--against", "PyYAML", "--fail-if", "wrong"), "unknown verdict 'wrong'"),
        (("{quiz}", "--against", "PyYAML", "--fail-if", "incorrect,"), "a verdict is empty"),
        (("{quiz}", "--against", "PyYAML", "--prover", "oracle"), "unknown prover 'oracle'"),
        (("{quiz}", "--against", "PyYAML", "--prover", "agent"), "needs a model"),
        (("{quiz}", "--against", "PyYAML", "--model", "test:x"), "only asked by the prover 'agent'"),
        (("{quiz}", "--against", "PyYAML", "--case", "quiz:lod"), "did you mean 'quiz:load'"),
        (("{quiz}", "--against", "PyYAML", "--seconds", "0"), "seconds is 0, expected above 0"),
        (("{quiz}", "--against", "PyYAML", "--isolation", "bubble"), "did you mean 'bubblewrap'"),
        (("{quiz}", "--against", "PyYAML>=6"), "PyYAML>=6"),
        (("{quiz}", "--against", "PyYAML", "--against", "pyyaml"), "twice"),
        (("{quiz}", "--against", "no-such-library-at-all"), "no-such-library-at-all"),
        (("missing.yaml", "--against", "PyYAML"), "missing.yaml"),
        (("--against", "PyYAML"), "name the questions"),
    ],
)
def test_bad_input_is_one_clear_message_and_code_2(
    quiz: Path, goldproof: Callable[..., Done], arguments: tuple[str, ...], said: str
) -> None:
    done = goldproof("verify", *(one.format(quiz=quiz) for one in arguments))
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_folder_that_holds_something_else_is_refused_before_anything_runs(
    quiz: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = goldproof("verify", quiz, "--against", "PyYAML", "--out", tmp_path)
    assert done.code == 2
    assert "notes.txt" in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt"]


def test_without_arguments_the_bundled_questions_are_audited(goldproof: Callable[..., Done]) -> None:
    done = goldproof("verify", "--json")
    assert done.code == 0
    verdicts = {one["verdict"] for one in done.json["cases"]}
    assert {"valid", "incorrect", "ambiguous", "broken"} <= verdicts
    assert "unproven" not in verdicts


def test_a_replay_against_the_same_version_finds_no_drift(audited: Path, goldproof: Callable[..., Done]) -> None:
    done = goldproof("replay", audited, "--against", "PyYAML", "--json")
    assert done.code == 0
    assert done.json["drifted"] == 0
    assert done.json["changed"] == []
    shown = goldproof("replay", audited, "--against", "PyYAML")
    assert shown.out.startswith("No verdict changed since PyYAML")


def test_a_replay_says_which_scripts_were_edited_and_fails_on_drift(
    audited: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(audited, copy)
    script = copy / "proofs/quiz_load/verify_option_A.py"
    script.write_text(script.read_text().replace("a: 1", "b: 2"))
    done = goldproof("replay", copy, "--against", "PyYAML", "--out", tmp_path / "now", "--wide")
    assert done.code == 1
    assert re.match(r"1 of \d+ verdicts changed since PyYAML", done.out)
    assert "valid -> incorrect" in done.said
    assert "{'a': 1}" in done.said
    assert "{'b': 2}" in done.said
    assert "edited since the audit" in done.said
    assert (tmp_path / "now/quality_report.json").is_file()


def test_other_options_that_hold_are_drift_under_the_same_verdict(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    import goldproof as library

    quiz = tmp_path / "quiz.yaml"
    quiz.write_text(
        "benchmarks:\n  - id: two\n    question: \"What does `yaml.safe_load('[1, 2]')` return?\"\n"
        '    options: {A: "`[1, 2]`", B: "`None`", C: "A `list`"}\n    correct_answer: A\n'
    )
    audit = library.verify(quiz, against="PyYAML").save(tmp_path / "audit")
    # Now C's call returns a dict and B's returns None: A and C held, A and B hold.
    for letter, loaded in (("B", ""), ("C", "a: 1")):
        script = audit / f"proofs/quiz_two/verify_option_{letter}.py"
        script.write_text(script.read_text().replace("[1, 2]", loaded))
    done = goldproof("replay", audit, "--against", "PyYAML", "--wide")
    assert done.code == 1
    assert "was A, C; now A, B" in done.out
    assert re.match(r"No verdict changed since PyYAML.*; in 1 case other options hold now\.\n", done.out)
    [changed] = goldproof("replay", audit, "--against", "PyYAML", "--json").json["changed"]
    assert (changed["verdict_before"], changed["verdict_after"]) == ("ambiguous", "ambiguous")
    assert (changed["holds_before"], changed["holds_after"], changed["drift"]) == (["A", "C"], ["A", "B"], True)


def test_a_replay_needs_a_folder_that_was_audited(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    done = goldproof("replay", tmp_path, "--against", "PyYAML")
    assert done.code == 2
    assert "holds no proofs.jsonl" in done.err


def test_a_damaged_line_is_named(audited: Path, goldproof: Callable[..., Done], tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(audited, copy)
    kept = copy / "proofs.jsonl"
    lines = kept.read_text().splitlines()
    kept.write_text("\n".join([lines[0], lines[1][:40]]) + "\n")
    done = goldproof("replay", copy, "--against", "PyYAML")
    assert done.code == 2
    assert "proofs.jsonl:2" in done.err


def test_a_script_outside_of_the_folder_is_never_read(
    audited: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(audited, copy)
    kept = copy / "proofs.jsonl"
    kept.write_text(kept.read_text().replace("proofs/quiz_load/verify_option_A.py", "../../etc/passwd"))
    done = goldproof("replay", copy, "--against", "PyYAML")
    assert done.code == 2
    assert "is no file of proofs/" in done.err


def test_the_key_and_the_explanation_are_in_no_script(audited: Path) -> None:
    texts = [path.read_text() for path in (audited / "proofs").rglob("*.py")]
    assert not any("SECRET-EXPLANATION" in text or "correct_answer" in text for text in texts)


def test_nothing_of_this_machine_is_in_the_files_that_are_the_same_everywhere(audited: Path) -> None:
    for name in ("quality_report.json", "quality_audit.md", "proofs.jsonl", "card.json"):
        assert str(Path.home()) not in (audited / name).read_text()
        assert sys.prefix not in (audited / name).read_text()


def test_a_kept_proof_runs_by_hand(audited: Path) -> None:
    script = audited / "proofs/quiz_load/verify_option_A.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert "{'a': 1}" in done.stdout


def test_mining_leaves_out_what_the_audit_found_flawed(
    audited: Path, quiz: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    done = goldproof(
        *("mine", "--cases", quiz, "--corpus", "package:PyYAML", "--random", "1", "--hard", "1"),
        *("--exclude", audited / "exclude.txt", "--out", tmp_path / "mined"),
    )
    assert done.code in (0, 3)
    assert "1 of its 1 ids are questions here: left out" in done.said


def test_a_part_of_the_cases_does_not_replace_the_audit_of_all_of_them(
    quiz: Path, audited: Path, goldproof: Callable[..., Done]
) -> None:
    done = goldproof("verify", quiz, "--against", "PyYAML", "--case", "quiz:load", "--out", audited)
    assert done.code == 2
    assert "holds something else (settings.only" in done.err
    assert "sandbox" not in done.err  # refused before anything ran
    assert len((audited / "proofs.jsonl").read_text().splitlines()) == 3


@pytest.mark.parametrize("damage", ["gone", "other schema"])
def test_a_replay_needs_the_card_of_an_audit(
    audited: Path, goldproof: Callable[..., Done], tmp_path: Path, damage: str
) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(audited, copy)
    card = copy / "card.json"
    if damage == "gone":
        card.unlink()
    else:
        card.write_text(card.read_text().replace('"goldproof.audit"', '"goldproof.mined"'))
    done = goldproof("replay", copy, "--against", "PyYAML")
    assert done.code == 2
    assert "card.json" in done.err


def test_without_cases_the_bundled_example_is_taken_also_in_a_dry_run(goldproof: Callable[..., Done]) -> None:
    done = goldproof("verify", "--dry-run")
    assert done.code == 0, done.err
    assert done.err.startswith("no cases given: auditing the bundled example (goldproof verify example).\n")
    assert goldproof("verify", "--against", "PyYAML").err.startswith("goldproof: name the questions")
    assert goldproof("verify", "example", "--against", "PyYAML", "--dry-run").code == 0


def test_a_dry_run_says_what_an_agent_would_cost_and_asks_nothing(quiz: Path, goldproof: Callable[..., Done]) -> None:
    arguments = ("--prover", "agent", "--model", "http://127.0.0.1:9/v1#model=none", "--price", "1,2", "--steps", "10")
    done = goldproof("verify", quiz, "--against", "PyYAML", "--dry-run", "--json", *arguments)
    assert done.code == 0
    # One case is open, with two options; at most ten steps.
    assert {name: done.json[name] for name in ("cases", "open_cases", "open_options", "calls")} == {
        "cases": 3,
        "open_cases": 1,
        "open_options": 2,
        "calls": 10,
    }
    assert done.json["cost"] > 0


def test_a_limit_without_a_price_is_refused_before_anything_runs(quiz: Path, goldproof: Callable[..., Done]) -> None:
    arguments = ("--prover", "agent", "--model", "http://127.0.0.1:9/v1#model=none", "--max-cost", "1")
    done = goldproof("verify", quiz, "--against", "PyYAML", *arguments)
    assert done.code == 2
    assert "--price" in done.err
    assert "sandbox" not in done.err


def test_a_case_that_cannot_be_read_is_counted_and_fails_a_gate_on_broken_ones(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    path = tmp_path / "quiz.yaml"
    path.write_text(QUIZ.replace("correct_answer: A", "correct_answer: Z", 1))
    done = goldproof("verify", path, "--against", "PyYAML", "--fail-if", "broken")
    assert done.code == 1
    assert "1 more could not be read, and have no verdict." in done.out
    assert "gate 'broken': " in done.err
    assert goldproof("verify", path, "--against", "PyYAML", "--fail-if", "ambiguous").code == 0
