"""For any rulings, the standings of documents never contradict the kernels, nor the status either of them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.jobs.mine.files import is_answerable, judged_question
from goldproof.jobs.mine.kernels import KernelSettings, find_kernels
from goldproof.jobs.mine.labels import label_question
from goldproof.jobs.mine.records import Candidate, MinedQuestion
from goldproof.judge.judge import GRADES_4, YES_NO, Label, Ruling, Scale
from tests.jobs.mine.kernel_truth import QUESTION, bm25_search, corpus, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.mine.kernels import KernelOutcome
    from goldproof.llm.model import Estimate
    from goldproof.records.entities import Document, Question

DOCUMENTS = corpus(7)
SEARCH = bm25_search(DOCUMENTS.values())
IDS = sorted(DOCUMENTS)
LABELS: tuple[Label, ...] = ("yes", "no", "unsupported", "disputed", "abstained", "failed")


class RandomJudge:
    """Says what a number says, the same of the same set; `weights`: how often each label, out of their sum."""

    key, concurrency = "random", 1

    def __init__(self, salt: int, weights: Sequence[int], scale: Scale) -> None:
        self._salt, self._weights, self.scale = salt, weights, scale

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:  # noqa: ARG002
        return self.ruling([document.id for document in documents])

    def ruling(self, ids: Sequence[str]) -> Ruling:
        digest = hashlib.sha256(f"{self._salt} {sorted(ids)}".encode()).digest()
        drawn = [label for label, many in zip(LABELS, self._weights, strict=True) for _ in range(many)]
        label = drawn[digest[0] % len(drawn)]
        grade = {"yes": 3 + digest[1] % 2, "no": digest[1] % 3}.get(label, digest[1] % 5)
        missing = f"own{digest[2] % 7}" if label == "no" and digest[2] % 3 else ""
        return Ruling(label, grade=grade if self.scale is GRADES_4 else None, missing=missing)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        raise NotImplementedError

    def why_not_sets(self, question: Question) -> str | None:  # noqa: ARG002
        return None


@st.composite
def labelled_questions(draw: st.DrawFn) -> tuple[MinedQuestion, KernelOutcome | None, Scale]:
    """Mine a question with a judge that says anything."""
    scale = draw(st.sampled_from([YES_NO, GRADES_4]))
    weights = [(1, 12, 1, 1, 1, 1), (0, 12, 1, 0, 0, 1), (0, 1, 0, 0, 0, 0), (1, 6, 0, 0, 0, 0), (3, 3, 1, 1, 1, 1)]
    judge = RandomJudge(draw(st.integers(0, 10_000)), draw(st.sampled_from(weights)), scale)
    looked_at = draw(st.lists(st.sampled_from(IDS), unique=True, max_size=6))
    alone = {one: judge.ruling([one]) for one in looked_at}
    chosen = KernelSettings(
        steps=draw(st.integers(0, 4)),
        per_step=draw(st.integers(1, 2)),
        seeds=draw(st.integers(1, 3)),
        size=draw(st.sampled_from([2, 4, 9])),
        alternatives=draw(st.integers(0, 3)),
        rulings=draw(st.sampled_from([2, 8, 60])),
    )
    outcome = None
    if draw(st.integers(0, 5)):
        outcome = run(
            find_kernels(
                QUESTION,
                start=[DOCUMENTS[one] for one in looked_at],
                judge=judge,
                search=SEARCH,
                settings=chosen,
                known={frozenset({one}): ruling for one, ruling in alone.items()},
            )
        )
    candidates = [Candidate("q", one, ("bm25",)) for one in looked_at]
    mined = label_question(QUESTION, candidates=candidates, alone=alone, outcome=outcome, scale=scale, corpus=len(IDS))
    return mined, outcome, scale


@given(labelled_questions())
@settings(max_examples=300)
def test_where_a_document_stands_agrees_with_its_ruling_and_with_the_kernels(
    found: tuple[MinedQuestion, KernelOutcome | None, Scale],
) -> None:
    mined, outcome, scale = found
    unverified = set() if outcome is None else {one for ids in outcome.unverified for one in ids}
    inside = {one for kernel in mined.kernels for one in kernel}
    assert inside <= {one.id for one in mined.documents}, "a kernel holds a document that is not listed"
    for one in mined.documents:
        sufficient = None if one.ruling is None else one.ruling.sufficient
        grade = -1 if one.ruling is None or one.ruling.grade is None else one.ruling.grade
        bears = sufficient is False and scale is GRADES_4 and grade == 2
        expected = (
            "positive"
            if sufficient
            else "partial"
            if one.id in inside or bears
            else "negative"
            if sufficient is False and one.id not in unverified
            else "unjudged"
        )
        assert one.standing == expected, one
        if outcome is not None:
            assert ((one.id,) in mined.kernels) == (one.standing == "positive")
            several = any(one.id in kernel for kernel in mined.kernels if len(kernel) > 1)
            assert not (several and one.standing != "partial"), "a part of a kernel that suffices alone, or is a no"


@given(labelled_questions())
@settings(max_examples=300)
def test_the_status_agrees_with_all_rulings_and_can_be_written(
    found: tuple[MinedQuestion, KernelOutcome | None, Scale],
) -> None:
    mined, outcome, _ = found
    rulings = [one.ruling for one in mined.documents if one.ruling is not None]
    rulings += [one.ruling for one in mined.set_rulings]
    assert (mined.status == "answerable") == any(ruling.sufficient for ruling in rulings)
    if mined.status == "unanswerable here":
        assert outcome is not None
        assert outcome.bounded in ("", "steps")
        assert all(ruling.sufficient is False for ruling in rulings)
        assert not any(judged_question(mined).grades.values())
        silent = any(not one.ruling.missing for one in mined.set_rulings)
        seen = {one for asked in mined.set_rulings for one in asked.documents} | {one.id for one in mined.documents}
        assert outcome.exhausted or not silent or len(seen) == len(IDS)
        assert not is_answerable(mined)
    else:
        assert is_answerable(mined)
