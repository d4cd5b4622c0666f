"""Mining with models that are scripted: an agent, a teacher who knows the answer anyway, and where kernels start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.jobs.mine.counts import discovery_counts
from goldproof.jobs.mine.files import discovery_lines
from goldproof.jobs.mine.kernels import KernelOutcome
from goldproof.jobs.mine.question_miner import merge_outcomes
from goldproof.jobs.mine.records import SetRuling
from goldproof.judge import LlmJudge, read_prompt
from goldproof.judge.judge import GRADES_4, Ruling
from goldproof.judge.prompts import letter_of
from goldproof.llm import open_model
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.jobs.mine.records import MinedQuestion

AGENT = "tests.jobs.mine.scripted_agent"
# The halves share no word with the question, and decoys more of them than an expansion may look at.
RECIPE = Question("soup", "How is the galley soup made?")
HALVES = (Document("half-1", "Stir leeks slowly."), Document("half-2", "Wait until they soften."))
DECOYS = tuple(Document(f"decoy-{i}", f"The galley soup number {i} is made elsewhere.") for i in range(40))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


def both_halves(_: Question, documents: Sequence[Document]) -> bool:
    return {"half-1", "half-2"} <= {document.id for document in documents}


def mined_soup(discover: str | None) -> goldproof.MiningResult:
    return goldproof.mine(
        [RECIPE], corpus=(*DECOYS, *HALVES), judge=both_halves, kernels=True, hard=3, random=0, discover=discover
    )


def test_an_agent_finds_a_kernel_that_candidates_and_expansion_do_not() -> None:
    (without,), (found,) = mined_soup(None).mined.questions, mined_soup(f"{AGENT}:agent").mined.questions
    assert without.kernels == ()
    assert not {one.id for one in without.documents} & {"half-1", "half-2"}
    assert without.discovery is None
    assert found.kernels == (("half-1", "half-2"),)
    halves = {one.id: (one.standing, one.sources) for one in found.documents if one.id in ("half-1", "half-2")}
    assert halves == {"half-1": ("partial", ("agent",)), "half-2": ("partial", ("agent",))}
    assert next(one.why for one in found.set_rulings if len(one.documents) > 1) == "agent"


def test_what_the_agent_did_is_kept_and_counted() -> None:
    result = mined_soup(f"{AGENT}:agent")
    (found,) = result.mined.questions
    assert found.discovery is not None
    lines = [json.loads(line) for line in discovery_lines(result.mined)]
    assert lines == [
        {
            "query_id": "soup",
            "ended": "answered",
            "steps": 4,
            "inspected": ["half-1", "half-2", "decoy-0"],
            "candidates": ["half-1", "half-2"],
            "cited": ["half-1", "half-2"],
            "used": [],
            "unread": ["never-read"],
            "answer": "stir, then wait",
            "reason": "",
        }
    ]
    assert discovery_counts(result.mined) == {
        "answered": 1,
        "out of steps": 0,
        "failed": 0,
        "answered from nothing read": 0,
        "cited but never read": 1,
    }
    assert "Discovery by an agent" in result.report()
    assert "1 names were cited but never read" in result.report()


@pytest.mark.parametrize(
    ("name", "ended", "reason"),
    [("lost", "out of steps", "no answer within 12 steps"), ("broken", "failed", "the model failed at step 2: ")],
)
def test_an_agent_that_comes_to_nothing_is_counted_with_its_reason(name: str, ended: str, reason: str) -> None:
    result = mined_soup(f"{AGENT}:{name}")
    (line,) = [json.loads(line) for line in discovery_lines(result.mined)]
    assert (line["ended"], line["candidates"], line["answer"]) == (ended, [], "")
    assert line["reason"].startswith(reason)
    assert discovery_counts(result.mined)[ended] == 1


def test_rulings_that_ran_out_on_the_agents_proposal_leave_the_search_unexhausted() -> None:
    asked = KernelOutcome(rulings=(SetRuling(("a", "b"), Ruling("failed"), "agent"),), bounded="rulings", failed=1)
    found = KernelOutcome(rulings=(SetRuling(("a", "c"), Ruling("no"), "seed"),), bounded="steps", informed=True)
    both = merge_outcomes(asked, found)
    assert (both.bounded, both.exhausted, both.failed, both.informed) == ("steps, rulings", False, 1, True)
    assert [one.why for one in both.rulings] == ["agent", "seed"]
    assert merge_outcomes(KernelOutcome(exhausted=True), KernelOutcome(exhausted=True)).exhausted


def test_without_an_agent_nothing_is_said_of_one() -> None:
    result = mined_soup(None)
    assert list(discovery_lines(result.mined)) == []
    assert discovery_counts(result.mined) == {}
    assert "agent" not in str(result)


def grader(prompt: str) -> dict[str, object]:
    """Grade: decoy-1 bears on the soup, decoy-2 hardly, and nothing suffices."""
    names = {document.id for document in read_prompt(prompt).documents}
    grade = 2 if names == {"decoy-1"} else 1 if names == {"decoy-2"} else 0
    return {"grade": grade, "missing": "leeks" if len(names) > 1 else ""}


def test_what_a_judge_grades_as_bearing_on_the_question_is_partial(tmp_path: Path) -> None:
    judge = LlmJudge([open_model(grader)], scale=GRADES_4)
    result = goldproof.mine([RECIPE], corpus=DECOYS[:4], judge=judge, random=0, hard=4, no_context=False)
    (found,) = result.mined.questions
    standings = {one.id: one.standing for one in found.documents}
    assert standings == {"decoy-0": "negative", "decoy-1": "partial", "decoy-2": "negative", "decoy-3": "negative"}
    grades = goldproof.read_dataset(result.save(tmp_path / "out") / "beir").judgments.to_dict()
    assert grades == {"soup": {"decoy-0": 0, "decoy-1": 1, "decoy-2": 0, "decoy-3": 0}}


def test_a_search_that_ran_out_of_steps_is_undecided_unless_the_judge_said_what_is_missing() -> None:
    def silent(_: Question, __: Sequence[Document]) -> bool:
        return False

    def naming(_: Question, __: Sequence[Document]) -> Ruling:
        return Ruling("no", missing="slow stirring of soup")

    found = {
        judge: goldproof.mine([RECIPE], corpus=DECOYS, judge=judge, kernels=True, hard=3, random=0).mined.questions[0]
        for judge in (silent, naming)
    }
    assert [one.status for one in found.values()] == ["undecided", "unanswerable here"]
    # 3 best hits, and 4 times 3 documents more
    assert all("nothing sufficient among 15 of 40 documents" in one.reason for one in found.values())


CHOICE = Question("which", "Which knot holds the anchor?", answer="bowline", options=("reef", "bowline", "granny"))
TOLD = Question("weight", "How heavy is the anchor?", answer="40 kg")
SHIP = (Document("anchor", "The anchor of the boat weighs much."), Document("sail", "The sail of the boat is red."))


class Teacher:
    """Says no to every document; asked without any, it says what it knows by heart. asked: those prompts."""

    def __init__(self, knows: bool) -> None:
        self.knows = knows
        self.asked: list[str] = []
        self.key = f"teacher, knows: {knows}"

    def __call__(self, prompt: str) -> dict[str, object]:
        framed = read_prompt(prompt)
        if framed.documents:
            return {"answerable": "NO", "missing": "all of it"}
        self.asked.append(framed.question)
        if not framed.options:
            return {"answer": "It weighs 40 kg." if self.knows else "Nobody can say."}
        return {"answer": letter_of(framed.options.index("bowline")) if self.knows else "A"}


def asked_blind(teacher: Teacher, *, no_context: bool | None = None) -> dict[str, MinedQuestion]:
    judge = LlmJudge([open_model(teacher)])
    result = goldproof.mine([CHOICE, TOLD], corpus=SHIP, judge=judge, random=1, hard=1, no_context=no_context)
    return {one.question.id: one for one in result.mined.questions}


def test_a_question_that_a_teacher_knows_by_heart_is_flagged() -> None:
    teacher = Teacher(knows=True)
    found = asked_blind(teacher)
    assert {name: one.without_context for name, one in found.items()} == {"which": True, "weight": True}
    assert found["which"].without_context_reason.startswith("right in 3 of 3 orders of the options")
    # three orders of the options, so that a lucky letter does not count; the other question once
    assert sorted(teacher.asked) == [TOLD.text, *[CHOICE.text] * 3]


def test_a_question_that_the_teacher_does_not_know_is_not_flagged() -> None:
    found = asked_blind(Teacher(knows=False))
    # always "A": in the first order that is the reef knot
    assert {name: one.without_context for name, one in found.items()} == {"which": False, "weight": False}
    assert "'Nobody can say.'" in found["weight"].without_context_reason


def test_without_no_context_nobody_is_asked() -> None:
    teacher = Teacher(knows=True)
    found = asked_blind(teacher, no_context=False)
    assert teacher.asked == []
    assert {one.without_context for one in found.values()} == {None}


def dataset(folder: Path, *, target: str) -> Path:
    """Write a dataset with one question; its gold document is a target of mining."""
    folder.mkdir()
    (folder / "qrels").mkdir()
    texts = {"_id": RECIPE.id, "text": RECIPE.text}
    (folder / "queries.jsonl").write_text(json.dumps(texts) + "\n")
    corpus = ({"_id": one.id, "title": "", "text": one.text} for one in (*DECOYS, *HALVES))
    (folder / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in corpus))
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{RECIPE.id}\t{target}\t1\n")
    return folder


def seeds(found: MinedQuestion) -> set[str]:
    """Return the documents of the first set that was asked about."""
    return set(next(one for one in found.set_rulings if one.why == "seed").documents)


def sources(found: MinedQuestion, ids: set[str]) -> set[tuple[str, ...]]:
    return {one.sources for one in found.documents if one.id in ids}


def test_kernels_start_from_targets_then_from_the_best_hits(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "data", target="half-1")
    result = goldproof.mine(folder, judge=both_halves, kernels=True, hard=3, random=5, seed=2)
    (found,) = result.mined.questions
    # four seeds: the target, and the three best hits; none that only chance brought in
    assert len(seeds(found)) == 4
    assert "half-1" in seeds(found)
    assert sum(one.sources == ("random",) for one in found.documents) >= 3
    assert ("random",) not in sources(found, seeds(found))


def test_random_documents_are_a_start_only_where_there_is_nothing_else() -> None:
    corpus = (*DECOYS, *HALVES)
    (found,) = goldproof.mine(
        [RECIPE], corpus=corpus, judge=both_halves, kernels=True, random=3, hard=2
    ).mined.questions
    assert len(seeds(found)) == 2
    assert all("bm25" in one for one in sources(found, seeds(found)))
    (alone,) = goldproof.mine(
        [RECIPE], corpus=corpus, judge=both_halves, kernels=True, random=3, hard=0
    ).mined.questions
    assert sources(alone, seeds(alone)) == {("random",)}
    assert len(seeds(alone)) == 3
