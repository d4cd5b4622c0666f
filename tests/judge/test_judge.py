from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import goldproof.judge
from goldproof.errors import GoldproofError, InputError
from goldproof.judge import (
    GRADES_4,
    JUDGES,
    AnswerJudge,
    GoldJudge,
    KeywordJudge,
    LlmJudge,
    SimilarityJudge,
    UserJudge,
    open_judge,
)
from goldproof.llm.access import Access
from tests.judge.scripted import PARIS, ROME, rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.records.entities import Document, Question

TEACHER = "tests.judge.test_judge:teacher"
SECOND = "tests.judge.test_judge:second"
VOTS = ("model=x,vots=3", "model=x#vots=3", "model=x,vots=3#scale=0-4", "vots=3,model=x", "vots=3#model=x")


def teacher(prompt: str) -> dict[str, object]:
    yes = "Seine" in prompt
    return {"answerable": "YES", "quotes": ["Paris"]} if yes else {"answerable": "NO", "grade": 0}


def second(prompt: str) -> dict[str, object]:
    return teacher(prompt)


def own(question: Question, documents: Sequence[Document]) -> bool:
    return str(question.answer) in documents[0].text


def test_names_become_judges() -> None:
    kinds = [type(open_judge(spec)) for spec in ("answer", "gold", "keyword", "similarity", f"llm:{TEACHER}")]
    assert kinds == [AnswerJudge, GoldJudge, KeywordJudge, SimilarityJudge, LlmJudge]
    assert sorted(JUDGES) == ["answer", "gold", "human", "keyword", "llm", "similarity"]


def test_a_judge_is_taken_as_it_is_and_a_function_becomes_one() -> None:
    by = AnswerJudge()
    assert open_judge(by) is by
    assert isinstance(open_judge(own), UserJudge)
    named = open_judge("tests.judge.test_judge:own")
    assert [rule(each, doc).label for each in (named, open_judge(own)) for doc in (PARIS, ROME)] == ["yes", "no"] * 2
    assert named.key == open_judge(own).key


def test_an_llm_judge_takes_models_votes_scale_temperature_and_length() -> None:
    by = open_judge(f"llm:{TEACHER}+{SECOND}#votes=3,temperature=0.2,longest=500", access=Access(concurrency=5))
    assert isinstance(by, LlmJudge)
    assert [model.key.split(" ")[0] for model in by.models] == [TEACHER, SECOND]
    assert by.key.endswith(" judge-yes-1 votes=3 temperature=0.2 longest=500")
    assert by.concurrency == 5
    assert len(rule(by, PARIS).votes) == 6
    assert open_judge(f"llm:{TEACHER}#scale=0-4").scale is GRADES_4
    assert [rule(open_judge(f"llm:{TEACHER}"), each).label for each in (PARIS, ROME)] == ["yes", "no"]


