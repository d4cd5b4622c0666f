"""`score_traces(judge=...)`: what nobody labelled is labelled by a judge, once, and everything else stays as it was."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

import goldproof
from goldproof.errors import BudgetSpentError, InputError
from goldproof.jobs.trace import plan_labels
from goldproof.judge import GRADES_4, LlmJudge
from goldproof.llm.access import Access, using_access
from goldproof.llm.budget import Budget
from goldproof.llm.model import open_model
from goldproof.llm.prices import Price
from goldproof.testing import ModelServer, read_ledger
from tests.jobs.trace.conversations import write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.records.entities import Document, Question
    from goldproof.testing import Request

Json = dict[str, Any]
# What the judge says of a text, by its snippet.
GRADES = {"tides rise": 4, "moon pulls": 3, "boats float": 1, "sun helps": 2, "fish swim": 0}


class Scripted:
    """A judge of one's own that grades by snippet; asked: what was put before it."""

    scale = "0-4"

    def __init__(self, grades: dict[str, Any] = GRADES) -> None:
        self.grades = grades
        self.asked: list[tuple[str, str, str]] = []

    def judge(self, question: Question, documents: Sequence[Document]) -> Any:  # noqa: ANN401 - whatever the script says
        (document,) = documents
        self.asked.append((question.text, document.id, document.text))
        return self.grades[document.text]


def result(url: str, snippet: str | None = None, **more: object) -> Json:
    known = {"url": f"https://sea.example/{url}", **more}
    return known if snippet is None else {**known, "snippet": snippet}


def talk(*iterations: Sequence[Json], name: str = "c1", question: str | None = "What moves the sea?") -> Json:
    laid_out = [{"searches": [{"query": "q", "results": list(results)}]} for results in iterations]
    asked = {} if question is None else {"question": question}
    return {"conversation_id": name, "turns": [{**asked, "iterations": laid_out}]}


def lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_gains_follow_the_judge_where_nobody_said_anything() -> None:
    # i = 1: tides 4 (judge), boats 1 (judge, not good), moon 0 inside: G = 4; i = 2: tides again, sun 2 (judge): G = 2
    # CG = 6; DCG = 4 + 2 / log2(3) = 5.261860; SRE = 2 good of 5 results
    judge = Scripted()
    trace = talk(
        [result("tides", "tides rise"), result("boats", "boats float"), result("moon", "moon pulls", gain=0)],
        [result("tides?utm_source=x", "tides rise"), result("sun", "sun helps")],
    )
    scored = goldproof.score_traces([trace], judge=judge)
    assert scored.mean("CG") == 6
    assert scored.mean("DCG") == pytest.approx(5.261860, abs=1e-6)
    assert scored.mean("SRE") == pytest.approx(2 / 5)
    assert [text for _, _, text in judge.asked] == ["tides rise", "boats float", "sun helps"]
    assert {question for question, _, _ in judge.asked} == {"What moves the sea?"}
    (remark,) = [remark for remark in scored.remarks if remark.startswith("judge ")]
    assert "3 of 3 texts labelled, for 3 distinct results without a label" in remark


def test_a_text_is_judged_once_for_a_question_over_conversations_and_systems() -> None:
    judge = Scripted()
    one = talk([result("tides", "tides rise"), result("copy", "tides rise", title="")], name="c1")
    other = talk([result("tides", "tides rise"), result("elsewhere", "tides rise")], name="c2")
    scored = goldproof.score_traces(systems={"a": [one, other], "b": [one]}, judge=judge)
    assert [text for _, _, text in judge.asked] == ["tides rise"]
    assert scored.mean("CG", "a") == 8  # two different addresses with the same words: 4 + 4
    assert scored.mean("CG", "b") == 8


def test_another_question_is_another_ruling() -> None:
    judge = Scripted()
    goldproof.score_traces(
        [
            talk([result("tides", "tides rise")], name="c1"),
            talk([result("tides", "tides rise")], name="c2", question="Why do boats float?"),
        ],
        judge=judge,
    )
    assert [question for question, _, _ in judge.asked] == ["What moves the sea?", "Why do boats float?"]


def test_a_group_with_a_label_anywhere_in_it_is_not_judged() -> None:
    judge = Scripted()
    trace = talk([result("tides", "tides rise")], [result("tides", "tides rise", gain=2)])
    assert goldproof.score_traces([trace], judge=judge).mean("CG") == 2
    assert judge.asked == []


