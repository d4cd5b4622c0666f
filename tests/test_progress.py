"""Progress: one keyword everywhere, and counts that end where they should."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import goldproof
from goldproof.progress import OnProgress, Progress, ignore, under
from goldproof.records.entities import Document, Question
from goldproof.testing import Author
from tests.jobs.build import generated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SOURCE = Path(goldproof.__file__).parent
LONG = (
    *("goldproof:build", "goldproof:calibrate_judge", "goldproof:evaluate", "goldproof:mine", "goldproof:replay"),
    *("goldproof:run_memory", "goldproof:score_traces", "goldproof:tune_memory", "goldproof:verify"),
    *("goldproof:MemoryBenchmark.run", "goldproof:Pipeline.index"),
    *("goldproof.embed:open_embedder", "goldproof.embed.cache:CachedEmbedder", "goldproof.judge.batch:judge_briefs"),
    *("goldproof.retrieve:retrieve", "goldproof.retrieve:run_questions", "goldproof.jobs.retrieve:retrieve_questions"),
    *("goldproof:draft_questions", "goldproof.jobs.ask:open_asking", "goldproof.jobs.ask:run_asking"),
    *("goldproof.jobs.mine:open_plan", "goldproof.jobs.mine:run_plan"),
    *("goldproof.jobs.verify.plan:open_plan", "goldproof.jobs.verify.function:run_audit"),
    "goldproof.jobs.verify.estimating:estimate_audit",
)
OTHER_NAMES = ("watch", "progress", "listen", "tell", "on_question", "callback")
DOCUMENTS = (
    Document("engine", "The engine of the boat is a diesel."),
    Document("sail", "The sail of the boat is red."),
    Document("anchor", "The anchor weighs 40 kg."),
)
QUESTIONS = {"q1": "What colour is the sail?", "q2": "What drives the boat?"}
JUDGMENTS = {"q1": {"sail": 1}, "q2": {"engine": 1}}


@pytest.mark.parametrize("name", LONG)
def test_whatever_takes_long_takes_on_progress_and_ignores_it_by_default(name: str) -> None:
    module, _, path = name.partition(":")
    target: Any = import_module(module)
    for part in path.split("."):
        target = getattr(target, part)
    parameter = inspect.signature(target).parameters["on_progress"]
    assert (parameter.kind, parameter.default) == (parameter.KEYWORD_ONLY, ignore)
    assert parameter.annotation in ("OnProgress", OnProgress)


def test_no_function_has_another_keyword_for_progress() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        if {"data", "inside", "cli"} & set(path.relative_to(SOURCE).parts) or path.name == "progress.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
                continue
            given = {one.arg: one.annotation for one in (*node.args.args, *node.args.kwonlyargs)}
            names = [name for name, kind in given.items() if kind is None or ast.unparse(kind) != "Progress"]
            wrong += [f"{path}: {node.name}({name})" for name in names if name.startswith(OTHER_NAMES)]
    assert not wrong, "\n".join(wrong)


def test_a_name_comes_before_the_stage_where_there_is_one() -> None:
    reports: list[Progress] = []
    report = Progress("questions", 1, 2, failed=1)
    under("bm25", reports.append)(report)
    under("", reports.append)(report)
    assert reports == [Progress("bm25: questions", 1, 2, failed=1), report]


class Grading:
    """A judge that finds everything rather good, and fails on the anchor."""

    scale = "0-4"

    def judge(self, _: Question, documents: Sequence[Document]) -> int:
        if "anchor" in documents[0].text:
            raise RuntimeError("too heavy")
        return 3


def evaluate(on_progress: OnProgress, _: Path) -> None:
    goldproof.evaluate(
        JUDGMENTS,
        retrievers={"bm25": "bm25", "dense": "dense(minilm)"},
        corpus=DOCUMENTS,
        questions=QUESTIONS,
        on_progress=on_progress,
    )


def score_traces(on_progress: OnProgress, _: Path) -> None:
    results = [{"id": document.id, "snippet": document.text} for document in DOCUMENTS]
    iteration = {"searches": [{"query": "sail", "results": results}]}
    turns = [{"question": "What colour is the sail?", "iterations": [iteration]}]
    traces = [{"conversation_id": f"c{number}", "turns": turns} for number in range(3)]
    goldproof.score_traces(systems={"a": traces, "b": traces[:2]}, judge=Grading(), on_progress=on_progress)


def mine(on_progress: OnProgress, _: Path) -> None:
    questions = [Question(name, text) for name, text in QUESTIONS.items()]
    goldproof.mine(questions, corpus=DOCUMENTS, judge=lambda *_: True, random=1, dense=1, on_progress=on_progress)


def draft_questions(on_progress: OnProgress, _: Path) -> None:
    goldproof.draft_questions(DOCUMENTS, model=Author(), n=2, on_progress=on_progress)


def build(on_progress: OnProgress, folder: Path) -> None:
    source = generated.write_json(folder / "hotpot.json", generated.hotpotqa(30))
    recipe = {"name": "b", "sources": [{"adapter": "hotpotqa", "path": str(source)}], "quotas": {"clean_text": 5}}
    goldproof.build(recipe, on_progress=on_progress)


def run_memory(on_progress: OnProgress, _: Path) -> None:
    goldproof.run_memory(
        "smoke",
        systems={"one": "bm25 | top(3)", "two": "bm25 | top(1)"},
        judge=lambda *_: True,
        self_check=False,
        on_progress=on_progress,
    )


def calibrate_judge(on_progress: OnProgress, _: Path) -> None:
    labels = [{"query_id": "q1", "doc_id": document.id, "grade": int(document.id == "sail")} for document in DOCUMENTS]
    questions = [Question(name, text) for name, text in QUESTIONS.items()]
    goldproof.calibrate_judge(
        labels, judge=lambda *_: True, corpus=DOCUMENTS, questions=questions, on_progress=on_progress
    )


def verify(on_progress: OnProgress, folder: Path) -> None:
    goldproof.verify("example", on_progress=on_progress).save(folder / "audit")
    goldproof.replay(folder / "audit", against="PyYAML", on_progress=on_progress)


STAGES: dict[Callable[[OnProgress, Path], None], list[str]] = {
    evaluate: ["bm25: questions", "dense: documents embedded", "dense: questions"],
    score_traces: ["judge", "a: conversations read", "b: conversations read"],
    mine: ["documents embedded", "mining"],
    draft_questions: ["documents searched for names", "questions"],
    build: [
        "hotpotqa: records read",
        *("looking for repeated questions", "making unanswerable questions", "sampling", "placing evidence"),
    ],
    run_memory: ["one: queries", "one: judge", "two: queries", "two: judge"],
    calibrate_judge: ["judge"],
}


@pytest.mark.parametrize("run", STAGES, ids=lambda run: run.__name__)
def test_every_stage_counts_up_to_its_total(run: Callable[[OnProgress, Path], None], tmp_path: Path) -> None:
    reports: list[Progress] = []
    run(reports.append, tmp_path)
    assert check_counts(reports) == STAGES[run]


def test_what_fails_is_counted(tmp_path: Path) -> None:
    reports: list[Progress] = []
    score_traces(reports.append, tmp_path)
    assert [report for report in reports if report.stage == "judge"][-1] == Progress("judge", 3, 3, failed=1)


def check_counts(reports: list[Progress]) -> list[str]:
    """Check that each stage counts up to its total; return the stages in their order."""
    stages = [(stage, list(parts)) for stage, parts in groupby(reports, key=lambda report: report.stage)]
    for stage, parts in stages:
        done = [report.done for report in parts]
        assert done == sorted(done), stage
        assert parts[-1].done == parts[-1].total, stage
        assert {report.total for report in parts} <= {None, parts[-1].total}, stage
        assert all(0 <= report.failed <= parts[-1].done for report in parts), stage
    return [stage for stage, _ in stages]


@pytest.mark.slow
def test_an_audit_counts_its_cases_and_says_how_its_scripts_are_isolated(tmp_path: Path) -> None:
    reports: list[Progress] = []
    verify(reports.append, tmp_path)
    lasting = [report for report in reports if report.lasting]
    stages = check_counts([report for report in reports if not report.lasting])
    assert [stage for stage in stages if stage == "libraries"] == ["libraries", "libraries"]
    assert [report.stage for report in lasting] == [stage for stage in stages if stage != "libraries"]
    assert all(report.note.startswith("sandbox ") for report in lasting)
    assert "scripts run" in reports[-1].note
