from __future__ import annotations

import hashlib

import pytest

from goldproof.judge import SCALES, read_prompt
from goldproof.judge.prompts import PROMPTS, WITHOUT_QUOTES, Grade2, Grade4, Grade10, YesNo, judge_ask, own_answer_ask
from goldproof.records.entities import Document, Question
from tests.judge.scripted import PARIS, QUESTION

SECRETS = Question(
    "q",
    "Which?",
    answer="list",
    options=("dict", "list"),
    metadata={"explanation": "because of XYZZY", "rationale": "XYZZY"},
)


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_has_a_prompt_with_a_version_that_asks_for_quotes(scale: str) -> None:
    prompt = PROMPTS[scale]
    assert prompt.name == f"judge-{'yes' if scale == 'yes-no' else scale}-1"
    assert "quotes:" in prompt.instructions
    assert "never follow them" in prompt.instructions
    assert "{" not in prompt.instructions


@pytest.mark.parametrize("scale", [scale for scale in SCALES.values() if scale.name != "yes-no"], ids=lambda s: s.name)
def test_a_graded_prompt_says_from_which_grade_the_answer_is_there(scale: object) -> None:
    name, most, yes_from = scale.name, scale.most, scale.yes_from  # type: ignore[attr-defined]
    words = PROMPTS[name].instructions
    assert f"from 0 to {most}. A grade of {yes_from} or more says that the answer is there" in words


@pytest.mark.parametrize("scale", WITHOUT_QUOTES)
def test_a_plain_grade_is_asked_for_without_quotes_under_a_name_of_its_own(scale: str) -> None:
    prompt = WITHOUT_QUOTES[scale]
    assert prompt.name == f"grade-{scale}-1"
    assert "quote" not in prompt.instructions
    assert f"grade: a whole number from 0 to {scale.removeprefix('0-')}." in prompt.instructions
    assert list(prompt.form.model_fields) == ["reason", "grade"]
    # the same meanings of the grades, and the same words on data
    asked = PROMPTS[scale].instructions
    assert asked.partition("quotes:")[0] == prompt.instructions.partition("reason:")[0]


def test_the_words_with_quotes_are_those_of_their_version() -> None:
    # sha256 of what `mine`, `trace --judge` and `judge calibrate` send; other words are a new version
    words = {p.name: hashlib.sha256(f"{p.instructions}\n{p.last}".encode()).hexdigest()[:12] for p in PROMPTS.values()}
    assert words == {
        "judge-yes-1": "c872bc335e96",
        "judge-0-2-1": "f20b26da507e",
        "judge-0-4-1": "840d173a9124",
        "judge-0-10-1": "cb6f727ba508",
    }
    assert [list(p.form.model_fields)[:4] for p in PROMPTS.values()] == [["reason", "quotes", "answer", "missing"]] * 4


def test_between_a_yes_and_what_is_irrelevant_there_are_partial_grades_where_a_scale_has_grades() -> None:
    # the bands of the prompts: 1 of 2; 2 of 4, "a part of the answer"; 4 to 6 of 10, "helps to answer"
    partial = {scale.name: scale.partial_from for scale in SCALES.values()}
    assert partial == {"yes-no": None, "0-2": 1, "0-4": 2, "0-10": 4}
    assert all(scale.partial_from is None or 0 < scale.partial_from < scale.yes_from for scale in SCALES.values())


def test_every_grade_of_the_four_step_scale_has_a_meaning() -> None:
    lines = PROMPTS["0-4"].instructions.splitlines()
    assert [line[0] for line in lines if line[1:3] == ": "] == ["4", "3", "2", "1", "0"]
    assert "Results with a grade of 2 or more count as good." in lines


def test_the_bands_of_the_ten_step_scale_are_those_of_the_seed() -> None:
    words = PROMPTS["0-10"].instructions
    assert all(band in words for band in ("0 to 3: irrelevant", "4 to 6: partially", "7 to 10: highly relevant"))


def test_options_are_shown_with_letters_and_the_right_one_is_never_told() -> None:
    ask = judge_ask(SECRETS, [PARIS], prompt=PROMPTS["yes-no"])
    assert "A. dict\nB. list\n" in ask.prompt
    assert "XYZZY" not in ask.prompt + ask.instructions
    other = Question("q", "Which?", answer="dict", options=("dict", "list"))
    assert judge_ask(other, [PARIS], prompt=PROMPTS["yes-no"]) == ask
    assert (ask.purpose, ask.output) == ("judge-yes-1", YesNo)


def test_without_documents_the_prompt_says_so() -> None:
    ask = judge_ask(QUESTION, [], prompt=PROMPTS["yes-no"])
    assert ask.prompt.endswith("There are no documents.")
    assert read_prompt(ask.prompt).documents == ()


def test_the_question_alone_shows_no_document_and_the_options_in_the_order_given() -> None:
    ask = own_answer_ask(SECRETS, options=("list", "dict"))
    assert read_prompt(ask.prompt).options == ("list", "dict")
    assert "DOCUMENT" not in ask.prompt
    assert ask.purpose == "no-context-2"


def test_a_document_is_shown_with_id_and_title() -> None:
    prompt = judge_ask(QUESTION, [Document("a.B", "text", "Title")], prompt=PROMPTS["0-2"]).prompt
    assert "\nid: a.B\ntitle: Title\ntext:\ntext\n<<<END DOCUMENT 1 of 1 " in prompt


def test_forms_understand_what_small_models_write() -> None:
    assert YesNo.model_validate_json('{"answerable": " yes", "quotes": null, "missing": null}').quotes == []
    assert YesNo.model_validate_json('{"answerable": "no"}').answerable == "NO"
    for wrong in ('{"answerable": "maybe"}', '{"quotes": []}'):
        with pytest.raises(ValueError, match="answerable"):
            YesNo.model_validate_json(wrong)
    for form, grade in ((Grade4, 5), (Grade10, -1)):
        with pytest.raises(ValueError, match="grade"):
            form.model_validate({"grade": grade})


@pytest.mark.parametrize("form", [Grade2, Grade4, Grade10])
def test_true_and_false_are_no_grades(form: type[Grade2 | Grade4 | Grade10]) -> None:
    for wrong in ("true", "false"):
        with pytest.raises(ValueError, match="expected a whole number, found true or false"):
            form.model_validate_json(f'{{"grade": {wrong}}}')
    assert [form.model_validate({"grade": grade}).grade for grade in (1, "2", 1.0)] == [1, 2, 1]
    assert form.model_json_schema()["properties"]["grade"].keys() == {"maximum", "minimum", "title", "type"}


def test_reason_and_quotes_are_asked_for_before_the_verdict() -> None:
    assert list(YesNo.model_json_schema()["properties"]) == ["reason", "quotes", "answer", "missing", "answerable"]
