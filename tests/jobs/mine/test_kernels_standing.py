"""Where documents stand after mining, and whether a question can be answered here."""

from __future__ import annotations

from karat.jobs.mine.kernels import KernelOutcome, settle
from karat.jobs.mine.mined import Candidate, MinedQuestion, SetRuling, Standing
from karat.judge.ruling import Ruling
from tests.jobs.mine.kernel_truth import QUESTION

YES, NO, FAILED = Ruling("yes"), Ruling("no"), Ruling("failed", reason="scripted")
RULED = {"a": NO, "b": NO, "c": YES, "d": FAILED}


def settled(alone: dict[str, Ruling], outcome: KernelOutcome | None = None) -> MinedQuestion:
    candidates = [Candidate("q", one, ("bm25",)) for one in (*alone, "never")]
    return settle(QUESTION, candidates=candidates, alone=alone, outcome=outcome)


def standings(question: MinedQuestion) -> dict[str, Standing]:
    return {document.id: document.standing for document in question.documents}


def asked(*sets: tuple[str, Ruling]) -> tuple[SetRuling, ...]:
    return tuple(SetRuling(tuple(ids.split()), ruling, "expand") for ids, ruling in sets)


def test_without_kernels_a_document_stands_as_it_was_ruled_alone() -> None:
    question = settled(RULED)
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
    question = settled(RULED, outcome)
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
    question = settled({"a": NO, "b": NO}, KernelOutcome(unverified=(("a", "x"),)))
    assert standings(question) == {"a": "unjudged", "b": "negative", "never": "unjudged"}
    assert question.status == "answerable"
    assert question.kernels == ()


def test_a_ruling_on_a_single_document_counts_wherever_it_was_asked_for() -> None:
    outcome = KernelOutcome(
        rulings=asked(("x", NO), ("y", YES), ("x z", NO)), added=(("x", "expansion"), ("y", "expansion"))
    )
    question = settled({"a": NO}, outcome)
    assert standings(question) == {"a": "negative", "never": "unjudged", "x": "negative", "y": "positive"}
    assert question.documents[-1].ruling == YES


def test_nothing_sufficient_is_undecided_where_kernels_were_not_looked_for() -> None:
    question = settled({"a": NO, "b": NO})
    assert question.status == "undecided"
    assert question.reason == "nothing sufficient among 2 documents; kernels were not looked for"


def test_unanswerable_here_needs_a_no_to_everything() -> None:
    rulings = asked(("a", NO), ("a x y", NO))
    question = settled({"a": NO, "b": NO}, KernelOutcome(rulings=rulings, exhausted=True))
    assert question.status == "unanswerable here"
    assert question.reason == (
        "nothing sufficient among 4 documents, alone or together; every ruling was a no, and the search was exhausted"
    )
    bounded = settled({"a": NO}, KernelOutcome(rulings=rulings, bounded="steps"))
    assert bounded.status == "unanswerable here"
    assert bounded.reason.endswith("and the steps of the search ran out")


def test_a_ruling_without_an_outcome_leaves_it_undecided() -> None:
    alone = settled({"a": NO, "b": FAILED}, KernelOutcome(rulings=asked(("a x", NO)), exhausted=True))
    together = settled({"a": NO}, KernelOutcome(rulings=asked(("a x", FAILED)), exhausted=True, failed=1))
    assert alone.status == together.status == "undecided"
    assert alone.reason == "nothing sufficient among 3 documents; 1 ruling without an outcome"


def test_a_search_cut_short_leaves_it_undecided() -> None:
    question = settled({"a": NO}, KernelOutcome(rulings=asked(("a x", NO)), bounded="steps, rulings"))
    assert question.status == "undecided"
    assert question.reason == "nothing sufficient among 2 documents; the search was cut short (steps, rulings)"


def test_a_question_for_which_nothing_was_found_is_undecided() -> None:
    question = settle(QUESTION, candidates=(), alone={}, outcome=KernelOutcome(exhausted=True))
    assert question.status == "undecided"
    assert question.reason == "nothing sufficient among 0 documents; no document was found to judge"
