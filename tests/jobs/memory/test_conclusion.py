"""The answer of a run in words, and the first tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario
from goldproof.jobs.memory.conclusion import fault_of, faults_sentence
from goldproof.jobs.memory.criteria import Rules
from goldproof.metrics.memory import parse_criterion
from goldproof.report import render
from tests.jobs.memory.scripted import Scripted, memories, suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.result import MemoryResult

STORED = ("the old rent", "the new rent", "the dog", "the cat")


def scenarios(*queries: Query) -> Suite:
    return suite(Scenario("s", memories(*STORED), queries))


def query(text: str, *expected: int, kind: str = "exact", criteria: Sequence[str] = ("recall = 1",)) -> Query:
    """A query that expects memories by their places."""
    grades = {f"m{place}": 2 for place in expected}
    return Query(text, text, kind, grades, criteria=tuple(map(parse_criterion, criteria)))


def run(script: Mapping[str, Sequence[str] | Exception], *queries: Query, targets: Sequence[str] = ()) -> MemoryResult:
    rules = Rules(3, {}, overall=tuple(map(parse_criterion, targets)))
    return goldproof.run_memory(scenarios(*queries), {"mine": Scripted(script)}, criteria=rules, self_check=False)


@pytest.mark.parametrize(
    ("came", "asked", "fault"),
    [
        (["the dog"], query("q", 2), ""),
        (RuntimeError("down"), query("q", 2), "failed"),
        (["the dog"], query("q", kind="negative", criteria=["false_surface = 0"]), "not silent"),
        ([], query("q", 2), "nothing"),
        (["the cat"], query("q", 2), "missed"),
        (["the dog"], query("q", 2, 3), "missed"),
        (["the old rent", "the new rent"], query("q", 1, kind="update", criteria=["Hit@1 = 1"]), "outdated"),
        (["the old rent"], query("q", 1, kind="update"), "outdated"),
        (["the cat", "the new rent"], query("q", 1, kind="update", criteria=["Hit@1 = 1"]), "not first"),  # it is newer
        (["the cat", "the dog"], query("q", 2, criteria=["Hit@1 = 1"]), "not first"),
        (["the dog", "the cat"], query("q", 2, criteria=["precision = 1"]), "unrelated"),
        (["the dog"], query("q", 2, criteria=["tokens < 1"]), "other"),
    ],
)
def test_a_query_has_the_first_fault_that_applies(came: Sequence[str] | Exception, asked: Query, fault: str) -> None:
    (row,) = run({"q": came}, asked).runs["mine"].rows
    assert fault_of(row) == fault


def test_faults_are_counted_most_common_first() -> None:
    script: dict[str, Sequence[str] | Exception] = {"a": [], "b": ["the cat"], "c": ["the cat"], "d": ["the dog"]}
    rows = run(script, *(query(text, 2) for text in "abcd")).runs["mine"].rows
    assert faults_sentence(rows) == ("Of the 3 that did not pass, 2 missed an expected memory and 1 returned nothing.")
    assert faults_sentence(rows[:1]) == "The one that did not pass returned nothing."
    assert faults_sentence(rows[1:3]) == "The 2 that did not pass missed an expected memory."
    assert faults_sentence(rows[3:]) == ""


def test_one_system_says_how_many_passed_which_targets_it_misses_and_what_went_wrong() -> None:
    script: dict[str, Sequence[str] | Exception] = {"a": ["the dog"], "b": ["the dog"], "c": ["the cat"]}
    asked = [query(text, 2) for text in "abc"]
    assert run(script, *asked).conclusion == (
        "mine passes 2 of 3 queries (66.7%). The one that did not pass missed an expected memory."
    )
    assert run(script, *asked, targets=["recall >= 0.9", "precision >= 0.5"]).conclusion.startswith(
        "mine passes 2 of 3 queries (66.7%) and misses 1 of 2 targets (recall). "
    )
    assert run(script, *asked, targets=["recall >= 0.9"]).conclusion.startswith(
        "mine passes 2 of 3 queries (66.7%) and misses its target for recall. "
    )


def test_where_all_failed_that_is_said_and_nothing_else() -> None:
    result = run({"a": RuntimeError("down"), "b": RuntimeError("down")}, query("a", 2), query("b", 2))
    assert result.conclusion == "All 2 queries to mine failed: RuntimeError: down."


def two_systems(count: int, *, wins: int) -> MemoryResult:
    """Good passes all of so many scenarios of one query, bad fails the first `wins`."""
    texts = [f"q{i}" for i in range(count)]
    scenarios = suite(*(Scenario(f"s{text}", memories("the dog", "the cat"), (query(text, 0),)) for text in texts))
    good = Scripted({text: ["the dog"] for text in texts})
    bad = Scripted({text: ["the cat" if i < wins else "the dog"] for i, text in enumerate(texts)})
    systems = {"good": good, "bad": bad}
    return goldproof.run_memory(scenarios, systems=systems, baseline="bad", criteria=Rules(3, {}), self_check=False)


def test_of_two_systems_the_comparison_comes_first() -> None:
    # 10 of 12 against 0 of 2: a difference of 100 * 10 / 12 = 83.3 points.
    said = two_systems(12, wins=10).conclusion
    assert re.match(r"good is better than bad on pass rate by 83\.3 points \(\d+\.\d to \d+\.\d\)\. Passed", said)
    assert said.endswith("Passed: good 12 of 12 queries (100.0%), bad 2 of 12 queries (16.7%).")


def test_what_cannot_be_told_yet_is_said_to_be() -> None:
    said = two_systems(3, wins=1).conclusion
    assert said.startswith(
        "It is too early to tell whether good or bad is better: pass rate 100.0% against 66.7%, difference +33.3 points"
    )


def test_a_system_that_answered_nothing_is_named_first_and_not_compared() -> None:
    asked = [query(text, 2) for text in "ab"]
    systems = {
        "up": Scripted({"a": ["the dog"], "b": ["the dog"]}),
        "down": Scripted(dict.fromkeys("ab", OSError("x"))),
    }
    result = goldproof.run_memory(scenarios(*asked), systems=systems, criteria=Rules(3, {}), self_check=False)
    assert result.conclusion == ("All 2 queries to down failed: OSError: x. Passed: up 2 of 2 queries (100.0%).")


@pytest.mark.parametrize("several", [False, True])
def test_the_first_tables_fit_100_columns_however_long_the_names_are(several: bool) -> None:
    asked = [query(f"{text} {'a very long question ' * 5}", 2) for text in "abcdefghijkl"]
    script: dict[str, Sequence[str]] = {one.text: ["the cat"] for one in asked}
    names = [f"{'a long name of a pipeline | ' * 4}{i}" for i in range(3 if several else 1)]
    systems = {name: Scripted(script) for name in names}
    result = goldproof.run_memory(scenarios(*asked), systems=systems, self_check=False)
    assert len(result.lead) == (1 if several else 3)
    for table in (*result.lead, *result.appendix):
        lines = render(table).splitlines()
        rows = lines[: len(lines) - len(table.notes)]
        assert max(map(len, rows)) <= 100, table.title


def test_the_queries_that_did_not_pass_are_shown_with_what_may_help() -> None:
    script: dict[str, Sequence[str] | Exception] = {"What about the dog?": ["the cat"], "cat": ["the cat"]}
    (_, failures) = run(script, query("What about the dog?", 2), query("cat", 3)).lead
    ((name, wrong, help_),) = failures.rows
    assert (name, wrong) == ("s/What about the dog?", "missed an expected memory")
    assert "another embedding model" not in help_


def test_what_may_help_on_the_screen_is_what_failures_md_advises_for_that_query() -> None:
    # Two of k = 3 came: a larger k would bring nothing. The query names the role that the expected memory has.
    stored = (*memories("Tanks need power.", role="opponent"), MemoryItem("p", "proponent", "It frees land.", {}))
    asked = query("What did the opponent say?", 0, criteria=["precision = 1"])
    system = Scripted({asked.text: ["It frees land.", "Tanks need power."]})
    result = goldproof.run_memory(
        suite(Scenario("s", stored, (asked,))), {"mine": system}, criteria=Rules(3, {}), self_check=False
    )
    (_, failures) = result.lead
    ((_, _, help_),) = failures.rows
    assert "a filter on role" in help_
    assert "larger k" not in help_
    (diagnosis,) = result.diagnoses["mine"]
    assert diagnosis.title_of("B") == "a filter on role"


def failing(count: int) -> MemoryResult:
    """One query passes, so many others do not."""
    texts = [f"q{number}" for number in range(count)]
    script: dict[str, Sequence[str] | Exception] = {"right": ["the dog"], **{text: ["the cat"] for text in texts}}
    return run(script, query("right", 2), *(query(text, 2) for text in texts))


def test_up_to_ten_failures_are_all_shown() -> None:
    result = failing(10)
    assert [(table.title, len(table.rows)) for table in result.lead[1:]] == [("Queries that did not pass", 10)]
    assert not any("more did not pass" in note.text for note in result.notes)


def test_of_many_failures_the_kinds_the_first_five_and_a_note_on_the_rest_are_shown() -> None:
    result = failing(11)
    assert [table.title for table in result.lead[1:]] == ["Queries passed, by kind", "First 5 that did not pass"]
    assert result.lead[1].rows == (("exact", "12", "1 (8.3%)"),)  # 1 / 12
    assert len(result.lead[2].rows) == 5
    data = [note.text for note in result.notes if note.kind == "data"]
    assert data[0] == "6 more did not pass; failures.md explains each (--out DIR)."
    assert "Queries passed, by kind" not in [table.title for table in result.appendix]  # not twice in the report


def test_of_more_failures_than_are_analysed_the_note_says_which_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldproof.jobs.memory.analysis.diagnosis.MOST", 7)
    texts = [note.text for note in failing(11).notes]
    assert "6 more did not pass; failures.md explains the first 7 (--out DIR)." in texts


def test_failures_md_begins_with_what_went_wrong_and_the_remedies(tmp_path: Path) -> None:
    script: dict[str, Sequence[str] | Exception] = {"a": [], "b": ["the cat"], "c": ["the cat"], "d": ["the dog"]}
    run(script, *(query(text, 2) for text in "abcd")).save(tmp_path / "out")
    text = (tmp_path / "out" / "failures.md").read_text()
    assert text.startswith(
        """\
# Failed queries: mine

3 of 4 queries did not pass.

### What went wrong

| what went wrong | queries |
| --- | ---: |
| missed an expected memory | 2 |
| returned nothing | 1 |

### Remedies
"""
    )
    assert text.index("### Remedies") < text.index("## Queries\n\n### s\n\n**s/a**")
    run({"d": ["the dog"]}, query("d", 2)).save(tmp_path / "passed")
    assert (tmp_path / "passed" / "failures.md").read_text() == "# Failed queries: mine\n\nAll 1 query passed.\n"
