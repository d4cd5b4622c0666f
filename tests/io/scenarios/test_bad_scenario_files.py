"""Scenario files that are wrong: one message each, with file, line, what was found, what was expected, what next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.io import Diagnostic
from goldproof.io.scenarios import open_suite
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

HINT = "docs/reference/memory-scenarios.md shows a whole file."
KINDS = (
    "exact, semantic, temporal, cross_role, negative, follow_up, topic_switch, ocr, update, haystack, paraphrase, "
    "kernel"
)
FINITE = "expected text, a finite number, true, false or null, or lists of them."
MEASURE = "expected MEASURE > NUMBER (also >=, <, <=, =), such as recall > 0.9."
# Line 1: scenarios, 2: the scenario, 4: memory base, 5: memory 1, 7: the query.
FILE = """\
scenarios:
- id: debate
  memories:
  - {{id: base, role: pro, content: Runs all day., metadata: {{turn: 1}}}}
  - {memory}
  queries:
  - {query}
{more}"""
GOOD = {
    "memory": "[con, Wind is free., {turn: 2}]",
    "query": "{kind: exact, query: Who?, expected: [base]}",
    "more": "",
}


def complaint(folder: Path, text: str) -> str:
    path = folder / "x.yaml"
    path.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        open_suite(path)
    return str(caught.value).removeprefix(str(path))


def query(**changes: str) -> str:
    """Return the good query with some keys changed."""
    values = {"kind": "exact", "query": "Who?", "expected": "[base]"} | changes
    return "{" + ", ".join(f"{key}: {value}" for key, value in values.items() if value) + "}"


BAD_QUERIES = {
    "a key that nobody knows": (query(expectd="[1]"), "unknown key 'expectd'; did you mean 'expected'?"),
    "a key of adapters alone": (
        query(least_k="9"),
        "unknown key 'least_k'; known: asked_at, criteria, expected, filters, id, k, kernels, kind, order, query.",
    ),
    "a kind that nobody knows": (query(kind="exat"), "kind: unknown name 'exat'; did you mean 'exact'?"),
    "a kind that is no text": (query(kind="[exact]"), f"kind is ['exact'], expected one of {KINDS}."),
    "no kind": (query(kind=""), f"no key 'kind', expected one of {KINDS}."),
    "no text": (query(query=""), "no key 'query', expected text."),
    "a text of blanks": (query(query="' '"), "query is ' ', expected text."),
    "a text that is none": (query(query="true"), "query is True, expected text."),
    "expected by a name nobody has": (
        query(expected="[bas]"),
        "expected names an unknown memory 'bas'; did you mean 'base'?",
    ),
    "expected twice": (query(expected="[base, base]"), "expected: 'base' is named twice; name it once."),
    "expected in no list": (
        query(expected="base"),
        "expected is 'base', expected memories, such as [a, b] or {a: 2, b: 1}.",
    ),
    "expected without a name": (
        query(expected="[base, null]"),
        "expected is ['base', None], expected memories, such as [a, b] or {a: 2, b: 1}.",
    ),
    "a grade above 2": (query(expected="{base: 3}"), "expected: the grade of 'base' is 3, expected 2, 1 or 0."),
    "a grade below 0": (query(expected="{base: -1}"), "expected: the grade of 'base' is -1, expected 2, 1 or 0."),
    "a grade between": (query(expected="{base: 1.5}"), "expected: the grade of 'base' is 1.5, expected 2, 1 or 0."),
    "a grade in quotes": (query(expected="{base: '2'}"), "expected: the grade of 'base' is '2', expected 2, 1 or 0."),
    "a grade that is true": (
        query(expected="{base: true}"),
        "expected: the grade of 'base' is True, expected 2, 1 or 0.",
    ),
    "nothing but what should not come": (
        query(expected="{base: 0}"),
        "expects no memory, but its kind is exact; name some, or make it negative.",
    ),
    "nothing expected": (
        query(expected="[]"),
        "expects no memory, but its kind is exact; name some, or make it negative.",
    ),
    "a negative query that expects": (
        query(kind="negative"),
        "is negative but expects 'base'; a negative query expects nothing ([]).",
    ),
    "a kernel of a name nobody has": (
        query(kernels="[[base, nil]]"),
        "kernels names an unknown memory 'nil'; known: 1, base.",
    ),
    "a kernel that is not expected": (
        query(kernels="[[base, 1]]"),
        "kernels has '1', which is not expected; name it under expected as well.",
    ),
    "a kernel that names twice": (query(kernels="[[base, base]]"), "kernels: 'base' is named twice; name it once."),
    "an empty kernel": (
        query(kernels="[[]]"),
        "kernels is [[]], expected lists of names, such as [[a, b], [c]].",
    ),
    "a filter on nothing": (query(filters="{rol: pro}"), "filters name an unknown field 'rol'; did you mean 'role'?"),
    "filters in a list": (query(filters="[role]"), "filters is ['role'], expected a mapping."),
    "k of 0": (query(k="0"), "k is 0, expected a whole number of at least 1."),
    "k in quotes": (query(k="'3'"), "k is '3', expected a whole number of at least 1."),
    "k of a half": (query(k="0.5"), "k is 0.5, expected a whole number of at least 1."),
    "k that is true": (query(k="true"), "k is True, expected a whole number of at least 1."),
    "a criterion nobody can read": (
        query(criteria="[recall is high]"),
        f"criteria: criterion 'recall is high' cannot be read; {MEASURE}",
    ),
    "a criterion of a measure nobody knows": (
        query(criteria="[recal > 0.9]"),
        "criteria: unknown measure 'recal'; did you mean 'recall'? in the criterion 'recal > 0.9'.",
    ),
    "a criterion in no list": (
        query(criteria="recall > 0.9"),
        "criteria is 'recall > 0.9', expected a list such as [recall > 0.9].",
    ),
    "criteria in criteria": (
        query(criteria="[&a [*a]]"),
        "criteria is [[[[[...]]]]], expected a list such as [recall > 0.9].",
    ),
    "no criterion": (query(criteria="[]"), "criteria is [], expected a list such as [recall > 0.9]."),
    "an order nobody knows": (query(order="newst"), "order: unknown name 'newst'; did you mean 'newest'?"),
    "asked at no time": (
        query(asked_at="soon"),
        "asked_at is 'soon', expected a turn such as 5 or a time such as 2024-05-01T09:30.",
    ),
    "asked at a number without end": (
        query(asked_at=".inf"),
        "asked_at is .inf, expected a turn such as 5 or a time such as 2024-05-01T09:30.",
    ),
}


@pytest.mark.parametrize("name", BAD_QUERIES)
def test_a_query_that_is_wrong_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    written, said = BAD_QUERIES[name]
    found = complaint(tmp_path, FILE.format(**GOOD | {"query": written}))
    assert found == f":7: scenario 'debate', query 'q1': {said}\n  {HINT}"


FORMS = "a mapping with role and content, or [role, content, {turn: 1}]"
BAD_MEMORIES = {
    "empty content": ("[con, '']", "memory '1': content is '', expected text."),
    "no role": ("{id: x, content: y}", "memory 'x': no key 'role', expected text."),
    "no content": ("{id: x, role: y}", "memory 'x': no key 'content', expected text."),
    "a key that nobody knows": (
        "{role: y, contents: z}",
        "memory '1': unknown key 'contents'; did you mean 'content'?",
    ),
    "an id that is true": (
        "{id: true, role: y, content: z}",
        "memory '1': id is True, expected an id (in quotes where it is a word such as true or null).",
    ),
    "metadata in a list": ("[con, y, [1]]", "memory '1': metadata is [1], expected a mapping."),
    "too short": ("[con]", f"memory '1': found ['con'], expected {FORMS}."),
    "too long": ("[con, y, {}, 1]", f"memory '1': found ['con', 'y', {{}}, 1], expected {FORMS}."),
    "metadata without end": (
        "[con, y, {a: .nan}]",
        f"memory '1': metadata: a is .nan, which is not finite, {FINITE}",
    ),
    "metadata in itself": (
        "[con, y, {a: &a [*a]}]",
        f"memory '1': metadata: a is nested too deeply, {FINITE}",
    ),
    "the id of another": (
        "{id: base, role: y, content: z}",
        "memory 'base': its id occurs twice; ids are unique in a scenario, so give it another.",
    ),
}


@pytest.mark.parametrize("name", BAD_MEMORIES)
def test_a_memory_that_is_wrong_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    written, said = BAD_MEMORIES[name]
    found = complaint(tmp_path, FILE.format(**GOOD | {"memory": written}))
    assert found == f":5: scenario 'debate', {said}\n  {HINT}"


REST = "\n  memories: [[a, b]]\n  queries: [{kind: negative, query: c}]"
ONE_MEMORY = "\n  memories: [[a, b]]"
AN_ID = "expected an id (in quotes where it is a word such as true or null)."
TWICE = "its id occurs twice; ids are unique in a scenario, so give it another."
AGAIN = "{kind: negative, query: d}"
BAD_FILES = {
    "no mapping": ("[1]", f":1: found [1], expected a mapping with the key scenarios.\n  {HINT}"),
    "no scenarios": ("scenarios: []", f":1: scenarios is [], expected a list of at least one.\n  {HINT}"),
    "scenarios in no list": ("scenarios: 3", f":1: scenarios is 3, expected a list of at least one.\n  {HINT}"),
    "a key nobody knows": ("scenario: []", f":1: unknown key 'scenario'; did you mean 'scenarios'?\n  {HINT}"),
    "an empty name": ("name: ''\nscenarios: [x]", f":1: name is '', expected text.\n  {HINT}"),
    "a scenario that is none": (
        "scenarios:\n- [1]",
        f":2: scenario 1: found [1], expected a mapping with id, memories and queries.\n  {HINT}",
    ),
    "a scenario that is text": (
        "scenarios:\n- x",
        f":2: scenario 1: found 'x', expected a mapping with id, memories and queries.\n  {HINT}",
    ),
    "no id": ("scenarios:\n- split: x", f":2: scenario 1: no key 'id', {AN_ID}\n  {HINT}"),
    "an empty id": (
        f"scenarios:\n- id: ''{REST}",
        f":2: scenario 1: id is '', {AN_ID}\n  {HINT}",
    ),
    "an id twice": (
        f"scenarios:\n- id: a{REST}\n- id: a{REST}",
        f":5: scenario 'a': its id occurs twice; ids are unique in a suite, so give it another.\n  {HINT}",
    ),
    "a split nobody knows": (
        f"scenarios:\n- id: a\n  split: hold-out{REST}",
        f":3: scenario 'a': split: unknown name 'hold-out'; did you mean 'holdout'?\n  {HINT}",
    ),
    "no memories": (
        "scenarios:\n- id: a",
        f":2: scenario 'a': no key 'memories', expected a list of at least one.\n  {HINT}",
    ),
    "no queries": (
        "scenarios:\n- id: a\n  memories: [[a, b]]",
        f":2: scenario 'a': no key 'queries', expected a list of at least one.\n  {HINT}",
    ),
    "a query that is none": (
        "scenarios:\n- id: a\n  memories: [[a, b]]\n  queries: [who]",
        f":4: scenario 'a', query 'q1': found 'who', expected a mapping with kind, query and expected.\n  {HINT}",
    ),
    "a query twice": (
        f"scenarios:\n- id: a{ONE_MEMORY}\n  queries:\n  - {{kind: negative, query: c, id: q2}}\n  - {AGAIN}",
        f":6: scenario 'a', query 'q2': {TWICE}\n  {HINT}",
    ),
    "a key twice": ("name: a\nname: b", ":2: key 'name' occurs twice.\n  Keep one of them."),
    "no YAML": ("scenarios: [\n", ":2: is not YAML (did not find expected node content)."),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_wrong_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, said = BAD_FILES[name]
    assert complaint(tmp_path, text) == said


def test_json_that_is_wrong_is_refused_with_its_line(tmp_path: Path) -> None:
    text = '{\n  "scenarios": [\n    {\n      "id": "a",\n      "memory": []\n    }\n  ]\n}\n'
    assert complaint(tmp_path, text) == (f":5: scenario 'a': unknown key 'memory'; did you mean 'memories'?\n  {HINT}")


def test_validate_lists_all_that_is_wrong_and_blames_nobody_twice(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        FILE.format(
            memory="{id: wind, role: con, contents: Wind is free.}",
            query="{kind: exact, query: Who?, expected: [base, wind]}\n  - {kind: exat, query: Who?, expected: [base]}",
            more="".join(
                f"- {{id: {name}, memories: [[a, b]], queries: [{{kind: negative, query: c}}]}}\n"
                for name in ("debate", "other")
            ),
        )
    )
    found = validate_file(path)
    assert found.kind == "scenarios"
    assert found.findings == (
        Diagnostic(5, "scenario 'debate', memory 'wind': unknown key 'contents'; did you mean 'content'?", HINT),
        Diagnostic(8, "scenario 'debate', query 'q2': kind: unknown name 'exat'; did you mean 'exact'?", HINT),
        Diagnostic(9, "scenario 'debate': its id occurs twice; ids are unique in a suite, so give it another.", HINT),
    )
    assert found.counts == {"scenarios": 2, "memories": 2, "queries": 2, "exact": 1, "negative": 1}
