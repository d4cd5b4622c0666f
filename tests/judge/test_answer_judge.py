from __future__ import annotations

from dataclasses import replace

import pytest

from goldproof.judge import AnswerJudge, Evidence, GoldJudge
from goldproof.llm.model import Estimate
from goldproof.records.entities import Document, Question
from tests.judge.scripted import PARIS, QUESTION, ROME, rule

HOPS = Question(
    "q",
    "Where was the author of Dune born?",
    answer="Tacoma",
    metadata={
        "answer_parts": ["Frank Herbert", "Tacoma"],
        "answer_aliases": ["City of Destiny"],
        "gold_kernels": [["dune", "herbert"], ["dune", "tacoma"]],
        "sub_questions": [
            {"question": "Who wrote Dune?", "document": "dune"},
            {"question": "Where was Herbert born?", "document": "herbert"},
        ],
    },
)
DUNE = Document("dune", "Dune is a novel by Frank Herbert.", "Dune")
HERBERT = Document("herbert", "He was born in Tacoma.", "Frank Herbert")
TACOMA = Document("tacoma", "Tacoma is a city.")


def without(question: Question, *names: str) -> Question:
    return replace(question, metadata={key: value for key, value in question.metadata.items() if key not in names})


def test_the_answer_in_a_document_is_a_yes_with_its_span() -> None:
    ruling = rule(AnswerJudge(), PARIS)
    assert ruling.label == "yes"
    assert ruling.evidence == (Evidence("fr", 15, 20, "Paris"),)


def test_an_absent_answer_is_a_no_and_is_what_is_missing() -> None:
    ruling = rule(AnswerJudge(), ROME)
    assert (ruling.label, ruling.missing) == ("no", "Paris")


def test_an_alias_and_the_title_count() -> None:
    question = replace(QUESTION, answer="The City of Light", metadata={"answer_aliases": ["France"]})
    assert rule(AnswerJudge(), PARIS, question=question).evidence == (Evidence("fr", 0, 6, "France", in_title=True),)


def test_a_list_may_stand_partly_in_the_title() -> None:
    question = replace(QUESTION, answer="['France', 'Paris']")
    ruling = rule(AnswerJudge(), PARIS, question=question)
    assert ruling.evidence == (Evidence("fr", 0, 6, "France", in_title=True), Evidence("fr", 15, 20, "Paris"))


@pytest.mark.parametrize(("answer", "reason"), [(None, "no answer"), ("", "no answer"), ("yes", "yes or no")])
def test_it_abstains_where_it_cannot_know(answer: str | None, reason: str) -> None:
    ruling = rule(AnswerJudge(), PARIS, question=replace(QUESTION, answer=answer))
    assert ruling.label == "abstained"
    assert reason in ruling.reason


def test_sets_need_more_than_the_last_hop() -> None:
    plain = without(HOPS, "answer_parts", "gold_kernels")
    assert "only the last hop" in (AnswerJudge().why_not_sets(plain) or "")
    assert rule(AnswerJudge(), DUNE, HERBERT, question=plain).label == "abstained"
    assert rule(AnswerJudge(), HERBERT, question=plain).label == "yes"


def test_every_part_must_stand_in_some_document_of_a_set() -> None:
    question = without(HOPS, "gold_kernels")
    assert AnswerJudge().why_not_sets(question) is None
    both = rule(AnswerJudge(), DUNE, TACOMA, question=question)
    assert both.label == "yes"
    assert [(each.document, each.text) for each in both.evidence] == [("dune", "Frank Herbert"), ("tacoma", "Tacoma")]
    one = rule(AnswerJudge(), DUNE, question=question)
    assert (one.label, one.missing) == ("no", "Tacoma")
    assert [each.text for each in one.evidence] == ["Frank Herbert"]
    assert rule(AnswerJudge(), HERBERT, question=question).label == "yes"  # the title names him


def test_aliases_stand_for_the_answer_and_for_no_other_part() -> None:
    question = without(HOPS, "gold_kernels")
    named = Document("n", "The City of Destiny, home of Frank Herbert")
    assert rule(AnswerJudge(), named, question=question).label == "yes"
    assert rule(AnswerJudge(), Document("n", "The City of Destiny"), question=question).missing == "Frank Herbert"


