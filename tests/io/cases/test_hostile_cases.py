"""Registries that were written by nobody's friend, or by a machine: one sentence, or an error, and never a crash."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import GoldproofError
from goldproof.io.cases import read_cases

if TYPE_CHECKING:
    from pathlib import Path

GOOD = {"id": "good", "question": "q", "options": ["a", "b"], "correct_answer": "A"}
KEYS = st.sampled_from(
    (
        *("id", "name", "question", "options", "correct_answer", "answers", "answer", "unfixed_file", "fixed_file"),
        *("type", "benchmark_type", "description", "code_snippet_ref", "file", "section", "A", "B"),
    )
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=6) | VALUES, max_size=3), st.sampled_from([".json", ".yaml"]))
def test_any_values_under_our_keys_are_cases_or_problems(tmp_path: Path, items: list[object], suffix: str) -> None:
    path = tmp_path / f"q{suffix}"
    content = {"benchmarks": [*items, GOOD]}
    path.write_text(json.dumps(content) if suffix == ".json" else yaml.safe_dump(content))
    found = read_cases([path])
    # Two cases may be called alike, so that the good one is the second of its name.
    assert len(found.cases) + len(found.problems) == len(items) + 1
    assert len({case.id for case in found.cases}) == len(found.cases)
    assert all("\n" not in problem.partition("case '")[0] for problem in found.problems)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode), st.sampled_from([".json", ".yaml", ".jsonl", ""]))
def test_any_bytes_are_cases_or_an_error(tmp_path: Path, data: bytes, suffix: str) -> None:
    path = tmp_path / f"q{suffix}"
    path.write_bytes(data)
    try:
        found = read_cases([path])
    except GoldproofError:
        return
    assert found.cases


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]\nbenchmarks: *a",
        "- &a {question: *a, options: [x, y], correct_answer: A}",
        "- {question: q, options: &o {A: *o, B: x}, correct_answer: B}",
        "&a [*a, *a]",
        "- {question: q, ? [a, b] : c}",
        "- " * 20_000,
        "[" * 20_000,
        "benchmarks: !!set {a, b}",
        "- !!python/name:os.system ''",
        "\x01",
    ],
)
def test_yaml_that_eats_itself_is_an_error_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "q.yaml"
    path.write_text(text)
    with pytest.raises(GoldproofError):
        read_cases([path])


@pytest.mark.parametrize("text", ["[" * 200_000, '{"benchmarks":' * 100_000, '{"benchmarks": ' + "[" * 100_000])
def test_json_that_is_nested_without_end_is_an_error_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "q.json"
    path.write_text(text)
    with pytest.raises(GoldproofError):
        read_cases([path])


def test_text_that_doubles_with_every_alias_stays_small(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60))]
    lines += ["benchmarks:", "- {question: *a59, answer: x}", "- {id: *a59, question: q, answer: x}"]
    lines += ["- {question: q, options: *a59, correct_answer: *a59}", "- {id: good, question: q, answer: x}"]
    path = tmp_path / "q.yaml"
    path.write_text("\n".join(lines))
    found = read_cases([path])
    assert [case.id for case in found.cases] == ["q:good"]
    assert len(found.problems) == 3


def test_ten_thousand_cases_about_a_hundred_files_are_read(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"s{number}.py").write_text(f"# --8<-- [start:a]\nx = {number}\n# --8<-- [end:a]\n")
    cases = [
        {
            "id": str(number),
            "question": f"What is x in {number}?",
            "options": {"A": "1", "B": "2", "C": "3"},
            "correct_answer": "B",
            "code_snippet_ref": {"file": f"s{number % 100}.py", "section": "a"},
        }
        for number in range(10_000)
    ]
    path = tmp_path / "q.json"
    path.write_text(json.dumps(cases))
    found = read_cases([path])
    assert len(found.cases) == 10_000
    assert found.problems == ()
    assert len(found.files) == 101