def test_of_a_group_the_first_result_that_has_a_text_is_judged() -> None:
    judge = Scripted()
    trace = talk([result("tides")], [result("tides", "tides rise")])
    # the group counts where it first occurred: G = 4 at i = 1
    scored = goldproof.score_traces([trace], judge=judge)
    assert [text for _, _, text in judge.asked] == ["tides rise"]
    assert scored.mean("CG@1") == 4


def test_what_cannot_be_judged_stays_unlabelled_and_is_counted() -> None:
    trace = talk([result("bare"), result("moon", "moon pulls", gain=3)])
    silent = talk([result("tides", "tides rise"), result("sun", "sun helps", gain=2)], name="c2", question=None)
    judge = Scripted()
    scored = goldproof.score_traces([trace, silent], judge=judge)
    assert judge.asked == []
    assert scored.to_dict()["judge"]["left_unlabelled"] == {  # type: ignore[index]
        "no title and no snippet to judge": 1,
        "the turn does not say its question": 1,
    }
    runs: Any = scored.to_dict()["runs"]
    assert runs["system"]["unlabelled"] == 2


def test_a_failed_ruling_is_no_zero() -> None:
    def broken() -> Any:  # noqa: ANN401
        raise RuntimeError("out of order")

    class Breaks(Scripted):
        def judge(self, question: Question, documents: Sequence[Document]) -> Any:  # noqa: ANN401
            return broken() if documents[0].text == "sun helps" else super().judge(question, documents)

    judge = Breaks({**GRADES, "fish swim": "abstained"})
    trace = talk([result("tides", "tides rise"), result("sun", "sun helps"), result("fish", "fish swim")])
    scored = goldproof.score_traces([trace], judge=judge)
    assert scored.mean("CG") == 4
    summary: Any = scored.to_dict()
    assert summary["judge"]["left_unlabelled"] == {"failed ruling": 1, "abstained ruling": 1}
    assert summary["runs"]["system"]["unlabelled"] == 2
    # what the two could add: 4 each
    assert scored.study.summary("system", "CG").extra["bounds"] == {"none_relevant": 4, "all_relevant": 12}
    assert any("out of order" in remark for remark in scored.remarks)


def test_the_run_is_repeated_from_its_labels_without_the_judge(tmp_path: Path) -> None:
    trace = write(
        tmp_path / "t.jsonl",
        [
            talk([result("tides", "tides rise"), {"id": "7", "snippet": "sun helps"}, result("moon", "moon pulls")]),
            talk([result("tides", "tides rise"), result("boats", "boats float", gain=3)], name="c2"),
        ],
    )
    given = tmp_path / "given.jsonl"  # by document alone, for any question
    given.write_text('{"doc_id": "https://sea.example/moon", "grade": 1}\n')
    first = goldproof.score_traces(str(trace), labels=given, judge=Scripted())
    first.save(tmp_path / "out")
    written = lines(tmp_path / "out" / "labels.jsonl")
    assert [(one["query_id"], one["doc_id"], one["grade"]) for one in written] == [
        ("c1", "https://sea.example/moon", 1),
        ("c1", "https://sea.example/tides", 4),
        ("c1", "7", 2),
        ("c2", "https://sea.example/tides", 4),
    ]
    assert [one["judge"] is None for one in written] == [True, False, False, False]
    again = goldproof.score_traces(str(trace), labels=tmp_path / "out" / "labels.jsonl")
    assert again.to_frame().equals(first.to_frame())
    assert first.mean("CG") == (4 + 2 + 4 + 3) / 2


def test_a_result_without_id_and_url_is_labelled_but_cannot_be_written(tmp_path: Path) -> None:
    trace = talk([{"snippet": "tides rise"}, {"title": "", "snippet": "sun helps"}])
    scored = goldproof.score_traces([trace], judge=Scripted())
    assert scored.mean("CG") == 6
    scored.save(tmp_path / "out")
    assert (tmp_path / "out" / "labels.jsonl").read_text() == ""
    assert any("2 labels are for results without id or URL" in remark for remark in scored.remarks)


def test_a_label_of_ones_own_is_never_overruled() -> None:
    # The same page for the same question: labelled 1 in c1, judged 4 in c2.
    labelled = talk([result("tides", "tides rise", gain=1)], name="c1")
    blank = talk([result("tides", "tides rise")], name="c2")
    for one in (labelled, blank):
        one["turns"][0]["question_id"] = "q"
    scored = goldproof.score_traces([labelled, blank], judge=Scripted())
    gains = dict(zip(scored.conversations["conversation_id"], scored.conversations["CG"], strict=True))
    assert gains == {"c1": 0, "c2": 4}
    assert any("1 labelled result also occurred without a label" in remark for remark in scored.remarks)


