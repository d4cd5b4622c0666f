"""`goldproof memory` from outside: tables, files, messages, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done

SCENARIOS = """
name: house
scenarios:
  - id: flat
    memories:
      - {id: budget, role: user, content: "We can pay 1,400 a month at most.", metadata: {turn: 1}}
      - [assistant, "Then the loft is out: it is 1,650.", {turn: 2}]
      - {id: raise, role: user, content: "With the new job 1,700 is fine.", metadata: {turn: 3}}
      - [user, "A balcony would be nice for the tomatoes.", {turn: 4}]
      - [user, "My sister visits in June.", {turn: 5}]
      - [assistant, "June is the wettest month there.", {turn: 6}]
    queries:
      - {id: balcony, kind: exact, query: "Why do we want a balcony?", expected: ["3"], asked_at: 9}
      - {id: pets, kind: negative, query: "Are dogs allowed?", expected: []}
"""
SPLIT = """
name: split
scenarios:
"""
OWN = '''
class Crashing:
    """Answers the first query of each conversation, and crashes on the others."""

    def clear(self):
        self.stored, self.asked = [], 0

    def add_interaction(self, role, content, metadata):
        self.stored.append(content)
        return len(self.stored) - 1

    def search_memories(self, query, top_k=5, filter_metadata=None):
        print("searching")
        self.asked += 1
        if self.asked > 1:
            raise RuntimeError("index lost")
        return [{"id": 3, "score": 0.9, "content": self.stored[3]}]
'''


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.yaml"
    path.write_text(SCENARIOS)
    return path


@pytest.fixture
def halves(tmp_path: Path) -> Path:
    """Twelve small scenarios, half of them held out."""
    path = tmp_path / "halves.yaml"
    words = [
        "apple",
        "boat",
        "candle",
        "desert",
        "eagle",
        "forest",
        "garden",
        "hammer",
        "island",
        "jacket",
        "kettle",
        "ladder",
    ]
    text = SPLIT
    for place, word in enumerate(words):
        memories = "\n".join(
            f'      - {{id: m{i}, role: user, content: "The {other} is number {i}.", metadata: {{turn: {i + 1}}}}}'
            for i, other in enumerate(words)
        )
        split = "holdout" if place % 2 else "development"
        text += (
            f"  - id: s{place}\n    split: {split}\n    memories:\n{memories}\n    queries:\n"
            f'      - {{id: q, kind: exact, query: "Which number has the {word}?", expected: [m{place}]}}\n'
            f'      - {{id: n, kind: negative, query: "What about the opera tickets?", expected: []}}\n'
        )
    path.write_text(text)
    return path


def test_a_run_prints_the_table_and_writes_its_files(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = goldproof("memory", "run", house, "--memory", "bm25 | top(5)", "--out", out)
    assert done.code == 0
    assert "Memory benchmark: bm25 | top(5)" in done.out
    assert "queries passed" in done.out
    assert f"written to {out}" in done.err
    results = json.loads((out / "rag_benchmark_results.json").read_text())
    assert set(results) >= {"summary", "individual_results"}
    summary = results["summary"]
    assert (summary["total_tests"], summary["passed"], summary["pass_rate"]) == (2, 2, 1.0)
    shape = json.loads((out / "summary.json").read_text())
    assert set(shape) >= {"metrics", "family", "gates", "remarks"}
    assert shape["metrics"]["precision"]["runs"]["bm25 | top(5)"]["n"] == 2
    assert {path.name for path in out.iterdir() if not path.name.startswith(".")} == {
        *("card.json", "failures.json", "failures.md", "rag_benchmark_results.json", "report.md", "run.json"),
        *("scores.parquet", "summary.json"),
    }
    assert json.loads((out / "run.json").read_text())["latency"]["bm25 | top(5)"]["searches"] == 2


def test_json_is_the_file_of_results_and_nothing_else(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    done = goldproof("memory", "run", house, "--memory", "bm25 | top(5)", "--json", "--out", tmp_path / "out")
    assert done.json == json.loads((tmp_path / "out/rag_benchmark_results.json").read_text())


def test_the_same_run_writes_the_same_bytes_but_for_run_json(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        assert goldproof("memory", "run", house, "--memory", "x=bm25 | top(2)", "--out", tmp_path / name).code == 0
    for path in sorted((tmp_path / "a").iterdir()):
        if path.name != "run.json" and not path.name.startswith("."):
            assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


def test_a_system_of_the_users_that_crashes_fails_its_query_and_prints_nothing_on_stdout(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crashing_memory.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    done = goldproof("memory", "run", house, "--memory", "crashing_memory:Crashing", "--json", "--no-self-check")
    assert done.code == 0
    first, second = done.json["individual_results"]
    assert first["passed"] is True
    assert second["error"] == "RuntimeError: index lost"
    assert done.json["summary"]["failed"] == 1


def test_systems_are_compared_and_gates_decide_the_exit_code(house: Path, goldproof: Callable[..., Done]) -> None:
    systems = ("--memory", "words=bm25 | top(5)", "--memory", "all=everything", "--baseline", "all")
    done = goldproof(
        "memory", "run", house, *systems, "--fail-if", "precision words < 0.9", "--fail-if", "pass_rate < 1"
    )
    assert done.code == 1
    assert "gate 'pass_rate < 1': passed of all is 0.0000" in done.err
    assert "gate 'precision words < 0.9'" not in done.err
    assert "vs all" in done.out


TRIGGERS = "triggers: {critical: [recall < 50%], major: [unexpected_share > 0.2]}"


@pytest.mark.parametrize(
    ("gate", "failures"),
    [
        # `everything` returns all six memories for both queries; one of the 12 was expected: 11 / 12
        ("triggers", ["unexpected_share of all is 0.9167 (major trigger unexpected_share > 0.2)"]),
        ("major", ["unexpected_share of all is 0.9167 (major trigger unexpected_share > 0.2)"]),
        ("unexpected_share all", ["unexpected_share of all is 0.9167 (major trigger unexpected_share > 0.2)"]),
        ("triggers words", []),
        ("critical", []),
        ("recall", []),
    ],
)
def test_a_trigger_of_the_criteria_is_a_gate_by_its_level_or_measure(
    gate: str, failures: list[str], house: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    criteria, out, junit = tmp_path / "criteria.yaml", tmp_path / "out", tmp_path / "gates.xml"
    criteria.write_text(TRIGGERS)
    options = ("--memory", "words=bm25 | top(1)", "--memory", "all=everything", "--criteria", criteria)
    done = goldproof("memory", "run", house, *options, "--fail-if", gate, "--out", out, "--junit", junit)
    assert done.code == (1 if failures else 0)
    assert [line for line in done.err.splitlines() if line.startswith("gate ")] == [
        f"gate '{gate}': {failure}" for failure in failures
    ]
    summary = json.loads((out / "summary.json").read_bytes())
    assert summary["gates"] == [{"fail_if": gate, "passed": not failures, "failures": failures}]
    suite = ET.parse(junit).getroot()  # noqa: S314 - our own text
    assert [case.get("name") for case in suite] == [f"fail if {gate}"]
    assert [node.get("message") for node in suite.iter("failure")] == failures


@pytest.mark.parametrize("command", ["run", "tune"])
def test_a_trigger_that_the_criteria_do_not_have_is_refused_with_near_names(
    command: str, halves: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    criteria = tmp_path / "criteria.yaml"
    criteria.write_text("triggers: {major: []}")
    for gate, message in (
        ("kritical", "unknown trigger or verdict 'kritical'; did you mean 'critical'?"),
        ("major", "unknown trigger or verdict 'major'"),  # of which nothing could fire
        ("critical nobody", "unknown run or verdict 'nobody'"),
    ):
        done = goldproof(
            "memory", command, halves, "--criteria", criteria, "--fail-if", gate, "--out", tmp_path / "out"
        )
        assert done.code == 2
        assert message in done.err
        assert not (tmp_path / "out").exists()


def test_what_a_trigger_cannot_tell_does_not_pass_its_gate(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    criteria = tmp_path / "criteria.yaml"
    criteria.write_text("triggers: {critical: [ordering < 0.5], major: []}")
    done = goldproof("memory", "run", house, "--memory", "x=bm25", "--criteria", criteria, "--fail-if", "critical")
    assert done.code == 1
    assert "gate 'critical': ordering of x has no value (critical trigger ordering < 0.5)" in done.err


def test_tuning_takes_triggers_as_gates_on_the_hold_out(
    halves: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    criteria, out = tmp_path / "criteria.yaml", tmp_path / "tuned"
    criteria.write_text("triggers: {critical: [recall <= 1], major: []}")
    options = ("--baseline", "bm25", "--trials", "1", "--criteria", criteria, "--fail-if", "critical baseline")
    done = goldproof("memory", "tune", halves, "--out", out, *options)
    assert done.code == 1
    (gate,) = json.loads((out / "summary.json").read_bytes())["gates"]
    assert gate["fail_if"] == "critical baseline"
    assert gate["failures"][0].endswith("(critical trigger recall <= 1)")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("nowhere.yaml",), "nowhere.yaml"),
        (("smok",), "did you mean 'smoke'?"),
        (("--memory", "bm52"), "did you mean 'bm25'"),
        (("--memory", "no_such_module:thing"), "no module named 'no_such_module'"),
        (("--memory", "ftp://host"), "ftp"),
        (("--split", "test"), "unknown split 'test'"),
        (("--criteria", "none.yaml"), "none.yaml"),
        (("--metrics", "presicion"), "did you mean 'precision'"),
        (("--judge", "nobody"), "nobody"),
        (("--fail-if", "precision"), "--fail-if"),
        (("--format", "docx"), "docx"),
    ],
)
def test_wrong_input_is_one_message_and_exit_code_2(
    options: tuple[str, ...],
    message: str,
    goldproof: Callable[..., Done],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = goldproof("memory", "run", *options)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_a_hold_out_runs_on_development_unless_told_otherwise(
    halves: Path, goldproof: Callable[..., Done]
) -> None:
    done = goldproof("memory", "run", halves, "--memory", "bm25 | top(5)", "--json", "--no-self-check")
    assert done.json["summary"]["total_tests"] == 12
    assert "6 hold-out scenarios were left out" in done.err
    whole = goldproof("memory", "run", halves, "--memory", "bm25", "--json", "--no-self-check", "--split", "all")
    assert whole.json["summary"]["total_tests"] == 24


def test_criteria_are_printed_written_once_and_used(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    own = tmp_path / "criteria.yaml"
    assert goldproof("memory", "criteria", "--out", own).code == 0
    assert own.read_text() == goldproof("memory", "criteria").out
    assert goldproof("memory", "criteria", "--out", own).code == 2
    own.write_text("kinds:\n  exact: [precision >= 0.9]\n")
    done = goldproof("memory", "run", house, "--memory", "everything", "--criteria", own, "--json", "--no-self-check")
    assert done.json["individual_results"][0]["criteria"][0]["criterion"] == "precision >= 0.9"


def test_tuning_writes_a_configuration_that_runs_and_opens_the_hold_out_once(
    halves: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    out = tmp_path / "tuned"
    space = tmp_path / "space.yaml"
    space.write_text("sources: [bm25]\nexpansion: []\nfilters_from_query: []\nrecency_from_query: false\n")
    command = ("memory", "tune", halves, "--out", out, "--trials", "6", "--baseline", "bm25 | top(5)", "--space", space)
    done = goldproof(*command)
    assert done.code == 0, done.err
    assert "Tuning" in done.out
    answer = " ".join(done.out.partition("\n\n")[0].split())
    assert answer.startswith(("Keep the baseline: ", "Switch to the tuned configuration: "))
    assert (out / "memory.yaml").read_text().splitlines()[0] == f"# {answer}"
    assert "hold-out was opened at" in done.err
    card = json.loads((out / "card.json").read_text())
    assert card["events"]["hold-out opened"].endswith("after 6 trials")
    assert "unfinished" not in card
    opened = (out / "holdout.json").read_bytes()
    again = goldproof(*command)
    assert again.code == 0, again.err
    assert goldproof(*command, "--json").json["advice"]["text"] == answer
    assert (out / "holdout.json").read_bytes() == opened
    longer = goldproof(*command[:-6], "--trials", "9", *command[-4:])
    assert longer.code == 2
    ran = goldproof("memory", "run", halves, "--memory", out / "memory.yaml", "--json", "--no-self-check")
    assert ran.code == 0
    trials = json.loads((out / "trials.json").read_text())
    assert len(trials["trials"]) == 6
    assert trials["winner"]["value"] >= trials["baseline"]["value"]


def test_tuning_needs_both_splits_and_a_folder(house: Path, goldproof: Callable[..., Done], tmp_path: Path) -> None:
    done = goldproof("memory", "tune", house, "--out", tmp_path / "out")
    assert done.code == 2
    assert "tuning needs both development and holdout" in done.err
    assert not (tmp_path / "out").exists()
    assert "--out DIR" in goldproof("memory", "tune", house).err


def test_a_dry_run_shows_the_search_and_runs_nothing(halves: Path, goldproof: Callable[..., Done]) -> None:
    done = goldproof("memory", "tune", halves, "--dry-run")
    assert done.code == 0
    assert "Searched on 6 development scenarios with 12 queries" in done.out
    assert "Nothing was run" in done.err


def test_validate_finds_what_a_run_would_refuse(house: Path, goldproof: Callable[..., Done]) -> None:
    assert goldproof("validate", house).code == 0
    late = house.with_name("late.yaml")
    late.write_text(SCENARIOS.replace("asked_at: 9", "asked_at: 2"))
    done = goldproof("validate", late)
    assert done.code == 2
    assert "expects memory '3', which is not stored before 2" in done.out
    odd = house.with_name("odd.yaml")
    odd.write_text(SCENARIOS.replace("asked_at: 9", "asked_at: 9, filters: {turn: {bogus: 2}}"))
    assert "bogus" in goldproof("validate", odd).out
    ran = goldproof("memory", "run", odd, "--memory", "bm25")
    assert ran.code == 2
    assert "scenario 'flat', query 'balcony': filters:" in ran.err


def test_a_wrong_gate_is_found_before_the_hold_out_is_opened(
    halves: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    out = tmp_path / "tuned"
    done = goldproof("memory", "tune", halves, "--out", out, "--trials", "2", "--fail-if", "f1_or_silense worse")
    assert done.code == 2
    assert not out.exists()


def test_files_that_are_all_held_out_are_not_opened_by_accident(
    halves: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    held = tmp_path / "held.yaml"
    held.write_text(halves.read_text().replace("split: development", "split: holdout"))
    done = goldproof("memory", "run", held, "--memory", "bm25")
    assert done.code == 2
    assert "every scenario is held out" in done.err
    opened = goldproof("memory", "run", held, "--memory", "bm25", "--split", "holdout", "--no-self-check")
    assert opened.code == 0
    assert "The hold-out was opened" in opened.said


def test_a_judge_of_rewritten_texts_that_is_not_known_is_refused_before_the_run(
    house: Path, goldproof: Callable[..., Done]
) -> None:
    done = goldproof("memory", "run", house, "--memory", "bm25", "--match", "nobody")
    assert done.code == 2
    assert "nobody" in done.err


def test_a_baseline_that_cannot_be_run_leaves_no_folder(
    halves: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    out = tmp_path / "tuned"
    done = goldproof("memory", "tune", halves, "--out", out, "--trials", "2", "--baseline", "bm25 | decay(by=age)")
    assert done.code == 2
    assert "cannot be run" in done.err
    assert not out.exists()


def test_a_folder_of_another_run_is_refused_before_anything_is_asked(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert goldproof("memory", "run", house, "--memory", "bm25", "--out", out).code == 0
    before = (out / "card.json").read_bytes()
    (tmp_path / "asked_memory.py").write_text(OWN.replace('print("searching")', 'open("asked", "w").close()'))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = goldproof("memory", "run", house, "--memory", "asked_memory:Crashing", "--out", out, "--no-self-check")
    assert done.code == 2
    assert "holds something else" in done.err
    assert not (tmp_path / "asked").exists()
    assert (out / "card.json").read_bytes() == before


def test_a_run_needs_no_folder_for_caches(
    house: Path, goldproof: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", "/proc/nope")
    done = goldproof("memory", "run", house, "--memory", "everything")
    assert done.code == 0
    assert "queries passed" in done.out


@pytest.mark.parametrize("wrong", [("--fail-if", "recal < 1"), ("--fail-if", "kritical"), ("--out", "house.yaml")])
def test_a_wrong_gate_or_folder_is_refused_before_anything_is_asked(
    wrong: tuple[str, str], house: Path, goldproof: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    (house.parent / "gate_memory.py").write_text(OWN.replace('print("searching")', 'open("asked", "w").close()'))
    monkeypatch.syspath_prepend(house.parent)
    monkeypatch.chdir(house.parent)
    before = house.read_bytes()
    done = goldproof("memory", "run", house, "--memory", "gate_memory:Crashing", "--no-self-check", *wrong)
    assert done.code == 2
    assert not (house.parent / "asked").exists()
    assert house.read_bytes() == before


def test_without_dense_a_bare_run_takes_bm25_and_says_so_and_a_named_memory_is_never_replaced(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    done = goldproof("memory", "run", house, "--out", tmp_path / "out")
    said = (
        "no memory named: bm25 | top(5) was run, since the default dense(minilm) | top(5) needs the extra 'dense': "
        "pip install 'goldproof[dense]'"
    )
    assert done.code == 0
    assert said in done.said
    results = json.loads((tmp_path / "out" / "rag_benchmark_results.json").read_bytes())
    assert results["system"] == "bm25 | top(5)"
    assert said in results["remarks"]
    assert said in json.loads((tmp_path / "out" / "summary.json").read_bytes())["remarks"]
    assert said in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    card = json.loads((tmp_path / "out" / "card.json").read_bytes())
    assert list(card["settings"]["systems"]) == ["bm25 | top(5)"]
    # In a process of its own: here the model may be loaded.
    script = "import sys; sys.modules['onnxruntime'] = None; from goldproof.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", script, "memory", "run", str(house), "--memory", "dense(minilm) | top(5)"]
    own = {**os.environ, "GOLDPROOF_HOME": str(tmp_path / "home")}
    named = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    assert (named.returncode, named.stdout) == (2, "")
    assert named.stderr.endswith("the embedder minilm needs the extra 'dense': pip install 'goldproof[dense]'\n")


def test_a_class_of_the_users_is_a_baseline_that_is_filled_and_scored(
    halves: Path, goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    space = tmp_path / "space.yaml"
    space.write_text("sources: [bm25]\nexpansion: []\nfilters_from_query: []\nrecency_from_query: false\n")
    given = ("--baseline", "tests.cli.test_memory:Recites", "--trials", "2", "--space", space)
    done = goldproof("memory", "tune", halves, "--out", tmp_path / "out", *given, "--json")
    assert done.code == 0, done.err
    # Six scenarios on each side, with a query that has an answer and one that has none: only the first is met.
    assert done.json["optimism"]["baseline"]["development"]["value"] == 0.5
    assert done.json["optimism"]["baseline"]["holdout"]["value"] == 0.5
    assert done.json["search"]["trials"] == 2
    assert done.json["baseline"] == "tests.cli.test_memory:Recites"


class Recites:
    """Brings back the one memory whose second word stands in the query, and for others the first one."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def clear(self) -> None:
        self.said = []

    def add(self, role: str, content: str) -> None:  # noqa: ARG002
        self.said.append(content)

    def search(self, query: str) -> list[str]:
        return ([text for text in self.said if text.split()[1] in query] or self.said)[:1]


def test_where_every_query_failed_it_says_so_first_and_ends_with_3(
    house: Path, goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "down_memory.py").write_text(
        "class Down:\n    def clear(self): pass\n    def add(self, role, content, metadata): pass\n"
        "    def search(self, query, k): raise RuntimeError('down')\n"
    )
    done = goldproof("memory", "run", house, "--memory", "x=down_memory:Down", "--notes")
    assert done.code == 3
    assert re.search(r"x: (\d+) of \1 queries failed; the first, '.+': RuntimeError: down", done.said)
