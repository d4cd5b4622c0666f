"""The standing of documents after mining, and the status of the question."""

from __future__ import annotations

import pytest

from goldproof.jobs.mine.files import judged_question, written_question
from goldproof.jobs.mine.kernels import KernelOutcome
from goldproof.jobs.mine.labels import label_question
from goldproof.jobs.mine.records import Candidate, MinedQuestion, SetRuling, Standing
from goldproof.judge.judge import GRADES_2, GRADES_4, GRADES_10, YES_NO, Label, Ruling, Scale
from goldproof.records.entities import Question
from tests.jobs.mine.kernel_truth import QUESTION

YES, NO, FAILED = Ruling("yes"), Ruling("no"), Ruling("failed", reason="scripted")
RULED = {"a": NO, "b": NO, "c": YES, "d": FAILED}


def labelled(
    alone: dict[str, Ruling],
    outcome: KernelOutcome | None = None,
    *,
    scale: Scale | None = None,
    corpus: int | None = None,
) -> MinedQuestion:
    candidates = [Candidate("q", one, ("bm25",)) for one in (*alone, "never")]
    return label_question(QUESTION, candidates=candidates, alone=alone, outcome=outcome, scale=scale, corpus=corpus)


def standings(question: MinedQuestion) -> dict[str, Standing]:
    return {document.id: document.standing for document in question.documents}


def asked(*sets: tuple[str, Ruling]) -> tuple[SetRuling, ...]:
    return tuple(SetRuling(tuple(ids.split()), ruling, "expand") for ids, ruling in sets)


def test_without_kernels_a_document_stands_as_it_was_ruled_alone() -> None:
    question = labelled(RULED)
    assert standings(question) == {
        "a": "negative",
        "b": "negative",
        "c": "positive",
        "d": "unjudged",
        "never": "unjudged",
    }
    assert (question.status, question.reason) == ("answerable", "sufficient alone: 1")


def test_a_member_of_a_kernel_is_partial_and_never_a_negative() -> None:
    outcome = KernelOutcome(kernels=(("a", "new"), ("c",)), added=(("new", "expansion"), ("other", "expansion")))
    question = labelled(RULED, outcome)
    assert standings(question) == {
        "a": "partial",
        "b": "negative",
        "c": "positive",
        "d": "unjudged",
        "never": "unjudged",
        "new": "partial",
        "other": "unjudged",
    }
    assert question.documents[-1].sources == ("expansion",)
    assert question.kernels == outcome.kernels
    assert question.reason == "sufficient alone: 1, kernels of several documents: 1"


def test_a_member_of_a_set_that_may_not_be_minimal_is_neither_partial_nor_negative() -> None:
    question = labelled({"a": NO, "b": NO}, KernelOutcome(unverified=(("a", "x"),)))
    assert standings(question) == {"a": "unjudged", "b": "negative", "never": "unjudged"}
    assert question.status == "answerable"
    assert question.kernels == ()


def test_a_ruling_on_a_single_document_counts_wherever_it_was_asked_for() -> None:
    outcome = KernelOutcome(
        rulings=asked(("x", NO), ("y", YES), ("x z", NO)), added=(("x", "expansion"), ("y", "expansion"))
    )
    question = labelled({"a": NO}, outcome)
    assert standings(question) == {"a": "negative", "never": "unjudged", "x": "negative", "y": "positive"}
    assert question.documents[-1].ruling == YES


def test_nothing_sufficient_is_undecided_where_kernels_were_not_looked_for() -> None:
    question = labelled({"a": NO, "b": NO})
    assert question.status == "undecided"
    assert question.reason == "nothing sufficient among 2 documents; kernels were not looked for"


def test_unanswerable_here_needs_a_no_to_everything() -> None:
    rulings = asked(("a", NO), ("a x y", NO))
    question = labelled({"a": NO, "b": NO}, KernelOutcome(rulings=rulings, exhausted=True), corpus=1_200)
    assert question.status == "unanswerable here"
    assert question.reason == (
        "nothing sufficient among 4 of 1,200 documents, alone or together; every ruling was a no, "
        "and the search was exhausted"
    )


def test_steps_that_ran_out_on_what_the_judge_named_are_unanswerable_here() -> None:
    rulings = asked(("a", NO), ("a x y", NO))
    question = labelled({"a": NO}, KernelOutcome(rulings=rulings, bounded="steps", informed=True), corpus=90)
    assert question.status == "unanswerable here"
    assert question.reason == (
        "nothing sufficient among 3 of 90 documents, alone or together; every ruling was a no, "
        "and the steps of the search ran out on what the judge named as missing"
    )


def test_steps_that_ran_out_blindly_leave_it_undecided() -> None:
    rulings = asked(("a", NO), ("a x y", NO))
    question = labelled({"a": NO}, KernelOutcome(rulings=rulings, bounded="steps"), corpus=90)
    assert question.status == "undecided"
    assert question.reason == (
        "nothing sufficient among 3 of 90 documents; "
        "the steps of the search ran out, and the judge did not always say what is missing"
    )


