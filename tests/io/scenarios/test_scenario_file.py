"""Scenario files: what is written is what is read."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.io.scenarios import open_suite
from goldproof.io.scenarios.scenario import BadPlainValueError, MemoryItem, Query, Scenario, is_moment, python_value
from goldproof.io.yaml_files import Number
from goldproof.metrics.memory import Criterion

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
name: talks
scenarios:
  - id: nuclear
    domain: debate
    split: holdout
    memories:
      - id: baseload
        role: proponent
        content: "Nuclear plants run day and night."
        metadata: {turn: 1, topic: reliability}
      - [opponent, "Wind needs no fuel.", {turn: 2}]
      - [opponent, Nor does the sun.]
    queries:
      - id: first
        kind: exact
        query: "What was said in turn 1?"
        asked_at: 9
        expected: {baseload: 2, 1: 1, 2: 0}
        kernels: [[baseload, 1], baseload]
        filters: {role: proponent, turn: {lte: 2}}
        k: 3
        criteria: [recall > 0.9, precision >= 50%]
        order: oldest
      - {kind: negative, query: And fusion?, expected: [], asked_at: 2024-05-01T09:30}
      - {kind: negative, query: And fission?}
"""
EXPECTED = Scenario(
    "nuclear",
    (
        MemoryItem("baseload", "proponent", "Nuclear plants run day and night.", {"turn": 1, "topic": "reliability"}),
        MemoryItem("1", "opponent", "Wind needs no fuel.", {"turn": 2}),
        MemoryItem("2", "opponent", "Nor does the sun.", {}),
    ),
    (
        Query(
            "first",
            "What was said in turn 1?",
            "exact",
            expected={"baseload": 2, "1": 1},
            unexpected=("2",),
            kernels=(("baseload", "1"), ("baseload",)),
            asked_at=9,
            filters={"role": "proponent", "turn": {"lte": 2}},
            k=3,
            criteria=(Criterion("recall", ">", 0.9), Criterion("precision", ">=", 0.5)),
            order="oldest",
        ),
        Query("q2", "And fusion?", "negative", asked_at="2024-05-01T09:30"),
        Query("q3", "And fission?", "negative"),
    ),
    domain="debate",
    split="holdout",
)


def test_everything_that_a_file_may_say_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(WHOLE)
    suite = open_suite(tmp_path / "x.yaml")
    assert suite.name == "talks"
    assert suite.scenarios == (EXPECTED,)
    assert suite.queries == 3
    assert suite.inputs == {"x.yaml": hashlib.sha256(WHOLE.encode()).hexdigest()}
    assert suite.remarks == ()


def test_what_is_not_said_has_its_default(tmp_path: Path) -> None:
    text = "scenarios: [{id: 01, memories: [[a, b]], queries: [{kind: semantic, query: 7, expected: [0]}]}]"
    (tmp_path / "my.talks.yaml.gz").write_bytes(gzip.compress(text.encode()))
    suite = open_suite(tmp_path / "my.talks.yaml.gz")
    assert suite.name == "my.talks"
    (scenario,) = suite.scenarios
    # An id is what is written, and a text that looks like a number is text.
    assert (scenario.id, scenario.domain, scenario.split) == ("01", "", "development")
    assert scenario.queries == (Query("q1", "7", "semantic", expected={"0": 2}),)
    assert type(next(iter(scenario.queries[0].expected))) is str


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_json_of_the_same_shape_is_read(indent: int | str | None, tmp_path: Path) -> None:
    record = {
        "scenarios": [
            {
                "id": "s",
                "memories": [
                    {
                        "id": "m",
                        "role": "user \U0001f600",
                        "content": 'a \\ud83d\\ude00 "b"\tc/d\n',
                        "metadata": {"n": "1"},
                    },
                    ["user", "b: [c] # d", {"n": 1, "share": 1.5e-3, "on": True, "no": None}],
                ],
                "queries": [{"kind": "semantic", "query": "?", "expected": {"m": 2}, "asked_at": 5}],
            }
        ]
    }
    (tmp_path / "x.json").write_text(json.dumps(record, indent=indent))  # ASCII: the smiley is a pair of surrogates
    (scenario,) = open_suite(tmp_path / "x.json").scenarios
    assert scenario.memories == (
        MemoryItem("m", "user \U0001f600", 'a \\ud83d\\ude00 "b"\tc/d\n', {"n": "1"}),
        MemoryItem("1", "user", "b: [c] # d", {"n": 1, "share": 0.0015, "on": True, "no": None}),
    )


PLAIN = [
    ("3", 3),
    ("-3", -3),
    ("+3", 3),
    ("007", 7),
    ("0o17", 15),
    ("0x1F", 31),
    ("1.50", 1.5),
    (".5", 0.5),
    ("1.", 1.0),
    ("1e3", 1000.0),
    ("true", True),
    ("FALSE", False),
    ("null", None),
    ("~", None),
    ("", None),
    ('"3"', "3"),
    ("'true'", "true"),
    ("yes", "yes"),  # a word, in YAML 1.2
    ("1_000", "1_000"),
    ("12:30", "12:30"),
    ("1.2.3", "1.2.3"),
    ("2024-05-01", "2024-05-01"),
    ("2024-05-01T09:30:00Z", "2024-05-01T09:30:00Z"),
    ('[1, "1", [x]]', [1, "1", ["x"]]),
    ("{gte: 1, lte: 2.0}", {"gte": 1, "lte": 2.0}),
]


@pytest.mark.parametrize(("written", "value"), PLAIN, ids=[written for written, _ in PLAIN])
def test_metadata_is_what_yaml_says_it_is(written: str, value: object, tmp_path: Path) -> None:
    text = (
        "scenarios:\n- id: s\n  memories:\n  - role: a\n    content: b\n    metadata:\n"
        f"      x: {written}\n  queries: [{{kind: negative, query: c}}]\n"
    )
    (tmp_path / "x.yaml").write_text(text)
    (scenario,) = open_suite(tmp_path / "x.yaml").scenarios
    found = scenario.memories[0].metadata["x"]
    assert found == value
    assert type(found) is type(value)


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_any_number_that_python_writes_is_read_back(number: float) -> None:
    assert python_value(Number(repr(number))) == number


@pytest.mark.parametrize("written", [".inf", "-.Inf", "+.INF", ".nan", ".NaN", "1e999", "-1e999"])
def test_a_number_that_is_not_finite_is_refused(written: str) -> None:
    with pytest.raises(BadPlainValueError, match=re.escape(f"{written}, which is not finite")):
        python_value(Number(written))


def test_a_number_too_long_for_python_is_refused() -> None:
    with pytest.raises(BadPlainValueError, match="a number of 5000 digits"):
        python_value(Number("-" + "9" * 5000))


@pytest.mark.parametrize(
    "value", [5, 2.5, "5", "-5.5", "2024-05", "2024-05-01", "2024-05-01T09:30", "2024-05-01 09:30:00+02:00"]
)
def test_turns_and_times_are_moments(value: object) -> None:
    assert is_moment(value)


@pytest.mark.parametrize("value", [True, None, "", "soon", "2024-13", "2024-02-30", "9:30", [5], "5 May", "2024-W01"])
def test_anything_else_is_no_moment(value: object) -> None:
    assert not is_moment(value)