def test_what_follows_the_address_of_a_server_belongs_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from goldproof.judge import llm_judge

    opened: list[str] = []

    def open_model(spec: str) -> object:
        opened.append(spec)
        return type("Model", (), {"key": spec})()

    monkeypatch.setattr(llm_judge, "open_model", open_model)
    address = "http://127.0.0.1:9/v1"
    for spec in (
        f"llm:{address}#model=a",
        f"llm:{address}#model=a#votes=3",
        f"llm:{address}#model=a,votes=3",
        f"llm:google:gemini-3-pro-preview+{address}#model=b+c",
        f"llm:{address}#model=a+{address}#model=b#scale=0-4",
        f"llm:{address}#model=a,votes=3#scale=0-4",
        f"llm:{address}#votes=3#model=a",
    ):
        open_judge(spec)
    assert opened == [
        *[f"{address}#model=a"] * 3,
        *["google:gemini-3-pro-preview", f"{address}#model=b+c"],
        *[f"{address}#model=a", f"{address}#model=b"],
        *[f"{address}#model=a"] * 2,
    ]
    both = open_judge(f"llm:{address}#model=a,votes=3#scale=0-4")
    assert both.key == f"llm:{address}#model=a judge-0-4-1 votes=3 temperature=0.7"


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("", "the judge's spec is empty"),
        ("answers", "unknown judge 'answers'; did you mean 'answer'"),
        ("lmm:google:x", "Or did you mean llm:google:x?"),
        ("answer:x", "the answer judge takes no argument"),
        ("gold#least=1", "unknown option of the gold judge 'least'; it has no options"),
        ("keyword#leats=0.5", "unknown option of the keyword judge 'leats'; did you mean 'least'"),
        ("keyword#least=x", "least=x: expected a number from 0 to 1"),
        ("keyword#least=nan", "least=nan: expected a number"),
        ("keyword#least=0.1,least=0.2", "option 'least' is given twice"),
        ("similarity#least=2", "least=2: expected a number from -1 to 1"),
        ("similarity:minilmm", "unknown embedder 'minilmm'"),
        ("llm:", "llm:: no model is named"),
        ("llm", "no model is named"),
        (f"llm:{TEACHER}#vote=3", "unknown option of the llm judge 'vote'; did you mean 'votes'"),
        (f"llm:{TEACHER}+{TEACHER}", "is named twice; for several samples of one model write #votes=3"),
        (f"llm:{TEACHER}#votes=0", "votes=0: expected a whole number from 1 to 99"),
        (f"llm:{TEACHER}#votes=two", "votes=two: expected a whole number"),
        (f"llm:{TEACHER}#scale=0-5", "unknown scale '0-5'; did you mean"),
        (f"llm:{TEACHER}#temperature=3", "temperature=3: expected a number from 0 to 2"),
        (f"llm:{TEACHER}#longest=5", "longest=5: expected a number from 100"),
        ("llm:gemini", "does not name a model"),
        *((f"llm:http://h/v1#{options}", "option of the llm judge 'vots'; did you mean 'votes'") for options in VOTS),
        ("llm:http://h/v1#vots=3+http://g/v1#model=b", "option of the llm judge 'vots'; did you mean 'votes'"),
        ("llm:http://h/v1#modl=x", "unknown option of the llm judge 'modl'; did you mean 'model'"),
        ("llm:http://h/v1#model=x#model=y", "option 'model' is given twice"),
        ("llm:http://h/v1#model=x,votes=3#votes=1", "option 'votes' is given twice"),
        (f"llm:{TEACHER}#model=x", "unknown option of the llm judge 'model'"),
    ],
)
def test_a_bad_spec_is_one_sentence(spec: str, problem: str) -> None:
    with pytest.raises(InputError) as raised:
        open_judge(spec)
    assert problem in str(raised.value)
    assert len(str(raised.value).splitlines()) <= 2


@pytest.mark.parametrize("target", [7, None, object()])
def test_what_cannot_judge_is_refused(target: object) -> None:
    with pytest.raises(InputError, match=r"is (an int|None|an object); expected a spec such as answer"):
        open_judge(target)


def test_plug_ins_enter_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def coin(rest: str, options: Mapping[str, str]) -> UserJudge:
        return UserJudge(lambda *_: f"{rest} {options['side']}" == "toss heads")

    monkeypatch.setitem(JUDGES._targets, "coin", coin)
    assert rule(open_judge("coin:toss#side=heads"), PARIS).label == "yes"
    assert rule(open_judge("coin:toss#side=tails"), PARIS).label == "no"


def test_everything_that_the_package_exports_is_there() -> None:
    assert sorted(goldproof.judge.__all__) == dir(goldproof.judge)
    for name in goldproof.judge.__all__:
        assert getattr(goldproof.judge, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = goldproof.judge.nothing  # type: ignore[attr-defined]


def test_errors_of_opening_are_goldproofs_own() -> None:
    with pytest.raises(GoldproofError):
        open_judge("human:/nowhere/at/all.jsonl")
