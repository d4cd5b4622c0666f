"""A real package as the corpus: google-adk, ten questions, the offline judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.corpus.packages import open_package
from goldproof.io.cases.case_files import read_cases
from goldproof.judge import find_answer

if TYPE_CHECKING:
    from goldproof.jobs.mine import MiningResult

CASES = Path(__file__).parent / "data" / "google_adk.yaml"
WRONG_METADATA = "adk:over-the-limit"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def mined() -> MiningResult:
    return goldproof.mine(CASES, corpus="package:google-adk", judge="answer", random=5, hard=5)


def test_every_target_resolves_through_its_re_export_and_holds_the_answer_where_it_should(mined: MiningResult) -> None:
    package = open_package("google-adk")
    for case in read_cases([CASES]).cases:
        for target in case.targets:
            resolved = package.names.resolve(target)
            assert resolved is not None
            document = mined.mined.documents[resolved]
            holds = find_answer(case.question.answer or "", document.text).verdict == "present"
            assert holds == (case.id != WRONG_METADATA), case.id
    assert mined.mined.problems == ()


def test_positives_hold_the_target_unless_the_metadata_are_wrong(mined: MiningResult) -> None:
    standings = {
        question.question.id: [one.standing for one in question.documents if "target" in one.sources]
        for question in mined.mined.questions
    }
    assert standings.pop("adk:planner") == []  # options name no target
    assert standings.pop(WRONG_METADATA) == ["negative"]
    assert standings == {name: ["positive"] for name in standings}
    assert len(standings) == 8
    confirmed = mined.to_dict()["targets_confirmed"]
    assert isinstance(confirmed, dict)
    assert (confirmed["hits"], confirmed["n"]) == (8, 9)


def test_every_positive_has_the_span_that_answers_as_evidence(mined: MiningResult) -> None:
    positives = [one for q in mined.mined.questions for one in q.documents if one.standing == "positive"]
    assert len(positives) >= 8
    for one in positives:
        assert one.ruling is not None
        for span in one.ruling.evidence:
            document = mined.mined.documents[span.document]
            assert (document.title if span.in_title else document.text)[span.start : span.end] == span.text


def test_what_is_written_is_evaluated_over_the_whole_package(mined: MiningResult, tmp_path: Path) -> None:
    out = mined.save(tmp_path)
    dataset = goldproof.read_dataset(out / "beir", documents=True)
    assert len(dataset.documents) == len(mined.mined.corpus) > 3_000
    result = goldproof.evaluate(out / "beir", retrievers={"bm25": "bm25"}, metrics="Hit@100, R@100")
    summary = result.study.summary("bm25", "Hit@100")
    answerable = sum(one.status == "answerable" for one in mined.mined.questions)
    assert summary.n == answerable >= 8
    assert summary.mean is not None
    assert summary.mean > 0.5
