"""The scripted teacher says what the truth says, to a real judge, over the wire or as a function."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.concurrency import run_in_loop
from goldproof.errors import InputError
from goldproof.judge.judge import SCALES, Scale
from goldproof.judge.llm_judge import LlmJudge
from goldproof.judge.prompts import PROMPTS, WITHOUT_CONTEXT, judge_ask, own_answer_ask
from goldproof.judge.without_context import answered_without_context
from goldproof.llm.access import Access
from goldproof.llm.model import open_model
from goldproof.records.entities import Document, Question
from goldproof.testing import BadRequest, Faults, ModelServer, Request, Teacher

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.judge.judge import Ruling
    from goldproof.testing import Answer

A = Document("pkg.A", "A makes agents.\nIt takes tools.", title="A")
B = Document("pkg.B", "B wraps a function as a tool.")
C = Document("pkg.C", "C does both: agents with tools.")
D = Document("pkg.D", "", title="D has a title only")
Q = Question("q1", "How do I make an agent with a tool?", answer="Both", options=("Neither", "Both"))
NOBODY = Question("q2", "What is the colour of the sky?")
TRUTH = {Q.text: [{"pkg.A", "pkg.B"}, {"pkg.C"}], NOBODY.text: []}
ACCESS = Access(keep=False)


@pytest.fixture(params=["function", "server"])
def model(request: pytest.FixtureRequest) -> Iterator[Any]:
    teacher = Teacher(TRUTH, documents=[A, B, C], answers={Q.text: "Both"})
    if request.param == "function":
        yield open_model(teacher, ACCESS)
        return
    with ModelServer(teacher) as server:
        yield open_model(f"{server.url}#model=teacher", ACCESS)


def judged(model: Any, *documents: Document, question: Question = Q, scale: Scale = SCALES["yes-no"]) -> Ruling:  # noqa: ANN401
    return run_in_loop(LlmJudge([model], scale=scale).judge(question, documents))


def test_whole_sets_suffice_with_evidence_and_others_do_not(model: Any) -> None:  # noqa: ANN401
    both = judged(model, A, D, B)
    assert both.label == "yes"
    assert [(found.document, found.text) for found in both.evidence] == [
        ("pkg.A", "A makes agents."),
        ("pkg.B", B.text),
    ]
    assert judged(model, C).label == "yes"
    assert [judged(model, *few).label for few in ([A], [B], [D], [])] == ["no"] * 4
    assert judged(model, A, B, C, D, question=NOBODY).label == "no"


def test_what_is_missing_is_said_in_words_of_the_document_that_lacks(model: Any) -> None:  # noqa: ANN401
    assert judged(model, A).missing == B.text
    # {C} lacks one, {A, B} lacks two: C is nearest
    assert judged(model, D).missing == C.text
    assert judged(model, A, question=NOBODY).missing == ""


@pytest.mark.parametrize(("scale", "grades"), [("0-2", (2, 1, 0)), ("0-4", (4, 2, 0)), ("0-10", (10, 5, 0))])
def test_grades_are_the_highest_half_of_it_or_none(model: Any, scale: Any, grades: tuple[int, ...]) -> None:  # noqa: ANN401
    found = [judged(model, *documents, scale=SCALES[scale]).grade for documents in ([A, B], [A], [D])]
    assert tuple(found) == grades


def test_markers_are_texts_of_documents() -> None:
    teacher = Teacher({Q.text: [["takes tools", "wraps a function"]]}, by="marker", answers={Q.text: "Both"})
    model = open_model(teacher, ACCESS)
    ruling = judged(model, A, B)
    assert [(found.document, found.text) for found in ruling.evidence] == [
        ("pkg.A", "takes tools"),
        ("pkg.B", "wraps a function"),
    ]
    assert judged(model, A).missing == "wraps a function"
    assert teacher.asked == [(Q.text, ("pkg.A", "pkg.B")), (Q.text, ("pkg.A",))]


def test_quotes_can_be_invented() -> None:
    teacher = Teacher(TRUTH, answers={Q.text: "Both"}, invents_quotes=[Q.text])
    assert judged(open_model(teacher, ACCESS), C).label == "unsupported"


def test_a_wrong_answer_is_a_dispute() -> None:
    assert judged(open_model(Teacher(TRUTH, answers={Q.text: "Neither"}), ACCESS), C).label == "disputed"


@pytest.mark.parametrize("knows", [True, False])
def test_without_documents_it_answers_only_what_it_knows(knows: bool) -> None:
    teacher = Teacher(TRUTH, answers={Q.text: "Both"}, knows=[Q.text] if knows else [])
    done = run_in_loop(answered_without_context(Q, open_model(teacher, ACCESS)))
    assert done.answered is knows


def test_a_document_without_text_is_quoted_by_its_title() -> None:
    teacher = Teacher({NOBODY.text: [["pkg.D"]]})
    ruling = judged(open_model(teacher, ACCESS), D, question=NOBODY)
    assert (ruling.label, [found.in_title for found in ruling.evidence]) == ("yes", [True])


def test_a_question_that_it_was_not_told_is_an_error_and_not_a_no() -> None:
    ask = judge_ask(Question("q3", "Who?"), [A], prompt=PROMPTS["yes-no"])
    with pytest.raises(InputError, match=r"knows nothing of the question 'Who\?'"):
        Teacher(TRUTH)(ask.prompt)


def test_without_a_schema_it_answers_yes_or_no() -> None:
    answer = Teacher(TRUTH)(judge_ask(Q, [C], prompt=PROMPTS["yes-no"]).prompt)
    assert (answer["answerable"], answer["quotes"]) == ("YES", [C.text])
    assert "grade" not in answer


def test_only_what_the_form_has_is_said() -> None:
    schema = json.dumps(WITHOUT_CONTEXT.form.model_json_schema())
    assert set(Teacher(TRUTH)(f"{own_answer_ask(Q).prompt}\n{schema}")) == {"reason", "answer"}


def test_a_form_that_is_asked_for_in_words_is_understood() -> None:
    teacher = Teacher(TRUTH, answers={Q.text: "Both"})

    def without_forms(request: Request) -> Answer:
        return BadRequest("response_format is not supported") if request.wants_json else teacher(request)

    with ModelServer(without_forms) as server:
        model = open_model(f"{server.url}#model=teacher", ACCESS)
        assert judged(model, A, B, scale=SCALES["0-4"]).grade == 4
        assert [request.wants_json for request in server.requests] == [True, False]


def test_teachers_with_other_truths_have_other_keys() -> None:
    same = [Teacher(TRUTH).key, Teacher({Q.text: [["pkg.B", "pkg.A"], ["pkg.C"]], NOBODY.text: []}).key]
    assert same[0] == same[1]
    assert Teacher({**TRUTH, NOBODY.text: [{"pkg.D"}]}).key != same[0]


def test_rulings_under_faults_are_those_without() -> None:
    teacher = Teacher(TRUTH, documents=[A, B, C], answers={Q.text: "Both"})
    faults = Faults(teacher, every=1.3)
    with ModelServer(faults) as server:
        model = open_model(f"{server.url}#model=teacher", ACCESS)
        found = [judged(model, *documents).label for documents in ([A, B], [C], [A], [B], [D])]
    assert found == ["yes", "yes", "no", "no", "no"]
    assert sum(faults.injected.values()) > 0