def test_steps_that_ran_out_after_all_of_the_corpus_was_looked_at_are_unanswerable_here() -> None:
    outcome = KernelOutcome(rulings=asked(("a x y", NO)), bounded="steps")
    assert labelled({"a": NO}, outcome, corpus=3).status == "unanswerable here"
    assert labelled({"a": NO}, outcome, corpus=4).status == "undecided"
    assert labelled({"a": NO}, outcome).status == "undecided"


@pytest.mark.parametrize("bound", ["size", "rulings", "alternatives", "search failed"])
@pytest.mark.parametrize("steps", ["", "steps, "])
def test_any_other_bound_leaves_it_undecided_however_much_was_seen(bound: str, steps: str) -> None:
    outcome = KernelOutcome(rulings=asked(("a x", NO)), bounded=f"{steps}{bound}", informed=True)
    question = labelled({"a": NO}, outcome, corpus=2)
    assert question.status == "undecided"
    assert question.reason == f"nothing sufficient among 2 of 2 documents; the search was cut short ({steps}{bound})"


def graded(grade: int | None, label: Label = "no") -> Ruling:
    return Ruling(label, grade=grade)


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (GRADES_2, {0: "negative", 1: "partial"}),
        (GRADES_4, {0: "negative", 1: "negative", 2: "partial"}),
        (GRADES_10, {3: "negative", 4: "partial", 6: "partial"}),
        (YES_NO, {0: "negative", 1: "negative"}),
        (None, {2: "negative"}),
    ],
)
def test_what_bears_on_the_question_by_its_grade_is_partial(scale: Scale | None, expected: dict[int, str]) -> None:
    for grade, standing in expected.items():
        assert standings(labelled({"a": graded(grade)}, scale=scale))["a"] == standing


def test_a_grade_counts_only_with_a_ruling_that_counts() -> None:
    labels: list[Label] = ["unsupported", "disputed", "abstained", "failed"]
    alone: dict[str, Ruling] = {label: graded(2, label) for label in labels}
    found = standings(labelled(alone | {"a": graded(None)}, scale=GRADES_4))
    assert {found.pop(label) for label in labels} == {"unjudged"}
    assert found == {"a": "negative", "never": "unjudged"}
    assert standings(labelled({"a": graded(3, "yes")}, scale=GRADES_4))["a"] == "positive"


def test_a_question_on_which_something_bears_is_not_called_unanswerable() -> None:
    outcome = KernelOutcome(rulings=asked(("a b", NO)), exhausted=True)
    question = labelled({"a": graded(2), "b": graded(0)}, outcome, scale=GRADES_4, corpus=2)
    assert question.status == "undecided"
    assert question.reason == "nothing sufficient among 2 of 2 documents; 1 document bears on it by the judge's grade"
    # marked unanswerable it would be refused by the BEIR folder: a grade above 0 says that something is relevant
    assert judged_question(question).grades == {"a": 1, "b": 0}
    assert written_question(question).answerable


def test_a_ruling_without_an_outcome_leaves_it_undecided() -> None:
    alone = labelled({"a": NO, "b": FAILED}, KernelOutcome(rulings=asked(("a x", NO)), exhausted=True))
    together = labelled({"a": NO}, KernelOutcome(rulings=asked(("a x", FAILED)), exhausted=True, failed=1))
    assert alone.status == together.status == "undecided"
    assert alone.reason == "nothing sufficient among 3 documents; 1 ruling without an outcome"


def test_a_search_cut_short_leaves_it_undecided() -> None:
    question = labelled({"a": NO}, KernelOutcome(rulings=asked(("a x", NO)), bounded="steps, rulings"))
    assert question.status == "undecided"
    assert question.reason == "nothing sufficient among 2 documents; the search was cut short (steps, rulings)"


def test_a_question_for_which_nothing_was_found_is_undecided() -> None:
    question = label_question(QUESTION, candidates=(), alone={}, outcome=KernelOutcome(exhausted=True))
    assert question.status == "undecided"
    assert question.reason == "nothing sufficient among 0 documents; no document was found to judge"


def test_a_question_that_its_own_dataset_calls_unanswerable_is_so_unless_something_is_found() -> None:
    question = Question("q", "?", answerable=False)
    candidates = [Candidate("q", "a", ("random",))]
    nothing = label_question(question, candidates=candidates, alone={"a": Ruling("no")})
    assert (nothing.status, nothing.reason.endswith("its own dataset says that nothing answers it")) == (
        "unanswerable here",
        True,
    )
    assert label_question(question, candidates=candidates, alone={"a": Ruling("yes")}).status == "answerable"
    said = label_question(Question("q", "?"), candidates=candidates, alone={"a": Ruling("no")})
    assert said.status == "undecided"
