from __future__ import annotations

import asyncio
import sys
import threading
from dataclasses import replace
from datetime import date
from textwrap import dedent
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from goldproof.concurrency import run_in_loop
from goldproof.errors import InputError, ModelDownError, UnknownNameError
from goldproof.judge import GRADES_4, Evidence, Ruling, UserJudge, Vote, open_judge
from goldproof.judge.user_judge import KeptRulings, ruling_from, ruling_record
from goldproof.llm.model import Estimate
from goldproof.records.entities import Document
from tests.judge.scripted import PARIS, QUESTION, ROME, rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from goldproof.records.entities import Question

    Module = Callable[[str], str]


def returning(value: object, **attributes: object) -> UserJudge:
    def judge(question: Question, documents: Sequence[Document]) -> object:  # noqa: ARG001
        return value

    vars(judge).update(attributes)
    return UserJudge(judge)


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (True, "yes"),
        (False, "no"),
        (1, "yes"),
        (0, "no"),
        (np.True_, "yes"),
        (np.int64(0), "no"),
        ("YES", "yes"),
        (" abstained ", "abstained"),
        ("disputed", "disputed"),
        ({"label": "no", "missing": "more"}, "no"),
        ({"label": True}, "yes"),
        ({"grade": 1}, "yes"),
        (Ruling("unsupported"), "unsupported"),
    ],
)
def test_what_a_judge_may_return(value: object, label: str) -> None:
    assert rule(returning(value), PARIS).label == label


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "the judge returned None; expected True or False"),
        (0.5, "the judge returned a float"),
        ("perhaps", "the judge returned 'perhaps'; expected one of yes, no"),
        (3, "grade 3 is not on the scale yes-no"),
        (-1, "grade -1 is not on the scale"),
        ({"verdict": "yes"}, "the key 'verdict'; known: label, grade"),
        ({"reason": "x"}, "a dict without label or grade"),
        ([True], "the judge returned a list"),
        (Ruling("maybe"), "expected one of yes"),  # type: ignore[arg-type]
    ],
)
def test_anything_else_is_failed_with_what_was_returned(value: object, reason: str) -> None:
    ruling = rule(returning(value), PARIS)
    assert ruling.label == "failed"
    assert reason in ruling.reason


def test_grades_need_a_scale() -> None:
    by = returning(3, scale="0-4")
    assert (by.scale, rule(by, PARIS).label, rule(by, PARIS).grade) == (GRADES_4, "yes", 3)
    assert rule(returning({"grade": 2, "reason": "so"}, scale=GRADES_4), PARIS) == Ruling("no", 2, reason="so")
    assert rule(returning(Ruling("yes", 5), scale="0-4"), PARIS).label == "failed"
    with pytest.raises(UnknownNameError, match=r"unknown scale of .* '0-3'"):
        returning(3, scale="0-3")


def test_quotes_are_checked_as_a_models_are() -> None:
    found = rule(returning({"label": "yes", "quotes": ["CAPITAL is"]}), PARIS)
    assert found.evidence == (Evidence("fr", 4, 14, "capital is"),)
    assert rule(returning({"label": "yes", "quotes": "capital is"}), PARIS).evidence == found.evidence
    lost = rule(returning({"label": "yes", "quotes": ["Lyon"], "reason": "I know."}), PARIS)
    assert (lost.label, lost.reason) == ("unsupported", "a quote does not stand in the documents: 'Lyon'. I know.")
    empty = rule(returning({"label": "yes", "quotes": ["its"]}), PARIS)
    assert (empty.label, empty.reason) == ("unsupported", "a quote says nothing, wherever it stands: 'its'.")
    assert rule(returning({"label": "yes"}), PARIS).label == "yes"  # code need not quote


