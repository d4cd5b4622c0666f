"""`retrieval_dataset.yaml`: positives, negatives, kernels; contradictions are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.io import read_dataset, read_judgments

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = """\
# mined
pairs:
  - id: "fix_errors:01"
    query: "How do I create a minimal LlmAgent?"
    positive_ctxs:
      - fqn: "google.adk.agents.LlmAgent"
        text: "class LlmAgent"
        grade: 2
      - fqn: "google.adk.agents.BaseAgent"
        text: "class BaseAgent"
    negative_ctxs:
      - {fqn: "google.adk.plugins.RetryPlugin", text: "class RetryPlugin"}
    kernels: [["google.adk.agents.LlmAgent"], ["google.adk.agents.BaseAgent", "google.adk.runners.Runner"]]
    cluster: fix_errors
    metadata: {year: 2026, steps: [{question: "which?"}]}
  - id: 01
    query: no
    negative_ctxs: [{fqn: google.adk.agents.LlmAgent, text: "class LlmAgent"}]
    answerable: false
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "retrieval_dataset.yaml"
    path.write_text(text)
    return path


def test_pairs_become_questions_grades_kernels_and_documents(tmp_path: Path) -> None:
    dataset = read_dataset(write(tmp_path, PAIRS), documents=True)
    assert dataset.judgments.to_dict() == {
        "fix_errors:01": {
            "google.adk.agents.LlmAgent": 2,  # as given: sufficient alone
            "google.adk.agents.BaseAgent": 1,  # a positive without grade
            "google.adk.plugins.RetryPlugin": 0,
            "google.adk.runners.Runner": 1,  # only in a kernel: part of an answer
        },
        "01": {"google.adk.agents.LlmAgent": 0},
    }
    assert dataset.judgments.kernels == {
        "fix_errors:01": (
            ("google.adk.agents.LlmAgent",),
            ("google.adk.agents.BaseAgent", "google.adk.runners.Runner"),
        )
    }
    assert dataset.judgments.unanswerable == {"01"}
    assert [(q.id, q.text, q.cluster, q.answerable) for q in dataset.questions] == [
        ("fix_errors:01", "How do I create a minimal LlmAgent?", "fix_errors", True),
        ("01", "no", None, False),
    ]
    assert dataset.questions[0].metadata == {"year": "2026", "steps": [{"question": "which?"}]}
    assert [d.id.rsplit(".", 1)[1] for d in dataset.documents] == ["LlmAgent", "BaseAgent", "RetryPlugin"]


def test_it_is_found_in_its_folder_and_gives_judgments(tmp_path: Path) -> None:
    path = write(tmp_path, PAIRS)
    assert read_dataset(tmp_path).judgments.to_dict() == read_judgments(path).to_dict()
    assert read_dataset(tmp_path).documents == ()


def test_it_is_recognised_without_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(PAIRS.removeprefix("# mined\n"))
    assert len(read_dataset(tmp_path / "x.txt").questions) == 2


