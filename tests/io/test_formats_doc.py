"""Every example file in docs/reference/formats.md is read, as what it is said to be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldproof.io import read_judgments, read_labels, read_traces
from goldproof.io.columns import ALIASES
from goldproof.io.diagnostics import Diagnostics
from goldproof.jobs.validate import validate_file

DOC = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "formats.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```\w+ file=(\S+) kind=(\w+)\n(.*?)^```$", DOC, flags=re.DOTALL | re.MULTILINE)


def test_there_are_examples() -> None:
    assert {kind for _, kind, _ in EXAMPLES} == {
        "judgments",
        "ranking",
        "dataset",
        "scores",
        "traces",
        "clusters",
    }


@pytest.mark.parametrize(("name", "kind", "text"), EXAMPLES, ids=[name for name, _, _ in EXAMPLES])
def test_the_example_is_what_it_is_said_to_be(name: str, kind: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    found = validate_file(tmp_path / name)
    assert (found.kind, found.findings) == (kind, ())


@pytest.mark.parametrize(
    ("role", "label"),
    [
        ("query", "query"),
        ("document", "document"),
        ("grade", "grade (judgments)"),
        ("score", "score (rankings)"),
        ("question_id", "question id"),
        ("question_text", "question text"),
        ("cluster", "cluster"),
        ("search_query", "query of a search"),
        ("result_id", "id of a result"),
        ("url", "url"),
        ("title", "title"),
        ("snippet", "snippet"),
        ("type", "type"),
        ("gain", "gain"),
        ("turn", "turn"),
        ("iteration", "iteration"),
        ("search", "search"),
        ("rank", "rank"),
    ],
)
def test_the_names_of_columns_are_documented(role: str, label: str) -> None:
    row = next(line for line in DOC.splitlines() if line.startswith(f"| {label} |"))
    assert tuple(re.findall(r"`(\w+)`", row)) == ALIASES[role]


def test_the_labels_are_read_and_fit_the_traces(tmp_path: Path) -> None:
    files = dict(re.findall(r"^```\w+ file=(\S+)(?: kind=\w+)?\n(.*?)^```$", DOC, flags=re.DOTALL | re.MULTILINE))
    for name in ("labels.csv", "traces.jsonl", "traces.csv"):
        (tmp_path / name).write_text(files[name])
    labels = read_labels(tmp_path / "labels.csv")
    assert dict(labels.frame.iter_rows()) == {"d1": 3, "https://example.org/a": 2}
    # d1 d2 in c1, then d1 d7 12 in c2; the table has c1 only.
    for name, gains in (("traces.jsonl", [3, -1, 3, -1, -1]), ("traces.csv", [3, -1])):
        (table,) = read_traces(tmp_path / name, Diagnostics(tmp_path / name))
        assert labels.gains_for(table).tolist() == gains


def test_the_recipes_for_several_annotators_give_judgments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (recipe,) = re.findall(r"^```python\n(.*?)^```$", DOC, flags=re.DOTALL | re.MULTILINE)
    (majority,) = re.findall(r"let `grade` be `(.*?)`", DOC)
    # q1 a: 0, 2 -> median 1, lowest of the most frequent 0; q1 b: 1
    exec(recipe, {})  # noqa: S102 - our own page
    assert read_judgments("judgments.csv").to_dict() == {"q1": {"a": 1, "b": 1}}
    exec(re.sub(r"(?m)^grade = .*$", f"grade = {majority}", recipe), {})  # noqa: S102 - our own page
    assert read_judgments("judgments.csv").to_dict() == {"q1": {"a": 0, "b": 1}}