def test_async_functions_objects_and_classes_are_judges() -> None:
    async def by_async(question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG001
        await asyncio.sleep(0)
        return documents[0].id == "fr"

    class Own:
        concurrency = 3

        async def judge(self, question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG002
            return documents[0].id == "fr"

        def why_not_sets(self, question: Question) -> str:
            return f"not for {question.id}"

        def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002
            return Estimate(calls=len(documents))

    class Callable:
        async def __call__(self, question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG002
            return documents[0].id == "fr"

    for target in (by_async, Own, Own(), Callable()):
        by = UserJudge(target)
        assert [rule(by, each).label for each in (PARIS, ROME)] == ["yes", "no"]
    own = UserJudge(Own)
    assert (own.concurrency, UserJudge(by_async).concurrency, returning(1).concurrency) == (3, 8, 1)
    assert (own.why_not_sets(QUESTION), UserJudge(by_async).why_not_sets(QUESTION)) == ("not for q1", None)
    assert own.estimate(QUESTION, [PARIS, ROME]) == Estimate(calls=2)
    assert returning(1).estimate(QUESTION, [PARIS]) == Estimate()


def test_a_sync_function_does_not_hold_up_the_loop() -> None:
    threads = set()

    def slow(question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG001
        threads.add(threading.current_thread().name)
        return True

    assert rule(UserJudge(slow), PARIS).label == "yes"
    assert "goldproof-loop" not in threads


def test_an_exception_is_a_failed_ruling_and_what_ends_the_run_is_raised() -> None:
    def broken(question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG001
        raise KeyError(documents[0].id)

    def down(question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG001
        raise ModelDownError("wrong key")

    assert rule(UserJudge(broken), PARIS) == Ruling("failed", reason="KeyError: 'fr'")
    with pytest.raises(ModelDownError):
        rule(UserJudge(down), PARIS)


ENDS: list[type[BaseException]] = [
    *(SystemExit, KeyboardInterrupt, BaseException, asyncio.CancelledError, GeneratorExit, StopIteration)
]


@pytest.mark.parametrize("kind", ENDS)
def test_whatever_code_raises_is_a_failed_ruling_and_others_go_on(kind: type[BaseException]) -> None:
    def by_sync(question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG001
        if documents[0].id == "fr":
            raise kind("enough")
        return True

    async def by_async(question: Question, documents: Sequence[Document]) -> bool:
        await asyncio.sleep(0)
        return by_sync(question, documents)

    def late(question: Question, documents: Sequence[Document]) -> object:
        return by_async(question, documents)

    # GeneratorExit is how Python itself ends a coroutine; StopIteration in one is made a RuntimeError.
    judges = [by_sync, *([] if kind in (GeneratorExit, StopIteration) else [by_async, late])]
    for judge in judges:
        rulings = run_in_loop(both(UserJudge(judge)))
        assert rulings == [Ruling("failed", reason=f"{kind.__name__}: enough"), Ruling("yes")]


async def both(by: UserJudge) -> list[Ruling]:
    async with asyncio.timeout(20):
        return list(await asyncio.gather(by.judge(QUESTION, [PARIS]), by.judge(QUESTION, [ROME])))


def test_a_cancellation_of_our_own_is_passed_on() -> None:
    begun = threading.Event()

    async def waits(question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG001
        begun.set()
        await asyncio.sleep(60)
        return True

    async def cancelled() -> str:
        task = asyncio.ensure_future(UserJudge(waits).judge(QUESTION, [PARIS]))
        while not begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        try:
            return (await task).label
        except asyncio.CancelledError:
            return "cancelled"

    assert run_in_loop(cancelled()) == "cancelled"


def test_a_judge_is_given_copies() -> None:
    question = replace(QUESTION, metadata={"gold_kernels": [["fr"]]})
    document = replace(PARIS, metadata={"tags": ["a"], "open": threading.Lock()})
    given = [document, ROME]

    def changes(question: Any, documents: Any) -> bool:  # noqa: ANN401
        question.metadata["gold_kernels"][0].append("it")
        question.metadata["new"] = 1
        documents[0].metadata["tags"].clear()
        documents[0].metadata["new"] = 1
        documents.clear()
        return True

    assert run_in_loop(UserJudge(changes).judge(question, given)).label == "yes"
    assert question.metadata == {"gold_kernels": [["fr"]]}
    assert (list(document.metadata), document.metadata["tags"]) == (["tags", "open"], ["a"])
    assert given == [document, ROME]


def test_reasons_are_shortened_and_what_no_file_can_hold_is_replaced(module: Module) -> None:
    name = module("""
        from goldproof.judge import Evidence, Ruling, Vote
        ODD = "a\\x00b\\x1b[2J\\ud800c\\n\\td\\r\\n"
        def judge(question, documents):
            if documents[0].id == "it":
                return {"label": "no", "reason": ODD + "x" * 10_000_000, "missing": ODD}
            votes = (Vote("me", "yes", None, ("\\x00\\ud800",), ODD + "y" * 5000),)
            return Ruling("yes", None, (Evidence("fr", 0, 2, "\\x00\\ud800"),), ODD, ODD, votes)
    """)
    by = open_judge(f"{name}:judge")
    tidy = "a\ufffdb\ufffd[2J\ufffdc\n\td\n"
    for _ in range(2):  # the second time from disk
        long = rule(by, ROME)
        assert long.reason == tidy + "x" * (2000 - len(tidy) - 3) + "..."
        assert long.missing == tidy
        whole = rule(by, PARIS)
        assert (whole.reason, whole.missing) == (tidy, tidy)
        assert (whole.evidence[0].text, whole.votes[0].quotes) == ("\x00\ufffd", ("\x00\ufffd",))
        assert len(whole.votes[0].reason) == 2000


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Module]:
    """Write a module of the user's, and return its name; each call another one."""
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(tmp_path)
    names: list[str] = []

    def write(source: str) -> str:
        names.append(f"own_judge_{tmp_path.name.replace('-', '_')}_{len(names)}")
        (tmp_path / f"{names[-1]}.py").write_text(dedent(source), encoding="utf-8")
        return names[-1]

    yield write
    for name in names:
        sys.modules.pop(name, None)


COUNTING = """
    calls = []
    def judge(question, documents):
        calls.append(documents[0].id)
        if documents[0].text == "broken":
            raise ValueError("no")
        return {"label": "yes", "quotes": [documents[0].text[:5]], "reason": question.text}
"""


def test_rulings_of_code_in_a_file_are_kept_and_failures_are_tried_again(module: Module) -> None:
    name = module(COUNTING)
    first = open_judge(f"{name}:judge")
    calls = sys.modules[name].calls
    ruling = rule(first, PARIS)
    again = open_judge(f"{name}:judge")
    assert rule(again, PARIS) == ruling
    assert calls == ["fr"]
    for _ in range(2):
        assert rule(again, Document("x", "broken")).label == "failed"
    assert calls == ["fr", "x", "x"]
    rule(again, ROME)
    rule(again, Document("fr", PARIS.text, "another title"))
    assert calls == ["fr", "x", "x", "it", "fr"]


def test_another_scale_and_other_code_are_another_judge(module: Module) -> None:
    one, two = module(COUNTING), module(COUNTING + "\n    changed = True\n")
    keys = [open_judge(spec).key for spec in (f"{one}:judge", f"{two}:judge", f"{one}:judge#scale=0-4")]
    assert len(set(keys)) == 3


def test_code_that_no_file_tells_apart_is_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    calls = []

    def closure(question: Question, documents: Sequence[Document]) -> bool:  # noqa: ARG001
        calls.append(documents[0].id)
        return True

    by = UserJudge(closure)
    rule(by, PARIS)
    rule(by, PARIS)
    assert calls == ["fr", "fr"]
    assert by.key.endswith("(not in a file)")
    assert not (tmp_path / "home").exists()


def test_a_whole_judge_is_used_as_it_is_and_a_broken_module_is_one_sentence(module: Module) -> None:
    name = module("""
        from goldproof.judge import AnswerJudge
        whole = AnswerJudge()
        number = 7
        class Needs:
            def __init__(self, argument): pass
    """)
    assert open_judge(f"{name}:whole") is sys.modules[name].whole
    for spec, problem in (
        (f"{name}:number", "number is an int; expected a spec such as answer, a Judge, a function"),
        (f"{name}:Needs", "Needs: making it failed with TypeError: .*; it is called without arguments"),
        (f"{name}:nothing", "unknown attribute"),
        (f"{name}:whole#votes=3", "unknown option of your own judge 'votes'"),
        (f"{module('1/0')}:judge", "ZeroDivisionError"),
        ("no_such_module_anywhere:judge", "no module named"),
    ):
        with pytest.raises(InputError, match=problem):
            open_judge(spec)


def test_a_ruling_reads_back_as_it_was_kept(tmp_path: Path) -> None:
    votes = (Vote("m#1", "yes", 3, ("a", "b"), "r"), Vote("m#2", "failed", reason="gone"))
    evidence = (Evidence("d", 1, 2, "\u00e9", in_title=True),)
    ruling = Ruling("yes", 3, evidence, "more", "because", votes, 0.5)
    assert ruling_from(ruling_record(ruling)) == ruling
    kept = KeptRulings("judge-1", tmp_path / "r.sqlite")

    async def round_trip(key: bytes) -> list[Ruling | None]:
        before = await kept.get(key)
        await kept.put(key, ruling)
        return [before, await kept.get(key)]

    key = kept.key(QUESTION, [PARIS])
    assert key is not None
    assert run_in_loop(round_trip(key)) == [None, ruling]


def test_the_key_of_a_ruling_is_all_that_was_judged(tmp_path: Path) -> None:
    def key(question: Question = QUESTION, documents: Sequence[Document] = (PARIS,), judge: str = "j") -> bytes | None:
        return KeptRulings(judge, tmp_path / "r.sqlite").key(question, documents)

    others = [
        key(judge="k"),
        key(replace(QUESTION, id="x")),
        key(replace(QUESTION, text="x")),
        key(replace(QUESTION, answer="x")),
        key(replace(QUESTION, options=("x",))),
        key(replace(QUESTION, cluster="x")),
        key(replace(QUESTION, answerable=False)),
        key(replace(QUESTION, metadata={"answer_aliases": ["x"]})),
        key(documents=()),
        key(documents=(PARIS, ROME)),
        key(documents=(ROME, PARIS)),
        key(documents=(replace(PARIS, text="x"),)),
        key(documents=(replace(PARIS, title="x"),)),
        key(documents=(replace(PARIS, metadata={"lang": "de"}),)),
        key(documents=(replace(PARIS, metadata={"lang": "fr"}),)),
        key(documents=(replace(PARIS, metadata={"on": date(2024, 5, 1), "in": {"b", "a"}, "as": b"x"}),)),
        key(documents=(replace(PARIS, metadata={"at": float("nan")}),)),
    ]
    assert None not in others
    assert len({key(), *others}) == len(others) + 1
    assert key() == key()
    odd: Any = {"when": object()}
    assert key(replace(QUESTION, metadata=odd)) is None
    assert key(documents=(replace(PARIS, metadata=odd),)) is None
    assert key(documents=(replace(PARIS, metadata={1: 1, "1": 2}),)) is None  # type: ignore[dict-item]


def test_other_metadata_are_another_ruling_and_what_cannot_be_written_down_is_asked_again(module: Module) -> None:
    name = module("""
        def judge(question, documents):
            return documents[0].metadata.get("lang") == "fr"
    """)
    by = open_judge(f"{name}:judge")
    french, german = (replace(PARIS, metadata={"lang": lang}) for lang in ("fr", "de"))
    assert [rule(by, each).label for each in (french, german, french)] == ["yes", "no", "yes"]
    changing: Any = {"lang": "fr", "open": object()}
    document = replace(PARIS, metadata=changing)
    assert rule(by, document).label == "yes"
    changing["lang"] = "de"
    assert rule(by, document).label == "no"


def test_two_judges_share_the_file_of_rulings_which_is_closed_with_the_last_of_them(
    tmp_path: Path, open_databases: Callable[[], list[str]]
) -> None:
    first, second = (KeptRulings(name, tmp_path / "r.sqlite") for name in ("a", "b"))
    assert open_databases() == ["r.sqlite"]
    first.close()
    assert open_databases() == []
    assert run_in_loop(second.get(b"k")) is None  # opened again
    assert open_databases() == ["r.sqlite"]
    del first, second
    deadline = monotonic() + 10  # the thread that looked it up may hold it a moment longer
    while open_databases() and monotonic() < deadline:
        sleep(0.01)
    assert open_databases() == []