def test_a_part_that_cannot_be_judged_leaves_it_open_unless_another_is_absent() -> None:
    question = replace(HOPS, metadata={"answer_parts": ["yes", "Tacoma"]})
    assert rule(AnswerJudge(), TACOMA, question=question).label == "abstained"
    assert rule(AnswerJudge(), DUNE, question=question).label == "no"


def test_without_parts_the_gold_kernels_decide() -> None:
    question = without(HOPS, "answer_parts")
    assert AnswerJudge().why_not_sets(question) is None
    assert rule(AnswerJudge(), TACOMA, DUNE, question=question).label == "yes"
    assert rule(AnswerJudge(), HERBERT, question=question).label == "no"


def test_gold_is_a_whole_kernel_and_nothing_less() -> None:
    gold = GoldJudge()
    assert rule(gold, DUNE, HERBERT, question=HOPS).label == "yes"
    assert rule(gold, TACOMA, DUNE, ROME, question=HOPS).label == "yes"
    assert rule(gold, HERBERT, TACOMA, question=HOPS).reason == "the nearest gold kernel lacks dune."
    assert rule(gold, HERBERT, TACOMA, question=HOPS).label == "no"
    assert rule(gold, question=HOPS).label == "no"


def test_gold_names_the_sub_question_of_a_missing_document_where_it_is_known() -> None:
    gold = GoldJudge()
    assert rule(gold, HERBERT, question=HOPS).missing == "Who wrote Dune?"
    assert rule(gold, DUNE, question=HOPS).missing == "Where was Herbert born?"
    assert rule(gold, DUNE, question=without(HOPS, "sub_questions")).missing == ""


@pytest.mark.parametrize("kernels", [None, [], [[]], "dune", 7])
def test_without_gold_kernels_gold_abstains(kernels: object) -> None:
    question = replace(HOPS, metadata={"gold_kernels": kernels})
    assert rule(GoldJudge(), DUNE, question=question).label == "abstained"
    assert "no gold_kernels" in (GoldJudge().why_not_sets(question) or "")
    assert GoldJudge().why_not_sets(HOPS) is None


def test_rules_cost_nothing() -> None:
    assert AnswerJudge().estimate(QUESTION, [PARIS]) == GoldJudge().estimate(QUESTION, [PARIS]) == Estimate()


def test_a_thousand_documents_are_judged_together() -> None:
    documents = [Document(f"d{i}", f"nothing here {i}") for i in range(998)]
    question = without(HOPS, "gold_kernels")
    assert rule(AnswerJudge(), *documents, DUNE, TACOMA, question=question).label == "yes"


def test_what_its_dataset_calls_unanswerable_no_document_answers() -> None:
    gold = GoldJudge()
    for question in (replace(QUESTION, answerable=False), replace(HOPS, answerable=False)):
        for documents in ((PARIS,), (DUNE, HERBERT)):
            ruling = rule(gold, *documents, question=question)
            assert (ruling.label, ruling.reason) == ("no", "its dataset says that nothing answers it.")
        assert gold.why_not_sets(question) is None


def test_the_name_of_something_in_code_is_no_word() -> None:
    text = Document("d", "It makes progress, by the ADVANCE.", "progress")
    name = replace(QUESTION, answer="Progress", metadata={"answer_is_name": True})
    assert rule(AnswerJudge(), text, question=name).label == "no"
    assert rule(AnswerJudge(), replace(text, title="Progress"), question=name).label == "yes"
    assert rule(AnswerJudge(), text, question=replace(name, metadata={})).label == "yes"
    assert rule(AnswerJudge(), text, question=replace(name, metadata={"answer_is_name": "no"})).label == "yes"
    alias = replace(name, metadata={**name.metadata, "answer_aliases": ["advance"]})
    assert rule(AnswerJudge(), text, question=alias).label == "yes"
    parts = replace(name, metadata={**name.metadata, "answer_parts": ["advance", "Progress"]})
    assert rule(AnswerJudge(), text, question=parts).missing == "Progress"
