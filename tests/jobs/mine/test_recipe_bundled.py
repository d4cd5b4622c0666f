"""The bundled example: its corpus is its sources, and every question is what it says it is."""

from __future__ import annotations

import ast
import json
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.corpus import open_corpus
from goldproof.io.cases.case_files import read_cases
from goldproof.judge import find_answer

if TYPE_CHECKING:
    from goldproof.records.entities import Document

EXAMPLE = Path(str(files("goldproof.data") / "mine" / "example"))
CASES = [EXAMPLE / name for name in ("choices.yaml", "interfaces.yaml", "fixes.yaml", "questions.jsonl")]
UNANSWERABLE = {"encryption", "port", "undo"}
TOGETHER = {"default-and-garbage": 2, "limits": 2, "first-copy": 3, "pinned-and-half": 2}


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    return {document.id: document for document in open_corpus(f"jsonl:{EXAMPLE / 'corpus.jsonl'}").documents}


def qualified(chunk: Document) -> str:
    module = str(chunk.metadata["source"]).removesuffix(".py").removesuffix("__init__")
    return ".".join(part for part in ("larder", module, str(chunk.metadata.get("symbol", ""))) if part)


def test_the_corpus_is_the_package_cut_by_its_symbols(documents: dict[str, Document]) -> None:
    chunks = open_corpus(f"folder:{EXAMPLE / 'larder'}").documents
    assert {qualified(chunk): chunk.text for chunk in chunks} == {d.id: d.text for d in documents.values()}
    assert len(chunks) == len(documents) == 45


def test_the_sources_and_the_programs_parse() -> None:
    programs = sorted(EXAMPLE.rglob("*.py"))
    assert len(programs) == 17
    for path in programs:
        ast.parse(path.read_text(encoding="utf-8"))


def test_every_case_can_be_read() -> None:
    cases = read_cases(CASES)
    assert cases.problems == ()
    kinds = [case.kind for case in cases.cases]
    assert Counter(kinds) == {"multiple_choice": 6, "api_understanding": 7, "fix_error": 3, "question": 12}


def test_every_target_is_a_document_and_holds_the_answer(documents: dict[str, Document]) -> None:
    targets = [(case, target) for case in read_cases(CASES).cases for target in case.targets]
    assert len(targets) == 7
    for case, target in targets:
        assert find_answer(case.question.answer or "", documents[target].text).verdict == "present", case.id


def test_every_answer_stands_in_some_document_and_those_of_unanswerables_in_none(
    documents: dict[str, Document],
) -> None:
    for case in read_cases(CASES).cases:
        if case.kind == "fix_error":
            continue
        parts = case.question.metadata.get("answer_parts") or [case.question.answer]
        assert isinstance(parts, list)
        holders = [{d.id for d in documents.values() if holds(part, d)} for part in parts]
        if case.id in UNANSWERABLE:
            assert holders == [set()], case.id
        else:
            assert all(holders), case.id
        if case.id in TOGETHER:  # no document holds two parts: so many are needed
            assert len(holders) == TOGETHER[case.id]
            assert not set.intersection(*holders)


def holds(part: object, document: Document) -> bool:
    return find_answer(str(part), f"{document.title}\n{document.text}").verdict == "present"


def test_no_wrong_option_stands_where_the_right_one_does(documents: dict[str, Document]) -> None:
    for case in read_cases(CASES).cases:
        for letter, option in case.options.items():
            right = [d for d in documents.values() if letter != case.key and holds(case.question.answer, d)]
            assert not any(holds(option, document) for document in right), (case.id, letter)


def test_questions_are_json_lines_with_an_id_a_text_and_an_answer() -> None:
    lines = (EXAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert all({"_id", "text", "answer"} <= json.loads(line).keys() for line in lines)


def test_mining_it_finds_every_answer_and_every_kernel() -> None:
    mined = goldproof.mine("example").mined
    found = {one.question.id: one for one in mined.questions}
    assert mined.problems == ()
    assert {name for name, one in found.items() if one.status == "unanswerable here"} == UNANSWERABLE
    undecided = {name for name, one in found.items() if one.status == "undecided"}
    assert undecided == {"fixes:stale-value", "fixes:own-policy", "fixes:never"}  # they have no answer in words
    assert found["default-and-garbage"].kernels == (
        ("larder.spoiling", "larder.spoiling.sweep"),
        ("larder.shelf.Shelf.put", "larder.spoiling.sweep"),
    )
    assert {name: len(found[name].kernels[0]) for name in TOGETHER} == TOGETHER
    for one in mined.questions:
        targets = [document.standing for document in one.documents if "target" in document.sources]
        assert targets in ([], ["positive"]), one.question.id