ANSWERABLE = "pair 'a': answerable is 'perhaps', expected true or false."
BAD: dict[str, tuple[str, int | None, str]] = {
    "not YAML": ("pairs:\n  - id: [\n", 3, "is not YAML (did not find expected node content)."),
    "nested too deeply": ("pairs: " + "[" * 200_000 + "\n", 1, "is nested too deeply."),
    "block nested too deeply": ("pairs:\n  " + "- " * 200_000 + "\n", 2, "is nested too deeply."),
    "a list as a key": ("pairs:\n  - ? [a]\n    : b\n", 2, "is not YAML (found a key that is not text)."),
    "tagged by hand": ("pairs:\n  - id: a\n    answerable: !!bool perhaps\n", 2, ANSWERABLE),
    "a Python object": (
        "pairs: !!python/object:os.system {}\n",
        1,
        "is not YAML (could not determine a constructor for the tag 'tag:yaml.org,2002:python/object:os.system').",
    ),
    "no pairs": ("questions: []\n", None, "has no list 'pairs'."),
    "pair is text": ("pairs:\n  - hello\n", None, "pair 1 is not a mapping, expected id, query and positive_ctxs."),
    "no id": ("pairs:\n  - query: x\n", 2, "pair 1 has no id."),
    "id is a bool": ("pairs:\n  - id: true\n", 2, "pair 1: id is not text; put it in quotes."),
    "key twice": ("pairs:\n  - id: a\n    query: x\n    query: y\n", 4, "key 'query' occurs twice."),
    "pair twice": (
        "pairs:\n  - id: a\n    answerable: false\n  - id: a\n    answerable: false\n",
        4,
        "pair 'a' occurs twice.",
    ),
    "empty list": ("pairs: []\n", None, "holds no pairs."),
    "nothing to find": (
        "pairs:\n  - id: a\n    query: x\n",
        2,
        (
            "pair 'a' has no context and no kernel, so nothing can be found for it; if that is right, mark it "
            "answerable: false."
        ),
    ),
    "key misspelt": (
        "pairs:\n  - id: a\n    postive_ctxs: [{fqn: x}]\n",
        2,
        "pair 'a': unknown key 'postive_ctxs'; did you mean 'positive_ctxs'?",
    ),
    "context without fqn": (
        "pairs:\n  - id: a\n    positive_ctxs: [{text: x}]\n",
        2,
        "pair 'a': positive_ctxs 1 has no fqn.",
    ),
    "contexts not a list": ("pairs:\n  - id: a\n    positive_ctxs: x\n", 2, "pair 'a': positive_ctxs is not a list."),
    "positive and negative": (
        "pairs:\n  - id: a\n    positive_ctxs: [{fqn: x}]\n    negative_ctxs: [{fqn: x}]\n",
        2,
        "pair 'a': 'x' is listed twice among the contexts.",
    ),
    "negative in a kernel": (
        "pairs:\n  - id: a\n    negative_ctxs: [{fqn: x}]\n    kernels: [[x]]\n",
        2,
        "pair 'a': 'x' is in a kernel and so cannot be a negative.",
    ),
    "positive of grade 0": (
        "pairs:\n  - id: a\n    positive_ctxs: [{fqn: x, grade: 0}]\n",
        2,
        "pair 'a', 'x': grade 0 does not fit a positive context.",
    ),
    "grade is a word": (
        "pairs:\n  - id: a\n    positive_ctxs: [{fqn: x, grade: high}]\n",
        2,
        "pair 'a', 'x': grade 'high' is not a number.",
    ),
    "kernels flat": ("pairs:\n  - id: a\n    kernels: [x]\n", 2, "pair 'a': kernel 1 is not a list of document ids."),
    "unanswerable with a positive": (
        "pairs:\n  - id: a\n    answerable: false\n    positive_ctxs: [{fqn: x}]\n",
        2,
        "pair 'a' is marked unanswerable but has positive contexts or kernels.",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_pairs_are_refused_with_their_line(name: str, tmp_path: Path) -> None:
    text, line, problem = BAD[name]
    with pytest.raises(FileFormatError) as raised:
        read_dataset(write(tmp_path, text))
    assert (raised.value.line, raised.value.problem) == (line, problem)


def test_a_pair_with_negatives_only_is_judged_and_keys_of_ones_own_are_ignored(tmp_path: Path) -> None:
    text = "pairs:\n  - id: a\n    answers: [x]\n    source: web\n    negative_ctxs: [{fqn: d}]\n"
    assert read_judgments(write(tmp_path, text)).to_dict() == {"a": {"d": 0}}


MINED = """\
pairs:
  - id: "a"
    query: "q"
    status: "answerable"
    positive_ctxs: []
    partial_ctxs: [{fqn: x, title: "X", text: "half"}, {fqn: y, grade: 1}]
    negative_ctxs: [{fqn: z}]
    unjudged: [{fqn: w, label: "failed"}]
    kernels: [[x, y]]
  - id: "b"
    query: "nothing is known"
    status: "undecided"
    unjudged: [{fqn: w, label: "failed"}]
"""


def test_partial_contexts_have_grade_1_and_unjudged_ones_none(tmp_path: Path) -> None:
    dataset = read_dataset(write(tmp_path, MINED), documents=True)
    assert dataset.judgments.to_dict() == {"a": {"x": 1, "y": 1, "z": 0}}
    assert dataset.judgments.kernels == {"a": (("x", "y"),)}
    assert [(d.id, d.title, d.text) for d in dataset.documents] == [("x", "X", "half"), ("y", "", ""), ("z", "", "")]


def test_a_pair_with_a_status_and_no_context_is_a_question_that_is_not_judged(tmp_path: Path) -> None:
    dataset = read_dataset(write(tmp_path, MINED))
    assert [q.id for q in dataset.questions] == ["a", "b"]
    assert dataset.judgments.questions.to_list() == ["a"]
    assert dataset.judgments.unanswerable == frozenset()


@pytest.mark.parametrize("key", ["positive_ctxs", "negative_ctxs"])
def test_a_partial_context_is_neither_positive_nor_negative(key: str, tmp_path: Path) -> None:
    text = f"pairs:\n  - id: a\n    {key}: [{{fqn: x}}]\n    partial_ctxs: [{{fqn: x}}]\n"
    with pytest.raises(FileFormatError, match="'x' is listed twice among the contexts"):
        read_dataset(write(tmp_path, text))


def test_a_partial_of_grade_0_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="grade 0 does not fit a positive context"):
        read_dataset(write(tmp_path, "pairs:\n  - id: a\n    partial_ctxs: [{fqn: x, grade: 0}]\n"))


@pytest.mark.parametrize(("written", "options"), [("[a, b]", ("a", "b")), ("{A: a}", ()), ("[a, [b]]", ()), ("3", ())])
def test_options_are_a_list_of_texts_and_anything_else_is_the_users_own(
    written: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    text = f"pairs:\n  - id: a\n    options: {written}\n    negative_ctxs: [{{fqn: x}}]\n"
    assert read_dataset(write(tmp_path, text)).questions[0].options == options