def test_traces_that_can_be_gone_through_once_are_judged_and_scored() -> None:
    scored = goldproof.score_traces(iter([talk([result("tides", "tides rise")])]), judge=Scripted())
    assert scored.mean("CG") == 4


def test_a_judge_on_another_scale_is_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="judges on the scale yes-no, but gains need grades from 0 to 4"):
        goldproof.score_traces([talk([result("tides", "tides rise")])], judge="keyword")


# Models


def graded(prompt: str) -> Json:
    """A model: grades by the words that it was shown, with the quote that it needs."""
    snippet, grade = next((words, grade) for words, grade in GRADES.items() if f"\n{words}\n" in prompt)
    return {"reason": "as scripted", "quotes": [snippet] if grade else [], "answer": "", "missing": "", "grade": grade}


def test_a_model_that_is_a_function_grades() -> None:
    trace = talk([result("tides", "tides rise"), result("sun", "sun helps"), result("fish", "fish swim")])
    scored = goldproof.score_traces([trace], judge=LlmJudge([open_model(graded)], scale=GRADES_4))
    assert scored.mean("CG") == 6


def served(request: Request) -> Json:
    return graded(request.prompt)


def test_answers_over_http_are_kept_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    trace = talk(
        [result("tides", "tides rise"), result("sun", "sun helps")],
        [result("fish", "fish swim"), result("sun/", "sun helps")],
    )
    with ModelServer(served) as server:
        spec = f"llm:{server.url}#model=scripted"
        access = Access(price=Price(1.0, 2.0))
        with using_access(access):
            plan = plan_labels(spec, systems={"a": [trace]})
            assert (plan.unlabelled, plan.judged, plan.estimate.calls, plan.estimate.cached) == (3, 3, 3, 0)
            assert server.calls == 0
            first = goldproof.score_traces([trace], judge=spec)
            assert server.calls == 3
            goldproof.score_traces([trace], judge=spec)
            assert server.calls == 3
            assert plan_labels(spec, systems={"a": [trace]}).estimate.cached == 3
    assert first.mean("CG") == 6
    first.save(tmp_path / "out")
    models: Any = json.loads((tmp_path / "out" / "run.json").read_text())["models"]
    assert (models["calls"], models["cached"]) == (3, 3)
    assert models["cost"] > 0


def test_a_spent_budget_stops_and_the_same_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    trace = talk([result(words.split()[0], words) for words in GRADES])
    with ModelServer(served) as server:
        spec = f"llm:{server.url}#model=scripted"
        with using_access(Access(price=Price(1.0, 2.0))):
            whole = plan_labels(spec, systems={"a": [trace]}).estimate.cost
        assert whole
        tight = Access(price=Price(1.0, 2.0), budget=Budget(whole / 2), concurrency=1)
        with using_access(tight), pytest.raises(BudgetSpentError, match=r"same command.*Nothing was written"):
            goldproof.score_traces([trace], judge=spec)
        paid = server.calls
        assert 0 < paid < 5
        with using_access(Access(price=Price(1.0, 2.0))):
            assert goldproof.score_traces([trace], judge=spec).mean("CG") == 4 + 3 + 2
        assert server.calls == 5


def test_no_answer_is_paid_for_twice_over_several_budget_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    trace = talk([result(f"r{number}", f"fish swim {number}") for number in range(40)])

    async def in_its_time(request: Request) -> Json:
        await asyncio.sleep(0.03 * (request.number % 4))
        return {"reason": "", "quotes": [], "answer": "", "missing": "", "grade": 0}

    with ModelServer(in_its_time, ledger=tmp_path / "paid.jsonl") as server:
        spec = f"llm:{server.url}#model=scripted"
        with using_access(Access(price=Price(1.0, 2.0))):
            whole = plan_labels(spec, systems={"a": [trace]}).estimate.cost
        assert whole
        stops = 0
        for _ in range(40):
            try:
                with using_access(Access(price=Price(1.0, 2.0), budget=Budget(whole / 10))):
                    goldproof.score_traces([trace], judge=spec)
                break
            except BudgetSpentError:
                stops += 1
        assert stops >= 2
        assert server.calls == 40
    assert len({row["content"] for row in read_ledger(tmp_path / "paid.jsonl")}) == 40
